#include "ask/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "ask/many_problem.hpp"
#include "core/constants.hpp"

namespace ktln2::ask {
namespace {

// Reading.

double read_price(const reader& given, const char* name) {
  const auto price = given.optional_number(name);
  if (!price) {
    throw std::domain_error(given.where(name) + " is needed (see ktln2 scaling --help)");
  }
  if (*price < 0) {
    throw std::domain_error(given.where(name) + " must be >= 0, got " + given.word(name));
  }
  return *price;
}

optimized read_optimize(const reader& given) {
  const auto what = given.optional_word("optimize");
  if (!what) return optimized::nothing;
  const bool is_sgd = given.kind() == "sgd";
  if (*what == "p") {
    if (!given.has("y-format") && !given.has("model-format")) return optimized::precision;
    throw std::domain_error(
        "scaling: --optimize p gives all registers one precision; leave out --y-format and "
        "--model-format");
  }
  if (is_sgd && *what == "eta") return optimized::learning_rate;
  if (is_sgd && *what == "batch") return optimized::batch;
  if (is_sgd && *what == "eta,batch") return optimized::learning_rate_and_batch;
  throw std::domain_error(given.where("optimize") + " must be " +
                          (is_sgd ? "p, eta, batch or eta,batch" : "p") + " for " + given.kind() +
                          ", got '" + *what + "'");
}

// Solving.

double profit_of(const best_size& size) { return size.best ? size.best->profit : infinity; }

scaling_answer with_best_precision(const scaling_question& asked, const stop_token& stop) {
  const int exponent_bits = asked.format().ideal("scaling: --optimize p").exponent_bits();
  std::vector<precision_choice> all =
      sizes_by_precision(asked.prices, asked.what, exponent_bits, asked.entropies, stop);
  const auto best = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return profit_of(a.size) < profit_of(b.size);
  });
  const float_format format{best->p, exponent_bits};
  const profit_curve curve{asked.prices,    one_format(format), asked.what,
                           asked.entropies, best->stored_error, stop};
  const best_size size = best->size;
  return {asked, curve, size, {}, std::move(all)};
}

scaling_answer with_best_sgd(const scaling_question& asked, const stop_token& stop) {
  const sgd_profit_curve curve{
      asked.prices, asked.formats, std::get<sgd_training>(asked.what), asked.entropies, 0, stop};
  const sgd_choice found = asked.optimize == optimized::learning_rate ? best_learning_rate(curve)
                           : asked.optimize == optimized::batch
                               ? best_batch(curve)
                               : best_learning_rate_and_batch(curve);
  return {asked, curve.with(found.eta, found.batch), found.size, found};
}

scaling_answer with_best_size(const scaling_question& asked, const stop_token& stop) {
  const profit_curve curve{asked.prices, asked.formats, asked.what, asked.entropies, 0, stop};
  return {asked, curve, find_best_size(curve)};
}

