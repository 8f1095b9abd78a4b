#include <cmath>

#include "commands.hpp"
#include "ktln2/cost/computations.hpp"
#include "ktln2/cost/inference.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/distribution/sgd_exact.hpp"
#include "ktln2/entropy/fields.hpp"
#include "options.hpp"

namespace ktln2::cli {
namespace {

/// What a processor spends on adding two 64-bit integers, in joules: twice the 0.03 pJ of a 32-bit
/// addition in 7 nm (N. P. Jouppi et al., "Ten Lessons From Three Generations Shaped Google's
/// TPUv4i", ISCA 2021, table 2).
constexpr joules addition{0.06e-12};

/// A computation with all that its bill shows.
struct bill {
  explicit bill(computation of) : priced{std::move(of)} {}

  computation priced;
  json_value parameters;
  double per = 1;                          ///< what "per …" divides by
  std::string per_what;                    ///< "data point"
  json_value fields;                       ///< of the inputs, in bits
  json_value more = json_value::object();  ///< what only this kind has
  std::string note;                        ///< a last paragraph of the text
};

struct settings {
  kelvin temperature;
  entropy_kind kind = entropy_kind::exact;
  float_format format;
};

settings read_settings(option_reader& options, const std::string& format) {
  const kelvin temperature = read_temperature(options);
  const entropy_kind kind = read_entropy_kind(options);
  return {temperature, kind, float_format::parse(format)};
}

/// Where the bits of the data points are: in the fields of X and of Y, less what the two share.
json_value data_fields(const register_formats& formats, const regression_pair& pair, double count,
                       bits each) {
  const field_entropies x = entropy_by_field(formats.data.x, pair.x());
  const field_entropies y = entropy_by_field(formats.data.y, pair.y());
  const bits sign = x.sign.value + y.sign.value;
  const bits exponent = x.exponent.value + y.exponent.value;
  const bits mantissa = x.mantissa.value + y.mantissa.value;
  return {{"sign", number((count * sign).value())},
          {"exponent", number((count * exponent).value())},
          {"mantissa", number((count * mantissa).value())},
          {"shared", number((count * (sign + exponent + mantissa - each)).value())}};
}

json_value single_fields(const float_format& format, const law& x, double count) {
  const field_entropies h = entropy_by_field(format, x);
  return {{"sign", number((count * h.sign.value).value())},
          {"exponent", number((count * h.exponent.value).value())},
          {"mantissa", number((count * h.mantissa.value).value())},
          {"shared", number(0.0)}};
}

bill exact_bill(option_reader& options, const settings& set) {
  const register_formats formats = read_formats(options, set.format);
  asked_regression problem;
  read(options, problem);
  options.expect_no_more();
  bill result{regression_cost(formats, problem.model, problem.n, set.kind)};
  result.parameters = shown(problem);
  result.parameters.update(shown(formats));
  result.per = problem.n;
  result.per_what = "data point";
  result.fields =
      data_fields(formats, problem.model, problem.n, result.priced.device.input()[0].each.value);
  return result;
}

/// How far the Ornstein-Uhlenbeck law is from the exact one, which is not within reach of every
/// problem, or not soon.
std::optional<sgd_ou_gap> gap_of(const linear_model& model, const descent& how, double steps) {
  const double start = std::fabs(model.w - how.w0) * model.sigma_x / model.sigma_xi;
  if (!(start < 1000)) return {};
  try {
    return compare_with_ou(model, how, steps);
  } catch (const std::domain_error&) {
    return {};
  }
}

bill sgd_bill(option_reader& options, const settings& set) {
  const register_formats formats = read_formats(options, set.format);
  asked_sgd problem;
  read(options, problem);
  const std::string law_name = options.take("law").value_or("ou");
  const sgd_model which = parse_sgd_model(law_name);
  options.expect_no_more();
  const auto& [model, how, steps] = problem;
  const law after = sgd_law(model, how, steps, which);
  std::optional<law> before;
  if (steps > 1) before = sgd_law(model, how, steps - 1, which);
  bill result{sgd_cost(formats, model, how, steps, after, set.kind)};
  result.parameters = shown(problem);
  result.parameters["law"] = law_name;
  result.parameters.update(shown(formats));
  result.per = steps * how.batch;
  result.per_what = "data point";
  const computation last = sgd_step_cost(formats, model, how, before, after, set.kind);
  const bits last_step = last.device.erased().value;
  result.more["last_step_bits"] = number(last_step.value());
  result.more["limit_deviation"] = number(sgd_limit_deviation(model, how));
  result.fields =
      data_fields(formats, model, result.per, result.priced.device.input()[0].each.value);
  result.note = fmt::format("The last step alone: {:.6f} bits.\n", last_step.value());
  if (std::isinf(sgd_limit_deviation(model, how))) {
    result.note +=
        "At this learning rate the variance of the slope grows without end; its entropy is "
        "finite.\n";
  }
  if (which == sgd_model::ou || which == sgd_model::stationary) {
    const std::optional<sgd_ou_gap> gap = gap_of(model, how, steps);
    result.more["ou_gap"] = nullptr;
    if (gap) {
      result.more["ou_gap"] = {{"deviation_ratio", number(gap->deviation_ratio)},
                               {"total_variation", number(gap->total_variation)},
                               {"entropy_gap", number(gap->entropy_gap.value())}};
    }
    if (gap && gap->total_variation > 0.05) {
      warn(
          fmt::format("the Ornstein-Uhlenbeck law is not to be trusted here: total variation "
                      "{:.2g} from the exact law, deviation off by a factor {:.3g}, entropy by "
                      "{:+.2g} bits; see --law exact",
                      gap->total_variation, gap->deviation_ratio, gap->entropy_gap.value()));
    }
  }
  return result;
}

bill average_bill(option_reader& options, const settings& set) {
  const float_format model = read_format(options, "model-format", set.format);
  averaging problem;
  const double n = options.number("n", 10);
  problem.mu = options.number("mu", problem.mu);
  problem.sigma = options.number("sigma", problem.sigma);
  problem.sum = options.take("sum").has_value();
  options.expect_no_more();
  bill result{average_cost(set.format, model, problem, n, set.kind)};
  result.parameters = {
      {"n", number(n)},     {"mu", number(problem.mu)},      {"sigma", number(problem.sigma)},
      {"sum", problem.sum}, {"x_format", set.format.name()}, {"model_format", model.name()}};
  result.per = n;
  result.per_what = "number";
  result.fields = single_fields(set.format, normal{problem.mu, problem.sigma}, n);
  return result;
}

bill inference_bill(option_reader& options, const settings& set) {
  const double slope = options.number("slope", 1.5);
  const double sigma_x = options.number("sigma-x", 1);
  options.expect_no_more();
  const inference_cost cost = inference(set.format, slope, sigma_x);
  const bool is_stored = set.format.value(set.format.quantize(slope)).to_double() == slope;
  bill result{computation{cost.device}};
  if (set.kind == entropy_kind::smooth) {
    // The smooth entropies of x and of the product are the same.
    register_group x = cost.device.input()[0];
    register_group product = cost.device.output()[0];
    product.each = x.each;
    result.priced = {cyclic_device{{x}, {product}}, slope != 0};
  }
  result.parameters = {{"slope", number(slope)},
                       {"slope_is_representable", is_stored},
                       {"sigma_x", number(sigma_x)},
                       {"x_format", set.format.name()}};
  result.per_what = "prediction";
  result.more["smooth_bits"] = number(0.0);
  result.more["ideal_bits"] = number(cost.ideal.value());
  result.more["method"] = cost.is_enumerated ? "enumeration" : "equidistribution";
  result.fields = single_fields(set.format, normal{0, sigma_x}, 1);
  result.note = fmt::format(
      "The slope {} is {} in {}. The paper's smooth formula says 0 bits; storing Q(slope X) of "
      "the\n"
      "continuous X instead would cost {:.6f} bits.\n",
      slope, is_stored ? "a value" : "not a value", set.format.name(), cost.ideal.value());
  return result;
}

bill make_bill(const std::string& kind, option_reader& options, const settings& set) {
  if (kind == "exact") return exact_bill(options, set);
  if (kind == "sgd") return sgd_bill(options, set);
  if (kind == "average") return average_bill(options, set);
  if (kind == "inference") return inference_bill(options, set);
  throw std::domain_error("cost: unknown kind '" + kind +
                          "': expected exact, sgd, average or inference");
}

/// How the cost compares with one addition on a chip.
std::string in_everyday_terms(joules cost) {
  const double additions = cost / addition;
  if (additions <= 0) return "It costs nothing.\n";
  const std::string source = "(0.06 pJ in 7 nm, after Jouppi et al., ISCA 2021)";
  if (additions >= 1) {
    return fmt::format(
        "That is what {:.3g} additions of 64-bit integers take on a current chip {}.\n", additions,
        source);
  }
  return fmt::format(
      "That is {:.1f} orders of magnitude below one addition of 64-bit integers on a current chip "
      "{}.\n",
      -std::log10(additions), source);
}

std::string amount(double value) { return fmt::format("{:.6f}", value); }

void print_text(const std::string& title, const bill& made, kelvin temperature, bool is_exact) {
  const cyclic_device& device = made.priced.device;
  const bounded<bits> erased = device.erased();
  const joules cost = device.cost(temperature).value;
  print(fmt::format("{} costs at least {} bits = {:.6g} J at {:.6g} K\n\n", title,
                    with_error(erased), cost.value(), temperature.value()));

  table rows({"", "registers of", "times", "bits each", "bits", "joules"});
  const auto add = [&](const register_group& group, const char* sign) {
    rows.add({sign + group.name, fmt::format("{} bits", group.width),
              fmt::format("{}", group.count), amount(group.each.value.value()),
              amount(group.entropy().value.value()),
              fmt::format("{:.3e}", landauer_cost(group.entropy().value, temperature).value())});
  };
  const auto add_sum = [&](const std::string& name, double of) {
    rows.add({name, "", "", "", amount(erased.value.value() / of),
              fmt::format("{:.3e}", cost.value() / of)});
  };
  for (const register_group& group : device.input()) add(group, "in: ");
  for (const register_group& group : device.output()) add(group, "out: ");
  add_sum("erased", 1);
  if (made.per > 1) add_sum("per " + made.per_what, made.per);
  print(rows.text() + "\n");

  table where({"where the joules go", "bits", "joules"});
  const auto add_part = [&](const std::string& name, double value) {
    where.add({name, amount(value),
               fmt::format("{:.3e}", landauer_cost(bits{value}, temperature).value())});
  };
  if (is_exact) {  // the smooth entropies know no fields
    const json_value& fields = made.fields;
    add_part("sign of the inputs", fields.at("sign"));
    add_part("exponent of the inputs", fields.at("exponent"));
    add_part("mantissa of the inputs", fields.at("mantissa"));
    const double shared = fields.at("shared");
    if (shared != 0) add_part("less what x and y share", -shared);
    add_part("less the output", -device.output_entropy().value.value());
  }
  add_part("of all that, the precision p", device.precision().value());
  print(where.text() + "\n");
  if (!made.note.empty()) print(made.note);
  print(in_everyday_terms(cost));
}

}  // namespace

void run(const cost_request& request, style how) {
  option_reader options{"cost", request.kind, request.options};
  const settings set = read_settings(options, request.format);
  const bill made = make_bill(request.kind, options, set);
  const cyclic_device& device = made.priced.device;
  const bounded<bits> erased = device.erased();
  const bounded<joules> cost = device.cost(set.temperature);
  const bool is_smooth = set.kind == entropy_kind::smooth;
  if (is_smooth && !made.priced.applies) {
    warn("the smooth entropies are not to be trusted here; see --entropy exact");
  }

  if (how == style::json) {
    json_value object = report("cost");
    object["kind"] = request.kind;
    object["format"] = set.format.name();
    object.update(made.parameters);
    object["entropy"] = is_smooth ? "smooth" : "exact";
    object["temperature"] = number(set.temperature.value());
    object["bits"] = number(erased.value.value());
    object["error"] = number(erased.error.value());
    object["joules"] = number(cost.value.value());
    object["joules_error"] = number(cost.error.value());
    object["input_bits"] = number(device.input_entropy().value.value());
    object["output_bits"] = number(device.output_entropy().value.value());
    object["precision_bits"] = number(device.precision().value());
    object["applies"] = made.priced.applies;
    if (!is_smooth) object["fields"] = made.fields;
    object.update(made.more);
    return print_json(object);
  }
  if (how == style::csv) {
    table rows({"part", "bits", "joules"});
    const auto add = [&](const char* name, bits value) {
      rows.add({name, fmt::format("{}", value.value()),
                fmt::format("{}", landauer_cost(value, set.temperature).value())});
    };
    add("input", device.input_entropy().value);
    add("output", device.output_entropy().value);
    add("erased", erased.value);
    add("precision", device.precision());
    return print(rows.csv());
  }
  const std::string title = request.kind == "exact"     ? "Exact regression"
                            : request.kind == "sgd"     ? "Stochastic gradient descent"
                            : request.kind == "average" ? "Averaging"
                                                        : "One prediction";
  print_text(title, made, set.temperature, !is_smooth);
}

}  // namespace ktln2::cli
