#include "commands.hpp"
#include "core/parse.hpp"

namespace ktln2::cli {
namespace {

std::string binary(std::uint64_t value, int width) {
  std::string text;
  for (int bit = width; bit-- > 0;) text += ((value >> bit) & 1U) != 0 ? '1' : '0';
  return text;
}

/// The code as it stands in the register: sign, exponent, mantissa.
std::string fields_text(const float_format& format, const register_fields& fields) {
  std::string text = fields.negative ? "1" : "0";
  if (format.exponent_bits() > 0) text += " " + binary(fields.exponent, format.exponent_bits());
  if (format.p() > 1) text += " " + binary(fields.mantissa, format.p() - 1);
  return text;
}

}  // namespace

void run(const quantize_request& request, style how) {
  const float_format format = float_format::parse(request.format);
  std::vector<double> numbers;
  for (const std::string& text : request.numbers) {
    numbers.push_back(parse_number("quantize: X", text));
  }

  json_value object = report("quantize");
  object["format"] = format.name();
  object["x"] = json_value::array();
  object["values"] = json_value::array();
  object["codes"] = json_value::array();
  table shown_rows({"x", "stored", "code", "sign exponent mantissa"});
  table plain_rows({"x", "value", "code"});
  for (const double x : numbers) {
    const register_fields fields = format.quantize(x);
    const wide value = format.value(fields);
    const register_code code = format.encode(fields);
    object["x"].push_back(number(x));
    object["values"].push_back(number(value));
    object["codes"].push_back(number(code));
    const std::string x_text = fmt::format("{}", x);
    shown_rows.add({x_text, decimal(value), digits(code), fields_text(format, fields)});
    plain_rows.add({x_text, decimal(value), digits(code)});
  }
  if (how == style::json) return print_json(object);
  print(how == style::csv ? plain_rows.csv() : shown_rows.text());
}

}  // namespace ktln2::cli
