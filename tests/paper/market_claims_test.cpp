#include <gtest/gtest.h>

#include "paper/claims/claims.hpp"

namespace ktln2::paper {
namespace {

/// The verdict on a claim with another number.
verdict with(const std::string& id, const std::string& number, const std::vector<double>& values) {
  for (claim one : claims()) {
    if (one.id != id) continue;
    one.numbers.at(number) = values;
    return examine(one, {.quick = true}).result;
  }
  throw std::logic_error("no claim " + id);
}

TEST(market_claims, other_numbers_give_other_verdicts) {
  EXPECT_EQ(with("exact-size-falls", "rho_J", {1e17, 5e16, 1e16}), verdict::fails);
  EXPECT_EQ(with("sgd-size-falls", "rho_J", {1e17, 5e16, 1e16}), verdict::fails);
  EXPECT_EQ(with("exact-needs-fewer", "rho_J_max", {1e17}), verdict::holds);
  EXPECT_EQ(with("slower-wants-more", "eta", {0.025, 0.03, 0.05, 0.1}), verdict::holds);
  EXPECT_EQ(with("regression-error-infinite", "n", {1, 2, 3}), verdict::fails);
  EXPECT_EQ(with("enough-steps", "steps", {10}), verdict::holds);
  EXPECT_EQ(with("enough-steps", "batches", {0}), verdict::fails);
  EXPECT_EQ(with("sgd-unimodal", "other_w", {2}), verdict::holds);
  EXPECT_EQ(with("zeros-are-maxima", "other_w", {2}), verdict::holds);
  EXPECT_EQ(with("may-have-no-zero", "rho_J", {5e16}), verdict::fails);
  EXPECT_EQ(with("mmc-second-law", "spare", {-0.01}), verdict::fails);
  EXPECT_EQ(with("mmc-bound-difference", "least", {1}), verdict::fails);
  EXPECT_EQ(with("states-of-single-precision", "bits", {31}), verdict::fails);
}

}  // namespace
}  // namespace ktln2::paper
