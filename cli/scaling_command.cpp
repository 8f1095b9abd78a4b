#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parse.hpp"
#include "options.hpp"
#include "scaling_output.hpp"

namespace ktln2::cli {
namespace {

double read_price(option_reader& options, const char* name) {
  const auto text = options.take(name);
  if (!text) throw std::domain_error(options.where(name) + " is needed (see ktln2 scaling --help)");
  const double price = parse_number(options.where(name), *text);
  if (price < 0) throw std::domain_error(options.where(name) + " must be >= 0, got " + *text);
  return price;
}

training read_training(option_reader& options, const std::string& kind, std::string& law_name) {
  if (kind == "exact") {
    asked_regression problem;
    read(options, problem);
    return regression_training{problem.model};
  }
  if (kind != "sgd") {
    throw std::domain_error("scaling: unknown kind '" + kind + "': expected exact or sgd");
  }
  asked_sgd problem;
  read(options, problem);
  law_name = options.take("law").value_or("ou");
  return sgd_training{problem.model, problem.how, parse_sgd_model(law_name)};
}

std::string read_optimize(option_reader& options, const std::string& kind, bool has_formats) {
  std::string what = options.take("optimize").value_or("");
  const bool is_for_sgd = what == "eta" || what == "batch" || what == "eta,batch";
  if (what.empty() || (is_for_sgd && kind == "sgd")) return what;
  if (what == "p") {
    if (!has_formats) return what;
    throw std::domain_error(
        "scaling: --optimize p gives all registers one precision; leave out --y-format and "
        "--model-format");
  }
  const std::string expected = kind == "sgd" ? "p, eta, batch or eta,batch" : "p";
  throw std::domain_error("scaling: --optimize must be " + expected + " for " + kind + ", got '" +
                          what + "'");
}

scaling_question read(const scaling_request& request) {
  option_reader options{"scaling", request.kind, request.options};
  const float_format format = float_format::parse(request.format);
  std::string law_name;
  const training what = read_training(options, request.kind, law_name);
  market prices;
  prices.energy_price = read_price(options, "energy-price");
  prices.inference.base = read_price(options, "inference-price");
  prices.inference.rise = options.number("price-rise", 0);
  const std::string demand_name = options.take("demand").value_or("inverse");
  prices.wanted = parse_demand(demand_name);
  prices.temperature = read_temperature(options);
  const entropy_kind kind = read_entropy_kind(options);
  const bool has_formats =
      request.options.contains("y-format") || request.options.contains("model-format");
  const register_formats formats = read_formats(options, format);
  const std::string optimize = read_optimize(options, request.kind, has_formats);
  options.expect_no_more();
  std::vector<double> at;
  for (const std::string& text : request.at) at.push_back(parse_number("scaling: --at", text));
  return {prices, demand_name, kind, format, formats, what, law_name, optimize, at};
}

profit_curve make_curve(const scaling_question& asked, const register_formats& formats,
                        double error) {
  return {asked.prices, formats, asked.what, asked.kind, error};
}

double profit_of(const best_size& size) {
  return size.best ? size.best->profit : std::numeric_limits<double>::infinity();
}

scaling_answer with_best_precision(const scaling_question& asked) {
  std::vector<precision_choice> all =
      sizes_by_precision(asked.prices, asked.what, asked.format.exponent_bits(), asked.kind);
  const auto best = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return profit_of(a.size) < profit_of(b.size);
  });
  const float_format format{best->p, asked.format.exponent_bits()};
  const json_value found = {{"p", best->p},
                            {"format", format.name()},
                            {"stored_error", number(best->stored_error)},
                            {"stored_mse", number(best->stored_mse)}};
  return {make_curve(asked, one_format(format), best->stored_error), best->size, found, all};
}

scaling_answer with_best_sgd(const scaling_question& asked) {
  const sgd_profit_curve curve{asked.prices, asked.formats, std::get<sgd_training>(asked.what),
                               asked.kind};
  const sgd_choice found = asked.optimize == "eta"     ? best_learning_rate(curve)
                           : asked.optimize == "batch" ? best_batch(curve)
                                                       : best_learning_rate_and_batch(curve);
  if (found.is_edge) warn("the best learning rate is at the end of the range that was searched");
  return {curve.with(found.eta, found.batch),
          found.size,
          {{"eta", number(found.eta)}, {"batch", number(found.batch)}, {"edge", found.is_edge}}};
}

/// Are the smooth entropies to be trusted at the best size, or at the first if there is none?
bool entropies_apply(const scaling_question& asked, const scaling_answer& made) {
  if (asked.kind == entropy_kind::exact) return true;
  const double n = made.size.best ? made.size.best->n : made.curve.first();
  const register_formats formats =
      asked.optimize == "p" ? one_format(made.curve.model_format()) : asked.formats;
  const training what = made.curve.what();
  if (const auto* exact = std::get_if<regression_training>(&what)) {
    return regression_cost(formats, exact->model, n, asked.kind).applies;
  }
  const auto& sgd = std::get<sgd_training>(what);
  return sgd_cost(formats, sgd.model, sgd.how, n / sgd.how.batch, sgd.law, asked.kind).applies;
}

std::vector<profit_point> points_at(const profit_curve& curve, const std::vector<double>& sizes) {
  std::vector<profit_point> points;
  for (const double n : sizes) {
    const double k = n / curve.step();
    if (!curve.is_relaxed() && k != std::floor(k)) {
      throw std::domain_error(
          fmt::format("scaling: the exact law of SGD is known at whole steps only: --at must be a "
                      "multiple of {}, got {}",
                      curve.step(), n));
    }
    points.push_back(curve.at(n));
  }
  return points;
}

scaling_answer solve(const scaling_question& asked) {
  const auto made = [&]() -> scaling_answer {
    if (asked.optimize == "p") return with_best_precision(asked);
    if (!asked.optimize.empty()) return with_best_sgd(asked);
    const profit_curve curve = make_curve(asked, asked.formats, 0);
    return {curve, find_best_size(curve), nullptr};
  };
  scaling_answer result = made();
  result.at = points_at(result.curve, asked.at);
  result.applies = entropies_apply(asked, result);
  return result;
}

const local_optimum* global(const best_size& size) {
  const auto found = std::find_if(size.optima.begin(), size.optima.end(),
                                  [](const local_optimum& one) { return one.is_global; });
  return found == size.optima.end() ? nullptr : &*found;
}

void warn_of(const scaling_question& asked, const scaling_answer& made) {
  if (!made.applies) {
    warn("the smooth entropies are not to be trusted here; see --entropy exact");
  }
  const local_optimum* const best = global(made.size);
  if (best != nullptr && best->ou && !best->ou->trusted()) {
    warn(fmt::format(
        "the Ornstein-Uhlenbeck law is not to be trusted after step {}: its deviation is "
        "off by a factor {:.3g}, its mean by {:.2g} deviations; see --law moments",
        best->point.n / made.curve.step(), best->ou->deviation_ratio, best->ou->mean_gap));
  }
  if (!made.size.is_exhaustive && asked.law_name != "exact") {
    warn("there are too many sizes to look at each one that might win; the search was local");
  }
}

}  // namespace

void run(const scaling_request& request, style how) {
  const scaling_question asked = read(request);
  const scaling_answer made = solve(asked);
  warn_of(asked, made);
  if (how == style::json) return show_json(request.kind, asked, made);
  if (how == style::csv) return show_csv(made);
  show_text(asked, made);
}

}  // namespace ktln2::cli
