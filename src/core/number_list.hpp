#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ktln2 {

/// "1/-2/0.5": the numbers between the strokes. Throws std::domain_error that begins with `where`.
std::vector<double> parse_numbers(std::string_view where, std::string_view text);

/// The same for `count` numbers; a single one stands for all.
std::vector<double> parse_numbers(std::string_view where, std::string_view text, std::size_t count);

}  // namespace ktln2
