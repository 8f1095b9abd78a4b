#include "ask/islands.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace ktln2::ask {
namespace {

mismatch::stored_algorithm algorithm_of(const islands_question& asked, const stop_token& stop) {
  if (asked.algorithm == "exact") return mismatch::stored_regression(asked.formats, asked.n, stop);
  return mismatch::stored_sgd(asked.formats, asked.how, asked.steps, stop);
}

/// Where the best start of all would be, as far as the other starts can be listed.
std::optional<mismatch::logical_account> logical_of(const islands_question& asked,
                                                    const mismatch::island_machine& machine,
                                                    const stop_token& stop) {
  constexpr double most = 1U << 22U;
  const bool is_sgd = asked.algorithm == "sgd";
  const float_format& model = asked.formats.model.ideal("islands");
  const double states =
      static_cast<double>(machine.state_count()) * static_cast<double>(model.size());
  if (is_sgd && states > most) return {};
  const std::vector<mismatch::other_start> others =
      is_sgd ? mismatch::other_starts_of_sgd(asked.formats, asked.how, asked.steps, stop)
             : mismatch::other_starts_of_regression(machine.algorithm(), model);
  return mismatch::over_logical_states(
      machine, machine.log_member(asked.model.sigma_x, asked.model.sigma_xi), others);
}

islands_answer::stepwise steps_of(const islands_question& asked,
                                  const mismatch::variational_optimum& star,
                                  const stop_token& stop) {
  const mismatch::stepwise_sgd machine{
      asked.formats,
      asked.how,
      asked.steps,
      {.w = asked.model.w, .alpha = asked.alpha, .constant = asked.constant},
      stop};
  std::vector<mismatch::step_account> steps =
      machine.accounts(asked.model.sigma_x, asked.model.sigma_xi, star, asked.bounds);
  const mismatch::step_account sum = mismatch::sum_of(steps);
  return {machine.state_count(), machine.island_count(), machine.least_constant(), std::move(steps),
          sum};
}

json json_of_step(const mismatch::step_account& one) {
  return {{"production_nats", number(one.production.value())},
          {"mismatch_nats", number(one.mismatch.value())},
          {"residual_nats", number(one.residual.value())},
          {"mmc_nats", number(one.paper.value())},
          {"corrected_nats", number(one.corrected.value())}};
}

json json_of_logical(const mismatch::logical_account& found) {
  return {{"states", found.states},
          {"mismatch_nats", number(found.account.mismatch.value())},
          {"residual_nats", number(found.account.residual.value())},
          {"excess_nats", number(found.account.excess.value())},
          {"least_constant", number(found.least_constant)}};
}

json json_of_steps(const islands_answer::stepwise& each) {
  json list = json::array();
  for (const mismatch::step_account& one : each.steps) list.push_back(json_of_step(one));
  return {{"states", each.states},
          {"islands", each.islands},
          {"least_constant", number(each.least_constant)},
          {"sum", json_of_step(each.sum)},
          {"steps", std::move(list)}};
}

json parameters_of(const islands_question& asked) {
  const json size = asked.algorithm == "exact"
                        ? json{{"n", asked.n}}
                        : joined({{{"steps", number(asked.steps)}}, shown(asked.how)});
  return joined({{{"algorithm", asked.algorithm}},
                 size,
                 shown(asked.model),
                 {{"alpha", number(asked.alpha)}, {"constant", number(asked.constant)}},
                 shown(asked.formats)});
}

}  // namespace

islands_question read_islands(const words& asked) {
  const reader given{asked};
  islands_question made{.formats = read_formats(given),
                        .model = read_model(given),
                        .algorithm = given.word("algorithm"),
                        .alpha = given.number("alpha"),
                        .constant = given.number("constant"),
                        .bounds = read_bounds(given)};
  const bool is_sgd = made.algorithm == "sgd";
  if (!is_sgd && made.algorithm != "exact") {
    throw std::domain_error(given.where("algorithm") + " must be exact or sgd, got '" +
                            made.algorithm + "'");
  }
  const std::vector<const char*> others =
      is_sgd ? std::vector<const char*>{"n"}
             : std::vector<const char*>{"steps", "batch", "eta", "w0", "per-step"};
  for (const char* name : others) {
    if (!given.has(name)) continue;
    throw std::domain_error(given.where(name) + " is for --algorithm " +
                            (is_sgd ? "exact" : "sgd"));
  }
  if (is_sgd) {
    made.how = read_descent(given);
    made.steps = given.number("steps");
    made.per_step = given.flag("per-step");
  } else {
    made.n = static_cast<int>(given.whole("n", 0, 1'000'000));
  }
  return made;
}

islands_answer solve(const islands_question& asked, const stop_token& stop) {
  const mismatch::island_machine machine{
      algorithm_of(asked, stop),
      {.w = asked.model.w, .alpha = asked.alpha, .constant = asked.constant}};
  throw_if_stopped(stop);
  constexpr std::size_t many = 20000;  // pairs of codes: the time of one look goes with them
  const mismatch::variational_family family{
      machine, asked.bounds, {.grid = machine.digit_count() > many ? 5 : 13}, stop};
  throw_if_stopped(stop);
  islands_answer made{asked,
                      machine.state_count(),
                      machine.algorithm().island_count,
                      machine.least_constant(),
                      family.bounds_of(asked.model.sigma_x, asked.model.sigma_xi),
                      family.optima().front(),
                      logical_of(asked, machine, stop),
                      {}};
  if (asked.per_step) made.each = steps_of(asked, made.star, stop);
  return made;
}

std::vector<islands_answer::entry> islands_answer::entries() const {
  return {{"production_nats", "total entropy production", found.account.production},
          {"mismatch_nats", "mismatch: the KL form", found.account.mismatch},
          {"residual_nats", "residual", found.account.residual},
          {"excess_nats", "excess: the difference form", found.account.excess},
          {"mmc_nats", "MMC_v, the paper's bound", found.paper},
          {"corrected_nats", "the corrected bound", found.corrected}};
}

std::vector<std::string> islands_answer::warnings() const {
  std::vector<std::string> list;
  if (!is_inside(asked.bounds, asked.model.sigma_x, asked.model.sigma_xi)) {
    list.emplace_back("the asked deviations are outside the bounds: MMC_v may be negative");
  }
  if (asked.constant < least_constant) {
    list.push_back(fmt::format(
        "some inputs would break the second law: it asks for a constant of at least {:.10g}",
        least_constant));
  }
  return list;
}

report islands_answer::report() const {
  ask::report made{"mismatch"};
  made.add("kind", json("islands"));
  made.add("format", json(asked.formats.data.x.name()));
  made.add_all(parameters_of(asked));
  made.add("bounds", shown(asked.bounds));
  made.add("states", json(states));
  made.add("islands", json(islands));
  for (const entry& one : entries()) made.headline(one.key, one.value.value());
  made.add("least_constant", least_constant);
  made.add("sigma_x_star", star.sigma_x);
  made.add("sigma_xi_star", star.sigma_xi);
  made.add("paper_bound_holds", json(paper_bound_holds()));
  made.add("logical_states", logical ? json_of_logical(*logical) : json(nullptr));
  if (each) made.add("per_step", json_of_steps(*each));
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
