#include "core/nearest.hpp"

#include <gtest/gtest.h>

namespace ktln2::testing {
namespace {

TEST(nearest, ranks_by_the_letters_that_must_change) {
  EXPECT_EQ(nearest("entorpy", {"law", "cost", "entropy", "explain"}), "entropy, cost, explain");
  EXPECT_EQ(nearest("lwa", {"law"}), "law");
  EXPECT_EQ(nearest("law", {}), "");
}

TEST(nearest, puts_words_that_hold_it_first) {
  EXPECT_EQ(nearest("ent", {"cat", "one", "bent", "entropy"}), "bent, entropy, cat");
}

TEST(nearest, compares_without_prefixes_what_has_none) {
  EXPECT_EQ(nearest("mean", {"x:meal", "mean:law", "z:other"}), "x:meal, mean:law, z:other");
  EXPECT_EQ(nearest("x:mean", {"yy:meant", "x:mern"}), "x:mern, yy:meant");
}

}  // namespace
}  // namespace ktln2::testing
