#pragma once

#include <cmath>
#include <vector>

#include "ktln2/entropy/fields.hpp"

namespace ktln2 {

/// a - b, with the rounding of the difference and of its bar.
inline bounded<bits> what_is_left(const bounded<bits>& a, const bounded<bits>& b) {
  bounded<bits> result = a - b;
  result.error += 0x1p-52 * (result.error + bits{std::fabs(result.value.value())});
  return result;
}

/// The worth of each of `width` bits, from the top, given those above it.
template <class Name>
std::vector<bit_entropy> worth_of_bits(int width, const leading_entropy& leading,
                                       const Name& name_of_position) {
  std::vector<bit_entropy> result;
  bounded<bits> above = exactly(bits{0});
  for (int position = 0; position < width; ++position) {
    const bounded<bits> here = leading(position + 1);
    result.push_back({name_of_position(position), what_is_left(here, above)});
    above = here;
  }
  return result;
}

}  // namespace ktln2
