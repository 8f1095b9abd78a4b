#include "ask/format.hpp"
#include "ask/how_many.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::decimal;
using ask::digits;
using ask::how_many;
using ask::plain;

table values_of(const ask::format_answer& made) {
  table rows({"i", "u_i"});
  for (std::size_t i = 0; i < made.values.size(); ++i) {
    rows.add({fmt::format("{}", i + 1), decimal(made.values[i])});
  }
  for (std::size_t i = 0; i < made.indexed.size(); ++i) {
    rows.add({digits(made.asked.index[i]), decimal(made.indexed[i])});
  }
  return rows;
}

bool has_values(const ask::format_answer& made) {
  return !made.values.empty() || !made.indexed.empty();
}

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

std::string text_of(const ask::format_answer& made) {
  const float_format& format = made.asked.format;
  std::string text =
      fmt::format("{}: {} = 1 sign, {} exponent, {} mantissa\n\n", format.name(),
                  how_many(format.width(), "bit"), format.exponent_bits(), format.p() - 1) +
      fmt::format("  values             {} = 2^{}\n", digits(format.size()), format.width()) +
      fmt::format("  exponents          {} ... {}\n", format.emin(), format.emax()) +
      fmt::format("  smallest positive  {}\n", decimal(format.min_positive())) +
      fmt::format("  largest            {}\n", decimal(format.max())) +
      "\nThere is no zero: every x is stored as the nearest value, ties away from zero.\n";
  if (has_values(made)) text += "\n" + values_of(made).text();
  return text;
}

table rows_of(const ask::format_answer& made) {
  if (has_values(made)) return values_of(made);
  const float_format& format = made.asked.format;
  table rows({"format", "p", "exponent_bits", "emin", "emax", "size", "min_positive", "max"});
  rows.add({format.name(), plain(format.p()), plain(format.exponent_bits()), plain(format.emin()),
            plain(format.emax()), digits(format.size()), decimal(format.min_positive()),
            decimal(format.max())});
  return rows;
}

std::string text_of(const ask::quantize_answer& made) {
  table rows({"x", "stored", "code", "sign exponent mantissa"});
  for (const ask::stored_number& one : made.stored) {
    rows.add(
        {plain(one.x), decimal(one.value), digits(one.code), fields_text(made.format, one.fields)});
  }
  return rows.text();
}

table rows_of(const ask::quantize_answer& made) {
  table rows({"x", "value", "code"});
  for (const ask::stored_number& one : made.stored) {
    rows.add({plain(one.x), decimal(one.value), digits(one.code)});
  }
  return rows;
}

}  // namespace ktln2::cli
