#include "ask/mismatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "ask/expression.hpp"
#include "core/parse.hpp"

namespace ktln2::ask {
namespace {

using mismatch::entropy_flow;
using mismatch::entropy_production;
using mismatch::nats;
using mismatch::to_joules_per_kelvin;
using mismatch::variational_bounds;
using mismatch::variational_optimum;

constexpr const char* quadratic = "constant + alpha*(sigma_x^2 + sigma_xi^2)";

/// The names that an expression may use.
std::map<std::string, double> known_names(const mismatch_question& asked) {
  std::map<std::string, double> names{{"w", asked.model.w},
                                      {"sigma_x", asked.model.sigma_x},
                                      {"sigma_xi", asked.model.sigma_xi},
                                      {"alpha", asked.alpha},
                                      {"constant", asked.constant}};
  if (!asked.how) {
    names["n"] = asked.n;
    return names;
  }
  names["steps"] = asked.steps;
  names["batch"] = asked.how->batch;
  names["eta"] = asked.how->eta;
  names["w0"] = asked.how->w0;
  names["w0_sigma"] = asked.how->w0_sigma;
  return names;
}

/// ΔS_env as it was asked for.
entropy_flow flow_of(const mismatch_question& asked) {
  if (!asked.environment) return mismatch::quadratic_flow(asked.constant, asked.alpha);
  const expression flow{"mismatch: --environment", *asked.environment, known_names(asked)};
  return [flow](double sigma_x, double sigma_xi) {
    return flow({{"sigma_x", sigma_x}, {"sigma_xi", sigma_xi}});
  };
}

/// The production by these entropies, for all deviations.
entropy_production production_of(const mismatch_question& asked, entropy_kind kind, sgd_model which,
                                 const stop_token& stop) {
  if (!asked.how) {
    return mismatch::regression_production(asked.formats, asked.model.w, asked.n, flow_of(asked),
                                           kind, stop);
  }
  return mismatch::sgd_production(asked.formats, asked.model.w, *asked.how, asked.steps, which,
                                  flow_of(asked), kind, stop);
}

bool is_slow(const mismatch_question& asked) {
  return asked.how && asked.which == sgd_model::exact;
}

/// The paper's format with as many significant bits, all that its closed forms ask for.
storage like(const storage& where) {
  constexpr int any_exponent_bits = 8;
  return where.ideal() != nullptr ? where : float_format{where.p(), any_exponent_bits};
}

/// How to look for optima. One look with exact entropies takes some ten milliseconds; the closed
/// forms know nearly where to look, and cells so wide that they make ripples ask for a finer
/// lattice.
mismatch::variational_search search_for(const mismatch_question& asked, sgd_model which,
                                        const stop_token& stop) {
  mismatch::variational_search search;
  if (asked.entropies == entropy_kind::smooth) return search;
  constexpr int rippled = 4;
  const int p = std::min(asked.formats.data.x.p(), asked.formats.data.y.p());
  search.grid = p <= rippled ? 9 : 5;
  mismatch_question nearly = asked;
  nearly.formats = {{like(asked.formats.data.x), like(asked.formats.data.y)},
                    like(asked.formats.model)};
  const entropy_production smooth = production_of(nearly, entropy_kind::smooth, which, stop);
  search.starts = mismatch::lowest(mismatch::variational_optima(smooth, asked.bounds));
  if (search.starts.size() > 3) search.starts.resize(3);
  return search;
}

/// All optima, the lowest first. With SGD's exact law a look may take a second: from the optima
/// with a normal law of the same moments.
std::vector<variational_optimum> optima_of(const mismatch_question& asked,
                                           const entropy_production& production,
                                           const std::optional<variational_optimum>& start,
                                           const stop_token& stop) {
  const sgd_model which = is_slow(asked) ? sgd_model::moments : asked.which;
  mismatch::variational_search search = search_for(asked, which, stop);
  if (start) search.starts.push_back(*start);
  if (!is_slow(asked)) return mismatch::variational_optima(production, asked.bounds, search);
  const entropy_production quick = production_of(asked, asked.entropies, which, stop);
  std::vector<variational_optimum> near = mismatch::variational_optima(quick, asked.bounds, search);
  if (near.size() > 3) near.resize(3);
  if (start) near.push_back(*start);
  return mismatch::slow_optima(production, quick, asked.bounds, near);
}

/// As above; if the asked deviations are better than all that was found, from there as well.
std::vector<variational_optimum> optima_of(const mismatch_question& asked,
                                           const entropy_production& production,
                                           const bounded<nats>& here, const stop_token& stop) {
  std::vector<variational_optimum> found = optima_of(asked, production, std::nullopt, stop);
  const linear_model& model = asked.model;
  const bool is_better = here.value < found.front().production.value - nats{production.noise};
  if (!is_better || !is_inside(asked.bounds, model.sigma_x, model.sigma_xi)) return found;
  const variational_optimum start{model.sigma_x, model.sigma_xi, here, false, false};
  return optima_of(asked, production, start, stop);
}

/// The bill with data of these deviations.
computation priced_at(const mismatch_question& asked, double sigma_x, double sigma_xi,
                      const stop_token& stop) {
  const linear_model model{asked.model.w, sigma_x, sigma_xi};
  if (!asked.how) return regression_cost(asked.formats, model, asked.n, asked.entropies, stop);
  const law last = sgd_law(model, *asked.how, asked.steps, asked.which);
  return sgd_cost(asked.formats, model, *asked.how, asked.steps, last, asked.entropies, stop);
}

/// Judges smooth entropies, and SGD's law.
void judge_mismatch(mismatch_answer& made, const stop_token& stop) {
  const mismatch_question& asked = made.asked;
  if (asked.how) {
    made.gap = gap_of({asked.model, *asked.how, asked.steps, asked.which}, asked.formats.model);
  }
  if (asked.entropies == entropy_kind::exact) return;
  const computation here = priced_at(asked, asked.model.sigma_x, asked.model.sigma_xi, stop);
  const computation star = priced_at(asked, made.star().sigma_x, made.star().sigma_xi, stop);
  made.applies = here.applies && star.applies;
  made.smoothing = mismatch::to_nats(here.device.erased().error);
  made.star_smoothing = mismatch::to_nats(star.device.erased().error);
}

std::optional<nats> sum_of_steps(const mismatch_question& asked, const stop_token& stop) {
  constexpr double most_steps = 1000;
  if (!asked.how || is_slow(asked) || asked.steps > most_steps) return {};
  nats sum{0};
  for (const auto& step :
       mismatch::sgd_step_productions(asked.formats, asked.model, *asked.how, asked.steps,
                                      asked.which, flow_of(asked), asked.entropies, stop)) {
    sum += step.value;
  }
  return sum;
}

json parameters_of(const mismatch_question& asked) {
  json parameters = asked.how ? joined({{{"steps", number(asked.steps)}},
                                        shown(*asked.how),
                                        shown(asked.model),
                                        {{"law", name_of(asked.which)}}})
                              : joined({{{"n", number(asked.n)}}, shown(asked.model)});
  parameters.update(shown(asked.formats));
  parameters["alpha"] = number(asked.alpha);
  parameters["constant"] = number(asked.constant);
  parameters["environment"] = asked.environment.value_or(quadratic);
  return parameters;
}

json as_json(const variational_optimum& one) {
  return {{"sigma_x", number(one.sigma_x)},
          {"sigma_xi", number(one.sigma_xi)},
          {"production_nats", number(one.production.value.value())},
          {"sigma_x_at_bound", one.sigma_x_at_bound},
          {"sigma_xi_at_bound", one.sigma_xi_at_bound}};
}

json landscape_of(const mismatch_answer& made) {
  json rows = json::array();
  for (const mismatch::landscape_point& point : made.landscape) {
    rows.push_back(
        {{"sigma_x", number(point.sigma_x)},
         {"sigma_xi", number(point.sigma_xi)},
         {"mmc_nats", number((point.production - made.star().production.value).value())}});
  }
  return rows;
}

}  // namespace

variational_bounds read_bounds(const reader& given) {
  const std::string text = given.word("bounds");
  std::vector<double> numbers;
  for (const std::string& word : split(text, ',')) {
    numbers.push_back(parse_number(given.where("bounds"), word));
  }
  if (numbers.size() != 4) {
    throw std::domain_error(given.where("bounds") +
                            " needs four numbers (sigma_x from, to, sigma_xi from, to), got '" +
                            text + "'");
  }
  const variational_bounds bounds{numbers[0], numbers[1], numbers[2], numbers[3]};
  require_valid(bounds);
  return bounds;
}

json shown(const variational_bounds& bounds) {
  return {number(bounds.sigma_x_low), number(bounds.sigma_x_high), number(bounds.sigma_xi_low),
          number(bounds.sigma_xi_high)};
}

bool is_inside(const variational_bounds& bounds, double sigma_x, double sigma_xi) {
  return bounds.sigma_x_low <= sigma_x && sigma_x <= bounds.sigma_x_high &&
         bounds.sigma_xi_low <= sigma_xi && sigma_xi <= bounds.sigma_xi_high;
}

mismatch_question read_mismatch(const words& asked) {
  const reader given{asked};
  mismatch_question made{.kind = given.kind(),
                         .formats = read_formats(given),
                         .model = read_model(given),
                         .alpha = given.number("alpha"),
                         .constant = given.number("constant"),
                         .environment = given.optional_word("environment"),
                         .bounds = read_bounds(given),
                         .landscape = static_cast<int>(given.whole("landscape", 0, 1'000'000)),
                         .entropies = read_entropy_kind(given),
                         .temperature = read_temperature(given)};
  if (made.kind == "exact") {
    made.n = given.number("n");
  } else {
    made.how = read_descent(given);
    made.steps = read_steps(given);
    made.which = read_sgd_model(given);
  }
  return made;
}

mismatch_answer solve(const mismatch_question& asked, const stop_token& stop) {
  const double sigma_x = asked.model.sigma_x;
  const double sigma_xi = asked.model.sigma_xi;
  const entropy_production production = production_of(asked, asked.entropies, asked.which, stop);
  const bounded<nats> here = production(sigma_x, sigma_xi);
  mismatch_answer made{asked,
                       here,
                       optima_of(asked, production, here, stop),
                       1,
                       sum_of_steps(asked, stop),
                       {},
                       true,
                       nats{0},
                       nats{0},
                       {}};
  judge_mismatch(made, stop);
  made.best_count = mismatch::lowest(made.optima).size();
  if (asked.landscape > 0) {
    made.landscape = mismatch::production_landscape(production, asked.bounds, asked.landscape);
  }
  return made;
}

std::vector<mismatch::landscape_point> landscape_around(const mismatch_question& asked, int count,
                                                        const stop_token& stop) {
  return mismatch::production_landscape(production_of(asked, asked.entropies, asked.which, stop),
                                        asked.bounds, count);
}

bounded<nats> mismatch_answer::mmc() const {
  bounded<nats> cost = here - star().production;
  cost.error += smoothing + star_smoothing;
  return cost;
}

double mismatch_answer::joules_of(nats value) const {
  return asked.temperature.value() * to_joules_per_kelvin(value).value();
}

std::vector<std::string> mismatch_answer::warnings() const {
  std::vector<std::string> list;
  if (!applies) list.emplace_back(smooth_warning);
  warn_of(gap, list);
  if (!is_inside(asked.bounds, asked.model.sigma_x, asked.model.sigma_xi)) {
    list.emplace_back("the asked deviations are outside the bounds: the cost may be negative");
  }
  const nats least = std::min(here.value, star().production.value);
  if (least < nats{0}) {
    list.push_back(fmt::format(
        "the total entropy production is negative: the second law asks for a constant larger by "
        "{:.7g}",
        -least.value()));
  }
  return list;
}

report mismatch_answer::report() const {
  ask::report made{"mismatch"};
  made.add("kind", json(asked.kind));
  made.add("format", json(asked.formats.data.x.name()));
  made.add_all(parameters_of(asked));
  made.add("bounds", shown(asked.bounds));
  made.add("entropy", json(name_of(asked.entropies)));
  made.add("temperature", asked.temperature.value());
  made.headline("sigma_x_star", star().sigma_x);
  made.headline("sigma_xi_star", star().sigma_xi);
  made.add("production", to_joules_per_kelvin(here.value).value());
  made.headline("production_nats", here.value.value());
  made.add("production_star", to_joules_per_kelvin(star().production.value).value());
  made.headline("production_star_nats", star().production.value.value());
  made.add("mmc", to_joules_per_kelvin(mmc().value).value());
  made.headline("mmc_nats", mmc().value.value());
  made.headline("error_nats", mmc().error.value());
  made.add("mmc_joules", joules_of(mmc().value));
  if (asked.how) {
    made.add("sum_of_steps_nats", sum_of_steps ? number(sum_of_steps->value()) : json(nullptr));
  }
  made.add("applies", json(applies));
  if (asked.entropies == entropy_kind::smooth) {
    made.add("production_error_nats", (here.error + smoothing).value());
  }
  if (gap) made.add("law_gap", shown(gap));
  made.add("unique", json(best_count == 1));
  json list = json::array();
  for (const variational_optimum& one : optima) list.push_back(as_json(one));
  made.add("optima", std::move(list));
  if (asked.landscape > 0) made.add_lazy("landscape", [this] { return landscape_of(*this); });
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
