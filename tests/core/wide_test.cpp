#include "ktln2/core/wide.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <compare>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

#include "core/constants.hpp"

namespace {

using ktln2::infinity;

using boost::multiprecision::cpp_int;
using ktln2::wide;

constexpr int unit = 2400;  // exact numbers are integers, times 2^-unit

/// x · 2^(unit + exponent)
cpp_int exact(double x, int exponent = 0) {
  int power = 0;
  const double fraction = std::frexp(x, &power);
  const cpp_int digits = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  const int shift = power - 53 + exponent + unit;
  if (digits == 0) return 0;
  if (shift < 0) throw std::logic_error("wide_test: unit is too coarse");
  return digits << shift;
}

cpp_int exact(const wide& x) {
  return exact(x.high(), x.exponent()) + exact(x.low(), x.exponent());
}

/// |error| ≤ 2^-places · |truth|
bool within(const cpp_int& error, int places, const cpp_int& truth) {
  return cpp_int(abs(error)) << places <= cpp_int(abs(truth));
}

/// Random numbers that make trouble: short and long low parts, equal and opposite high parts.
class troublemaker {
 public:
  wide next() {
    const double high = chance(5) ? 1 : 1 + std::ldexp(digits(52), -52);
    double low = std::ldexp(digits(53) - 0x1p52, -105 - (chance(4) ? below(40) : 0));
    if (chance(8)) low = 0;
    const int range = chance(3) ? 60 : 3;
    return {chance(2) ? high : -high, low, below(2 * range + 1) - range};
  }
  /// Nearly -a, or anything.
  wide next_after(const wide& a) {
    if (!chance(4)) return next();
    const double step = (below(3) - 1) * 0x1p-52;
    return {-a.high() + step, chance(2) ? -a.low() : 0.0, a.exponent()};
  }
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  bool chance(int one_in) { return below(one_in) == 0; }
  double digits(int count) { return static_cast<double>(random_() >> (64 - count)); }

 private:
  std::mt19937_64 random_{1};
};

TEST(Wide, EveryDoubleIsAWide) {
  std::mt19937_64 random{2};
  for (int i = 0; i < 20000; ++i) {
    std::uint64_t pattern = random();
    if (i % 4 == 0) pattern &= 0x800f'ffff'ffff'ffff;  // subnormal
    double x = 0;
    std::memcpy(&x, &pattern, sizeof x);
    if (!std::isfinite(x)) continue;
    const wide w = x;
    ASSERT_TRUE(exact(w) == exact(x)) << x;
    ASSERT_EQ(w.to_double(), x);
  }
}

TEST(Wide, EveryIntegerOf64BitsIsAWide) {
  std::mt19937_64 random{3};
  const auto check = [](std::uint64_t n, int exponent) {
    const wide w = wide::from_integer(n, exponent);
    ASSERT_TRUE(exact(w) == cpp_int(n) << (unit + exponent)) << n;
  };
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xffffffff},
                                std::uint64_t{0x100000000}, ~std::uint64_t{0}}) {
    check(n, 0);
  }
  for (int i = 0; i < 20000; ++i) check(random() >> (random() % 64), i % 100 - 50);
}

TEST(Wide, TheHighPartIsBetweenOneAndTwoAndTheLowPartBelowItsLastDigit) {
  troublemaker make;
  for (int i = 0; i < 50000; ++i) {
    const wide a = make.next();
    const wide b = make.next_after(a);
    for (const wide& w : {a, b, a + b, a * b, midpoint(a, b)}) {
      if (w.is_zero()) continue;
      ASSERT_TRUE(std::fabs(w.high()) >= 1 && std::fabs(w.high()) < 2);
      ASSERT_LE(std::fabs(w.low()), 0x1p-53);
    }
  }
}

