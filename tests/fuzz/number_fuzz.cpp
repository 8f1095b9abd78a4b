// Numbers and whole numbers as they are typed.
#include <cmath>

#include "core/parse.hpp"
#include "fuzz.hpp"

FUZZ(input) {
  fuzz::allow_mistakes([&] { fuzz::require(std::isfinite(ktln2::parse_number("number", input))); });
  fuzz::allow_mistakes([&] { (void)ktln2::parse_count("count", input); });
}
