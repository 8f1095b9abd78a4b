#pragma once

#include <string_view>
#include <vector>

namespace ktln2 {

/// Numbers as a file has them, one a line, in any order; blank lines do not count, nor does what
/// stands behind a '#'. Throws std::domain_error that begins with `name` and the number of the line
/// for what is no finite number, and where there are none.
std::vector<double> parse_samples(std::string_view text, std::string_view name = "empirical");

}  // namespace ktln2
