#include "ktln2/simulation/many_trial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "ktln2/distribution/sgd_vector.hpp"
#include "ktln2/simulation/sample.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;
using simulation::many_sgd_trial;

many_sgd_trial two_features() {
  many_sgd_trial made;
  made.w = {2, 1};
  made.mu = {0.5, -1};
  made.covariance = equally_correlated({1, 0.8}, 0.5);
  made.b = 0.3;
  made.sigma_xi = 0.7;
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
  const sgd_vector theory{{what.w, what.mu, what.covariance, what.b, what.sigma_xi},
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
  EXPECT_EQ(message_of([&] { simulate(bad); }),
            "simulate: expected 2 means, as many rows of the covariance and 3 starts");
  bad = two_features();
  bad.covariance(0, 1) = bad.covariance(1, 0) = 1;
  EXPECT_EQ(message_of([&] { simulate(bad); }).substr(0, 55),
            "simulate: the covariance must be positive definite, got");
}

}  // namespace
