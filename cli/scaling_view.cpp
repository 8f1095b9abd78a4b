#include <cmath>

#include "ask/how_many.hpp"
#include "ask/scaling.hpp"
#include "energy.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::how_many;
using ask::plain;

std::string short_number(double value) {
  return std::isnan(value) ? "undefined" : fmt::format("{:.6g}", value);
}
std::string shown_or_undefined(joules value, kelvin temperature) {
  return std::isnan(value.value()) ? "undefined" : shown_energy(value, temperature, 4);
}
/// About 1 with so many decimals, unless it is so large that they would say nothing.
std::string shown_ratio(double value, int decimals) {
  return std::fabs(value) < 1e6 ? fmt::format("{:.{}f}", value, decimals) : short_number(value);
}

std::string points(const ask::scaling_answer& made, double n) {
  if (std::holds_alternative<regression_training>(made.asked.what)) {
    return how_many(n, "point");
  }
  const double steps = n / made.curve.step();
  return fmt::format("{}, {} of {}", how_many(n, "point"), how_many(steps, "step"),
                     made.curve.step());
}

/// What the sizes are of which one is best: those with an error, or those of whole steps.
std::string sizes(const ask::scaling_answer& made, const char* which) {
  const bool is_regression = std::holds_alternative<regression_training>(made.asked.what);
  return fmt::format("the {} size {}", which,
                     is_regression ? "with a finite error" : "in whole steps");
}

/// The answer in one sentence.
std::string headline(const ask::scaling_answer& made) {
  const best_size& size = made.size;
  if (size.place == best_place::infinity) {
    return "There is no best size: every further point brings more than it costs.\n";
  }
  if (size.place == best_place::beyond) {
    return "The best size is beyond 1e15 points, the most that this program takes.\n";
  }
  const profit_point& best = *size.best;
  if (std::isnan(best.profit)) {
    return "The profit is undefined: parts of it are beyond double's range.\n";
  }
  const market& prices = made.curve.prices();
  const std::string money = fmt::format(
      "{:.6g} = {:.6g} for predictions - {:.6g} for {}", best.profit, best.revenue,
      prices.energy_price * best.energy.value(), shown_energy(best.energy, prices.temperature));
  const bool is_corner = size.place == best_place::corner;
  if (best.profit < 0) {
    return fmt::format("Do not train: even {}, {}, loses money. Profit {}.\n",
                       sizes(made, is_corner ? "smallest" : "best"), points(made, best.n), money);
  }
  return fmt::format(
      "Train on {}: profit {}.{}\n", points(made, best.n), money,
      is_corner ? fmt::format("\nThat is {}: energy is too dear for more.", sizes(made, "smallest"))
                : "");
}

/// How long to take for it, where time costs.
std::string pace_text(const ask::scaling_answer& made) {
  if (made.asked.prices.speed.relaxation == 0 || !made.size.best) return "";
  const profit_point& best = *made.size.best;
  if (std::isinf(best.duration)) return "Time costs nothing: take as long as you can.\n";
  return fmt::format(
      "Take {:.6g} s for it: haste costs {:.6g} for {}, memory and time another {:.6g}.\n",
      best.duration, made.curve.prices().energy_price * best.excess.value(),
      shown_energy(best.excess, made.curve.prices().temperature), best.rent);
}

/// What else was found.
std::string choice_text(const ask::scaling_answer& made) {
  if (!made.choices.empty()) {
    return fmt::format("All of it in {}.\n", made.curve.model_format().name());
  }
  if (!made.best_sgd) return "";
  return fmt::format("With learning rate {:.6g} and {} in a batch.\n", made.best_sgd->eta,
                     made.best_sgd->batch);
}

std::string optima_text(const std::vector<local_optimum>& optima, kelvin temperature) {
  if (optima.empty()) return "";
  std::vector<std::string> headings{"local optimum", "n",      "relaxed", "profit",
                                    "revenue",       "energy", "MSE"};
  if (optima[0].ou) headings.insert(headings.end(), {"deviation, exact/OU", "MSE, exact/OU"});
  table rows(headings);
  for (const local_optimum& one : optima) {
    std::vector<std::string> row{one.is_global ? "best" : "",
                                 plain(one.point.n),
                                 one.relaxed ? short_number(*one.relaxed) : "-",
                                 short_number(one.point.profit),
                                 short_number(one.point.revenue),
                                 shown_or_undefined(one.point.energy, temperature),
                                 short_number(one.point.mse)};
    if (one.ou) {
      row.push_back(shown_ratio(one.ou->deviation_ratio, 3));
      row.push_back(shown_ratio(one.ou->mse_ratio, 4));
    }
    rows.add(row);
  }
  return "\n" + rows.text();
}

std::string choices_text(const std::vector<precision_choice>& choices) {
  if (choices.empty()) return "";
  table rows({"p", "best n", "profit", "MSE", "MSE by cells"});
  for (const precision_choice& one : choices) {
    if (!one.size.best) continue;
    rows.add({plain(one.p), plain(one.size.best->n), short_number(one.size.best->profit),
              short_number(one.size.best->mse), short_number(one.stored_mse)});
  }
  return "\n" + rows.text();
}

std::string points_text(const std::vector<profit_point>& at, kelvin temperature) {
  if (at.empty()) return "";
  table rows({"n", "profit", "derivative", "revenue", "energy", "MSE"});
  for (const profit_point& point : at) {
    rows.add({plain(point.n), short_number(point.profit), short_number(point.derivative),
              short_number(point.revenue), shown_or_undefined(point.energy, temperature),
              short_number(point.mse)});
  }
  return "\n" + rows.text();
}

}  // namespace

std::string text_of(const ask::scaling_answer& made) {
  const kelvin temperature = made.curve.prices().temperature;
  return headline(made) + pace_text(made) + choice_text(made) +
         optima_text(made.size.optima, temperature) + choices_text(made.choices) +
         points_text(made.at, temperature);
}

table rows_of(const ask::scaling_answer& made) {
  if (!made.at.empty()) {
    table rows({"n", "profit", "derivative", "mse", "revenue", "energy_joules"});
    for (const profit_point& point : made.at) {
      rows.add({plain(point.n), plain(point.profit), plain(point.derivative), plain(point.mse),
                plain(point.revenue), plain(point.energy.value())});
    }
    return rows;
  }
  if (!made.choices.empty()) {
    table rows({"p", "n_star", "profit", "mse", "stored_mse"});
    for (const precision_choice& one : made.choices) {
      if (!one.size.best) continue;
      rows.add({plain(one.p), plain(one.size.best->n), plain(one.size.best->profit),
                plain(one.size.best->mse), plain(one.stored_mse)});
    }
    return rows;
  }
  table rows({"n", "profit", "mse", "revenue", "energy_joules", "global"});
  for (const local_optimum& one : made.size.optima) {
    rows.add({plain(one.point.n), plain(one.point.profit), plain(one.point.mse),
              plain(one.point.revenue), plain(one.point.energy.value()),
              one.is_global ? "1" : "0"});
  }
  return rows;
}

}  // namespace ktln2::cli
