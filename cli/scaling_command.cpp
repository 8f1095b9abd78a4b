#include <algorithm>
#include <cmath>
#include <limits>

#include "commands.hpp"
#include "ktln2/core/parse.hpp"
#include "ktln2/scaling/choices.hpp"
#include "options.hpp"

namespace ktln2::cli {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// All that was asked.
struct question {
  market prices;
  std::string demand_name;
  entropy_kind kind;
  float_format format;
  register_formats formats;
  training what;
  std::string law_name;  ///< empty for exact regression
  std::string optimize;  ///< empty, or "p", "eta", "batch", "eta,batch"
  std::vector<double> at;
};

/// All that is answered.
struct answer {
  profit_curve curve;
  best_size size;
  json_value optimized;                        ///< null where nothing was
  std::vector<precision_choice> choices = {};  ///< of precision
  std::vector<profit_point> at = {};
  bool applies = true;  ///< the entropies at the best size
};

double read_price(option_reader& options, const char* name) {
  const auto text = options.take(name);
  if (!text) throw std::domain_error(options.where(name) + " is needed (see ktln2 scaling --help)");
  const double price = parse_number(options.where(name), *text);
  if (price < 0) throw std::domain_error(options.where(name) + " must be >= 0, got " + *text);
  return price;
}

training read_training(option_reader& options, const std::string& kind, std::string& law_name) {
  if (kind == "exact") {
    regression problem;
    read(options, problem);
    return regression_training{problem};
  }
  if (kind != "sgd") {
    throw std::domain_error("scaling: unknown kind '" + kind + "': expected exact or sgd");
  }
  sgd_problem problem;
  read(options, problem);
  law_name = options.take("law").value_or("ou");
  return sgd_training{problem, parse_sgd_model(law_name)};
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

question read(const scaling_request& request) {
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

profit_curve make_curve(const question& asked, const register_formats& formats, double error) {
  if (const auto* exact = std::get_if<regression_training>(&asked.what)) {
    return {asked.prices, formats, exact->problem, asked.kind, error};
  }
  const auto& sgd = std::get<sgd_training>(asked.what);
  return {asked.prices, formats, sgd.problem, sgd.model, asked.kind, error};
}

double profit_of(const best_size& size) { return size.best ? size.best->profit : infinity; }

answer with_best_precision(const question& asked) {
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

answer with_best_sgd(const question& asked) {
  const profit_curve curve = make_curve(asked, asked.formats, 0);
  const sgd_choice found = asked.optimize == "eta"     ? best_learning_rate(curve)
                           : asked.optimize == "batch" ? best_batch(curve)
                                                       : best_learning_rate_and_batch(curve);
  if (found.is_edge) warn("the best learning rate is at the end of the range that was searched");
  return {curve.with(found.eta, found.batch),
          found.size,
          {{"eta", number(found.eta)}, {"batch", number(found.batch)}, {"edge", found.is_edge}}};
}

/// Are the smooth entropies to be trusted at the best size, or at the first if there is none?
bool entropies_apply(const question& asked, const answer& made) {
  if (asked.kind == entropy_kind::exact) return true;
  const double n = made.size.best ? made.size.best->n : made.curve.first();
  const register_formats formats =
      asked.optimize == "p" ? one_format(made.curve.model_format()) : asked.formats;
  if (const auto* exact = std::get_if<regression_training>(&asked.what)) {
    regression problem = exact->problem;
    problem.n = n;
    return regression_cost(formats, problem, asked.kind).applies;
  }
  sgd_problem problem = made.curve.sgd();
  problem.steps = n / problem.batch;
  return sgd_cost(formats, problem, made.curve.model(), asked.kind).applies;
}

std::vector<profit_point> points_at(const profit_curve& curve, const std::vector<double>& sizes) {
  std::vector<profit_point> points;
  for (const double n : sizes) {
    const double k = n / curve.step();
    if (curve.is_sgd() && curve.model() == sgd_model::exact && k != std::floor(k)) {
      throw std::domain_error(
          fmt::format("scaling: the exact law of SGD is known at whole steps only: --at must be a "
                      "multiple of {}, got {}",
                      curve.step(), n));
    }
    points.push_back(curve.at(n));
  }
  return points;
}

answer solve(const question& asked) {
  const auto made = [&]() -> answer {
    if (asked.optimize == "p") return with_best_precision(asked);
    if (!asked.optimize.empty()) return with_best_sgd(asked);
    const profit_curve curve = make_curve(asked, asked.formats, 0);
    return {curve, find_best_size(curve), nullptr};
  };
  answer result = made();
  result.at = points_at(result.curve, asked.at);
  result.applies = entropies_apply(asked, result);
  return result;
}

const local_optimum* global(const best_size& size) {
  const auto found = std::find_if(size.optima.begin(), size.optima.end(),
                                  [](const local_optimum& one) { return one.is_global; });
  return found == size.optima.end() ? nullptr : &*found;
}

void warn_of(const question& asked, const answer& made) {
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

const char* name(best_place place) {
  switch (place) {
    case best_place::interior:
      return "interior";
    case best_place::corner:
      return "corner";
    case best_place::beyond:
      return "beyond";
    case best_place::infinity:
      break;
  }
  return "infinity";
}

json_value optional_number(const std::optional<double>& value) {
  return value ? number(*value) : json_value(nullptr);
}

json_value parameters(const question& asked) {
  if (const auto* exact = std::get_if<regression_training>(&asked.what)) {
    const regression& problem = exact->problem;
    return {{"w", number(problem.w)},
            {"sigma_x", number(problem.sigma_x)},
            {"sigma_xi", number(problem.sigma_xi)}};
  }
  const sgd_problem& problem = std::get<sgd_training>(asked.what).problem;
  return {{"batch", number(problem.batch)},
          {"eta", number(problem.eta)},
          {"w0", number(problem.w0)},
          {"w", number(problem.w)},
          {"sigma_x", number(problem.sigma_x)},
          {"sigma_xi", number(problem.sigma_xi)},
          {"law", asked.law_name}};
}

json_value as_json(const local_optimum& one) {
  json_value object = {{"n", number(one.point.n)},
                       {"n_relaxed", optional_number(one.relaxed)},
                       {"profit", number(one.point.profit)},
                       {"mse", number(one.point.mse)},
                       {"revenue", number(one.point.revenue)},
                       {"energy_joules", number(one.point.energy.value())},
                       {"corner", one.is_corner},
                       {"global", one.is_global}};
  if (one.ou) {
    object["ou"] = {{"deviation_ratio", number(one.ou->deviation_ratio)},
                    {"mean_gap", number(one.ou->mean_gap)},
                    {"mse_ratio", number(one.ou->mse_ratio)},
                    {"trusted", one.ou->trusted()}};
  }
  return object;
}

/// What there is to say of the best size, or of the limit where there is none.
void add_best(json_value& object, const answer& made) {
  const best_size& size = made.size;
  const bool is_endless = size.place == best_place::infinity;
  const market& prices = made.curve.prices();
  object["place"] = name(size.place);
  object["n_star"] = size.best    ? number(size.best->n)
                     : is_endless ? number(infinity)
                                  : json_value(nullptr);
  object["n_relaxed"] = is_endless ? number(infinity) : optional_number(size.relaxed);
  object["n_rounded"] = is_endless ? number(infinity) : optional_number(size.rounded);
  if (size.best) {
    object["profit"] = number(size.best->profit);
    object["mse"] = number(size.best->mse);
    object["energy_joules"] = number(size.best->energy.value());
    object["revenue"] = number(size.best->revenue);
  } else {
    const double mse = made.curve.limit_mse();
    object["profit"] = nullptr;
    object["mse"] = number(mse);
    object["energy_joules"] = is_endless ? number(infinity) : json_value(nullptr);
    object["revenue"] = number(revenue(prices, mse));
  }
}

json_value choices_json(const std::vector<precision_choice>& choices) {
  json_value list = json_value::array();
  for (const precision_choice& one : choices) {
    list.push_back({{"p", one.p},
                    {"n_star", one.size.best ? number(one.size.best->n) : json_value(nullptr)},
                    {"profit", one.size.best ? number(one.size.best->profit) : json_value(nullptr)},
                    {"mse", one.size.best ? number(one.size.best->mse) : json_value(nullptr)},
                    {"stored_error", number(one.stored_error)},
                    {"stored_mse", number(one.stored_mse)}});
  }
  return list;
}

void show_json(const scaling_request& request, const question& asked, const answer& made) {
  json_value object = report("scaling");
  object["kind"] = request.kind;
  object["format"] = asked.format.name();
  object.update(parameters(asked));
  object["x_format"] = asked.formats.data.x.name();
  object["y_format"] = asked.formats.data.y.name();
  object["model_format"] = asked.formats.model.name();
  object["energy_price"] = number(asked.prices.energy_price);
  object["inference_price"] = number(asked.prices.inference.base);
  object["price_rise"] = number(asked.prices.inference.rise);
  object["demand"] = asked.demand_name;
  object["entropy"] = asked.kind == entropy_kind::smooth ? "smooth" : "exact";
  object["temperature"] = number(asked.prices.temperature.value());
  add_best(object, made);
  object["optima"] = json_value::array();
  for (const local_optimum& one : made.size.optima) object["optima"].push_back(as_json(one));
  object["exhaustive"] = made.size.is_exhaustive;
  object["applies"] = made.applies;
  if (!asked.optimize.empty()) {
    object["optimize"] = asked.optimize;
    object["optimized"] = made.optimized;
  }
  if (!made.choices.empty()) object["choices"] = choices_json(made.choices);
  if (!made.at.empty()) {
    object["at"] = json_value::array();
    for (const profit_point& point : made.at) {
      object["at"].push_back({{"n", number(point.n)},
                              {"profit", number(point.profit)},
                              {"derivative", number(point.derivative)},
                              {"mse", number(point.mse)},
                              {"revenue", number(point.revenue)},
                              {"energy_joules", number(point.energy.value())}});
    }
  }
  print_json(object);
}

std::string plain(double value) { return fmt::format("{}", value); }
std::string short_number(double value) { return fmt::format("{:.6g}", value); }
std::string or_dash(const std::optional<double>& value) {
  return value ? short_number(*value) : "-";
}

void show_csv(const answer& made) {
  if (!made.at.empty()) {
    table rows({"n", "profit", "derivative", "mse", "revenue", "energy_joules"});
    for (const profit_point& point : made.at) {
      rows.add({plain(point.n), plain(point.profit), plain(point.derivative), plain(point.mse),
                plain(point.revenue), plain(point.energy.value())});
    }
    return print(rows.csv());
  }
  if (!made.choices.empty()) {
    table rows({"p", "n_star", "profit", "mse", "stored_mse"});
    for (const precision_choice& one : made.choices) {
      if (!one.size.best) continue;
      rows.add({plain(one.p), plain(one.size.best->n), plain(one.size.best->profit),
                plain(one.size.best->mse), plain(one.stored_mse)});
    }
    return print(rows.csv());
  }
  table rows({"n", "profit", "mse", "revenue", "energy_joules", "global"});
  for (const local_optimum& one : made.size.optima) {
    rows.add({plain(one.point.n), plain(one.point.profit), plain(one.point.mse),
              plain(one.point.revenue), plain(one.point.energy.value()),
              one.is_global ? "1" : "0"});
  }
  print(rows.csv());
}

std::string points(const profit_curve& curve, double n) {
  if (!curve.is_sgd()) return fmt::format("{} points", n);
  const double steps = n / curve.step();
  return fmt::format("{} points, {} step{} of {}", n, steps, steps == 1 ? "" : "s", curve.step());
}

/// The answer in one sentence.
std::string headline(const answer& made) {
  const best_size& size = made.size;
  if (size.place == best_place::infinity) {
    return "There is no best size: every further point brings more than it costs.\n";
  }
  if (size.place == best_place::beyond) {
    return "The best size is beyond 1e15 points, the most that this program takes.\n";
  }
  const profit_point& best = *size.best;
  const std::string money = fmt::format(
      "{:.6g} = {:.6g} for predictions - {:.6g} for {:.6g} J", best.profit, best.revenue,
      made.curve.prices().energy_price * best.energy.value(), best.energy.value());
  if (best.profit < 0) {
    return fmt::format("Do not train: even the best size, {}, loses money. Profit {}.\n",
                       points(made.curve, best.n), money);
  }
  return fmt::format("Train on {}: profit {}.{}\n", points(made.curve, best.n), money,
                     size.place == best_place::corner
                         ? "\nThat is the smallest size there is: energy is too dear for more."
                         : "");
}

void show_text(const question& asked, const answer& made) {
  print(headline(made));
  if (asked.optimize == "p" && !made.choices.empty()) {
    print(fmt::format("All of it in {}.\n", made.curve.model_format().name()));
  } else if (!asked.optimize.empty()) {
    print(fmt::format("With learning rate {:.6g} and {} in a batch.\n", made.curve.sgd().eta,
                      made.curve.sgd().batch));
  }
  const bool has_ou = !made.size.optima.empty() && made.size.optima[0].ou.has_value();
  if (!made.size.optima.empty()) {
    std::vector<std::string> headings{"local optimum", "n",      "relaxed", "profit",
                                      "revenue",       "energy", "MSE"};
    if (has_ou) headings.insert(headings.end(), {"deviation, exact/OU", "MSE, exact/OU"});
    table rows(headings);
    for (const local_optimum& one : made.size.optima) {
      std::vector<std::string> row{one.is_global ? "best" : "",
                                   plain(one.point.n),
                                   or_dash(one.relaxed),
                                   short_number(one.point.profit),
                                   short_number(one.point.revenue),
                                   fmt::format("{:.3e} J", one.point.energy.value()),
                                   short_number(one.point.mse)};
      if (one.ou) {
        row.push_back(fmt::format("{:.3f}", one.ou->deviation_ratio));
        row.push_back(fmt::format("{:.4f}", one.ou->mse_ratio));
      }
      rows.add(row);
    }
    print("\n" + rows.text());
  }
  if (!made.choices.empty()) {
    table rows({"p", "best n", "profit", "MSE", "MSE by cells"});
    for (const precision_choice& one : made.choices) {
      if (!one.size.best) continue;
      rows.add({plain(one.p), plain(one.size.best->n), short_number(one.size.best->profit),
                short_number(one.size.best->mse), short_number(one.stored_mse)});
    }
    print("\n" + rows.text());
  }
  if (!made.at.empty()) {
    table rows({"n", "profit", "derivative", "revenue", "energy", "MSE"});
    for (const profit_point& point : made.at) {
      rows.add({plain(point.n), short_number(point.profit), short_number(point.derivative),
                short_number(point.revenue), fmt::format("{:.3e} J", point.energy.value()),
                short_number(point.mse)});
    }
    print("\n" + rows.text());
  }
}

}  // namespace

void run(const scaling_request& request, style how) {
  const question asked = read(request);
  const answer made = solve(asked);
  warn_of(asked, made);
  if (how == style::json) return show_json(request, asked, made);
  if (how == style::csv) return show_csv(made);
  show_text(asked, made);
}

}  // namespace ktln2::cli
