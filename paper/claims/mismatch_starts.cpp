#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "ktln2/mismatch/logical_states.hpp"
#include "ktln2/mismatch/sgd_steps.hpp"
#include "paper/claims/claims.hpp"

namespace ktln2::paper {
namespace {

using namespace ktln2::mismatch;

const register_formats tiny_registers = one_format({2, 2});

/// The deviations of the box, `count` of each, evenly.
std::vector<std::pair<double, double>> members_of_the_box(int count) {
  const variational_bounds box;
  std::vector<std::pair<double, double>> all;
  for (int i = 0; i < count * count; ++i) {
    const auto between = [count](double low, double high, int k) {
      return low + (high - low) * k / (count - 1);
    };
    all.emplace_back(between(box.sigma_x_low, box.sigma_x_high, i / count),
                     between(box.sigma_xi_low, box.sigma_xi_high, i % count));
  }
  return all;
}

finding all_logical_states(const claim& what, const effort& work) {
  const descent how{.eta = 0.5, .batch = 1, .w0 = 1};
  const island_machine exact{stored_regression(tiny_registers, 1), {.w = 1}};
  const island_machine sgd{stored_sgd(tiny_registers, how, 1), {.w = 1}};
  const auto other_exact = other_starts_of_regression(exact.algorithm(), float_format{2, 2});
  const auto other_sgd = other_starts_of_sgd(tiny_registers, how, 1);
  bool holds = true;
  double gain = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [x, xi] : members_of_the_box(what.integer("members"))) {
    work.pause();
    for (const auto& [machine, others] : {std::pair{&exact, &other_exact}, {&sgd, &other_sgd}}) {
      const std::vector<double> log_p = machine->log_member(x, xi);
      const double inputs = account(*machine, log_p).mismatch.value();
      const double all = over_logical_states(*machine, log_p, *others).account.mismatch.value();
      holds = holds && 0 <= inputs && inputs <= all;
      if (machine == &exact) gain = std::max(gain, all - inputs);
      least = std::min(least, all);
    }
  }
  return {.found = fmt::format(
              R"(at least ${:.4f}\,k_B$ for regression and a step of SGD in p2e2, and never less )"
              R"(than over the inputs alone; for regression more by ${:.4f}\,k_B$, the )"
              "bits of the register that it writes over",
              least, gain),
          .as_stated = holds};
}

finding bound_on_the_steps(const claim& what, const effort& work) {
  const double steps = what.number("steps");
  const stepwise_sgd machine{tiny_registers,
                             {.eta = 0.5, .batch = 1, .w0 = 1},
                             steps,
                             {.w = 1, .alpha = what.number("alpha")},
                             work.stop};
  const entropy_production production{
      [](double, double) {
        return bounded<bits>{bits{0}, bits{0}};
      },
      [&](double x, double xi) { return machine.production(x, xi).value(); }};
  const variational_optimum best = variational_optima(production, {}, {.grid = 7}).front();
  int inside = 0;
  int corrected = 0;
  int count = 0;
  step_account worst{};
  for (const auto& [x, xi] : members_of_the_box(what.integer("members"))) {
    const step_account sum = sum_of(machine.accounts(x, xi, best, {}, 2));
    ++count;
    if (sum.paper <= sum.mismatch) ++inside;
    if (sum.corrected >= nats{-1e-9} && sum.corrected <= sum.mismatch) ++corrected;
    if (sum.paper - sum.mismatch >= worst.paper - worst.mismatch) worst = sum;
  }
  return {
      .found = fmt::format("true for {} of {} members of the family; the bound with the islands' "
                           "own weights in every step, for {}",
                           inside, count, corrected),
      .as_stated = inside == count,
      .counterexample = fmt::format(
          R"(p2e2, {:g} steps, $\alpha = {:g}$, the worst member: $\mathrm{{MMC}}_v = {:.4f}\,k_B$, )"
          R"(but $\mathrm{{MMC}} = {:.4f}\,k_B$; with the islands' own weights ${:.4f}\,k_B$)",
          steps, what.number("alpha"), worst.paper.value(), worst.mismatch.value(),
          worst.corrected.value())};
}

}  // namespace

check_table mismatch_start_checks() {
  return {{"all_logical_states", all_logical_states}, {"bound_on_the_steps", bound_on_the_steps}};
}

}  // namespace ktln2::paper
