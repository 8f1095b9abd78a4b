#include <algorithm>
#include <cmath>
#include <sstream>

#include "commands.hpp"
#include "expression.hpp"
#include "ktln2/core/parse.hpp"
#include "ktln2/mismatch/islands.hpp"
#include "ktln2/mismatch/markov.hpp"
#include "ktln2/mismatch/variational.hpp"
#include "options.hpp"

namespace ktln2::cli {
namespace {

variational_bounds read_bounds(option_reader& options) {
  const auto text = options.take("bounds");
  variational_bounds bounds;
  if (!text) return bounds;
  std::vector<double> numbers;
  std::istringstream stream(*text + ",");
  for (std::string word; std::getline(stream, word, ',');) {
    numbers.push_back(parse_number(options.where("bounds"), word));
  }
  if (numbers.size() != 4) {
    throw std::domain_error(options.where("bounds") +
                            " needs four numbers (sigma_x from, to, sigma_xi from, to), got '" +
                            *text + "'");
  }
  bounds = {numbers[0], numbers[1], numbers[2], numbers[3]};
  require_valid(bounds);
  return bounds;
}

/// A whole number that fits an int.
int small_count(option_reader& options, const char* name, std::uint64_t otherwise) {
  const std::uint64_t value = options.count(name, otherwise);
  constexpr std::uint64_t most = 1000000;
  if (value > most) {
    throw std::domain_error(options.where(name) + " must be at most 1e6, got " +
                            std::to_string(value));
  }
  return static_cast<int>(value);
}

void read_sgd(option_reader& options, sgd_problem& problem) {
  problem.steps = options.number("steps", problem.steps);
  problem.batch = options.number("batch", problem.batch);
  problem.eta = options.number("eta", problem.eta);
  problem.w0 = options.number("w0", problem.w0);
}

std::string amount(nats value) { return fmt::format("{:.7f}", value.value()); }
std::string in_units(nats value) {
  return fmt::format("{:.4e}", to_joules_per_kelvin(value).value());
}

bool is_inside(const variational_bounds& bounds, double sigma_x, double sigma_xi) {
  return bounds.sigma_x_low <= sigma_x && sigma_x <= bounds.sigma_x_high &&
         bounds.sigma_xi_low <= sigma_xi && sigma_xi <= bounds.sigma_xi_high;
}

json_value shown_bounds(const variational_bounds& bounds) {
  return {number(bounds.sigma_x_low), number(bounds.sigma_x_high), number(bounds.sigma_xi_low),
          number(bounds.sigma_xi_high)};
}

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

json_value names_of(const register_formats& formats) {
  return {{"x_format", formats.data.x.name()},
          {"y_format", formats.data.y.name()},
          {"model_format", formats.model.name()}};
}

question ask_exact(option_reader& options, const register_formats& formats, entropy_kind kind) {
  regression problem;
  problem.n = options.number("n", problem.n);
  problem.w = options.number("w", problem.w);
  problem.sigma_x = options.number("sigma-x", problem.sigma_x);
  problem.sigma_xi = options.number("sigma-xi", problem.sigma_xi);
  json_value parameters = {{"n", number(problem.n)},
                           {"w", number(problem.w)},
                           {"sigma_x", number(problem.sigma_x)},
                           {"sigma_xi", number(problem.sigma_xi)}};
  parameters.update(names_of(formats));
  const entropy_flow flow = read_flow(options,
                                      {{"n", problem.n},
                                       {"w", problem.w},
                                       {"sigma_x", problem.sigma_x},
                                       {"sigma_xi", problem.sigma_xi}},
                                      parameters);
  question asked{parameters, regression_production(formats, problem, flow, kind),
                 regression_production(formats, problem, flow, entropy_kind::smooth),
                 problem.sigma_x, problem.sigma_xi};
  if (kind == entropy_kind::smooth) {
    asked.applies = regression_cost(formats, problem, kind).applies;
  }
  return asked;
}

question ask_sgd(option_reader& options, const register_formats& formats, entropy_kind kind) {
  sgd_problem problem;
  read_sgd(options, problem);
  problem.w = options.number("w", problem.w);
  problem.sigma_x = options.number("sigma-x", problem.sigma_x);
  problem.sigma_xi = options.number("sigma-xi", problem.sigma_xi);
  const std::string law_name = options.take("law").value_or("ou");
  const sgd_model model = parse_sgd_model(law_name);
  json_value parameters = {{"steps", number(problem.steps)},
                           {"batch", number(problem.batch)},
                           {"eta", number(problem.eta)},
                           {"w0", number(problem.w0)},
                           {"w", number(problem.w)},
                           {"sigma_x", number(problem.sigma_x)},
                           {"sigma_xi", number(problem.sigma_xi)},
                           {"law", law_name}};
  parameters.update(names_of(formats));
  const entropy_flow flow = read_flow(options,
                                      {{"steps", problem.steps},
                                       {"batch", problem.batch},
                                       {"eta", problem.eta},
                                       {"w0", problem.w0},
                                       {"w", problem.w},
                                       {"sigma_x", problem.sigma_x},
                                       {"sigma_xi", problem.sigma_xi}},
                                      parameters);
  const sgd_model quick = model == sgd_model::exact ? sgd_model::moments : model;
  question asked{parameters, sgd_production(formats, problem, model, flow, kind),
                 sgd_production(formats, problem, quick, flow, entropy_kind::smooth),
                 problem.sigma_x, problem.sigma_xi};
  asked.is_slow = model == sgd_model::exact;
  if (kind == entropy_kind::smooth) {
    asked.applies = sgd_cost(formats, problem, model, kind).applies;
  }
  constexpr double most_steps = 1000;
  if (!asked.is_slow && problem.steps <= most_steps) {
    nats sum{0};
    for (const auto& step : sgd_step_productions(formats, problem, model, flow, kind)) {
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

std::string place(const variational_optimum& one) {
  const auto mark = [](bool at_bound) { return at_bound ? " (at its bound)" : ""; };
  return fmt::format("sigma_x = {:.9g}{}, sigma_xi = {:.9g}{}", one.sigma_x,
                     mark(one.sigma_x_at_bound), one.sigma_xi, mark(one.sigma_xi_at_bound));
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
    object["bounds"] = shown_bounds(bounds);
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

stored_algorithm read_algorithm(option_reader& options, const register_formats& formats,
                                json_value& parameters) {
  const std::string name = options.take("algorithm").value_or("exact");
  parameters["algorithm"] = name;
  if (name == "exact") {
    const int n = small_count(options, "n", 1);
    parameters["n"] = n;
    return stored_regression(formats, n);
  }
  if (name != "sgd") {
    throw std::domain_error(options.where("algorithm") + " must be exact or sgd, got '" + name +
                            "'");
  }
  sgd_problem problem{.eta = 0.5, .batch = 1, .steps = 1};
  read_sgd(options, problem);
  parameters["steps"] = number(problem.steps);
  parameters["batch"] = number(problem.batch);
  parameters["eta"] = number(problem.eta);
  parameters["w0"] = number(problem.w0);
  return stored_sgd(formats, problem);
}

void run_islands(const mismatch_request& request, option_reader& options, style how) {
  const float_format format = float_format::parse(request.format);
  const register_formats formats = read_formats(options, format);
  const variational_bounds bounds = read_bounds(options);
  json_value parameters;
  const island_machine::settings set{.w = options.number("w", 1),
                                     .alpha = options.number("alpha", 1),
                                     .constant = options.number("constant", 0)};
  const double sigma_x = options.number("sigma-x", 1);
  const double sigma_xi = options.number("sigma-xi", 1);
  const island_machine machine{read_algorithm(options, formats, parameters), set};
  options.expect_no_more();
  parameters.update(json_value{{"w", number(set.w)},
                               {"sigma_x", number(sigma_x)},
                               {"sigma_xi", number(sigma_xi)},
                               {"alpha", number(set.alpha)},
                               {"constant", number(set.constant)}});
  parameters.update(names_of(formats));
  constexpr std::size_t many = 100000;
  const variational_family family{machine, bounds, {.grid = machine.state_count() > many ? 5 : 13}};
  const member_bounds found = family.bounds_of(sigma_x, sigma_xi);
  const variational_optimum& star = family.optima().front();
  if (!is_inside(bounds, sigma_x, sigma_xi)) {
    warn("the asked deviations are outside the bounds: MMC_v may be negative");
  }
  const bool breaks = set.constant < machine.least_constant();
  if (breaks) {
    warn(
        fmt::format("some inputs would break the second law: it asks for a constant of at least "
                    "{:.10g}",
                    machine.least_constant()));
  }
  struct entry {
    const char* key = "";
    const char* name = "";
    nats value;
  };
  const island_account& of = found.account;
  const entry entries[] = {
      {"production_nats", "total entropy production", of.production},
      {"mismatch_nats", "mismatch: the KL form", of.mismatch},
      {"residual_nats", "residual", of.residual},
      {"excess_nats", "excess: the difference form", of.excess},
      {"mmc_nats", "MMC_v, the paper's bound", found.paper},
      {"corrected_nats", "the corrected bound", found.corrected},
  };
  if (how == style::json) {
    json_value object = report("mismatch");
    object["kind"] = request.kind;
    object["format"] = format.name();
    object.update(parameters);
    object["bounds"] = shown_bounds(bounds);
    object["states"] = machine.state_count();
    object["islands"] = machine.algorithm().island_count;
    for (const entry& one : entries) object[one.key] = number(one.value.value());
    object["least_constant"] = number(machine.least_constant());
    object["sigma_x_star"] = number(star.sigma_x);
    object["sigma_xi_star"] = number(star.sigma_xi);
    object["paper_bound_holds"] = found.paper <= of.mismatch;
    return print_json(object);
  }
  if (how == style::csv) {
    table rows({"part", "nats"});
    for (const entry& one : entries) rows.add({one.key, fmt::format("{}", one.value.value())});
    return print(rows.csv());
  }
  print(fmt::format("Mismatch cost: {} k_B = {:.6g} J/K   ({} input states on {} islands)\n\n",
                    amount(of.mismatch), to_joules_per_kelvin(of.mismatch).value(),
                    machine.state_count(), machine.algorithm().island_count));
  table rows({"", "k_B", "J/K"});
  for (const entry& one : entries) {
    rows.add({one.name, amount(one.value), in_units(one.value)});
  }
  print(rows.text() + "\n");
  print(fmt::format("MMC_v {} the mismatch and bounds the excess; the corrected bound holds.\n",
                    found.paper <= of.mismatch ? "is below" : "exceeds"));
  print(fmt::format("The best stored normal data: {}.\n", place(star)));
  print(fmt::format("The second law needs a constant of at least {:.10g}.\n",
                    machine.least_constant()));
}

/// What each state of a register holds, when normal numbers are stored.
std::vector<double> stored_normal(const float_format& format, double sigma) {
  const normal law{0, sigma};
  constexpr int most_bits = 7;
  if (format.width() > most_bits || format.exponent_bits() < 1) {
    throw std::domain_error("mismatch: --register must have an exponent and at most 7 bits, got " +
                            format.name());
  }
  std::vector<double> p;
  const auto size = static_cast<std::size_t>(format.size());
  for (std::size_t i = 1; i <= size / 2; ++i) {
    const auto edge = [&](std::size_t after_value) {
      return (format.value_at(after_value).to_double() +
              format.value_at(after_value + 1).to_double()) /
             2;
    };
    const double below = i == 1 ? 0 : cdf(law, edge(i - 1));
    p.push_back(cdf(law, edge(i)) - below);
  }
  for (std::size_t i = p.size(); i-- > 0;) p.push_back(p[i]);
  return p;
}

void run_ctmc(const mismatch_request& request, option_reader& options, style how) {
  const bool is_erase = request.format == "erase";
  if (!is_erase && request.format != "reset") {
    throw std::domain_error("mismatch: ctmc needs erase or reset, got '" + request.format + "'");
  }
  const kelvin temperature = read_temperature(options);
  const double duration = options.number("duration", 100);
  const double bias = options.number("bias", 20);
  const double rate = options.number("rate", 1);
  json_value parameters = {
      {"duration", number(duration)}, {"bias", number(bias)}, {"rate", number(rate)}};
  std::vector<double> prepared{0.5, 0.5};
  std::vector<double> start = prepared;
  if (!is_erase) {
    const float_format held = float_format::parse(options.take("register").value_or("p2e2"));
    const double sigma = options.number("sigma", 1.5);
    const double loaded = options.number("loaded", sigma);
    parameters["register"] = held.name();
    parameters["sigma"] = number(sigma);
    parameters["loaded"] = number(loaded);
    prepared = stored_normal(held, sigma);
    start = stored_normal(held, loaded);
  }
  options.expect_no_more();
  const auto process_of = [&](double lasting) {
    if (is_erase) return bit_erasure(lasting, bias, rate);
    return register_reset(prepared, prepared.size() / 2, lasting, bias, rate);
  };

  struct row {
    double duration;
    markov_path path;
    nats landauer;
  };
  const auto follow_for = [&](double lasting) {
    markov_path path = follow(process_of(lasting), start);
    const nats landauer = entropy_of(start) - entropy_of(path.end);
    return row{lasting, std::move(path), landauer};
  };
  std::vector<row> rows;
  for (const double factor : {0.1, 1.0, 10.0}) rows.push_back(follow_for(factor * duration));
  const row& asked = rows[1];
  const double slope = std::log10(rows[2].path.total / asked.path.total);

  // What the start costs that another one would not.
  const markov_process process = process_of(duration);
  const markov_channel channel = channel_of(process);
  const std::vector<double> best = optimal_start(channel);
  const nats least = production(channel, best);
  const nats lost = divergence(start, best) - divergence(asked.path.end, after(channel, best));

  const auto joule = [&](nats value) {
    return temperature.value() * to_joules_per_kelvin(value).value();
  };
  if (how == style::json) {
    json_value object = report("mismatch");
    object["kind"] = request.kind;
    object["protocol"] = request.format;
    object.update(parameters);
    object["temperature"] = number(temperature.value());
    object["states"] = start.size();
    object["system_nats"] = number(asked.path.system.value());
    object["environment_nats"] = number(asked.path.environment.value());
    object["production_nats"] = number(asked.path.total.value());
    object["erased_bits"] = number(asked.landauer.value() / nats_per_bit);
    object["heat_joules"] = number(joule(asked.path.environment));
    object["landauer_joules"] = number(joule(asked.landauer));
    object["mismatch_nats"] = number(lost.value());
    object["residual_nats"] = number(least.value());
    object["slope"] = number(slope);
    json_value list = json_value::array();
    for (const row& one : rows) {
      list.push_back({{"duration", number(one.duration)},
                      {"environment_nats", number(one.path.environment.value())},
                      {"production_nats", number(one.path.total.value())}});
    }
    object["durations"] = list;
    return print_json(object);
  }
  if (how == style::csv) {
    table out({"duration", "system_nats", "environment_nats", "production_nats"});
    for (const row& one : rows) {
      out.add({fmt::format("{}", one.duration), fmt::format("{}", one.path.system.value()),
               fmt::format("{}", one.path.environment.value()),
               fmt::format("{}", one.path.total.value())});
    }
    return print(out.csv());
  }
  print(fmt::format("{} gives off {:.6g} J at {:.6g} K, {:.6g} times Landauer's bound\n\n",
                    is_erase ? "Erasing a bit" : "Resetting the register",
                    joule(asked.path.environment), temperature.value(),
                    asked.path.environment / asked.landauer));
  table out({"duration", "erased, bits", "heat/T, k_B", "production, k_B", "heat, J"});
  for (const row& one : rows) {
    out.add({fmt::format("{:.6g}", one.duration),
             fmt::format("{:.6f}", one.landauer.value() / nats_per_bit),
             fmt::format("{:.9f}", one.path.environment.value()),
             fmt::format("{:.9f}", one.path.total.value()),
             fmt::format("{:.4e}", joule(one.path.environment))});
  }
  print(out.text() + "\n");
  print(fmt::format("Ten times slower, the production is multiplied by 10^{:.4f}.\n", slope));
  print(fmt::format(
      "Of the production, {} k_B are mismatch: what divergence from the best start is lost;\n"
      "{} k_B remain for the best start.\n",
      amount(lost), amount(least)));
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
