#include "ktln2/entropy/nearly_normal.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ktln2/distribution/sgd_exact.hpp"
#include "ktln2/entropy/exact.hpp"
#include "sgd_case.hpp"

namespace {

using namespace ktln2;

TEST(exact_shape, is_known_after_one_step) {
  // From w: φ' = ε, normal with variance (a²/B) G, G = χ²_B/B: skewness 0, kurtosis 3 E G² - 3.
  for (const double batch : {1.0, 4.0, 100.0}) {
    const law_shape shape = exact_shape({.w = 1}, {.eta = 0.1, .batch = batch, .w0 = 1}, 1);
    EXPECT_EQ(shape.skewness, 0);
    EXPECT_NEAR(shape.excess_kurtosis, 6 / batch, 1e-13);
  }
  // Far from w: φ' = (1 - aG) φ, a scaled and reflected χ² law.
  const law_shape far = exact_shape({.w = 0, .sigma_xi = 1e-6}, {.batch = 8, .w0 = 1e6}, 1);
  EXPECT_NEAR(far.skewness, -std::sqrt(8.0 / 8), 1e-9);
  EXPECT_NEAR(far.excess_kurtosis, 12.0 / 8, 1e-9);
}

/// ∫ (z - mean)^k f by the density of the table.
double central_moment(const sgd_exact& x, int k) {
  double sum = 0;
  const double h = deviation(x) / 64;
  for (int i = -64 * 16; i <= 64 * 16; ++i) {
    sum += h * pdf(x, mean(x) + h * i) * std::pow(h * i, k);
  }
  return sum;
}

TEST(exact_shape, is_that_of_the_exact_law) {
  for (const sgd_case& one : {sgd_case{.how = {.eta = 0.05}, .steps = 20},
                              sgd_case{.model = {.w = 5}, .how = {.eta = 0.02}, .steps = 30}}) {
    const sgd_exact x{one.model, one.how, one.steps};
    const law_shape shape = exact_shape(one.model, one.how, one.steps);
    const double scale = deviation(x);
    EXPECT_NEAR(shape.skewness, central_moment(x, 3) / std::pow(scale, 3), 1e-6);
    EXPECT_NEAR(shape.excess_kurtosis, central_moment(x, 4) / std::pow(scale, 4) - 3, 1e-5);
  }
}

TEST(shape_doubt, covers_what_the_normal_law_misses_and_not_much_more) {
  for (const sgd_case& one : {sgd_case{.steps = 30}, sgd_case{.how = {.eta = 0.05}, .steps = 30}}) {
    const sgd_exact x{one.model, one.how, one.steps};
    const normal stands = sgd_moments_law(one.model, one.how, one.steps);
    const law_shape shape = exact_shape(one.model, one.how, one.steps);
    const float_format format{12, 5};
    const double gap =
        (exact_entropy(format, x).value - exact_entropy(format, stands).value).value();
    const double doubt = shape_doubt(partition{format}, stands, shape).value();
    EXPECT_LE(std::fabs(gap), doubt);
    EXPECT_LE(doubt, 10 * std::fabs(gap) + 1e-3);
  }
  EXPECT_TRUE(std::isinf(shape_doubt(law_shape{0.6, 0}).value()));
  EXPECT_EQ(shape_doubt(law_shape{}).value(), 0);
}

}  // namespace
