#pragma once

#include <cstdint>

/// The one level of the formats with E = 0, in exact integers. Its magnitudes are N·√2·2^(1-p) with
/// N = 2^(p-1) … 2^p - 1. Whether x lies below or above such an irrational number, or halfway
/// between two of them, is the sign of a difference of squares.
namespace ktln2::single_level {

/// N of the magnitude nearest to `magnitude` ≥ 0 [eq:sem_fp].
std::uint64_t nearest_significand(double magnitude, int p);

/// The double nearest to N·√2·2^(1-p).
double nearest_double(std::uint64_t significand, int p);

}  // namespace ktln2::single_level
