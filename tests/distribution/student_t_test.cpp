#include "ktln2/distribution/student_t.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <iterator>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "distribution/kernel_properties.hpp"
#include "ktln2/distribution/normal.hpp"

namespace {

using namespace kernel_properties;
using ktln2::cell_mass;
using ktln2::standard_normal;
using ktln2::standard_student_t;
using ktln2::student_t;

/// Probabilities are good to so many units of 2^-53 times (1 + z²): the incomplete beta function
/// to five, and near the center a difference of two as large as three times the cell.
constexpr double units = 16;
constexpr double degrees[] = {0.3, 1, 2, 3, 10, 57, 1000, 1e4, 1e6, 1e9};

standard_student_t any_kernel() {
  return standard_student_t{
      *rc::gen::elementOf(std::vector<double>(std::begin(degrees), std::end(degrees)))};
}

RC_GTEST_PROP(standard_student_t, tails_add_up_to_one, ()) {
  tails_add_up_to_one(any_kernel(), units);
}
RC_GTEST_PROP(standard_student_t, mirror_images_are_equal, ()) {
  mirror_images_are_equal(any_kernel());
}
RC_GTEST_PROP(standard_student_t, intervals_add_up, ()) {
  intervals_add_up(any_kernel(), 3 * units);
}
RC_GTEST_PROP(standard_student_t, a_cell_is_the_interval_between_its_edges, ()) {
  a_cell_is_the_interval_between_its_edges(any_kernel(), 2 * units);
}
RC_GTEST_PROP(standard_student_t, an_endless_interval_is_a_tail, ()) {
  an_endless_interval_is_a_tail(any_kernel(), 2 * units);
}

/// The bound on the rate of change of ln f by which the kernel chooses its way.
double rate(double dof, double z) {
  const double r = std::sqrt(dof + z * z);
  return ((dof + 1) * (z / r) + std::sqrt(dof + 1)) / r;
}

class thresholds : public testing::TestWithParam<double> {};

TEST_P(thresholds, no_step_where_the_way_of_computing_changes) {
  const double dof = GetParam();
  const standard_student_t kernel{dof};
  for (const double z : {0.0, 0.05, 0.3, 0.5, 0.7, 1.0, 1.7, 3.0, 7.0, 20.0, 36.0}) {
    for (const double reach : {5e-4, 1e-3, 0.02, 0.2, 0.5, 1.0}) {
      expect_no_step_at(kernel, z, reach / rate(dof, z), units);
    }
    expect_no_step_at(kernel, z, 2 * std::fabs(z - std::sqrt(dof)), units);  // an edge at √ν
    if (z > 0) expect_no_step_at(kernel, z, 2 * z, units);  // an edge at the center
  }
}

INSTANTIATE_TEST_SUITE_P(standard_student_t, thresholds,
                         testing::Values(0.3, 1, 2, 3, 10, 57, 1000, 1e4, 1e6));

/// P(Z > z) = arctan(1/z)/π. Far out the kernel takes P = exp(ln P): that costs ln P more units.
TEST(standard_student_t, one_degree_of_freedom_is_the_cauchy_law) {
  const standard_student_t kernel{1};
  for (double z = 1e-12; z < 1e12; z *= 1.37) {
    const double tail = std::atan2(1, z) / std::numbers::pi;
    const double tolerance = units + 4 * std::log1p(z);
    EXPECT_TRUE(close(kernel.upper(z).probability, tail, tolerance)) << z;
    EXPECT_TRUE(close(kernel.upper(-z).probability, 1 - tail, tolerance)) << z;
    EXPECT_TRUE(close(kernel.between(z, infinity).probability, tail, tolerance)) << z;
  }
}

/// P(0 < Z < z) = z/(2√(2+z²)), so that P(Z > z) = 1/(s (s + z)) with s = √(2+z²).
TEST(standard_student_t, two_degrees_of_freedom_are_algebraic) {
  const standard_student_t kernel{2};
  for (double z = 1e-12; z < 1e12; z *= 1.37) {
    const double s = std::sqrt(2 + z * z);
    EXPECT_TRUE(close(kernel.upper(z).probability, 1 / (s * (s + z)), units + 4 * std::log1p(z)))
        << z;
  }
}

/// With ν degrees of freedom ln f differs from the normal one by (z⁴/4 - z²/2 - 1/4)/ν + ….
TEST(standard_student_t, many_degrees_of_freedom_are_nearly_normal) {
  const standard_normal normal;
  for (const double dof : {1e9, 1e12, 1e15, 1e17, 1e19, 1e25}) {
    const standard_student_t kernel{dof};
    for (const double z : {0.0, 1e-5, 0.3, 0.5, 1.0, 4.0, 11.0, 25.0, 36.0}) {
      const double z2 = z * z;
      const double shift = (1 + z2) * (1 + z2) / dof;
      EXPECT_NEAR(kernel.log_pdf(z), normal.log_pdf(z), shift + units * unit * (1 + z2));
      EXPECT_NEAR(kernel.upper(z).log_probability, normal.upper(z).log_probability,
                  shift + units * unit * (1 + z2));
      EXPECT_NEAR(kernel.cell(z, 0.7).log_probability, normal.cell(z, 0.7).log_probability,
                  shift + units * unit * (1 + z2));
    }
  }
}

/// Far out P(Z > z) falls as z^-ν: a decade apart the logarithms differ by ν ln 10.
TEST(standard_student_t, far_tails_are_powers) {
  for (const double dof : {0.3, 1.0, 3.0, 57.0}) {
    const standard_student_t kernel{dof};
    for (double z = 1e12; z < 1e290; z *= 1e20) {
      const double here = kernel.upper(z).log_probability;
      EXPECT_NEAR(here - kernel.upper(10 * z).log_probability, dof * std::numbers::ln10,
                  8 * unit * std::fabs(here))
          << z;
    }
  }
}

TEST(standard_student_t, infinite_edges_are_edges) {
  for (const double dof : degrees) {
    const standard_student_t kernel{dof};
    for (const double a : {-1e-300, 0.0, 1e-300}) {
      EXPECT_TRUE(close(kernel.between(a, infinity).probability, 0.5, units)) << dof;
      EXPECT_TRUE(close(kernel.between(-infinity, a).probability, 0.5, units)) << dof;
    }
    EXPECT_EQ(kernel.upper(infinity).probability, 0);
    EXPECT_EQ(kernel.upper(infinity).log_probability, -infinity);
    EXPECT_EQ(kernel.upper(-infinity).probability, 1);
  }
}

TEST(student_t, moments_exist_from_one_and_two_degrees_of_freedom_on) {
  EXPECT_TRUE(std::isnan(mean(student_t{1, 3, 2})));
  EXPECT_EQ(mean(student_t{1.5, 3, 2}), 3);
  EXPECT_EQ(deviation(student_t{2, 3, 2}), infinity);
  EXPECT_DOUBLE_EQ(deviation(student_t{4, 3, 2}), 2 * std::sqrt(2.0));
}

TEST(student_t, refuses_what_is_no_parameter) {
  const double nan = std::nan("");
  for (const double bad : {0.0, -1.0, infinity, nan}) {
    EXPECT_THROW(student_t(bad, 0, 1), std::domain_error);
    EXPECT_THROW(student_t(5, 0, bad), std::domain_error);
  }
  for (const double loc : {infinity, -infinity, nan}) {
    EXPECT_THROW(student_t(5, loc, 1), std::domain_error);
  }
}

/// h = -∫ f ln f: the closed form against a sum over fine cells, whose error is below the width².
TEST(lem_diff_ent_Ex, the_entropy_is_minus_the_mean_of_the_log_density) {
  for (const double dof : {3.0, 10.0, 1000.0}) {
    const standard_student_t kernel{dof};
    const double h = 1e-3;
    double sum = 0;
    for (double z = -60 + h / 2; z < 60; z += h)
      sum -= kernel.cell(z, h).probability * kernel.log_pdf(z);
    // What is left out: 2 P(Z > 60) (1 - ln f(60)) and more for the slope of ln f.
    const double beyond = 2 * kernel.upper(60).probability * (4 - kernel.log_pdf(60));
    EXPECT_NEAR(sum, kernel.entropy(), h * h + beyond) << dof;
    EXPECT_NEAR(differential_entropy(student_t{dof, 7, 0.25}).value(),
                kernel.entropy() / std::numbers::ln2 - 2, 8 * unit);
  }
}

TEST(student_t, has_no_mass_where_standard_units_end) {
  const student_t narrow{9, 1, 0.35};
  EXPECT_EQ(cell_probability(narrow, -9.7e307, 5e306), 0);
  EXPECT_EQ(cell_probability(narrow, 9.7e307, 5e306), 0);
}

}  // namespace
