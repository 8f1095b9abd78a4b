#include "ktln2/distribution/logistic.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <stdexcept>

#include "distribution/kernel_properties.hpp"

namespace {

using namespace kernel_properties;
using ktln2::logistic;
using ktln2::standard_logistic;

constexpr standard_logistic kernel;
/// Probabilities are good to so many units of 2^-53 times (1 + z²).
constexpr double units = 6;

RC_GTEST_PROP(standard_logistic, tails_add_up_to_one, ()) { tails_add_up_to_one(kernel, units); }
RC_GTEST_PROP(standard_logistic, mirror_images_are_equal, ()) { mirror_images_are_equal(kernel); }
RC_GTEST_PROP(standard_logistic, intervals_add_up, ()) { intervals_add_up(kernel, 3 * units); }
RC_GTEST_PROP(standard_logistic, a_cell_is_the_interval_between_its_edges, ()) {
  a_cell_is_the_interval_between_its_edges(kernel, 2 * units);
}
RC_GTEST_PROP(standard_logistic, an_endless_interval_is_a_tail, ()) {
  an_endless_interval_is_a_tail(kernel, 2 * units);
}

/// At z = 0 both sides are known: P = tanh(h/4). The series must not be cut short at its limit.
TEST(standard_logistic, the_cell_at_the_center_is_a_hyperbolic_tangent) {
  for (double h = 1e-5; h < 0.1; h *= 1.01) {
    EXPECT_TRUE(close(kernel.cell(0, h).probability, std::tanh(h / 4), units)) << h;
    EXPECT_TRUE(close(kernel.cells(h)(0).probability, std::tanh(h / 4), units)) << h;
  }
  EXPECT_TRUE(close(kernel.cells(1e-3)(0).probability, std::tanh(1e-3 / 4), units));
}

TEST(standard_logistic, no_step_where_the_series_ends) {
  for (const double z : {0.0, 0.3, 1.0, 3.0, 10.0, 36.0}) expect_no_step_at(kernel, z, 1e-3, units);
}

TEST(standard_logistic, no_step_where_half_of_the_law_is_inside) {
  expect_no_step_at(kernel, 0, 4 * std::atanh(0.5), units);
  expect_no_step_at(kernel, 1, 2 * std::acosh((1 + std::sqrt(13.0)) / 2), units);
  expect_no_step_at(kernel, 0.5, 2.4, units);
}

/// ln f(z+t) - ln f(z), against the difference where nothing cancels and the slope where all does.
TEST(standard_logistic, log_ratio_is_the_difference_of_the_logarithms) {
  for (const double z : {-30.0, -2.0, -0.1, 0.0, 0.7, 5.0, 40.0}) {
    for (const double t : {-0.25, -0.01, 0.001, 0.25}) {
      const double difference = kernel.log_pdf(z + t) - kernel.log_pdf(z);
      EXPECT_NEAR(kernel.log_ratio(z, t), difference, 8 * unit * (1 + std::fabs(z)))
          << z << ' ' << t;
    }
    EXPECT_NEAR(kernel.log_ratio(z, 1e-12), -std::tanh(z / 2) * 1e-12, 1e-24);
  }
}

TEST(standard_logistic, the_logarithm_outlives_the_probability) {
  EXPECT_EQ(kernel.upper(800).probability, 0);
  EXPECT_DOUBLE_EQ(kernel.upper(800).log_probability, -800);
  EXPECT_DOUBLE_EQ(kernel.cell(-800, 1e-9).log_probability, -800 + std::log(1e-9));
  EXPECT_DOUBLE_EQ(kernel.cells(1e-9)(-800).log_probability, -800 + std::log(1e-9));
  EXPECT_EQ(kernel.upper(infinity).log_probability, -infinity);
}

TEST(logistic, refuses_what_is_no_location_or_scale) {
  const double nan = std::nan("");
  for (const double loc : {infinity, -infinity, nan}) {
    EXPECT_THROW(logistic(loc, 1), std::domain_error);
  }
  for (const double scale : {0.0, -1.0, infinity, nan}) {
    EXPECT_THROW(logistic(0, scale), std::domain_error);
  }
}

}  // namespace
