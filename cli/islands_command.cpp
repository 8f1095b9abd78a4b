#include "ktln2/mismatch/islands.hpp"
#include "mismatch_kinds.hpp"

namespace ktln2::cli {
namespace {

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
  asked_sgd problem{.how = {.eta = 0.5, .batch = 1}, .steps = 1};
  read_descent(options, problem);
  parameters["steps"] = number(problem.steps);
  parameters["batch"] = number(problem.how.batch);
  parameters["eta"] = number(problem.how.eta);
  parameters["w0"] = number(problem.how.w0);
  return stored_sgd(formats, problem.how, problem.steps);
}

}  // namespace

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
  parameters.update(shown(formats));
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
    object["bounds"] = shown(bounds);
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

}  // namespace ktln2::cli
