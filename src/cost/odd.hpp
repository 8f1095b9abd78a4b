#pragma once

#include <cmath>
#include <cstdint>

#include "ktln2/core/bit_cast.hpp"

namespace ktln2 {

/// The number of which `nearest` is the nearest double and `left` what that leaves: not rounded to
/// nearest but cut off, and odd if that left anything. To round it to far fewer bits is to round
/// the number itself.
inline double rounded_to_odd(double nearest, double left) {
  if (left == 0) return nearest;
  const bool is_too_large = std::signbit(left) != std::signbit(nearest);
  return bit_cast<double>((bit_cast<std::uint64_t>(nearest) - (is_too_large ? 1 : 0)) | 1);
}

}  // namespace ktln2
