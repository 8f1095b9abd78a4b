#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "ktln2/mismatch/driven.hpp"
#include "ktln2/mismatch/islands.hpp"
#include "paper/claims/claim_tools.hpp"
#include "paper/claims/claims.hpp"

namespace ktln2::paper {
namespace {

using namespace mismatch;

/// Exact regression on one point in p2e2: 256 input states on 16 islands, small enough to sum over.
island_machine small_machine(double alpha = 1, double constant = 0) {
  return {stored_regression(one_format({2, 2}), 1), {.w = 1, .alpha = alpha, .constant = constant}};
}

/// A coarse lattice of first looks finds the same optimum as a fine one, and saves time.
variational_family family_of(const island_machine& machine) { return {machine, {}, {.grid = 7}}; }

std::vector<member_bounds> random_members(const variational_family& family, int count,
                                          std::uint64_t seed) {
  std::mt19937_64 engine{seed};
  std::uniform_real_distribution<double> sigma_x{0.75, 5};
  std::uniform_real_distribution<double> sigma_xi{0.5, 5};
  std::vector<member_bounds> result;
  for (int i = 0; i < count; ++i) {
    const double x = sigma_x(engine);
    result.push_back(family.bounds_of(x, sigma_xi(engine), false));
  }
  return result;
}

finding bound_on_the_excess(const claim& what, const effort& work) {
  const std::vector<double>& alphas = what.list("alpha");
  const int count = work.points(60, 20);
  int inside = 0;
  double tightest = 0;
  for (const double alpha : alphas) {
    const variational_family family = family_of(small_machine(alpha));
    for (const member_bounds& one : random_members(family, count, work.seed)) {
      const double paper = one.paper.value();
      const double excess = one.account.excess.value();
      if (paper >= what.number("least") - 1e-9 && paper <= excess + 1e-9) ++inside;
      tightest = std::max(tightest, paper / excess);
    }
  }
  const int all = count * static_cast<int>(alphas.size());
  return {.found = fmt::format(
              R"(true for {} of {} members of the family; $\mathrm{{MMC}}_v$ is at most {:.0f}% )"
              R"(of $\mathrm{{MMC}}$)",
              inside, all, 100 * tightest),
          .as_stated = inside == all};
}

finding bound_on_the_divergence(const claim& what, const effort& work) {
  const variational_family family = family_of(small_machine(what.number("alpha")));
  const member_bounds example = family.bounds_of(what.number("sigma_x"), what.number("sigma_xi"));
  int inside = 0;
  int corrected = 0;
  const int count = work.points(100, 40);
  for (const member_bounds& one : random_members(family, count, work.seed)) {
    const double mismatch = one.account.mismatch.value();
    if (one.paper.value() <= mismatch) ++inside;
    if (one.corrected.value() >= -1e-9 && one.corrected.value() <= mismatch + 1e-9) ++corrected;
  }
  return {.found = fmt::format(
              "true for {} of {} members of the family; the bound with the islands' own weights, "
              "for {}",
              inside, count, corrected),
          .as_stated = inside == count && example.paper <= example.account.mismatch,
          .counterexample = fmt::format(
              R"(p2e2, one point, $\sigma_x = {:g}$, $\sigma_\xi = {:g}$: $\mathrm{{MMC}}_v = )"
              R"({:.6f}\,k_B$, but $\mathrm{{MMC}} = )"
              R"({:.6f}\,k_B$; the bound with the islands' own weights is ${:.6f}\,k_B$)",
              what.number("sigma_x"), what.number("sigma_xi"), example.paper.value(),
              example.account.mismatch.value(), example.corrected.value())};
}

/// ΔS_tot(p) - ΔS_tot(q) - (D(p‖q) - D(πp‖πq)) for a process that leads from every state to every
/// other: a single island.
double single_island_gap() {
  const std::vector<double> prepared{0.4, 0.3, 0.2, 0.1};
  const std::vector<double> loaded{0.1, 0.5, 0.15, 0.25};
  const relaxing_channel channel = channel_of(register_reset(prepared, 0, 20, 6));
  const std::vector<double> best = optimal_start(channel);
  const double lost =
      (divergence(loaded, best) - divergence(after(channel, loaded), after(channel, best))).value();
  return (production(channel, loaded) - production(channel, best)).value() - lost;
}

finding two_forms_agree(const claim& what, const effort& /*work*/) {
  const island_machine machine = small_machine();
  const island_account found = account(machine, machine.log_member(1, 1));
  const double apart = std::abs((found.excess - found.mismatch).value());
  const double gap = std::abs(single_island_gap());
  const double tolerance = what.number("tolerance");
  return {.found = fmt::format(
              R"(equal to ${}\,k_B$ with one island; ${:.6f}\,k_B$ apart with {} islands)",
              tex(gap), apart, machine.algorithm().island_count),
          .as_stated = gap <= tolerance && apart <= tolerance,
          .as_qualified = gap <= tolerance,
          .qualification = "for a map with one island, or islands that are all alike",
          .counterexample = fmt::format(
              R"(p2e2, one point, unit deviations: ${:.6f}\,k_B$ by relative entropies, )"
              R"(${:.6f}\,k_B$ by productions)",
              found.mismatch.value(), found.excess.value())};
}

/// D(p‖q) - D(πp‖πq) where q has the best law inside every island, and these weights of them.
double divergence_lost(const island_machine& machine, const std::vector<double>& p,
                       const std::vector<double>& weights) {
  const std::vector<std::uint32_t>& island = machine.algorithm().island;
  std::vector<double> q(p.size());
  std::vector<double> p_out(weights.size());
  for (std::size_t x = 0; x < p.size(); ++x) {
    q[x] = weights[island[x]] * std::exp(-machine.flow()[x] - machine.log_z()[island[x]]);
    p_out[island[x]] += p[x];
  }
  return (divergence(p, q) - divergence(p_out, weights)).value();
}

finding weights_do_not_matter(const claim& what, const effort& work) {
  const island_machine machine = small_machine();
  std::vector<double> p = machine.log_member(1, 1);
  const double mismatch = account(machine, p).mismatch.value();
  for (double& one : p) one = std::exp(one);
  std::mt19937_64 engine{work.seed};
  std::exponential_distribution<double> draw;
  double worst = 0;
  for (int i = 0; i < 20; ++i) {
    std::vector<double> weights(machine.algorithm().island_count);
    double sum = 0;
    for (double& one : weights) sum += one = draw(engine);
    for (double& one : weights) one /= sum;
    worst = std::max(worst, std::abs(divergence_lost(machine, p, weights) - mismatch));
  }
  return {.found = fmt::format(R"(${:.6f}\,k_B$ for 20 random sets of weights, {})", mismatch,
                               agreement(worst)),
          .as_stated = worst <= what.number("tolerance")};
}

/// Are the islands those sets of inputs that have one output?
bool islands_are_preimages(const stored_algorithm& algorithm) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::set<std::uint32_t> outputs;
  std::vector<std::vector<std::uint32_t>> reachable;
  for (const std::uint32_t output : algorithm.output) reachable.push_back({output});
  const std::vector<std::uint32_t> islands = islands_of(reachable);
  for (std::size_t x = 0; x < islands.size(); ++x) {
    pairs.insert({islands[x], algorithm.output[x]});
    outputs.insert(algorithm.output[x]);
  }
  return pairs.size() == outputs.size() && islands == algorithm.island;
}

finding islands_have_one_output(const claim& /*what*/, const effort& /*work*/) {
  const register_formats formats = one_format({2, 2});
  const stored_algorithm exact = stored_regression(formats, 1);
  const stored_algorithm sgd = stored_sgd(formats, {.eta = 0.25, .batch = 1, .w0 = 1}, 2);
  return {.found = fmt::format(
              "{} islands for the {} inputs of regression, {} for the {} of two steps of "
              "SGD, one for each output",
              exact.island_count, exact.island.size(), sgd.island_count, sgd.island.size()),
          .as_stated = islands_are_preimages(exact) && islands_are_preimages(sgd)};
}

finding may_be_negative(const claim& /*what*/, const effort& /*work*/) {
  const island_machine machine = small_machine();
  const variational_family family = family_of(machine);
  // All weight on the best island, with its best law: no member of the family.
  const auto best = static_cast<std::uint32_t>(
      std::max_element(machine.log_z().begin(), machine.log_z().end()) - machine.log_z().begin());
  std::vector<double> log_p(machine.state_count(), -HUGE_VAL);
  for (std::size_t x = 0; x < log_p.size(); ++x) {
    if (machine.algorithm().island[x] != best) continue;
    log_p[x] = -machine.flow()[x] - machine.log_z()[best];
  }
  const double least = account(machine, log_p).production.value();
  const double variational = family.optima().front().production.value.value();
  return {.found = fmt::format(R"($\mathrm{{MMC}}_v = {:.6f}\,k_B$ for the best start of all)",
                               least - variational),
          .as_stated = least < variational};
}

finding optimum_need_not_be_unique(const claim& what, const effort& /*work*/) {
  const entropy_production production = regression_production(
      one_format({24, 8}), 1, 10, quadratic_flow(400, what.number("alpha")), entropy_kind::smooth);
  const auto best = lowest(variational_optima(production, {}));
  const double first = variational_mismatch(production, 2, 3, best.front()).value.value();
  const double last = variational_mismatch(production, 2, 3, best.back()).value.value();
  return {.found = fmt::format(
              R"({} optima at $\alpha = {:g}$; $\mathrm{{MMC}}_v(2, 3)$ is the same for all, to )"
              R"(${}\,k_B$)",
              best.size(), what.number("alpha"), tex(std::abs(first - last))),
          .as_stated = best.size() > 1 && std::abs(first - last) < 1e-9};
}

/// The example of the paper, with α = 1 and no constant.
entropy_production example_regression(double alpha = 1) {
  return regression_production(one_format({24, 8}), 1, 10, quadratic_flow(0, alpha),
                               entropy_kind::smooth);
}
constexpr descent example_descent{.eta = 0.01, .batch = 1, .w0 = 1};
constexpr double example_steps = 50;
entropy_production example_sgd(double alpha = 1) {
  return sgd_production(one_format({24, 8}), 1, example_descent, example_steps, sgd_model::ou,
                        quadratic_flow(0, alpha), entropy_kind::smooth);
}

finding example_optimum(const claim& what, const effort& /*work*/) {
  const variational_bounds box{what.number("sigma_x_low"), what.number("sigma_x_high"),
                               what.number("sigma_xi_low"), what.number("sigma_xi_high")};
  bool is_found = true;
  std::string found;
  for (const entropy_production& production : {example_regression(), example_sgd()}) {
    const auto best = lowest(variational_optima(production, box));
    const variational_optimum& one = best.front();
    const auto points = production_landscape(production, box, 25);
    is_found = is_found && best.size() == 1 &&
               std::all_of(points.begin(), points.end(), [&](const landscape_point& other) {
                 return other.production >= one.production.value;
               });
    found += fmt::format(R"({}$\sigma_x = {:g}${}, $\sigma_\xi = {:.6f}$)",
                         found.empty() ? "exact regression: " : "; SGD: ", one.sigma_x,
                         one.sigma_x_at_bound ? ", the edge of the box" : "", one.sigma_xi);
  }
  return {.found = found, .as_stated = is_found};
}

finding mismatch_steps(const claim& what, const effort& /*work*/) {
  const double constant = 2000;
  const entropy_flow flow = quadratic_flow(constant, 1);
  const register_formats formats = one_format({24, 8});
  double sum = 0;
  for (const bounded<nats>& one :
       sgd_step_productions(formats, {.w = 1}, example_descent, example_steps, sgd_model::ou, flow,
                            entropy_kind::smooth)) {
    sum += one.value.value();
  }
  const double steps = example_steps;
  const double total = sgd_production(formats, 1, example_descent, steps, sgd_model::ou, flow,
                                      entropy_kind::smooth)(1, 1)
                           .value.value();
  const double whole = sum + (steps - 1) * flow(1, 1);  // all of ΔS_env in every step
  const double tolerance = what.number("tolerance");
  return {.found = fmt::format(
              R"(${:.6f}\,k_B$ in all; the steps add up to {:.6f} with a {:g}th part of )"
              "the flow each, to {:.1f} with all of it",
              total, sum, steps, whole),
          .as_stated = std::abs(whole - total) <= tolerance,
          .as_qualified = std::abs(sum - total) <= tolerance,
          .qualification = R"(with the part $1/\tau$ of the entropy flow in each step)",
          .counterexample = fmt::format(
              R"(unit deviations, $C = {:g}$, $\alpha = 1$, all of the flow in each step: )"
              R"(${:.1f}\,k_B$ instead of ${:.1f}\,k_B$)",
              constant, whole, total)};
}

finding productions_add_up(const claim& what, const effort& /*work*/) {
  const std::vector<double> start{0.7, 0.3};
  const markov_path path = follow(bit_erasure(30), start);
  const double gap = std::abs((path.total - path.system - path.environment).value());
  const double entropy_gap =
      std::abs((entropy_of(path.end) - entropy_of(start) - path.system).value());
  return {
      .found = fmt::format(
          R"(system ${:.6f}\,k_B$, environment ${:.6f}\,k_B$, total ${:.6f}\,k_B$; the sum agrees )"
          "{}, the entropy at the end {}",
          path.system.value(), path.environment.value(), path.total.value(), agreement(gap),
          agreement(entropy_gap)),
      .as_stated =
          std::max(gap, entropy_gap) <= what.number("tolerance") && path.total.value() >= 0};
}

finding heat_is_flow(const claim& what, const effort& /*work*/) {
  // Nobody works on levels that stay, so all energy that is lost is heat.
  const std::vector<double> level{0, 0.5, 1.2, 3};
  const std::vector<double> start{0.1, 0.2, 0.3, 0.4};
  const markov_path path = follow(driven({level, level}, 3), start);
  double heat = 0;
  for (std::size_t i = 0; i < level.size(); ++i) heat += level[i] * (start[i] - path.end[i]);
  const double gap = std::abs(heat - path.environment.value());
  return {.found = fmt::format(R"(heat ${:.6f}\,k_B T$, flow ${:.6f}\,k_B$, equal {})", heat,
                               path.environment.value(), agreement(gap)),
          .as_stated = gap <= what.number("tolerance")};
}

finding protocol_is_as_good_as_wanted(const claim& what, const effort& /*work*/) {
  double before = 1;
  bool falls = true;
  std::string found;
  for (const double bias : what.list("bias")) {
    const double wrong = follow(bit_erasure(60, bias), {0.5, 0.5}).end[1];
    falls = falls && wrong < before / 10;
    before = wrong;
    found += fmt::format(R"({}${}$ at ${:g}\,k_B T$)",
                         found.empty() ? "the probability of the wrong state is " : ", ",
                         tex(wrong, 2), bias);
  }
  return {.found = found, .as_stated = falls};
}

finding reversible_when_slow(const claim& what, const effort& /*work*/) {
  std::vector<double> lost;
  for (const double duration : what.list("duration")) {
    lost.push_back(follow(bit_erasure(duration), {0.5, 0.5}).total.value());
  }
  bool falls = true;
  for (std::size_t i = 1; i < lost.size(); ++i) falls = falls && lost[i] < lost[i - 1] / 5;
  return {.found = fmt::format(R"(the production is {:.5f} (in $k_B$) for durations of {:g})",
                               fmt::join(lost, ", "), fmt::join(what.list("duration"), ", ")),
          .as_stated = falls && lost.back() > 0};
}

}  // namespace

check_table mismatch_checks() {
  return {{"bound_on_the_excess", bound_on_the_excess},
          {"bound_on_the_divergence", bound_on_the_divergence},
          {"two_forms_agree", two_forms_agree},
          {"weights_do_not_matter", weights_do_not_matter},
          {"islands_have_one_output", islands_have_one_output},
          {"may_be_negative", may_be_negative},
          {"optimum_need_not_be_unique", optimum_need_not_be_unique},
          {"example_optimum", example_optimum},
          {"mismatch_steps", mismatch_steps},
          {"productions_add_up", productions_add_up},
          {"heat_is_flow", heat_is_flow},
          {"protocol_is_as_good_as_wanted", protocol_is_as_good_as_wanted},
          {"reversible_when_slow", reversible_when_slow}};
}

}  // namespace ktln2::paper
