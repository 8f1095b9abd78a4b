#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ktln2 {

/// The three words that are most like a mistyped one, "a, b, c", for a message. Words may have a
/// prefix that ends in a colon, as labels do; a word without one is compared without theirs.
std::string nearest(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace ktln2
