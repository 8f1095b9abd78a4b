#pragma once

#include <limits>
#include <numbers>

namespace ktln2 {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
inline constexpr int double_digits = std::numeric_limits<double>::digits;
inline constexpr double bits_per_nat = 1 / std::numbers::ln2;

}  // namespace ktln2
