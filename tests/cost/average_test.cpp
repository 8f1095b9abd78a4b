// Averages of numbers of any law [sec:avg_sum]: against draws, against other roads, and against the
// central limit theorem.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <string>

#include "ktln2/cost/computations.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/enumeration.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/identity.hpp"

namespace {

using namespace ktln2;

/// The entropy of the stored mean or sum of n numbers, from draws.
bounded<bits> drawn_entropy(const float_format& format, const law& x, int n, total_of what) {
  constexpr int trials = 15000;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> level(0, 1);
  std::map<std::uint64_t, int> counts;
  for (int i = 0; i < trials; ++i) {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += quantile(x, level(random));
    const double stored = what == total_of::sum ? sum : sum / n;
    ++counts[static_cast<std::uint64_t>(format.encode(format.quantize(stored)))];
  }
  double h = 0;
  double square = 0;
  for (const auto& [code, count] : counts) {
    const double P = static_cast<double>(count) / trials;
    h -= P * std::log2(P);
    square += P * std::log2(P) * std::log2(P);
  }
  const double bias = static_cast<double>(counts.size() - 1) / (2 * trials * std::numbers::ln2);
  return {bits{h + bias}, bits{5 * std::sqrt((square - h * h) / trials) + bias}};
}

TEST(sec_avg_sum_campaign, entropies_of_averages_are_as_those_of_draws) {
  const float_format format{3, 4};
  for (const char* name : {"laplace", "uniform:low=-1,high=2", "student:dof=3", "student:dof=1"}) {
    const law x = parse_law(name);
    for (const total_of what : {total_of::mean, total_of::sum}) {
      const bounded<bits> exact = exact_entropy(format, total_law(x, 4, what));
      EXPECT_TRUE(overlap(exact, drawn_entropy(format, x, 4, what)))
          << name << ": " << exact.value.value();
    }
  }
}

TEST(sec_avg_sum, entropies_of_averages_are_the_same_on_three_roads) {
  const partition cells{float_format{7, 4}};
  for (const char* name : {"laplace:loc=1", "uniform", "logistic", "student:dof=5,loc=-2"}) {
    for (const double n : {2.0, 5.0}) {
      const law average = total_law(parse_law(name), n, total_of::mean);
      const bounded<bits> gram = exact_entropy(cells, average);
      EXPECT_TRUE(overlap(gram, enumerated_entropy(cells, average))) << name;
      EXPECT_TRUE(overlap(gram, entropy_by_identity(cells, average).entropy)) << name;
      EXPECT_LE(gram.error.value(), 1e-11) << name;
    }
  }
}

TEST(eq_landauer_avg, the_bill_of_any_law_is_inputs_less_output) {
  const float_format data{8, 8};
  const float_format result{24, 8};
  const law x = laplace{0, 1};
  const law total = total_law(x, 6, total_of::sum);
  const computation made = average_cost(data, result, x, total, 6, total_of::sum);
  const bits expected = 6 * exact_entropy(data, x).value - exact_entropy(result, total).value;
  EXPECT_NEAR(made.device.erased().value.value(), expected.value(), 1e-12);
  EXPECT_EQ(made.device.output()[0].name, "sum");
  EXPECT_TRUE(made.applies);
}

TEST(eq_landauer_avg, normal_numbers_cost_the_same_on_both_ways) {
  const float_format format{24, 8};
  const law one = normal{0.5, 2};
  const bits general =
      average_cost(format, format, one, total_law(one, 9, total_of::mean), 9, total_of::mean)
          .device.erased()
          .value;
  const bits known = average_cost(format, format, {.mu = 0.5, .sigma = 2}, 9).device.erased().value;
  EXPECT_NEAR(general.value(), known.value(), 1e-12);
}

/// What a normal law in the place of a mean holds more.
double limit_gap(const law& x, double n) {
  const float_format format{24, 8};
  const law average = total_law(x, n, total_of::mean);
  return (exact_entropy(format, *central_limit(average)).value -
          exact_entropy(format, average).value)
      .value();
}

TEST(sec_avg_sum, around_zero_the_central_limit_is_off_by_the_kurtosis) {
  // E ln|X| moves by -κ/(12 n) nats, and the entropy the other way.
  const double n = 64;
  const double unit = std::numbers::log2e / 12 / n;
  EXPECT_NEAR(limit_gap(laplace{0, 1}, n), -3 * unit, 0.05 * 3 * unit);
  EXPECT_NEAR(limit_gap(logistic{0, 1}, n), -1.2 * unit, 0.05 * 1.2 * unit);
  EXPECT_NEAR(limit_gap(uniform{-1, 1}, n), 1.2 * unit, 0.05 * 1.2 * unit);
}

TEST(sec_avg_sum, away_from_zero_it_is_nearer) {
  EXPECT_LT(std::fabs(limit_gap(uniform{0, 1}, 16)), 1e-3);
  EXPECT_GT(std::fabs(limit_gap(uniform{-1, 1}, 16)), 5e-3);
}

TEST(sec_avg_sum, without_a_deviation_there_is_no_central_limit) {
  EXPECT_FALSE(central_limit(total_law(student_t{1, 0, 1}, 10, total_of::mean)));
  EXPECT_FALSE(central_limit(student_t{2, 0, 1}));
  EXPECT_TRUE(central_limit(student_t{3, 0, 1}));
}

}  // namespace
