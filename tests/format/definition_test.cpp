#include "definition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

#include "core/constants.hpp"

namespace definition {
namespace {

using ktln2::infinity;

using boost::multiprecision::cpp_int;
__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

/// |x| = integer · 2^power.
struct exact_magnitude {
  static constexpr int minus_infinity = -100'000;  // log 0, below every exponent
  std::uint64_t integer;
  int power;

  explicit exact_magnitude(double x) {
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(x), &exponent);
    integer = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    power = x == 0 ? minus_infinity : exponent - 53;
  }
  /// ⌊log|x|⌋
  [[nodiscard]] int floor_log() const { return power + 52; }
};

/// ⌊(|x|·2^-e - 1)·2^(p-1)·2⌋, for |x| < 2^(e+1).
int128 twice_scaled(format f, const exact_magnitude& x, int e) {
  const int shift = x.power - e + f.p;
  const int128 integer = x.integer;
  const int128 scaled = shift >= 0 ? integer << shift : shift > -64 ? integer >> -shift : 0;
  return scaled - (int128{1} << f.p);
}

/// round_p(α)·2^(p-1) for α = |x|·2^-e - 1 < 1: the i of {0, …, 2^(p-1)} nearest to α·2^(p-1), of
/// two the higher.
std::uint64_t round_p(format f, const exact_magnitude& x, int e) {
  const int128 nearest = (twice_scaled(f, x, e) + 1) >> 1;
  return static_cast<std::uint64_t>(
      std::clamp<int128>(nearest, 0, static_cast<int128>(f.mantissas())));
}

/// |x| ≥ √2·n·2^-k, by the squares, for 1 ≤ |x| < 4.
template <class Integer>
bool reaches_root(double x, std::uint64_t n_high, std::uint64_t n_low, int k) {
  const Integer X = static_cast<std::uint64_t>(std::fabs(x) * 0x1p52);
  const Integer n = Integer(n_high) + Integer(n_low);
  const int shift = 2 * k - 105;  // x² ≥ 2n²·2^-2k, times 2^104
  return shift >= 0 ? (X * X << shift) >= n * n : X * X >= (n * n << -shift);
}

/// round_p(|x|/√2 - 1)·2^(p-1) by bisection: the greatest i with |x| ≥ √2·(1 + (i - ½)·2^-(p-1)).
std::uint64_t round_p_single_level(format f, double x) {
  const double magnitude = std::fabs(x);
  if (magnitude < 1) return 0;
  if (magnitude >= 4) return f.mantissas();
  const auto reaches = [&](std::uint64_t i) {  // i ≥ 1; 2^p + 2i - 1 in two parts
    const std::uint64_t half = f.mantissas();
    return f.p <= 51 ? reaches_root<uint128>(x, 2 * half, 2 * i - 1, f.p)
                     : reaches_root<cpp_int>(x, half + (i - 1), half + i, f.p);
  };
  std::uint64_t low = 0;
  std::uint64_t high = f.mantissas();
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (reaches(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

stored quantize_single_level(format f, double x) {
  const double magnitude = std::fabs(x);
  const auto squared_reaches = [&](unsigned n) {  // x² ≥ 2n²
    return magnitude >= 4 || (magnitude >= 1 && reaches_root<uint128>(x, n, 0, 0));
  };
  const bool above_half = squared_reaches(1);          // log|x| ≥ 1/2
  const bool above_three_halves = squared_reaches(2);  // log|x| ≥ 3/2
  const std::uint64_t round = round_p_single_level(f, x);
  const bool is_one = round == f.mantissas();
  std::uint64_t m = 0;
  if (!above_three_halves && !is_one) m += round;
  if (above_three_halves || (above_half && is_one)) m += f.mantissas() - 1;
  return {x < 0, 0, m};
}

/// The double nearest to √2·n·2^(1-p): from 200 more bits of the square root than it needs. What
/// lies below them is never zero, √2 being irrational.
double nearest_double_to_root(std::uint64_t n, int p) {
  const cpp_int root = sqrt(cpp_int(2) * n * n << 400);  // ⌊√2·n·2^200⌋
  const auto excess = static_cast<int>(msb(root)) - 53;
  const cpp_int digits = ((root >> excess) + 1) >> 1;  // 54 bits, rounded to 53
  return std::ldexp(digits.convert_to<double>(), excess + 1 - 200 + 1 - p);
}

/// The same, remembered for small formats: billions of random numbers are stored in a few values.
double remembered_root(std::uint64_t n, int p) {
  constexpr int small = 12;
  static const std::vector<double> table = [] {
    std::vector<double> made;
    for (std::uint64_t k = 0; k < 1U << small; ++k) {
      made.push_back(k == 0 ? 0 : nearest_double_to_root(k, 1));
    }
    return made;
  }();
  return p <= small ? std::ldexp(table[n], 1 - p) : nearest_double_to_root(n, p);
}

}  // namespace

stored quantize(format f, double x) {
  if (f.E == 0) return quantize_single_level(f, x);
  const bool s = x < 0;
  const bool finite = std::isfinite(x);
  const exact_magnitude magnitude{finite ? x : 0};
  const bool below = finite && magnitude.floor_log() < f.e_min();
  const bool above = !finite || magnitude.floor_log() >= f.e_max() + 1;
  const bool in_top = !below && !above && magnitude.floor_log() == f.e_max();

  const int e_tilde = below ? f.e_min() : above ? f.e_max() : magnitude.floor_log();
  const std::uint64_t round = above ? f.mantissas() : round_p(f, magnitude, e_tilde);
  const bool is_one = round == f.mantissas();
  std::uint64_t m = 0;
  if (!above && !is_one) m += round;
  if (above || (in_top && is_one)) m += f.mantissas() - 1;
  return {s, std::min(f.e_max(), e_tilde + (is_one ? 1 : 0)), m};
}

stored quantize_toward_zero(format f, double x) {
  const bool s = x < 0;
  if (f.E == 0) {
    const double magnitude = std::fabs(x);
    std::uint64_t m = 0;
    for (std::uint64_t i = 1; i < f.mantissas(); ++i) {  // small formats only
      const bool reaches =
          magnitude >= 4 || (magnitude >= 1 && reaches_root<cpp_int>(x, f.mantissas(), i, f.p - 1));
      if (reaches) m = i;
    }
    return {s, 0, m};
  }
  if (!std::isfinite(x)) return {s, f.e_max(), f.mantissas() - 1};
  const exact_magnitude magnitude{x};
  const int e = magnitude.floor_log();
  if (e < f.e_min()) return {s, f.e_min(), 0};
  if (e > f.e_max()) return {s, f.e_max(), f.mantissas() - 1};
  return {s, e, static_cast<std::uint64_t>(twice_scaled(f, magnitude, e) >> 1)};
}

std::uint64_t code(format f, const stored& y) {
  const auto exponent = f.E == 0 ? 0 : static_cast<std::uint64_t>(y.e - f.e_min());
  const auto sign = static_cast<std::uint64_t>(y.s ? 1 : 0);
  return (((sign << f.E) + exponent) << (f.p - 1)) + y.m;
}

double value(format f, const stored& y) {
  const std::uint64_t n = f.mantissas() + y.m;
  double magnitude = 0;
  if (f.E == 0) {
    magnitude = remembered_root(n, f.p);
  } else if (f.p <= 53 && y.e >= -1022) {
    magnitude = std::ldexp(static_cast<double>(n), y.e - (f.p - 1));
  } else {
    // n has at most 64 bits. Drop what double cannot hold, and round by what was dropped.
    const int bits = static_cast<int>(msb(cpp_int(n))) + 1;
    const int top = y.e;                                         // 2^top ≤ value < 2^(top+1)
    const int kept = std::min(53, std::max(0, top + 1 + 1074));  // digits that double has there
    const int dropped = std::max(0, bits - kept);
    cpp_int digits = cpp_int(n) >> dropped;
    const cpp_int rest = cpp_int(n) - (digits << dropped);
    const cpp_int half = dropped > 0 ? cpp_int(1) << (dropped - 1) : cpp_int(1);
    if (dropped > 0 && (rest > half || (rest == half && (digits & 1) != 0))) digits += 1;
    magnitude = std::ldexp(digits.convert_to<double>(), y.e - (f.p - 1) + dropped);
  }
  return y.s ? -magnitude : magnitude;
}

std::vector<format> formats_up_to(int width) {
  std::vector<format> all;
  for (int p = 1; p <= width; ++p) {
    for (int E = 0; p + E <= width; ++E) all.push_back({p, E});
  }
  return all;
}

std::vector<double> extremes() {
  using limits = std::numeric_limits<double>;
  std::vector<double> all;
  for (const double x : {0.0,
                         limits::denorm_min(),
                         3 * limits::denorm_min(),
                         0x1p-1040,
                         0x1p-1023,
                         0x1.8p-1023,
                         std::nextafter(0x1p-1023, 0),
                         std::nextafter(0x1p-1023, 1),
                         std::nextafter(limits::min(), 0),
                         limits::min(),
                         1.0,
                         M_SQRT2,
                         2 * M_SQRT2,
                         0x1p52,
                         0x1p53,
                         0x1p63,
                         0x1p64,
                         std::nextafter(limits::max(), 0),
                         limits::max(),
                         infinity}) {
    all.push_back(x);
    all.push_back(-x);
  }
  return all;
}

std::vector<double> points_and_midpoints(format f) {
  std::vector<double> all;
  const auto add_neighborhood = [&](double x, int ulps) {
    if (x == 0 || !std::isfinite(x)) return;
    double left = x;
    double right = x;
    all.insert(all.end(), {x, -x});
    for (int i = 0; i < ulps; ++i) {
      left = std::nextafter(left, 0);
      right = std::nextafter(right, infinity);
      all.insert(all.end(), {left, -left, right, -right});
    }
  };
  const int levels = 1 << f.E;
  for (int level = 0; level < levels; ++level) {
    for (std::uint64_t m = 0; m < f.mantissas(); ++m) {
      const double point = static_cast<double>(f.mantissas() + m);
      if (f.E == 0) {
        const double unit = std::ldexp(M_SQRT2, 1 - f.p);
        add_neighborhood(point * unit, 2);
        add_neighborhood((point + 0.5) * unit, 2);
      } else {
        const int exponent = f.e_min() + level - (f.p - 1);
        add_neighborhood(std::ldexp(point, exponent), 1);
        add_neighborhood(std::ldexp(point + 0.5, exponent), 1);
      }
    }
  }
  return all;
}

namespace {

/// The argmin of round_p, literally: try every i.
std::uint64_t literal_argmin(format f, const exact_magnitude& x, int e) {
  const int scale = 1200;  // large enough that every term is an integer
  const cpp_int alpha = (cpp_int(x.integer) << (x.power - e + scale)) - (cpp_int(1) << scale);
  std::uint64_t best = 0;
  for (std::uint64_t i = 0; i <= f.mantissas(); ++i) {
    const auto distance = [&](std::uint64_t k) {
      return cpp_int(abs(alpha - (cpp_int(k) << (scale - (f.p - 1)))));
    };
    if (distance(i) <= distance(best)) best = i;  // ties: the higher index
  }
  return best;
}

TEST(Definition, RoundPIsTheArgminWithTiesTowardTheHigherIndex) {
  for (const format f : formats_up_to(8)) {
    if (f.E == 0) continue;
    for (const double x : points_and_midpoints(f)) {
      const exact_magnitude magnitude{x};
      const int e = std::clamp(magnitude.floor_log(), f.e_min(), f.e_max());
      if (magnitude.floor_log() > f.e_max()) continue;
      ASSERT_EQ(round_p(f, magnitude, e), literal_argmin(f, magnitude, e))
          << f.name() << " x = " << x;
    }
  }
}

TEST(Definition, EqSemFpIsTheNearestRepresentableNumber) {
  for (const format f : formats_up_to(7)) {
    std::vector<double> magnitudes;
    for (int level = 0; level < 1 << f.E; ++level) {
      for (std::uint64_t m = 0; m < f.mantissas(); ++m) {
        magnitudes.push_back(value(f, {false, f.E == 0 ? 0 : f.e_min() + level, m}));
      }
    }
    for (const double x : points_and_midpoints(f)) {
      double nearest = magnitudes.front();
      for (const double u : magnitudes) {
        if (std::fabs(std::fabs(x) - u) <= std::fabs(std::fabs(x) - nearest)) nearest = u;
      }
      // Beside an irrational midpoint, double cannot tell which distance is the smaller.
      const double got = std::fabs(value(f, quantize(f, x)));
      const double slack = f.E == 0 ? 1e-15 : 0;
      ASSERT_NEAR(std::fabs(std::fabs(x) - got), std::fabs(std::fabs(x) - nearest), slack)
          << f.name() << " x = " << x;
      if (f.E > 0) {
        ASSERT_EQ(got, nearest) << f.name() << " x = " << x;
      }
    }
  }
}

}  // namespace
}  // namespace definition
