// What --plot draws of a best size: the profit around it.
#include "ask/scaling.hpp"
#include "output.hpp"
#include "pictures.hpp"

namespace ktln2::cli {
namespace {

using ask::plain;

std::vector<std::string> row_of(const profit_point& point, double energy_price) {
  return {plain(point.n), plain(point.profit), plain(point.revenue),
          plain(energy_price * point.energy.value())};
}

std::string size_text(const ask::scaling_answer& made) {
  if (!made.size.best) return "no best size";
  return fmt::format("best size {:.6g}, profit {:.6g}", made.size.best->n, made.size.best->profit);
}

/// What else was sought, and what the curve stands for.
std::string choice_words(const ask::scaling_answer& made) {
  if (!made.curve.is_relaxed()) return " (the curve by exact moments)";
  if (!made.best_sgd) return "";
  return fmt::format(", learning rate {:.4g}, batch {:.6g}", made.best_sgd->eta,
                     made.best_sgd->batch);
}

}  // namespace

paper::plot_request picture_of(const ask::scaling_answer& made, const stop_token& stop) {
  const double price = made.curve.prices().energy_price;
  const std::vector<std::string> columns{"n", "profit", "revenue", "energy_cost"};
  table curve(columns);
  for (const profit_point& point : ask::curve_around(made, stop)) curve.add(row_of(point, price));
  table optima({"n", "profit", "global"});
  for (const local_optimum& one : made.size.optima) {
    optima.add({plain(one.point.n), plain(one.point.profit), one.is_global ? "1" : "0"});
  }
  table at(columns);
  for (const profit_point& point : made.at) at.add(row_of(point, price));
  table choices({"p", "n", "profit"});
  for (const precision_choice& one : made.choices) {
    if (one.size.best) {
      choices.add({plain(one.p), plain(one.size.best->n), plain(one.size.best->profit)});
    }
  }
  return {"scaling",
          fmt::format("scaling {} {}: {}{}", made.asked.kind, made.curve.model_format().name(),
                      size_text(made), choice_words(made)),
          curve.csv(),
          {{"optima", optima.csv()}, {"at", at.csv()}, {"choices", choices.csv()}}};
}

}  // namespace ktln2::cli
