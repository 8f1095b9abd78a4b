#include "ktln2/distribution/normal.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <stdexcept>

#include "distribution/kernel_properties.hpp"

namespace {

using namespace kernel_properties;
using ktln2::cell_mass;
using ktln2::normal;
using ktln2::standard_normal;

constexpr standard_normal kernel;
/// Probabilities are good to so many units of 2^-53 times (1 + z²).
constexpr double units = 8;

RC_GTEST_PROP(standard_normal, tails_add_up_to_one, ()) { tails_add_up_to_one(kernel, units); }
RC_GTEST_PROP(standard_normal, mirror_images_are_equal, ()) { mirror_images_are_equal(kernel); }
RC_GTEST_PROP(standard_normal, intervals_add_up, ()) { intervals_add_up(kernel, 3 * units); }
RC_GTEST_PROP(standard_normal, a_cell_is_the_interval_between_its_edges, ()) {
  a_cell_is_the_interval_between_its_edges(kernel, 2 * units);
}
RC_GTEST_PROP(standard_normal, an_endless_interval_is_a_tail, ()) {
  an_endless_interval_is_a_tail(kernel, 2 * units);
}

TEST(standard_normal, no_step_where_the_series_hands_over_to_quadrature) {
  for (const double z : {0.0, 0.4, 1.0, 2.5, 7.0, 20.0, 36.0}) {
    expect_no_step_at(kernel, z, 0.02 / (1 + z), units);
  }
}

TEST(standard_normal, no_step_where_four_points_hand_over_to_eight) {
  for (const double z : {0.0, 0.01, 0.5, 1.0, 3.0, 10.0, 30.0}) {
    expect_no_step_at(kernel, z, std::fmin(0.05, 0.1 / z), units);
    expect_no_step_at(kernel, z, std::fmin(0.1, 0.1 / z), units);
  }
}

TEST(standard_normal, no_step_where_quadrature_hands_over_to_tails) {
  for (const double z : {0.0, 0.1, 0.25, 0.3, 0.8, 1.9, 2.1, 5.0, 12.0, 36.0}) {
    expect_no_step_at(kernel, z, std::fmin(0.5, 1 / z), units);
  }
}

/// -d ln Q/dz = z + 1/z - 2/z³ + 10/z⁵ - 74/z⁷ + …: from one point to the next the logarithm falls
/// by so much times their distance, to within the few ulps to which each is good.
TEST(standard_normal, the_logarithm_of_the_tail_has_no_step_at_the_asymptotic_series) {
  const auto hazard = [](double z) {
    const double r2 = 1 / (z * z);
    return z + (1 + r2 * (-2 + r2 * (10 - r2 * 74))) / z;
  };
  for (const double center : {10.0, 20.0}) {
    double previous = kernel.upper(center - 100 * 0x1p-30).log_probability;
    for (int k = -99; k <= 100; ++k) {
      const double z = center + k * 0x1p-30;
      const double now = kernel.upper(z).log_probability;
      ASSERT_NEAR(previous - now, hazard(z) * 0x1p-30, 4 * unit * std::fabs(now)) << z;
      previous = now;
    }
  }
}

/// Where erfc underflows the logarithm lives on: Q(z) lies between φ(z)/z (1 - 1/z²) and φ(z)/z.
TEST(standard_normal, the_logarithm_of_the_tail_outlives_the_tail) {
  for (double z = 37; z < 41; z += 0x1p-7) {
    const cell_mass tail = kernel.upper(z);
    const double ceiling = kernel.log_pdf(z) - std::log(z);
    EXPECT_LT(tail.log_probability, ceiling) << z;
    EXPECT_GT(tail.log_probability, ceiling + std::log1p(-1 / (z * z))) << z;
    EXPECT_GE(tail.probability, 0) << z;
    if (z < 37.5) {
      EXPECT_TRUE(consistent(tail, units * (1 + z * z))) << z;
    }
  }
  EXPECT_EQ(kernel.upper(40).probability, 0);
  EXPECT_EQ(kernel.upper(infinity).log_probability, -infinity);
  EXPECT_EQ(kernel.upper(-infinity).probability, 1);
  EXPECT_EQ(kernel.upper(1e200).log_probability, -infinity);
}

TEST(standard_normal, a_cell_beyond_the_range_of_double_keeps_its_logarithm) {
  // The mass sits within 1/z of the near edge: ln P = ln Q(95), for Q(105) is nothing beside it.
  const cell_mass cell = kernel.cell(100, 10);
  EXPECT_EQ(cell.probability, 0);
  EXPECT_DOUBLE_EQ(cell.log_probability, kernel.upper(95).log_probability);
  EXPECT_DOUBLE_EQ(cell.log_probability, kernel.cell(-100, 10).log_probability);
}

TEST(normal, refuses_what_is_no_location_or_deviation) {
  const double nan = std::nan("");
  for (const double mu : {infinity, -infinity, nan}) {
    EXPECT_THROW(normal(mu, 1), std::domain_error);
  }
  for (const double sigma : {0.0, -0.0, -1.0, infinity, nan}) {
    EXPECT_THROW(normal(0, sigma), std::domain_error);
  }
  EXPECT_NO_THROW(normal(1e300, 1e-300));
}

TEST(normal, a_cell_needs_a_width) {
  const normal law{0, 1};
  for (const double width : {0.0, -1.0, infinity, std::nan("")}) {
    EXPECT_THROW(cell_probability(law, 0, width), std::domain_error);
    EXPECT_THROW(log_cell_probability(law, 0, width), std::domain_error);
  }
}

/// f(z) = e^-800/√2π underflows, f(z)/σ does not.
TEST(normal, the_density_of_a_tiny_law_reaches_as_far_as_it_is_representable) {
  const double sigma = 1e-300;
  EXPECT_NEAR(std::log(pdf(normal{0, sigma}, 40 * sigma)),
              -800 - 0.91893853320467 + 690.7755278982137, 1e-11);
}

/// The cell is far away, whether or not its standardized center and width can be told from
/// infinity.
TEST(normal, a_cell_that_is_infinitely_far_in_units_of_the_deviation_is_empty) {
  const normal law{0, 1e-300};
  EXPECT_EQ(cell_probability(law, 1e10, 1e3), 0);
  EXPECT_EQ(cell_probability(law, 1e10, 1e10), 0);
  EXPECT_EQ(cell_probability(law, 1e10, 4e10), 1);
}

}  // namespace
