#pragma once

#include <string_view>

#include "data/table_cell.hpp"

namespace ktln2::data {

/// A decimal number, an infinity or none, without blanks around it and with no sign but a '-':
/// number, beyond, missing or text.
cell decimal(std::string_view text);

/// The same, for libraries without std::from_chars for floating point, such as the browser's.
cell decimal_by_strtod(std::string_view text);

}  // namespace ktln2::data
