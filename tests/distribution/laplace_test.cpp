#include "ktln2/distribution/laplace.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <stdexcept>

#include "distribution/kernel_properties.hpp"

namespace {

using namespace kernel_properties;
using ktln2::cell_mass;
using ktln2::laplace;
using ktln2::standard_laplace;

constexpr standard_laplace kernel;
/// Probabilities are good to so many units of 2^-53 times (1 + z²).
constexpr double units = 4;

RC_GTEST_PROP(standard_laplace, tails_add_up_to_one, ()) { tails_add_up_to_one(kernel, units); }
RC_GTEST_PROP(standard_laplace, mirror_images_are_equal, ()) { mirror_images_are_equal(kernel); }
RC_GTEST_PROP(standard_laplace, intervals_add_up, ()) { intervals_add_up(kernel, 3 * units); }
RC_GTEST_PROP(standard_laplace, a_cell_is_the_interval_between_its_edges, ()) {
  a_cell_is_the_interval_between_its_edges(kernel, 2 * units);
}
RC_GTEST_PROP(standard_laplace, an_endless_interval_is_a_tail, ()) {
  an_endless_interval_is_a_tail(kernel, 2 * units);
}

/// P = 1 - e^(-h/2) cosh z for |z| ≤ h/2, so that P/h → 1/2 with a relative error below h.
TEST(standard_laplace, a_tiny_cell_across_the_center_loses_no_digits) {
  for (double h = 1e-300; h < 1e-17; h *= 7) {
    for (const double share : {0.0, 0.1, 0.3, 0.5, -0.2, -0.5}) {
      const cell_mass cell = kernel.cell(share * h, h);
      EXPECT_TRUE(close(cell.probability, h / 2, units)) << h;
      EXPECT_TRUE(close(cell.log_probability, std::log(h / 2), units)) << h;
      EXPECT_TRUE(close(kernel.cells(h)(share * h).probability, h / 2, units)) << h;
    }
  }
}

TEST(standard_laplace, no_step_where_the_cell_leaves_the_center) {
  for (const double z : {0.001, 0.01, 0.125, 0.5, 1.0, 3.0}) {
    expect_no_step_at(kernel, z, 2 * z, units);
  }
}

TEST(standard_laplace, no_step_where_half_of_the_law_is_inside) {
  for (const double z : {0.0, 0.25, 0.5}) {
    const double h = 2 * std::log(2 * std::cosh(z));
    expect_no_step_at(kernel, z, h, units);
  }
}

TEST(standard_laplace, no_step_where_cells_of_one_width_stop_being_narrow) {
  for (const double z : {0.0, 0.4, 0.6, 2.0, 30.0}) expect_no_step_at(kernel, z, 1, units);
}

TEST(standard_laplace, the_logarithm_outlives_the_probability) {
  EXPECT_EQ(kernel.upper(800).probability, 0);
  EXPECT_DOUBLE_EQ(kernel.upper(800).log_probability, -800 - std::log(2));
  EXPECT_EQ(kernel.cell(800, 1e-9).probability, 0);
  EXPECT_DOUBLE_EQ(kernel.cell(800, 1e-9).log_probability, -800 - std::log(2) + std::log(1e-9));
  EXPECT_EQ(kernel.upper(infinity).log_probability, -infinity);
}

TEST(laplace, refuses_what_is_no_location_or_scale) {
  const double nan = std::nan("");
  for (const double loc : {infinity, -infinity, nan}) {
    EXPECT_THROW(laplace(loc, 1), std::domain_error);
  }
  for (const double scale : {0.0, -1.0, infinity, nan}) {
    EXPECT_THROW(laplace(0, scale), std::domain_error);
  }
}

}  // namespace
