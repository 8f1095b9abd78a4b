#pragma once

#include <string_view>

namespace ktln2::data {

/// What stands in a cell of a table.
struct cell {
  enum class kind {
    missing,  ///< nothing, NA, n/a, nan, null or none, in any letters
    number,
    beyond,         ///< a number beyond the range of double precision
    decimal_comma,  ///< 1,5 where 1.5 is expected
    text,
  };
  kind what = kind::missing;
  double value = 0;

  /// Whether it is or was meant as one.
  [[nodiscard]] bool is_numeric() const {
    return what == kind::number || what == kind::beyond || what == kind::decimal_comma;
  }
};

cell parse_cell(std::string_view text, bool decimal_comma);

}  // namespace ktln2::data
