#include "ktln2/core/units.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

using ktln2::bits;
using ktln2::differential_bits;
using ktln2::joules;
using ktln2::joules_per_kelvin;
using ktln2::kelvin;

// Units do not mix. These lines are the test: the file does not compile unless they hold.

template <class A, class B>
concept mixes = requires(A a, B b) {
  a + b;
}
|| requires(A a, B b) { a - b; }
|| requires(A a, B b) { a += b; }
|| requires(A a, B b) { a == b; }
|| requires(A a, B b) { a < b; }
|| requires(A a, B b) { a / b; }
|| requires(A a, B b) { a* b; }
|| std::is_convertible_v<A, B> || std::is_constructible_v<B, A>;

static_assert(!mixes<bits, joules> && !mixes<joules, bits>);
static_assert(!mixes<bits, differential_bits> && !mixes<differential_bits, bits>);
static_assert(!mixes<bits, kelvin> && !mixes<bits, joules_per_kelvin>);
static_assert(!mixes<joules, kelvin> && !mixes<joules, joules_per_kelvin>);
static_assert(!mixes<kelvin, joules_per_kelvin> && !mixes<differential_bits, joules>);

template <class A, class B>
concept add = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept multiply = requires(A a, B b) {
  a* b;
};

static_assert(add<bits, bits> && add<joules, joules>);
static_assert(!add<bits, double> && !add<double, bits>, "a bare number has no unit");
static_assert(!multiply<bits, bits>, "a square of bits is no quantity here");
static_assert(!std::is_convertible_v<double, bits> && !std::is_convertible_v<bits, double>);
static_assert(std::is_same_v<decltype(bits{} / bits{}), double>);

// The only road from bits to joules takes its arguments in order.
template <class A, class B>
concept erases = requires(A erased, B temperature) {
  ktln2::landauer_cost(erased, temperature);
};
static_assert(erases<bits, kelvin>);
static_assert(!erases<kelvin, bits> && !erases<differential_bits, kelvin> && !erases<bits, double>);

TEST(Units, QuantitiesOfOneUnitCalculateLikeNumbers) {
  constexpr bits a{3};
  constexpr bits b{1.5};
  static_assert((a + b).value() == 4.5 && (a - b).value() == 1.5 && (-a).value() == -3);
  static_assert((2 * a).value() == 6 && (a * 2).value() == 6 && (a / 2).value() == 1.5);
  static_assert(a / b == 2 && a > b && b <= a && a != b && a == bits{3});
  bits sum;
  EXPECT_EQ(sum.value(), 0);
  sum += a;
  sum -= b;
  EXPECT_EQ(sum.value(), 1.5);
}

TEST(Units, TheBoltzmannConstantIsExact) {
  EXPECT_EQ(ktln2::boltzmann_constant.value(), 1.380649e-23);
}

TEST(Units, EqLandauerOneBitAtRoomTemperature) {
  // k_B · 300 K · ln 2 to 21 digits; three products of rounded factors: at most 5 half ulps.
  const double expected = 2.87097888507872379450e-21;
  const double got = ktln2::landauer_cost(bits{1}, kelvin{300}).value();
  EXPECT_NEAR(got, expected, 2.5 * expected * std::numeric_limits<double>::epsilon());
}

TEST(Units, EqLandauerTheCostIsProportionalToTheEntropy) {
  const kelvin room{300};
  const joules one = ktln2::landauer_cost(bits{1}, room);
  EXPECT_EQ(ktln2::landauer_cost(bits{1024}, room), 1024 * one);
  EXPECT_EQ(ktln2::landauer_cost(bits{0}, room), joules{0});
  EXPECT_EQ(ktln2::landauer_cost(bits{-2}, room), -2 * one);  // what a computation may gain
}

TEST(Units, EqLandauerNeedsATemperature) {
  for (const double t : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(ktln2::landauer_cost(bits{1}, kelvin{t}), std::domain_error) << t;
  }
  try {
    ktln2::landauer_cost(bits{1}, kelvin{-1});
    FAIL();
  } catch (const std::domain_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "landauer_cost: temperature must be finite and > 0, got -1");
  }
}

}  // namespace
