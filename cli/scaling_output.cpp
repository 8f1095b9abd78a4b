#include "scaling_output.hpp"

#include <limits>

#include "options.hpp"

namespace ktln2::cli {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

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

/// Without a size, which is what was asked for.
json_value parameters(const scaling_question& asked) {
  if (const auto* exact = std::get_if<regression_training>(&asked.what)) {
    json_value object = shown(asked_regression{exact->model});
    object.erase("n");
    return object;
  }
  const auto& sgd = std::get<sgd_training>(asked.what);
  json_value object = shown(asked_sgd{sgd.model, sgd.how});
  object.erase("steps");
  object["law"] = asked.law_name;
  return object;
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
void add_best(json_value& object, const scaling_answer& made) {
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

std::string plain(double value) { return fmt::format("{}", value); }
std::string short_number(double value) { return fmt::format("{:.6g}", value); }
std::string or_dash(const std::optional<double>& value) {
  return value ? short_number(*value) : "-";
}

std::string points(const profit_curve& curve, double n) {
  if (std::holds_alternative<regression_training>(curve.what())) return fmt::format("{} points", n);
  const double steps = n / curve.step();
  return fmt::format("{} points, {} step{} of {}", n, steps, steps == 1 ? "" : "s", curve.step());
}

/// The answer in one sentence.
std::string headline(const scaling_answer& made) {
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

}  // namespace

void show_json(const std::string& kind, const scaling_question& asked, const scaling_answer& made) {
  json_value object = report("scaling");
  object["kind"] = kind;
  object["format"] = asked.format.name();
  object.update(parameters(asked));
  object.update(shown(asked.formats));
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

void show_csv(const scaling_answer& made) {
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

void show_text(const scaling_question& asked, const scaling_answer& made) {
  print(headline(made));
  if (asked.optimize == "p" && !made.choices.empty()) {
    print(fmt::format("All of it in {}.\n", made.curve.model_format().name()));
  } else if (!asked.optimize.empty()) {
    const descent how = std::get<sgd_training>(made.curve.what()).how;
    print(fmt::format("With learning rate {:.6g} and {} in a batch.\n", how.eta, how.batch));
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

}  // namespace ktln2::cli
