#include "ktln2/mismatch/sgd_steps.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "ktln2/mismatch/islands.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;
using namespace ktln2::mismatch;

const register_formats four_bits = one_format({2, 2});
const descent per_step{.eta = 0.5, .batch = 1, .w0 = 1};
const island_machine::settings set{.w = 1, .alpha = 1, .constant = 3};

variational_optimum at(double sigma_x, double sigma_xi) {
  return {sigma_x, sigma_xi, {nats{0}, nats{0}}, false, false};
}

TEST(app_mmc, productions_of_the_steps_add_up_to_that_of_the_whole_map) {
  for (const double steps : {1.0, 2.0}) {
    const stepwise_sgd machine{four_bits, per_step, steps, set};
    const island_machine whole{stored_sgd(four_bits, per_step, steps), set};
    for (const auto& [x, xi] : {std::pair{1.0, 1.0}, {2.0, 0.7}, {0.8, 4.0}}) {
      const island_account all = account(whole, whole.log_member(x, xi));
      const step_account sum = sum_of(machine.accounts(x, xi, at(1, 1), {}, 2));
      EXPECT_NEAR(sum.production.value(), all.production.value(), 1e-11);
      EXPECT_NEAR(machine.production(x, xi).value(), all.production.value(), 1e-11);
      EXPECT_NEAR((sum.mismatch + sum.residual).value(), sum.production.value(), 1e-11);
      // The first of one step starts from a known model: it is the whole map, but its islands have
      // the states with other models, too, and its mismatch is no smaller.
      if (steps == 1) {
        EXPECT_GE(sum.mismatch.value(), all.mismatch.value());
      }
    }
  }
}

/// A step by its definition: every (model, batch), its island, and the law that is best inside.
std::vector<std::pair<double, double>> accounts_by_enumeration(const float_format& format,
                                                               int steps, double sigma) {
  std::vector<double> values;
  for (int i = 1; i <= static_cast<int>(format.size()); ++i) {
    values.push_back(format.value_at(static_cast<std::size_t>(i)).to_double());
  }
  const island_machine data{stored_regression(one_format(format), 1), {.w = 1}};
  const std::vector<double> log_p = data.log_member(sigma, sigma);
  const auto stored = [&](double x) { return format.value(format.quantize(x)).to_double(); };
  std::map<double, double> before{{stored(1), 1.0}};
  std::vector<std::pair<double, double>> found;  // mismatch and residual
  for (int k = 0; k < steps; ++k) {
    std::map<double, double> z;
    std::map<double, double> weight;
    std::vector<std::pair<double, std::pair<double, double>>> states;  // next, p, flow
    for (const double model : values) {
      for (std::size_t i = 0; i < log_p.size(); ++i) {
        const double x = values[i / values.size()];
        const double y = values[i % values.size()];
        const double next = stored(model - 0.5 * (model * x - y) * x);
        const double flow = (3 + x * x + (y - x) * (y - x)) / steps;
        const double p = before.contains(model) ? before[model] * std::exp(log_p[i]) : 0;
        z[next] += std::exp(-flow);
        weight[next] += p;
        if (p > 0) states.push_back({next, {p, flow}});
      }
    }
    double mismatch = 0;
    double residual = 0;
    for (const auto& [next, state] : states) {
      const auto& [p, flow] = state;
      const double best = std::exp(-flow) / z[next];
      mismatch += p * std::log(p / weight[next] / best);
      residual -= p * std::log(z[next]);
    }
    found.emplace_back(mismatch, residual);
    before = weight;
  }
  return found;
}

TEST(app_mmc, every_step_is_what_enumeration_says) {
  const int steps = 3;
  const stepwise_sgd machine{four_bits, per_step, steps, set};
  EXPECT_EQ(machine.state_count(), 16U * 256U);
  const auto found = machine.accounts(1.3, 1.3, at(1, 1), {}, 2);
  const auto truth = accounts_by_enumeration({2, 2}, steps, 1.3);
  ASSERT_EQ(found.size(), truth.size());
  for (std::size_t k = 0; k < truth.size(); ++k) {
    EXPECT_NEAR(found[k].mismatch.value(), truth[k].first, 1e-11) << k;
    EXPECT_NEAR(found[k].residual.value(), truth[k].second, 1e-11) << k;
  }
}

TEST(app_mmc, the_corrected_bound_of_every_step_is_between_zero_and_its_mismatch) {
  const stepwise_sgd machine{four_bits, per_step, 20, set};
  double positive = 0;
  for (const auto& [x, xi] : {std::pair{1.0, 1.0}, {3.0, 0.5}, {0.75, 5.0}}) {
    for (const step_account& one : machine.accounts(x, xi, at(1, 0.7), {})) {
      EXPECT_GE(one.corrected.value(), 0);
      EXPECT_LE(one.corrected.value(), one.mismatch.value() + 1e-12);
      positive += one.corrected.value();
    }
  }
  EXPECT_GT(positive, 1);
}

TEST(app_mmc, the_terms_of_the_paper_add_up_to_its_bound_but_are_no_bounds_themselves) {
  const stepwise_sgd machine{four_bits, per_step, 20, set};
  const auto steps = machine.accounts(1.5, 1.5, at(0.75, 0.5), {}, 2);
  EXPECT_NEAR(sum_of(steps).paper.value(),
              (machine.production(1.5, 1.5) - machine.production(0.75, 0.5)).value(), 1e-10);
}

TEST(app_mmc, the_least_constant_is_where_the_best_step_has_no_residual) {
  const stepwise_sgd any{four_bits, per_step, 5, set};
  island_machine::settings enough = set;
  enough.constant = any.least_constant();
  EXPECT_NEAR(stepwise_sgd(four_bits, per_step, 5, enough).least_constant(), any.least_constant(),
              1e-12);
  for (const auto& one :
       stepwise_sgd(four_bits, per_step, 5, enough).accounts(2, 2, at(1, 1), {}, 2)) {
    EXPECT_GE(one.residual.value(), -1e-12);
  }
}

TEST(sgd_steps, name_what_is_wrong) {
  EXPECT_EQ(message_of([] { (void)stepwise_sgd(four_bits, per_step, 1001, set); }),
            "islands: at most 1000 steps one by one, got 1001");
  EXPECT_EQ(message_of([] {
              (void)stepwise_sgd(one_format({4, 4}), per_step, 2, set);
            }),
            "islands: a step on batches of 1 has more than 2^20 states");
}

TEST(sgd_steps, hear_a_stop) {
  const std::atomic<bool> stop = true;
  EXPECT_THROW((void)stepwise_sgd(four_bits, per_step, 2, set, stop_token{stop}), stopped);
}

}  // namespace
