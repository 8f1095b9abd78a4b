#include "ktln2/core/result.hpp"

#include <gtest/gtest.h>

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

TEST(overlap, is_about_bars_not_values) {
  EXPECT_TRUE(overlap(bounded{bits{1}, bits{0.5}}, bounded{bits{2}, bits{0.5}}));
  EXPECT_FALSE(overlap(bounded{bits{1}, bits{0.4}}, bounded{bits{2}, bits{0.5}}));
}

}  // namespace
