#include "ktln2/core/result.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "ktln2/core/units.hpp"

namespace {

using namespace ktln2;

TEST(bounded, errors_add_up_and_a_proof_needs_two) {
  const bounded<bits> proved{bits{3}, bits{0.25}, evidence::proved};
  const bounded<bits> guessed{bits{1}, bits{0.5}, evidence::estimated};
  EXPECT_EQ((proved - guessed).value, bits{2});
  EXPECT_EQ((proved - guessed).error, bits{0.75});
  EXPECT_EQ((proved + guessed).how, evidence::estimated);
  EXPECT_EQ((guessed + proved).how, evidence::estimated);
  EXPECT_EQ((proved + proved).how, evidence::proved);
}

TEST(bounded, a_sum_in_place_is_the_sum) {
  bounded<bits> sum{bits{3}, bits{0.25}, evidence::proved};
  sum += {bits{1}, bits{0.5}, evidence::proved};
  EXPECT_EQ(sum.value, bits{4});
  EXPECT_EQ(sum.error, bits{0.75});
  EXPECT_EQ(sum.how, evidence::proved);
  sum -= {bits{6}, bits{0.25}, evidence::estimated};
  EXPECT_EQ(sum.value, bits{-2});
  EXPECT_EQ(sum.error, bits{1});
  EXPECT_EQ(sum.how, evidence::estimated);
}

TEST(bounded, an_error_bar_has_no_sign) {
  const bounded<bits> one{bits{3}, bits{0.5}, evidence::proved};
  EXPECT_EQ((-one).value, bits{-3});
  EXPECT_EQ((-one).error, bits{0.5});
  EXPECT_EQ((-2 * one).value, bits{-6});
  EXPECT_EQ((-2 * one).error, bits{1});
  EXPECT_EQ((one * -2).error, bits{1});
  EXPECT_EQ((one / -2).value, bits{-1.5});
  EXPECT_EQ((one / -2).error, bits{0.25});
  EXPECT_EQ((2 * one).how, evidence::proved);
  bounded<bits> scaled = one;
  scaled *= -4;
  EXPECT_EQ(scaled.error, bits{2});
  scaled /= -8;
  EXPECT_EQ(scaled.value, bits{1.5});
  EXPECT_EQ(scaled.error, bits{0.25});
}

TEST(bounded, is_arithmetic_that_the_compiler_can_do) {
  constexpr bounded<bits> one{bits{1}, bits{0.125}, evidence::proved};
  constexpr bounded<bits> three = 4 * one - one / 1;
  static_assert(three.value == bits{3} && three.error == bits{0.625});
  static_assert(overlap(one, one) && !surely_less(one, one) && surely_less(one, three));
  EXPECT_EQ(three.how, evidence::proved);
}

TEST(sum_of, adds_from_the_first_to_the_last) {
  const std::vector<bounded<bits>> all{{bits{1}, bits{0.5}, evidence::proved},
                                       {bits{2}, bits{0.25}, evidence::estimated}};
  EXPECT_EQ(sum_of(all).value, bits{3});
  EXPECT_EQ(sum_of(all).error, bits{0.75});
  EXPECT_EQ(sum_of(all).how, evidence::estimated);
  const std::vector<bounded<bits>> none;
  EXPECT_EQ(sum_of(none).value, bits{0});
  EXPECT_EQ(sum_of(none).error, bits{0});
  EXPECT_EQ(sum_of(none).how, evidence::proved);
}

TEST(surely_less, is_not_said_while_the_bars_overlap) {
  const bounded<bits> low{bits{1}, bits{0.5}};
  EXPECT_TRUE(surely_less(low, bounded<bits>{bits{2}, bits{0.25}}));
  EXPECT_FALSE(surely_less(low, bounded<bits>{bits{2}, bits{0.5}}));
  EXPECT_FALSE(surely_less(bounded<bits>{bits{2}, bits{0.25}}, low));
}

TEST(overlap, is_about_bars_not_values) {
  const bounded<bits> two{bits{2}, bits{0.5}};
  EXPECT_TRUE(overlap(bounded<bits>{bits{1}, bits{0.5}}, two));
  EXPECT_FALSE(overlap(bounded<bits>{bits{1}, bits{0.4}}, two));
}

}  // namespace
