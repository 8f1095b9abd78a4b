#include "ktln2/simulation/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ktln2/distribution/law.hpp"
#include "ktln2/simulation/trial.hpp"

namespace {

using ktln2::float_format;
using ktln2::simulation::fit_of;
using ktln2::simulation::sample;
using ktln2::simulation::simulate;

double unit(double x) { return std::clamp(x, 0.0, 1.0); }

TEST(kolmogorov_tail, has_the_tabulated_values) {
  // Smirnov's table: critical values to four digits
  EXPECT_NEAR(ktln2::simulation::kolmogorov_tail(1.2238), 0.10, 1e-4);
  EXPECT_NEAR(ktln2::simulation::kolmogorov_tail(1.3581), 0.05, 1e-4);
  EXPECT_NEAR(ktln2::simulation::kolmogorov_tail(1.6276), 0.01, 1e-4);
  EXPECT_NEAR(ktln2::simulation::kolmogorov_tail(0.8276), 0.5, 1e-4);  // the median is 0.82757
  EXPECT_EQ(ktln2::simulation::kolmogorov_tail(0), 1);
  EXPECT_EQ(ktln2::simulation::kolmogorov_tail(0.1), 1);
  EXPECT_LT(ktln2::simulation::kolmogorov_tail(5), 1e-20);
  EXPECT_NEAR(ktln2::simulation::kolmogorov_tail(1.18 - 1e-9),
              ktln2::simulation::kolmogorov_tail(1.18 + 1e-9), 1e-8);
}

TEST(kolmogorov_smirnov, is_the_largest_distance) {
  EXPECT_EQ(fit_of(sample({0.25, 0.5, 0.75}), unit).kolmogorov_smirnov, 0.25);
  EXPECT_EQ(fit_of(sample({0.875}), unit).kolmogorov_smirnov, 0.875);
  EXPECT_EQ(fit_of(sample({0.5, 0.5}), unit).kolmogorov_smirnov, 0.5);
}

TEST(chi_square, is_that_of_equally_probable_bins) {
  // 25 values, 7 bins of 3.6: too few for each, so they go together by two
  std::vector<double> values(25, 0.1);
  const auto fit = fit_of(sample(values), unit);
  EXPECT_EQ(fit.degrees_of_freedom, 2);
  // expected 50/7, 50/7 and 75/7, found 25, 0 and 0: (125/7)² / (50/7) + 50/7 + 75/7
  EXPECT_NEAR(fit.chi_square, 62.5, 1e-9);
  EXPECT_TRUE(std::isnan(fit_of(sample({0.5}), unit).chi_square_p_value));
}

/// p-values of true laws are uniform, and small ones are as rare as they say.
TEST(p_values, are_uniform_for_the_true_law) {
  std::vector<double> kolmogorov;
  std::vector<double> pearson;
  const ktln2::normal law{0, 1};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const sample some(
        simulate(ktln2::simulation::average_trial{.n = 1}, {.trials = 300, .seed = seed}));
    const auto fit = fit_of(some, [&](double x) { return cdf(law, x); });
    kolmogorov.push_back(fit.kolmogorov_p_value);
    pearson.push_back(fit.chi_square_p_value);
  }
  EXPECT_GT(fit_of(sample(kolmogorov), unit).kolmogorov_p_value, 1e-3);
  EXPECT_GT(fit_of(sample(pearson), unit).kolmogorov_p_value, 1e-3);
}

TEST(p_values, of_a_wrong_law_vanish) {
  const sample some(simulate(ktln2::simulation::average_trial{.n = 1}, {.trials = 10'000}));
  const ktln2::normal wrong{0.1, 1};
  const auto fit = fit_of(some, [&](double x) { return cdf(wrong, x); });
  EXPECT_LT(fit.kolmogorov_p_value, 1e-6);
  EXPECT_LT(fit.chi_square_p_value, 1e-6);
}

TEST(stored_samples, are_compared_with_the_stored_law) {
  const float_format coarse{3, 4};
  const ktln2::normal law{0, 1};
  const ktln2::normal wrong{0.05, 1};
  const sample some = stored(
      coarse, sample(simulate(ktln2::simulation::average_trial{.n = 1}, {.trials = 100'000})));
  const auto plain = fit_of(some, [&](double x) { return cdf(law, x); });
  EXPECT_LT(plain.kolmogorov_p_value, 1e-6) << "a coarse register is seen";
  const auto fit = fit_of(coarse, some, [&](double x) { return cdf(law, x); });
  EXPECT_GT(fit.kolmogorov_p_value, 1e-3);
  EXPECT_GT(fit.chi_square_p_value, 1e-3);
  EXPECT_GE(fit.degrees_of_freedom, 20);
  const auto other = fit_of(coarse, some, [&](double x) { return cdf(wrong, x); });
  EXPECT_LT(other.kolmogorov_p_value, 1e-6);
  EXPECT_LT(other.chi_square_p_value, 1e-6);
}

}  // namespace
