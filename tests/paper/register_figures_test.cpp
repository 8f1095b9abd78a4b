#include <gtest/gtest.h>

#include "figure_data.hpp"

namespace ktln2::paper::testing {
namespace {

TEST(fig_fp_exact_approx_sigma, has_the_plateau_and_its_ends) {
  const table data = tables_of("fig:fp_exact_approx_sigma", {{"sigma_min", {1}}}).at(0);
  // By enumeration of the 2^7 cells of p3e4, sigma = 1.
  EXPECT_NEAR(at(data, {{"E", 7}, {"sigma", 1}}, "entropy"), 5.48, 0.01);
  EXPECT_NEAR(at(data, {{"E", 7}, {"sigma", 1}}, "smooth"), 5.463468673819074, 1e-14);
  EXPECT_NEAR(at(data, {{"E", 2}, {"sigma", 0x1p70}}, "entropy"), 1, 1e-9);  // the sign alone
}

}  // namespace
}  // namespace ktln2::paper::testing
