#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ask/words.hpp"
#include "ktln2/core/square_matrix.hpp"

namespace ktln2::ask {

/// A square of numbers: a line a row, with blanks or commas between them; what follows a # is not
/// read. Throws std::domain_error that begins with `where` and names the line.
square_matrix parse_square(std::string_view text, const std::string& where);

/// What --covariance has, if it was given.
std::optional<square_matrix> optional_covariance(const reader& given);

}  // namespace ktln2::ask
