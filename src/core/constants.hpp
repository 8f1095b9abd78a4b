#pragma once

#include <limits>
#include <numbers>

namespace ktln2 {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double bits_per_nat = 1 / std::numbers::ln2;

}  // namespace ktln2
