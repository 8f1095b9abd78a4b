#include "ktln2/mismatch/logical_states.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace {

using namespace ktln2;
using namespace ktln2::mismatch;

const register_formats tiny = one_format({2, 1});
const descent one_step{.eta = 0.5, .batch = 1, .w0 = 1};

TEST(eq_mmc_exact_opt, a_register_that_is_written_over_adds_its_bits_to_the_mismatch) {
  const island_machine machine{stored_regression(tiny, 2), {.w = 1, .alpha = 0.7}};
  const std::vector<double> log_p = machine.log_member(1, 0.8);
  const island_account inputs = account(machine, log_p);
  const logical_account all = over_logical_states(
      machine, log_p, other_starts_of_regression(machine.algorithm(), *tiny.model.ideal()));
  const double gain = tiny.model.width() * std::log(2.0);
  EXPECT_EQ(all.states, 4096U * 8U);
  EXPECT_EQ(all.account.production, inputs.production);
  EXPECT_NEAR(all.account.mismatch.value(), inputs.mismatch.value() + gain, 1e-11);
  EXPECT_NEAR(all.account.residual.value(), inputs.residual.value() - gain, 1e-11);
  EXPECT_NEAR(all.account.excess.value(), inputs.excess.value() + gain, 1e-11);
  EXPECT_NEAR(all.least_constant, machine.least_constant() + gain, 1e-11);
}

TEST(eq_mmc_exact_opt, the_starts_of_sgd_are_those_of_enumeration) {
  const double steps = 2;
  const island_machine machine{stored_sgd(tiny, one_step, steps), {.w = 1}};
  const std::vector<double> log_p = machine.log_member(1.2, 0.8);
  const logical_account found =
      over_logical_states(machine, log_p, other_starts_of_sgd(tiny, one_step, steps));
  EXPECT_EQ(found.states, 4096U * 8U);
  // By definition: every start of the model, every input, the output that it leads to.
  std::map<std::uint32_t, double> z;
  for (std::size_t i = 1; i <= 8; ++i) {
    descent from = one_step;
    from.w0 = tiny.model.ideal()->value_at(i).to_double();
    const stored_algorithm leads = stored_sgd(tiny, from, steps);
    for (std::size_t x = 0; x < leads.output.size(); ++x) {
      z[leads.output[x]] += std::exp(-machine.flow()[x]);
    }
  }
  double residual = 0;
  double largest = 0;
  for (const auto& [to, sum] : z) largest = std::max(largest, sum);
  for (std::size_t x = 0; x < log_p.size(); ++x) {
    residual -= std::exp(log_p[x]) * std::log(z[machine.algorithm().output[x]]);
  }
  const island_account inputs = account(machine, log_p);
  EXPECT_NEAR(found.account.residual.value(), residual, 1e-11);
  EXPECT_NEAR(found.account.mismatch.value(), inputs.production.value() - residual, 1e-11);
  EXPECT_NEAR(found.least_constant, std::log(largest), 1e-11);
  // [eq:mmc_exact_opt]: over more states the best start is better.
  EXPECT_GT(found.account.mismatch, inputs.mismatch);
  EXPECT_GT(found.account.excess, inputs.excess);
}

}  // namespace