TEST(Wide, SumsAreGoodTo104BitsAndExactWhenTheyFit) {
  troublemaker make;
  int exact_ones = 0;
  for (int i = 0; i < 100000; ++i) {
    const wide a = make.next();
    const wide b = make.next_after(a);
    const cpp_int sum = exact(a) + exact(b);
    const cpp_int error = exact(a + b) - sum;
    ASSERT_TRUE(within(error, 104, sum)) << i;
    if (sum != 0 && msb(cpp_int(abs(sum))) - lsb(cpp_int(abs(sum))) < 105) {
      ++exact_ones;
      ASSERT_TRUE(error == 0) << i;
    }
    ASSERT_TRUE(exact(a - b) == exact(a + -b));
  }
  EXPECT_GT(exact_ones, 10000);
}

/// What the formats need: the edges of p = 64 and their differences, at every exponent.
TEST(Wide, SumsOfEdgesAreExact) {
  std::mt19937_64 random{4};
  for (int i = 0; i < 50000; ++i) {
    const int exponent = i % 1000 - 500;
    const std::uint64_t m = random() | 0x8000'0000'0000'0000;
    const std::uint64_t n = random() | 0x8000'0000'0000'0000;
    const wide point = wide::from_integer(m, exponent);
    const wide edge = point + wide(0.5).scaled(exponent);
    const wide other = wide::from_integer(n, exponent + 1) - wide(0.5).scaled(exponent);
    const cpp_int half = cpp_int(1) << (unit + exponent - 1);
    ASSERT_TRUE(exact(edge) == (2 * cpp_int(m) + 1) * half);
    ASSERT_TRUE(exact(other) == (4 * cpp_int(n) - 1) * half);
    ASSERT_TRUE(exact(other - edge) == (4 * cpp_int(n) - 2 * cpp_int(m) - 2) * half);
    ASSERT_TRUE(2 * exact(midpoint(edge, other)) == exact(edge) + exact(other));
  }
}

TEST(Wide, ProductsAreGoodTo103BitsAndExactWithPowersOfTwo) {
  troublemaker make;
  for (int i = 0; i < 100000; ++i) {
    const wide a = make.next();
    const wide b = make.next();
    const cpp_int product = exact(a) * exact(b);
    ASSERT_TRUE(within((exact(a * b) << unit) - product, 103, product)) << i;
    const int k = make.below(200) - 100;
    ASSERT_TRUE(exact(a * wide(std::ldexp(1.0, k))) << 100 == exact(a) << (100 + k));
    ASSERT_TRUE(exact(a.scaled(k)) << 100 == exact(a) << (100 + k));
  }
}

TEST(Wide, QuotientsAndRootsAreGoodTo102Bits) {
  troublemaker make;
  for (int i = 0; i < 20000; ++i) {
    const wide a = make.next();
    const wide b = make.next();
    const wide quotient = a / b;
    ASSERT_TRUE(within(exact(quotient) * exact(b) - (exact(a) << unit), 102, exact(a) << unit))
        << i;
    const wide root = sqrt(abs(a));
    ASSERT_TRUE(
        within(exact(root) * exact(root) - (exact(abs(a)) << unit), 101, exact(abs(a)) << unit))
        << i;
  }
  EXPECT_TRUE(sqrt(wide(0.0)).is_zero() && (wide(0.0) / wide(3.0)).is_zero());
  EXPECT_TRUE(sqrt(wide(9.0).scaled(-5000)) == wide(3.0).scaled(-2500));
}

TEST(Wide, OrderIsTheOrderOfTheExactNumbers) {
  troublemaker make;
  for (int i = 0; i < 100000; ++i) {
    const wide a = make.next();
    const wide b = make.chance(2) ? -make.next_after(a) : make.next();
    const int expected = exact(a).compare(exact(b));
    ASSERT_EQ(a < b, expected < 0) << i;
    ASSERT_EQ(a > b, expected > 0) << i;
    ASSERT_EQ(a == b, expected == 0) << i;
    ASSERT_TRUE(exact(abs(a)) == abs(exact(a)));
  }
}

TEST(Wide, ToDoubleIsTheNearestDouble) {
  troublemaker make;
  for (int i = 0; i < 50000; ++i) {
    const wide a = make.next();
    const double x = a.to_double();
    const cpp_int error = abs(exact(a) - exact(x));
    ASSERT_TRUE(error <= abs(exact(a) - exact(std::nextafter(x, infinity)))) << i;
    ASSERT_TRUE(error <= abs(exact(a) - exact(std::nextafter(x, -infinity)))) << i;
  }
}

