#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "expression.hpp"
#include "mismatch_kinds.hpp"

namespace ktln2::cli {
namespace {

/// What was asked about exact regression or SGD.
struct question {
  json_value parameters;
  entropy_production production;
  entropy_production smooth;  ///< the same with closed forms: where to start looking
  double sigma_x = 1;
  double sigma_xi = 1;
  bool applies = true;
  bool is_slow = false;
  std::optional<nats> sum_of_steps{};
};

/// ΔS_env as the options have it.
entropy_flow read_flow(option_reader& options, std::map<std::string, double> names,
                       json_value& parameters) {
  const double alpha = options.number("alpha", 1);
  const double constant = options.number("constant", 0);
  const auto text = options.take("environment");
  parameters["alpha"] = number(alpha);
  parameters["constant"] = number(constant);
  parameters["environment"] = text.value_or("constant + alpha*(sigma_x^2 + sigma_xi^2)");
  if (!text) return quadratic_flow(constant, alpha);
  names["alpha"] = alpha;
  names["constant"] = constant;
  const expression flow{options.where("environment"), *text, names};
  return [flow](double sigma_x, double sigma_xi) {
    return flow({{"sigma_x", sigma_x}, {"sigma_xi", sigma_xi}});
  };
}

question ask_exact(option_reader& options, const register_formats& formats, entropy_kind kind) {
  asked_regression problem;
  read(options, problem);
  (void)slope_law(problem.model, problem.n);  // checks
  json_value parameters = shown(problem);
  parameters.update(shown(formats));
  const entropy_flow flow = read_flow(options,
                                      {{"n", problem.n},
                                       {"w", problem.model.w},
                                       {"sigma_x", problem.model.sigma_x},
                                       {"sigma_xi", problem.model.sigma_xi}},
                                      parameters);
  const auto production = [&](entropy_kind by) {
    return regression_production(formats, problem.model.w, problem.n, flow, by);
  };
  question asked{parameters, production(kind), production(entropy_kind::smooth),
                 problem.model.sigma_x, problem.model.sigma_xi};
  if (kind == entropy_kind::smooth) {
    asked.applies = regression_cost(formats, problem.model, problem.n, kind).applies;
  }
  return asked;
}

question ask_sgd(option_reader& options, const register_formats& formats, entropy_kind kind) {
  asked_sgd problem;
  read(options, problem);
  const std::string law_name = options.take("law").value_or("ou");
  const sgd_model which = parse_sgd_model(law_name);
  json_value parameters = shown(problem);
  parameters["law"] = law_name;
  parameters.update(shown(formats));
  const entropy_flow flow = read_flow(options,
                                      {{"steps", problem.steps},
                                       {"batch", problem.how.batch},
                                       {"eta", problem.how.eta},
                                       {"w0", problem.how.w0},
                                       {"w", problem.model.w},
                                       {"sigma_x", problem.model.sigma_x},
                                       {"sigma_xi", problem.model.sigma_xi}},
                                      parameters);
  const sgd_model quick = which == sgd_model::exact ? sgd_model::moments : which;
  const auto& [model, how, steps] = problem;
  require_valid(model, how, steps);
  question asked{parameters, sgd_production(formats, model.w, how, steps, which, flow, kind),
                 sgd_production(formats, model.w, how, steps, quick, flow, entropy_kind::smooth),
                 model.sigma_x, model.sigma_xi};
  asked.is_slow = which == sgd_model::exact;
  if (kind == entropy_kind::smooth) {
    asked.applies = sgd_cost(formats, model, how, steps, which, kind).applies;
  }
  constexpr double most_steps = 1000;
  if (!asked.is_slow && steps <= most_steps) {
    nats sum{0};
    for (const auto& step : sgd_step_productions(formats, model, how, steps, which, flow, kind)) {
      sum += step.value;
    }
    asked.sum_of_steps = sum;
  }
  return asked;
}

json_value shown_optimum(const variational_optimum& one) {
  return {{"sigma_x", number(one.sigma_x)},
          {"sigma_xi", number(one.sigma_xi)},
          {"production_nats", number(one.production.value.value())},
          {"sigma_x_at_bound", one.sigma_x_at_bound},
          {"sigma_xi_at_bound", one.sigma_xi_at_bound}};
}

void warn_of_second_law(nats least) {
  if (least >= nats{0}) return;
  warn(
      fmt::format("the total entropy production is negative: the second law asks for a constant "
                  "larger by {:.7g}",
                  -least.value()));
}

void run_variational(const mismatch_request& request, option_reader& options, style how) {
  const kelvin temperature = read_temperature(options);
  const entropy_kind kind = read_entropy_kind(options);
  const bool is_smooth = kind == entropy_kind::smooth;
  const float_format format = float_format::parse(request.format);
  const register_formats formats = read_formats(options, format);
  const variational_bounds bounds = read_bounds(options);
  const int landscape = small_count(options, "landscape", 0);
  const question asked =
      request.kind == "exact" ? ask_exact(options, formats, kind) : ask_sgd(options, formats, kind);
  options.expect_no_more();

  const bounded<nats> here = asked.production(asked.sigma_x, asked.sigma_xi);
  variational_search search;
  if (!is_smooth) {
    // One look takes some ten milliseconds, but up to half a second at middling precisions, and a
    // second with SGD's exact law; the closed forms know nearly where to look.
    const auto is_middling = [](const float_format& one) { return one.p() >= 6 && one.p() <= 9; };
    const bool is_slow =
        asked.is_slow || is_middling(formats.data.x) || is_middling(formats.data.y);
    search.grid = is_slow ? 3 : 9;
    search.starts = lowest(variational_optima(asked.smooth, bounds));
    if (search.starts.size() > 3) search.starts.resize(3);
  }
  if (is_inside(bounds, asked.sigma_x, asked.sigma_xi)) {
    search.starts.push_back({asked.sigma_x, asked.sigma_xi, here, false, false});
  }
  const auto optima = variational_optima(asked.production, bounds, search);
  const auto best = lowest(optima);
  const variational_optimum& star = best.front();
  const bounded<nats> mmc = here - star.production;
  std::vector<landscape_point> points;
  if (landscape > 0) points = production_landscape(asked.production, bounds, landscape);

  if (is_smooth && !asked.applies) {
    warn("the smooth entropies are not to be trusted here; see --entropy exact");
  }
  if (!is_inside(bounds, asked.sigma_x, asked.sigma_xi)) {
    warn("the asked deviations are outside the bounds: the cost may be negative");
  }
  warn_of_second_law(std::min(here.value, star.production.value));

  if (how == style::json) {
    json_value object = report("mismatch");
    object["kind"] = request.kind;
    object["format"] = format.name();
    object.update(asked.parameters);
    object["bounds"] = shown(bounds);
    object["entropy"] = is_smooth ? "smooth" : "exact";
    object["temperature"] = number(temperature.value());
    object["sigma_x_star"] = number(star.sigma_x);
    object["sigma_xi_star"] = number(star.sigma_xi);
    object["production"] = number(to_joules_per_kelvin(here.value).value());
    object["production_nats"] = number(here.value.value());
    object["production_star"] = number(to_joules_per_kelvin(star.production.value).value());
    object["production_star_nats"] = number(star.production.value.value());
    object["mmc"] = number(to_joules_per_kelvin(mmc.value).value());
    object["mmc_nats"] = number(mmc.value.value());
    object["error_nats"] = number(mmc.error.value());
    object["mmc_joules"] = number(temperature.value() * to_joules_per_kelvin(mmc.value).value());
    if (request.kind == "sgd") {
      object["sum_of_steps_nats"] =
          asked.sum_of_steps ? number(asked.sum_of_steps->value()) : json_value(nullptr);
    }
    object["applies"] = asked.applies;
    object["unique"] = best.size() == 1;
    json_value list = json_value::array();
    for (const variational_optimum& one : optima) list.push_back(shown_optimum(one));
    object["optima"] = list;
    if (landscape > 0) {
      json_value rows = json_value::array();
      for (const landscape_point& point : points) {
        rows.push_back({{"sigma_x", number(point.sigma_x)},
                        {"sigma_xi", number(point.sigma_xi)},
                        {"mmc_nats", number((point.production - star.production.value).value())}});
      }
      object["landscape"] = rows;
    }
    return print_json(object);
  }
  if (how == style::csv) {
    table rows({"sigma_x", "sigma_xi", "production_nats", "mmc_nats"});
    const auto add = [&](double sigma_x, double sigma_xi, nats production) {
      rows.add({fmt::format("{}", sigma_x), fmt::format("{}", sigma_xi),
                fmt::format("{}", production.value()),
                fmt::format("{}", (production - star.production.value).value())});
    };
    for (const landscape_point& point : points)
      add(point.sigma_x, point.sigma_xi, point.production);
    if (points.empty()) {
      add(asked.sigma_x, asked.sigma_xi, here.value);
      for (const variational_optimum& one : optima) {
        add(one.sigma_x, one.sigma_xi, one.production.value);
      }
    }
    return print(rows.csv());
  }
  print(fmt::format("Variational mismatch cost: {} k_B = {:.6g} J/K, {:.6g} J at {:.6g} K\n\n",
                    amount(mmc.value), to_joules_per_kelvin(mmc.value).value(),
                    temperature.value() * to_joules_per_kelvin(mmc.value).value(),
                    temperature.value()));
  table rows({"total entropy production", "sigma_x", "sigma_xi", "k_B", "J/K"});
  const auto add = [&](const char* name, double sigma_x, double sigma_xi, nats value) {
    rows.add({name, fmt::format("{:.9g}", sigma_x), fmt::format("{:.9g}", sigma_xi), amount(value),
              in_units(value)});
  };
  add("here", asked.sigma_x, asked.sigma_xi, here.value);
  constexpr std::size_t most_rows = 8;
  for (std::size_t i = 0; i < std::min(optima.size(), most_rows); ++i) {
    add(i < best.size() ? "optimum" : "local minimum", optima[i].sigma_x, optima[i].sigma_xi,
        optima[i].production.value);
  }
  print(rows.text() + "\n");
  print(fmt::format("The optimum is {}: {}.\n", best.size() == 1 ? "unique" : "not unique",
                    place(star)));
  if (asked.sum_of_steps) {
    print(fmt::format("Step by step, the production here adds up to {} k_B.\n",
                      amount(*asked.sum_of_steps)));
  }
  print(
      "It bounds the excess over the best start of all, not the mismatch cost itself (see "
      "mismatch islands).\n");
}

}  // namespace

void run(const mismatch_request& request, style how) {
  option_reader options{"mismatch", request.kind, request.options};
  if (request.kind == "exact" || request.kind == "sgd") {
    return run_variational(request, options, how);
  }
  if (request.kind == "islands") return run_islands(request, options, how);
  if (request.kind == "ctmc") return run_ctmc(request, options, how);
  throw std::domain_error("mismatch: unknown kind '" + request.kind +
                          "': expected exact, sgd, islands or ctmc");
}

}  // namespace ktln2::cli