size_judgment judgment_of(const scaling_answer& made) {
  const scaling_question& asked = made.asked;
  size_judgment judged;
  const double n = made.size.best ? made.size.best->n : made.curve.first();
  const register_formats formats = asked.optimize == optimized::precision
                                       ? one_format(made.curve.model_format())
                                       : asked.formats;
  const training what = made.curve.what();
  const auto* sgd = std::get_if<sgd_training>(&what);
  if (sgd != nullptr) {
    judged.gap = gap_of({sgd->model, sgd->how, n / sgd->how.batch, sgd->law}, formats.model);
  }
  if (asked.entropies == entropy_kind::exact) return judged;
  const computation priced =
      sgd != nullptr
          ? sgd_cost(formats, sgd->model, sgd->how, n / sgd->how.batch, sgd->law, asked.entropies)
          : regression_cost(formats, model_of(what), n, asked.entropies);
  judged.applies = priced.applies;
  judged.energy_error = priced.device.cost(asked.prices.temperature).error;
  return judged;
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

// Reporting.

const char* name_of(optimized what) {
  switch (what) {
    case optimized::nothing:
      break;
    case optimized::precision:
      return "p";
    case optimized::learning_rate:
      return "eta";
    case optimized::batch:
      return "batch";
    case optimized::learning_rate_and_batch:
      return "eta,batch";
  }
  return "";
}

json number_or_null(const std::optional<double>& value) {
  return value ? number(*value) : json(nullptr);
}

/// Without a size, which is what was asked for.
json parameters_of(const scaling_question& asked) {
  if (const auto* sgd = std::get_if<sgd_training>(&asked.what)) {
    return joined({shown(sgd->how), shown(sgd->model), {{"law", name_of(sgd->law)}}});
  }
  return shown(model_of(asked.what));
}

json row_of(const local_optimum& one) {
  json object = {{"n", number(one.point.n)},
                 {"n_relaxed", number_or_null(one.relaxed)},
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

json row_of(const profit_point& point) {
  return {{"n", number(point.n)},
          {"profit", number(point.profit)},
          {"derivative", number(point.derivative)},
          {"mse", number(point.mse)},
          {"revenue", number(point.revenue)},
          {"energy_joules", number(point.energy.value())}};
}

/// Of a market where time costs.
void add_pace(ask::report& made, const pace& speed, const std::optional<profit_point>& best) {
  if (speed.relaxation == 0) return;
  made.add("memory_price", speed.memory_price);
  made.add("time_price", speed.time_price);
  made.add("relaxation", speed.relaxation);
  if (!best) return;
  made.headline("duration_seconds", best->duration);
  made.headline("excess_joules", best->excess.value());
  made.headline("rent", best->rent);
}

json row_of(const precision_choice& one) {
  const std::optional<profit_point>& best = one.size.best;
  return {{"p", one.p},
          {"n_star", best ? number(best->n) : json(nullptr)},
          {"profit", best ? number(best->profit) : json(nullptr)},
          {"mse", best ? number(best->mse) : json(nullptr)},
          {"stored_error", number(one.stored_error)},
          {"stored_mse", number(one.stored_mse)}};
}

template <class List>
json list_of(const List& all) {
  json list = json::array();
  for (const auto& one : all) list.push_back(row_of(one));
  return list;
}

/// What there is to say of the best size, or of the limit where there is none.
void add_best(report& made, const scaling_answer& found) {
  const best_size& size = found.size;
  const bool is_endless = size.place == best_place::infinity;
  const auto or_endless = [&](const std::optional<double>& value) {
    return is_endless ? number(infinity) : number_or_null(value);
  };
  const auto headline = [&](const char* name, json value) {
    made.headline_lazy(name, [value = std::move(value)] { return value; });
  };
  made.add("place", json(ask::name_of(size.place)));
  headline("n_star", or_endless(size.best ? std::optional{size.best->n} : std::nullopt));
  headline("n_relaxed", or_endless(size.relaxed));
  made.add("n_rounded", or_endless(size.rounded));
  if (size.best) {
    made.headline("profit", size.best->profit);
    made.headline("mse", size.best->mse);
    made.headline("energy_joules", size.best->energy.value());
    made.headline("revenue", size.best->revenue);
    return;
  }
  const double mse = found.curve.limit_mse();
  headline("profit", nullptr);
  made.headline("mse", mse);
  headline("energy_joules", is_endless ? number(infinity) : json(nullptr));
  made.headline("revenue", revenue(found.curve.prices(), mse));
}

json optimized_of(const scaling_answer& made) {
  if (const precision_choice* best = made.best_precision()) {
    return {{"p", best->p},
            {"format", made.curve.model_format().name()},
            {"stored_error", number(best->stored_error)},
            {"stored_mse", number(best->stored_mse)}};
  }
  return {{"eta", number(made.best_sgd->eta)},
          {"batch", number(made.best_sgd->batch)},
          {"edge", made.best_sgd->is_edge}};
}

}  // namespace

const char* name_of(best_place place) {
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

bool scaling_question::is_by_exact_law() const {
  const auto* sgd = std::get_if<sgd_training>(&what);
  return sgd != nullptr && sgd->law == sgd_model::exact;
}

scaling_question read_scaling(const words& asked) {
  const reader given{asked};
  require_features(given, {"snr", "baseline", "count-inference", "intercept", "decay"});
  const linear_model model = read_model(given);
  const std::string demand = given.word("demand");
  const training what =
      given.kind() == "exact"
          ? training{regression_training{model}}
          : training{sgd_training{model, read_descent(given), read_sgd_model(given)}};
  market prices;
  prices.energy_price = read_price(given, "energy-price");
  prices.inference.base = read_price(given, "inference-price");
  prices.inference.rise = given.number("price-rise");
  prices.wanted = parse_demand(demand);
  prices.temperature = read_temperature(given);
  prices.speed = {given.number("memory-price"), given.number("time-price"),
                  given.number("relaxation")};
  return {given.kind(),
          prices,
          demand,
          read_formats(given),
          what,
          read_entropy_kind(given),
          read_optimize(given),
          given.numbers("at")};
}

scaling_answer solve(const scaling_question& asked, const stop_token& stop) {
  throw_if_stopped(stop);
  scaling_answer made = asked.optimize == optimized::nothing     ? with_best_size(asked, stop)
                        : asked.optimize == optimized::precision ? with_best_precision(asked, stop)
                                                                 : with_best_sgd(asked, stop);
  throw_if_stopped(stop);
  made.at = points_at(made.curve, asked.at);
  return made;
}

std::vector<profit_point> curve_around(const scaling_answer& made, const stop_token& stop) {
  constexpr int count = 120;
  constexpr double most = 1e15;
  const profit_curve curve = made.curve.is_relaxed() ? made.curve : made.curve.relaxed();
  const double low = curve.first();
  double high = made.size.best ? 30 * made.size.best->n : 1e5 * low;
  for (const local_optimum& one : made.size.optima) high = std::max(high, 3 * one.point.n);
  for (const double n : made.asked.at) high = std::max(high, n);
  high = std::min(std::max(high, 100 * low), most);
  std::vector<profit_point> points;
  for (int i = 0; i <= count; ++i) {
    throw_if_stopped(stop);
    points.push_back(curve.at(low * std::pow(high / low, static_cast<double>(i) / count)));
  }
  return points;
}

const precision_choice* scaling_answer::best_precision() const {
  const auto found = std::find_if(choices.begin(), choices.end(), [&](const precision_choice& one) {
    return one.p == curve.model_format().p();
  });
  return found == choices.end() ? nullptr : &*found;
}

const size_judgment& scaling_answer::judged() const {
  return judgment.get([this] { return judgment_of(*this); });
}

std::vector<std::string> scaling_answer::warnings() const {
  std::vector<std::string> list;
  if (best_sgd && best_sgd->is_edge) {
    list.emplace_back("the best learning rate is at the end of the range that was searched");
  }
  if (!judged().applies) list.emplace_back(smooth_warning);
  warn_of(judged().gap, list);
  if (!size.is_exhaustive && !asked.is_by_exact_law()) {
    list.emplace_back(
        "there are too many sizes to look at each one that might win; the search was local");
  }
  return list;
}

report scaling_answer::report() const {
  ask::report made{"scaling"};
  made.add("kind", json(asked.kind));
  made.add("format", json(asked.format().name()));
  made.add_all(parameters_of(asked));
  made.add_all(shown(asked.formats));
  made.add("energy_price", asked.prices.energy_price);
  made.add("inference_price", asked.prices.inference.base);
  made.add("price_rise", asked.prices.inference.rise);
  made.add("demand", json(asked.demand));
  made.add("entropy", json(ask::name_of(asked.entropies)));
  made.add("temperature", asked.prices.temperature.value());
  add_best(made, *this);
  add_pace(made, asked.prices.speed, size.best);
  made.add("optima", list_of(size.optima));
  made.add("exhaustive", json(size.is_exhaustive));
  made.add_lazy("applies", [this] { return json(judged().applies); });
  if (asked.entropies == entropy_kind::smooth) {
    const auto error = [this] { return judged().energy_error.value(); };
    made.add_lazy("energy_error_joules", [=] { return number(error()); });
    made.add_lazy("profit_error",
                  [this, error] { return number(asked.prices.energy_price * error()); });
  }
  if (std::holds_alternative<sgd_training>(asked.what) && !asked.is_by_exact_law()) {
    made.add_lazy("law_gap", [this] { return shown(judged().gap); });
  }
  if (asked.optimize != optimized::nothing) {
    made.add("optimize", json(name_of(asked.optimize)));
    made.add("optimized", optimized_of(*this));
  }
  if (!choices.empty()) made.add("choices", list_of(choices));
  if (!at.empty()) made.add("at", list_of(at));
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
