#include "format/single_level.hpp"

#include "ktln2/core/integer.hpp"

namespace ktln2::single_level {
namespace {

__extension__ using int128 = __int128;

constexpr std::uint64_t sqrt2_63 = 0xb504f333f9de6484;  // ⌊√2·2^63⌋

/// b²·2^k ≥ a², where the two sides differ by less than 2^127: the squares themselves may wrap.
bool square_reaches(uint128 b, int k, uint128 a) {
  const uint128 left = k > 0 ? b * b << k : b * b;
  const uint128 right = k < 0 ? a * a << -k : a * a;
  return static_cast<int128>(left - right) >= 0;
}

}  // namespace

std::uint64_t nearest_significand(double magnitude, int p) {
  const std::uint64_t lowest = std::uint64_t{1} << (p - 1);
  const std::uint64_t highest = lowest + (lowest - 1);
  if (magnitude < 1) return lowest;
  if (magnitude >= 4) return highest;
  const auto x = static_cast<std::uint64_t>(magnitude * 0x1p52);  // below 2^54, exact
  // x·√2·2^(p-54), too small by less than x·2^(p-117) ≤ 2, and rounded down.
  uint128 n = uint128{x} * sqrt2_63 >> (117 - p);
  // x·2^-52 ≥ √2·(2n+1)·2^-p: at or above the midpoint between n and n + 1.
  while (square_reaches(x, 2 * p - 105, 2 * n + 1)) ++n;
  if (n < lowest) return lowest;
  return n > highest ? highest : static_cast<std::uint64_t>(n);
}

double nearest_double(std::uint64_t significand, int p) {
  // significand·√2·2^(53-p), too small by less than 2^-10, and rounded down.
  auto v = static_cast<std::uint64_t>(uint128{significand} * sqrt2_63 >> (p + 10));
  const std::uint64_t ulp = v >> 53 != 0 ? 2 : 1;  // of doubles in [2, 4) and [1, 2), times 2^52
  v -= v % ulp;
  // significand·√2·2^(1-p) ≥ (v + ulp/2)·2^-52: at or above the midpoint between two doubles.
  while (square_reaches(significand, 109 - 2 * p, 2 * v + ulp)) v += ulp;
  return static_cast<double>(v) * 0x1p-52;
}

}  // namespace ktln2::single_level
