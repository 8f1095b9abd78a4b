#pragma once

#include <cstddef>
#include <string_view>

#include "ktln2/format/codebook.hpp"

namespace ktln2 {

inline constexpr std::size_t most_codebook_values = std::size_t{1} << 20;

/// A codebook as a file has it: one value a line, ascending; blank lines do not count, nor does
/// what stands behind a '#'. A second number in a line, after blanks or a comma, is the upper edge
/// of the value's cell; either all lines but the last have one, or none has and the edges are the
/// midpoints.
///
///     # value  upper edge
///     -1.5     -1
///     0         0.25
///     2
///
/// Numbers are decimal. Throws std::domain_error that begins with `name` and the number of the line
/// for what is no number, out of order or too much, and where there are no values, or more than
/// most_codebook_values.
codebook parse_codebook(std::string_view text, std::string_view name = "codebook");

}  // namespace ktln2
