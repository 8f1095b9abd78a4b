#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "ktln2/format/number_cells.hpp"

namespace ktln2 {

/// Where a number is kept: in the paper's idealized format, or in one that people own, under a rule
/// that leaves nothing to chance. A cheap value.
class storage {
 public:
  // A format is where numbers are kept: no more need be said.
  storage(const float_format& format) : kept_{format} {}  // NOLINT(google-explicit-constructor)
  storage(const number_format& format);                   // NOLINT(google-explicit-constructor)
  /// Throws std::domain_error for a rule that the format does not have, and for one by chance.
  storage(number_format format, const storing& rule);

  [[nodiscard]] std::string name() const;
  [[nodiscard]] int width() const;  ///< bits of a register
  /// Significant bits: of a posit where it has most of them, of fixed point all.
  [[nodiscard]] int p() const;

  /// The paper's format, or null.
  [[nodiscard]] const float_format* ideal() const { return std::get_if<float_format>(&kept_); }
  /// The paper's format. Throws std::domain_error that begins with `where` for any other.
  [[nodiscard]] const float_format& ideal(const std::string& where) const;
  struct number_kept {
    number_format format;
    storing rule;
  };
  /// One that people own, and its rule, or null.
  [[nodiscard]] const number_kept* number() const { return std::get_if<number_kept>(&kept_); }

  /// What a register holds for x, perhaps an infinity; nothing for NaN.
  [[nodiscard]] std::optional<wide> rounded(double x) const;
  /// What is stored alike, or alike in all but the lowest bits of its code.
  [[nodiscard]] register_cells cells(int dropped_bits = 0) const;

 private:
  std::variant<float_format, number_kept> kept_;
};

/// From "p24e8" or "bfloat16"; throws std::domain_error that says what was expected.
storage parse_storage(std::string_view name);

}  // namespace ktln2
