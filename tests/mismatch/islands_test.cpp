#include "ktln2/mismatch/islands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;
using namespace ktln2::mismatch;

const register_formats small = one_format({2, 2});
constexpr double infinite = std::numeric_limits<double>::infinity();

island_machine counterexample(double alpha = 1, double constant = 0) {
  return {stored_regression(small, 1), {.w = 1, .alpha = alpha, .constant = constant}};
}

TEST(eq_Islands, are_what_hangs_together) {
  EXPECT_EQ(islands_of({{0}, {1}, {0}, {2}}), (std::vector<std::uint32_t>{0, 1, 0, 2}));
  // A chain: 0 and 2 have no output in common, but both share one with 1.
  EXPECT_EQ(islands_of({{0, 1}, {1, 2}, {2, 3}, {5}, {4}, {4, 5}}),
            (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(message_of([] {
              (void)islands_of({{0}, {}});
            }),
            "islands: an input that leads nowhere");
}

TEST(eq_Islands, of_a_deterministic_algorithm_are_the_inputs_with_one_output) {
  for (const stored_algorithm& algorithm :
       {stored_regression(small, 1), stored_regression(small, 2),
        stored_sgd(small, {.eta = 0.5, .batch = 1, .w0 = 1}, 2),
        stored_sgd(small, {.eta = 0.5, .batch = 2, .w0 = 1}, 1)}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::set<std::uint32_t> outputs;
    for (std::size_t x = 0; x < algorithm.output.size(); ++x) {
      pairs.emplace(algorithm.output[x], algorithm.island[x]);
      outputs.insert(algorithm.output[x]);
    }
    EXPECT_EQ(pairs.size(), outputs.size());
    EXPECT_EQ(outputs.size(), algorithm.island_count);
  }
  const stored_algorithm one = stored_regression(small, 1);
  EXPECT_EQ(one.output.size(), 256U);
  EXPECT_EQ(one.island_count, 16U);
  EXPECT_EQ(stored_regression(small, 2).output.size(), 65536U);
}

TEST(eq_Islands, a_sum_of_zero_is_stored_as_the_quantizer_says) {
  const float_format format{2, 2};
  const stored_algorithm algorithm = stored_regression(small, 2);
  // (x, y) = (1, 1), (1, -1): Σxy = 0. The values in ascending order: -6 … 6.
  std::size_t one = 0;
  std::size_t minus_one = 0;
  for (std::size_t i = 1; i <= 16; ++i) {
    if (format.value_at(i).to_double() == 1) one = i - 1;
    if (format.value_at(i).to_double() == -1) minus_one = i - 1;
  }
  const std::size_t state = (one * 16 + one) + 256 * (one * 16 + minus_one);
  EXPECT_EQ(algorithm.output[state],
            static_cast<std::uint32_t>(format.encode(format.quantize(0.0))));
}

TEST(eq_initial_dist, members_have_the_entropies_of_the_library) {
  // Two roads: a table of cells here, Gram sums there.
  const island_machine machine = counterexample();
  for (const auto& [sigma_x, sigma_xi] :
       {std::pair{1.0, 1.0}, {0.75, 0.5}, {5.0, 0.5}, {5.0, 5.0}, {0.1, 3.0}}) {
    double entropy = 0;
    double total = 0;
    for (const double log_p : machine.log_member(sigma_x, sigma_xi)) {
      total += std::exp(log_p);
      if (log_p > -700) entropy -= std::exp(log_p) * std::log2(std::exp(log_p));
    }
    EXPECT_NEAR(total, 1, 1e-13);
    const bounded<bits> truth = joint_entropy(small.data, {1, sigma_x, sigma_xi}).joint;
    EXPECT_NEAR(entropy, truth.value.value(), truth.error.value() + 1e-12);
  }
}

TEST(eq_MMC_campaign, the_two_forms_differ_and_the_bound_of_the_paper_fails_for_the_first) {
  const island_machine machine = counterexample();
  const variational_family family{machine, {}};
  const member_bounds found = family.bounds_of(1, 1);
  EXPECT_NEAR(found.paper.value(), 0.8759461, 5e-8);  // the digits given
  EXPECT_NEAR(found.account.mismatch.value(), 0.3840690, 5e-8);
  EXPECT_NEAR(found.account.excess.value(), 1.6018961, 5e-8);
  EXPECT_NEAR(found.corrected.value(), 0.286143, 5e-7);
  EXPECT_NEAR(machine.least_constant(), 1.303076562, 5e-10);
  ASSERT_EQ(lowest(family.optima()).size(), 1U);
  EXPECT_NEAR(family.optima().front().sigma_x, 0.765985, 5e-7);
  EXPECT_EQ(family.optima().front().sigma_xi, 0.5);
  EXPECT_GT(found.paper, found.account.mismatch);
}

TEST(eq_MMC_campaign, the_constant_changes_the_residual_only) {
  const variational_family without{counterexample(), {}};
  const variational_family with{counterexample(1, 7), {}};
  const member_bounds a = without.bounds_of(2, 0.7);
  const member_bounds b = with.bounds_of(2, 0.7);
  EXPECT_NEAR(b.account.production.value() - a.account.production.value(), 7, 1e-12);
  EXPECT_NEAR(b.account.residual.value() - a.account.residual.value(), 7, 1e-12);
  EXPECT_NEAR(b.account.mismatch.value(), a.account.mismatch.value(), 1e-12);
  EXPECT_NEAR(b.account.excess.value(), a.account.excess.value(), 1e-12);
  EXPECT_NEAR(counterexample(1, 7).least_constant(), counterexample().least_constant(), 1e-12);
}

/// On random members: the decomposition, and what bounds what. Returns how often MMC_v exceeds the
/// mismatch.
int look_at_members(const island_machine& machine, int count, int grid) {
  const variational_family family{machine, {}, {.grid = grid}};
  std::mt19937_64 random{20250101};
  std::uniform_real_distribution<double> x{0.75, 5};
  std::uniform_real_distribution<double> xi{0.5, 5};
  int failures = 0;
  for (int i = 0; i < count; ++i) {
    const double sigma_x = x(random);
    const double sigma_xi = xi(random);
    const member_bounds found = family.bounds_of(sigma_x, sigma_xi, false);
    const island_account& of = found.account;
    EXPECT_NEAR(of.production.value(), (of.mismatch + of.residual).value(), 1e-12);
    EXPECT_GE(of.mismatch, nats{0});
    EXPECT_GE(found.paper, nats{-1e-12});
    EXPECT_LE(found.paper, of.excess);
    EXPECT_GE(found.corrected, nats{0});
    EXPECT_LE(found.corrected, of.mismatch);
    if (found.paper > of.mismatch) {
      ++failures;
      // exactly where ΔS_tot of the variational optimum is below the residual of p
      EXPECT_LT(family.optima().front().production.value, of.residual);
    } else {
      EXPECT_GE(family.optima().front().production.value, of.residual);
    }
  }
  return failures;
}

TEST(eq_var_bound_campaign, holds_for_the_excess_and_the_corrected_bound_for_the_mismatch) {
  for (const double alpha : {0.1, 0.5, 1.0, 2.5}) {
    const int failures = look_at_members(counterexample(alpha), 1000, 13);
    RecordProperty("failures_at_alpha_" + std::to_string(alpha), failures);
    EXPECT_GT(failures, 500) << alpha;
    EXPECT_LT(failures, 950) << alpha;
  }
}

TEST(eq_var_bound_campaign, two_points_and_two_steps_are_no_different) {
  look_at_members({stored_regression(small, 2), {}}, 20, 5);
  look_at_members({stored_sgd(small, {.eta = 0.5, .batch = 1, .w0 = 1}, 1), {}}, 100, 7);
  look_at_members({stored_sgd(small, {.eta = 0.5, .batch = 1, .w0 = 1}, 2), {}}, 20, 5);
}

TEST(eq_mmc_exact_opt, no_start_does_better_than_the_best_island) {
  const island_machine machine = counterexample();
  const auto& log_z = machine.log_z();
  const std::size_t best =
      static_cast<std::size_t>(std::max_element(log_z.begin(), log_z.end()) - log_z.begin());
  // All weight on the best island, with its own Gibbs law: excess and mismatch are both 0.
  std::vector<double> log_p;
  for (std::size_t x = 0; x < machine.state_count(); ++x) {
    const bool there = machine.algorithm().island[x] == best;
    log_p.push_back(there ? -machine.flow()[x] - log_z[best] : -infinite);
  }
  const island_account found = account(machine, log_p);
  EXPECT_NEAR(found.excess.value(), 0, 1e-14);
  EXPECT_NEAR(found.mismatch.value(), 0, 1e-14);
  // A machine with the least constant of the second law is reversible there.
  const island_account tight = account(counterexample(1, machine.least_constant()), log_p);
  EXPECT_NEAR(tight.production.value(), 0, 1e-14);
}

/// The simple road: every state for itself.
double lowest_by_states(const island_machine& machine, const std::vector<double>& weight_of,
                        double sigma_x, double sigma_xi) {
  const std::vector<double> log_p = machine.log_member(sigma_x, sigma_xi);
  const stored_algorithm& algorithm = machine.algorithm();
  std::vector<double> weight(algorithm.island_count);
  std::vector<double> production(algorithm.island_count);
  for (std::size_t x = 0; x < log_p.size(); ++x) {
    weight[algorithm.island[x]] += std::exp(log_p[x]);
    production[algorithm.island[x]] += std::exp(log_p[x]) * (log_p[x] + machine.flow()[x]);
  }
  double sum = 0;
  for (std::size_t c = 0; c < weight.size(); ++c) {
    sum += weight_of[c] * (production[c] / weight[c] - std::log(weight[c]));
  }
  return sum;
}

TEST(variational_family, sees_points_in_any_order_as_it_sees_every_state) {
  const register_formats tiny = one_format({1, 1});
  for (const stored_algorithm& algorithm :
       {stored_regression(tiny, 3), stored_sgd(tiny, {.eta = 0.5, .batch = 1, .w0 = 1}, 3)}) {
    const island_machine machine{algorithm, {.w = 1}};
    const variational_family family{machine, {}, {.grid = 5}};
    const variational_optimum& best = family.optima().front();
    const island_account there = account(machine, machine.log_member(best.sigma_x, best.sigma_xi));
    EXPECT_NEAR(best.production.value.value(), there.production.value(), 1e-12);
    const member_bounds found = family.bounds_of(2, 0.6);
    std::vector<double> own(algorithm.island_count);
    const std::vector<double> log_p = machine.log_member(2, 0.6);
    for (std::size_t x = 0; x < log_p.size(); ++x) own[algorithm.island[x]] += std::exp(log_p[x]);
    EXPECT_NEAR(found.corrected.value(),
                lowest_by_states(machine, own, 2, 0.6) -
                    lowest_by_states(machine, own, found.sigma_x, found.sigma_xi),
                1e-12);
  }
}

TEST(variational_family, hears_a_stop) {
  const std::atomic<bool> stop = true;
  EXPECT_THROW((void)variational_family(counterexample(), {}, {.grid = 5}, stop_token{stop}),
               stopped);
}

TEST(islands, name_what_is_wrong) {
  EXPECT_EQ(message_of([] {
              (void)stored_regression(one_format({4, 4}), 2);
            }),
            "islands: 2 points in p4e4 and p4e4 have 2^32 states, at most 2^20 can be listed");
  EXPECT_EQ(message_of([] {
              (void)stored_regression(one_format({2, 0}), 1);
            }),
            "islands: the format needs 1 to 8 exponent bits, got p2e0");
  EXPECT_EQ(message_of([] { (void)stored_regression(small, 0); }),
            "islands: number of points must be from 1 to 20, got 0");
  EXPECT_EQ(message_of([] {
              (void)account(counterexample(), {0, 0});
            }),
            "islands: 2 probabilities for 256 states");
}

}  // namespace
