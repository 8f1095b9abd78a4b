#include "ktln2/simulation/many_trial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "ktln2/distribution/coefficients.hpp"
#include "ktln2/distribution/sgd_vector.hpp"
#include "ktln2/simulation/sample.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;
using simulation::many_sgd_trial;

many_sgd_trial two_features() {
  many_sgd_trial made;
  made.from = {{2, 1}, {0.5, -1}, equally_correlated({1, 0.8}, 0.5), 0.3, 0.7};
  made.intercept = true;
  made.eta = 0.05;
  made.batch = 3;
  made.steps = 20;
  made.start = {0, 0, 0.5};
  return made;
}

TEST(many_sgd_trial, moments_are_those_of_the_recursion) {
  const many_sgd_trial what = two_features();
  simulation::many_settings set;
  set.trials = 40000;
  const auto results = simulate(what, set);
  const simulation::many_source& from = what.from;
  const sgd_vector theory{{from.w, from.mu, from.covariance, from.b, from.sigma_xi},
                          {what.eta, 3, what.start, true}};
  const vector_moments expected = theory.after(20);
  ASSERT_EQ(results.size(), 3U);
  for (std::size_t j = 0; j < 3; ++j) {
    const auto found = simulation::moments_of(simulation::sample(results[j]));
    EXPECT_NEAR(found.mean.value, expected.mean[j], 4 * found.mean.error) << j;
    EXPECT_NEAR(found.variance.value, expected.covariance(j, j), 4 * found.variance.error) << j;
  }
}

TEST(many_sgd_trial, is_the_same_on_any_number_of_threads) {
  simulation::many_settings set;
  set.trials = 600;
  set.threads = 1;
  const auto one = simulate(two_features(), set);
  set.threads = 2;
  EXPECT_EQ(one, simulate(two_features(), set));
  set.seed = 2;
  EXPECT_NE(one, simulate(two_features(), set));
  set.progress = [](double) { return false; };
  EXPECT_TRUE(simulate(two_features(), set).empty());
}

TEST(many_sgd_trial, says_what_is_wrong) {
  many_sgd_trial bad = two_features();
  bad.start = {0};
  EXPECT_EQ(message_of([&] { simulate(bad); }), "simulate: expected 3 starts, got 1");
  bad = two_features();
  bad.from.mu = {0};
  EXPECT_EQ(message_of([&] { simulate(bad); }),
            "simulate: expected 2 means and as many rows of the covariance");
  bad = two_features();
  bad.from.covariance(0, 1) = bad.from.covariance(1, 0) = 1;
  EXPECT_EQ(message_of([&] { simulate(bad); }).substr(0, 55),
            "simulate: the covariance must be positive definite, got");
}

simulation::many_ols_trial rows_of_two_features() { return {two_features().from, true, 9}; }

// The law of the estimate with an intercept: ŵ is a t with n - d degrees of freedom.
TEST(many_ols_trial, moments_are_those_of_the_multivariate_t) {
  const simulation::many_ols_trial what = rows_of_two_features();
  simulation::many_settings set;
  set.trials = 40000;
  const auto results = simulate(what, set);
  const simulation::many_source& from = what.from;
  const coefficients theory{
      {{from.w, from.mu, from.covariance, from.b, from.sigma_xi}, 9, true, 0}};
  ASSERT_EQ(results.size(), 3U);
  for (std::size_t j = 0; j < 3; ++j) {
    const auto found = simulation::moments_of(simulation::sample(results[j]), *theory.dof());
    const law alone = theory.marginal(j);
    EXPECT_NEAR(found.mean.value, mean(alone), 4 * found.mean.error) << j;
    EXPECT_NEAR(found.variance.value, std::pow(deviation(alone), 2), 4 * found.variance.error) << j;
  }
}

TEST(many_ols_trial, finds_the_truth_where_there_is_no_noise) {
  simulation::many_ols_trial what = rows_of_two_features();
  what.from.sigma_xi = 1e-12;
  simulation::many_settings set;
  set.trials = 300;
  const auto results = simulate(what, set);
  const std::vector<double> truth{2, 1, 0.3};
  for (std::size_t j = 0; j < 3; ++j) {
    // What is left is rounding, enlarged by the square of the condition of 9 rows.
    for (const double found : results[j]) EXPECT_NEAR(found, truth[j], 1e-9);
  }
}

TEST(many_ols_trial, says_what_is_wrong) {
  simulation::many_ols_trial bad = rows_of_two_features();
  bad.n = 2;
  EXPECT_EQ(message_of([&] { simulate(bad); }),
            "simulate: 3 coefficients need at least as many rows, got 2");
  bad = rows_of_two_features();
  simulation::many_settings set;
  set.trials = 1'000'000'000'000;
  EXPECT_EQ(message_of([&] { simulate(bad, set); }),
            "simulate: at least one row must be drawn, and no more than 1e12 numbers, got 2.7e+13");
}

}  // namespace
