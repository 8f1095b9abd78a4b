#include <stdexcept>

#include "commands.hpp"
#include "core/parse.hpp"

namespace ktln2::cli {
namespace {

constexpr int listed_bits = 20;

std::vector<wide> all_values(const float_format& format) {
  if (format.width() > listed_bits) {
    throw std::domain_error(fmt::format(
        "format: {} has 2^{} values, --values lists at most 2^{}: use --index to pick some",
        format.name(), format.width(), listed_bits));
  }
  std::vector<wide> values;
  for (register_code i = 1; i <= format.size(); ++i) values.push_back(format.value_at(i));
  return values;
}

register_code parse_index(const float_format& format, const std::string& text) {
  const register_code index = parse_count("format: --index", text);
  if (index < 1 || index > format.size()) {
    throw std::domain_error(
        fmt::format("format: --index must be from 1 to {}, got {}", digits(format.size()), text));
  }
  return index;
}

}  // namespace

void run(const format_request& request, style how) {
  const float_format format = float_format::parse(request.format);
  std::vector<register_code> index;
  for (const std::string& text : request.index) index.push_back(parse_index(format, text));
  const std::vector<wide> values = request.values ? all_values(format) : std::vector<wide>{};

  if (how == style::json) {
    json_value object = report("format");
    object["format"] = format.name();
    object["p"] = format.p();
    object["exponent_bits"] = format.exponent_bits();
    object["width"] = format.width();
    object["emin"] = number(format.emin());
    object["emax"] = number(format.emax());
    object["size"] = number(static_cast<double>(format.size()));
    object["min_positive"] = number(format.min_positive());
    object["max"] = number(format.max());
    if (request.values) {
      object["values"] = json_value::array();
      for (const wide& value : values) object["values"].push_back(number(value));
    }
    if (!index.empty()) {
      object["index"] = json_value::array();
      object["indexed"] = json_value::array();
      for (const register_code i : index) {
        object["index"].push_back(number(i));
        object["indexed"].push_back(number(format.value_at(i)));
      }
    }
    return print_json(object);
  }

  table rows({"i", "u_i"});
  for (std::size_t i = 0; i < values.size(); ++i) {
    rows.add({fmt::format("{}", i + 1), decimal(values[i])});
  }
  for (const register_code i : index) rows.add({digits(i), decimal(format.value_at(i))});
  if (how == style::csv) {
    if (values.empty() && index.empty()) {
      rows = table({"format", "p", "exponent_bits", "emin", "emax", "size", "min_positive", "max"});
      rows.add({format.name(), fmt::format("{}", format.p()),
                fmt::format("{}", format.exponent_bits()), fmt::format("{}", format.emin()),
                fmt::format("{}", format.emax()), digits(format.size()),
                decimal(format.min_positive()), decimal(format.max())});
    }
    return print(rows.csv());
  }
  print(fmt::format("{}: {} bit{} = 1 sign, {} exponent, {} mantissa\n\n", format.name(),
                    format.width(), format.width() == 1 ? "" : "s", format.exponent_bits(),
                    format.p() - 1));
  print(fmt::format("  values             {} = 2^{}\n", digits(format.size()), format.width()));
  print(fmt::format("  exponents          {} ... {}\n", format.emin(), format.emax()));
  print(fmt::format("  smallest positive  {}\n", decimal(format.min_positive())));
  print(fmt::format("  largest            {}\n", decimal(format.max())));
  print("\nThere is no zero: every x is stored as the nearest value, ties away from zero.\n");
  if (!values.empty() || !index.empty()) print("\n" + rows.text());
}

}  // namespace ktln2::cli
