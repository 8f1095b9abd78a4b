// What was probably meant by a word that nobody knows.
#include "core/nearest.hpp"

#include <gtest/gtest.h>

namespace ktln2::testing {
namespace {

using list = std::vector<std::string>;

TEST(nearest, ranks_by_the_letters_that_must_change) {
  EXPECT_EQ(nearest("entorpy", {"law", "cost", "entropy", "explain"}),
            (list{"entropy", "cost", "explain"}));
  EXPECT_EQ(nearest("lwa", {"law"}), list{"law"});
  EXPECT_EQ(nearest("law", {}), list{});
}

TEST(nearest, puts_words_that_hold_it_first) {
  EXPECT_EQ(nearest("ent", {"cat", "one", "bent", "entropy"}), (list{"bent", "entropy", "cat"}));
}

TEST(nearest, compares_without_prefixes_what_has_none) {
  EXPECT_EQ(nearest("mean", {"aa:meal", "mean:law", "bb:other"}),
            (list{"aa:meal", "mean:law", "bb:other"}));
  EXPECT_EQ(nearest("aa:mean", {"ccc:meant", "aa:mern"}), (list{"aa:mern", "ccc:meant"}));
}

TEST(meant, is_what_differs_by_a_letter_or_two_and_nothing_else) {
  const list laws{"normal", "student", "uniform", "laplace"};
  EXPECT_EQ(meant("norml", laws), "normal");
  EXPECT_EQ(meant("Normal", laws), "normal");
  EXPECT_EQ(meant("stduent", laws), "student");
  EXPECT_EQ(meant("unif", laws), "uniform");
  EXPECT_EQ(meant("cauchy", laws), "");
  EXPECT_EQ(meant("n", {"w", "eta"}), "") << "any letter is near to another";
  EXPECT_EQ(meant("", laws), "");
  EXPECT_EQ(meant(std::string(100000, 'n'), laws), "");
}

TEST(unknown_name, says_what_was_meant_and_what_there_is) {
  EXPECT_EQ(unknown_name("law", "norml", {"normal", "slope"}),
            "unknown law 'norml': did you mean normal? expected normal or slope");
  EXPECT_EQ(unknown_name("law", "x", {"normal", "slope", "sgd"}),
            "unknown law 'x': expected normal, slope or sgd");
}

}  // namespace
}  // namespace ktln2::testing
