#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "ask/expression.hpp"
#include "ask/problem.hpp"
#include "ktln2/cost/internal_bill.hpp"

namespace ktln2::ask {

/// Internal entropies of the states of registers [eq:phys_ent], in bits, as --internal has them: an
/// expression over the names
///     x                        the value that is stored
///     index                    its number, 1 … K, from the lowest value on
///     sign, exponent, mantissa its fields: x = (-1)^sign 2^exponent (1 + mantissa)
///     ones, width              how many bits of its code are 1, and how many there are
/// or file:FILE, a table of all states.
class internal_states {
 public:
  /// Throws std::domain_error that begins with `where` for what cannot be read, and for a table
  /// where the formats are not all the same.
  internal_states(const std::string& where, std::string text, double reset,
                  const register_formats& formats);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] double reset() const { return reset_; }

  /// Throws std::domain_error where a state has no internal entropy from -1e100 to 1e100, and if
  /// there are too many states. An expression of sign and exponent alone is the same for all states
  /// of a binade, of which there are fewer.
  [[nodiscard]] internal_table of(const float_format& format, const stop_token& stop) const;
  [[nodiscard]] internal_tables of(const register_formats& formats, const stop_token& stop) const;

 private:
  [[nodiscard]] int dropped_bits(const float_format& format) const;
  [[nodiscard]] double at(const float_format& format, register_code place) const;

  std::string where_;
  std::string text_;
  double reset_;
  std::variant<expression, internal_table> known_;
};

/// A table as a file has it: a line has the value of a state and its internal entropy; blank lines
/// do not count, nor does what stands behind a '#'. Throws std::domain_error that begins with
/// `where`, with the line, for what is no state, comes twice or is missing.
internal_table parse_internal_table(std::string_view text, const std::string& where,
                                    const float_format& format, double reset);

/// --internal and --reset
std::optional<internal_states> read_internal(const reader& given, const register_formats& formats);

}  // namespace ktln2::ask