TEST(Wide, ExponentsGoBeyondTheRangeOfDouble) {
  const wide huge = wide(1.5).scaled(16384);
  EXPECT_EQ(huge.to_double(), infinity);
  EXPECT_EQ((-huge).to_double(), -infinity);
  EXPECT_FALSE(huge.is_infinite());
  EXPECT_TRUE(huge < wide(infinity) && huge > wide(std::numeric_limits<double>::max()));
  EXPECT_TRUE((huge * huge).scaled(-2 * 16384) == wide(2.25));
  EXPECT_TRUE((huge + huge).scaled(-16384) == wide(3.0));
  const wide tiny = wide(1.5).scaled(-16384);
  EXPECT_EQ(tiny.to_double(), 0);
  EXPECT_TRUE(tiny > wide(0.0) && !tiny.is_zero());
  EXPECT_TRUE(huge + tiny == huge);
  EXPECT_TRUE((tiny * huge) == wide(2.25));
}

TEST(Wide, InfinitiesAreKept) {
  const wide inf = infinity;
  EXPECT_TRUE(inf.is_infinite() && (-inf).is_infinite());
  EXPECT_TRUE(inf + wide(1.0) == inf && wide(1.0) - inf == -inf);
  EXPECT_TRUE(inf.scaled(-5) == inf);
  EXPECT_TRUE(-inf < wide(0.0) && wide(0.0) < inf && -inf < inf && inf == inf);
  EXPECT_EQ(inf.to_double(), infinity);
  EXPECT_EQ(ratio(inf, 2.0), infinity);
  EXPECT_EQ(ratio(-inf - wide(1.0), 2.0), -infinity);
  EXPECT_TRUE(inf / wide(2.0) == inf && (wide(2.0) / inf).is_zero() && sqrt(inf) == inf);
}

TEST(Wide, ZeroIsNeutral) {
  const wide zero;
  const wide a{1.25, 0x1p-70, 3};
  EXPECT_TRUE(zero.is_zero() && zero == wide(0.0) && zero == wide(-0.0));
  EXPECT_TRUE(a + zero == a && zero + a == a && a - a == zero && a * zero == zero);
  EXPECT_TRUE(zero.scaled(100) == zero);
  EXPECT_EQ(zero.to_double(), 0);
}

/// Dropping the low part costs up to 2^-53 of the number, dividing another half ulp: together less
/// than two ulps, one for most.
TEST(Wide, ARatioIsGoodToTwoUlpsHoweverCloseTheLocation) {
  troublemaker make;
  for (int i = 0; i < 50000; ++i) {
    const wide x = make.next();
    const double location = make.chance(3) ? x.to_double() : make.next().to_double();
    const double scale = std::fabs(make.next().to_double());
    const double z = ratio(x - wide(location), scale);
    const cpp_int difference = exact(x) - exact(location);
    const cpp_int ulp = exact(std::nextafter(std::fabs(z), infinity)) - exact(std::fabs(z));
    const cpp_int error = abs((difference << unit) - exact(z) * exact(scale));
    ASSERT_TRUE(error <= 2 * ulp * exact(scale)) << i;
  }
}

TEST(Wide, RatiosBeyondDoubleAreZeroOrInfinite) {
  EXPECT_EQ(ratio(wide(1.0).scaled(3000), 1.0), infinity);
  EXPECT_EQ(ratio(wide(-1.0).scaled(3000), 1.0), -infinity);
  EXPECT_EQ(ratio(wide(1.0).scaled(-3000), 1.0), 0.0);
  EXPECT_EQ(ratio(wide(1.0).scaled(-3000), 0x1p-1074), 0.0);
  EXPECT_EQ(ratio(wide(3.0).scaled(-1074), 0x1p-1074), 3.0);
  EXPECT_EQ(ratio(wide(3.0).scaled(2000), 0x1p1000), 0x3p1000);
}

}  // namespace
