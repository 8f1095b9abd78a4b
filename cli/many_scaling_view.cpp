#include "ask/how_many.hpp"
#include "ask/many_scaling.hpp"
#include "energy.hpp"
#include "output.hpp"
#include "pictures.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::how_many;
using ask::plain;

std::string rounded(double value) { return fmt::format("{:.6g}", value); }

std::string many_headline(const ask::many_scaling_answer& made) {
  const profit_point& best = made.size.best;
  const market& prices = made.curve.prices();
  const std::string money =
      fmt::format("{:.6g} = {:.6g} for predictions - {:.6g} for {}", best.profit, best.revenue,
                  best.revenue - best.profit, shown_energy(best.energy, prices.temperature));
  const std::string rows = how_many(best.n, "row");
  if (made.size.phase == many_phase::none) {
    return fmt::format("Do not train: {:.6g} is earned without. The best size, {}: profit {}.\n",
                       made.curve.baseline_profit(), rows, money);
  }
  return fmt::format("Train on {} of {}: profit {}.\n", rows,
                     how_many(made.curve.what().features, "feature"), money);
}

std::string many_details(const ask::many_scaling_answer& made) {
  const double critical = made.size.critical_price;
  const std::string limit =
      critical <= 0         ? " Training never pays."
      : made.is_uncounted() ? fmt::format("\nUp to {:.6g} a joule, if not more, it pays.", critical)
                            : fmt::format(" Above {:.6g} a joule, do not train.", critical);
  const std::string model =
      made.is_uncounted()
          ? fmt::format("what the model does, at most {:.2g} % of what goes in, is not counted",
                        100 * std::min(1.0, made.uncounted_share()))
          : fmt::format("the model {:.6g}, {:.3g} % of what goes in",
                        made.size.best.model_entropy.value(), 100 * made.output_share());
  return fmt::format("A row holds {:.6f} bits, {}.{}\n", made.curve.row_entropy().value.value(),
                     model, limit);
}

std::string choice_line(const ask::many_scaling_answer& made) {
  if (!made.precisions.empty()) {
    return fmt::format("All of it in {}.\n", made.curve.formats().model.name());
  }
  if (!made.sgd) return "";
  return fmt::format("With learning rate {:.6g} and {} in a batch.\n", made.sgd->eta,
                     plain(made.sgd->batch));
}

std::string candidates_text(const ask::many_scaling_answer& made) {
  table rows({"rows against features", "n", "profit", "revenue", "energy", "MSE", "pays up to"});
  for (const many_candidate& one : made.size.candidates) {
    const bool is_best = one.point.n == made.size.best.n;
    rows.add({fmt::format("{}{}", name_of(one.phase), is_best ? ", best" : ""), plain(one.point.n),
              rounded(one.point.profit), rounded(one.point.revenue),
              shown_energy(one.point.energy, made.curve.prices().temperature, 4),
              rounded(one.point.mse),
              one.critical_price > 0 ? rounded(one.critical_price) : "never"});
  }
  return "\n" + rows.text();
}

/// What was tried beside the size: p or the number of features.
table choice_rows(const ask::many_scaling_answer& made, bool is_short) {
  const auto text = [&](double value) { return is_short ? rounded(value) : plain(value); };
  const bool is_precision = !made.precisions.empty();
  table rows({is_precision ? "p" : "features", is_short ? "best n" : "n_star", "profit",
              is_short ? "MSE" : "mse"});
  const auto add = [&](const std::string& what, const profit_point& point) {
    rows.add({what, plain(point.n), text(point.profit), text(point.mse)});
  };
  for (const many_precision& one : made.precisions) add(plain(one.p), one.point);
  for (const many_features& one : made.features) add(plain(one.features), one.point);
  return rows;
}

bool has_choices(const ask::many_scaling_answer& made) {
  return !made.precisions.empty() || !made.features.empty();
}

table point_rows(const std::vector<profit_point>& at) {
  table rows({"n", "profit", "mse", "revenue", "energy_joules"});
  for (const profit_point& point : at) {
    rows.add({plain(point.n), plain(point.profit), plain(point.mse), plain(point.revenue),
              plain(point.energy.value())});
  }
  return rows;
}

}  // namespace

std::string text_of(const ask::many_scaling_answer& made) {
  return many_headline(made) + many_details(made) + choice_line(made) + candidates_text(made) +
         (has_choices(made) ? "\n" + choice_rows(made, true).text() : "") +
         (made.at.empty() ? "" : "\n" + point_rows(made.at).text());
}

table rows_of(const ask::many_scaling_answer& made) {
  if (!made.at.empty()) return point_rows(made.at);
  if (has_choices(made)) return choice_rows(made, false);
  table rows({"phase", "n", "profit", "mse", "revenue", "energy_joules", "critical_price"});
  for (const many_candidate& one : made.size.candidates) {
    rows.add({name_of(one.phase), plain(one.point.n), plain(one.point.profit), plain(one.point.mse),
              plain(one.point.revenue), plain(one.point.energy.value()),
              plain(one.critical_price)});
  }
  return rows;
}

paper::plot_request picture_of(const ask::many_scaling_answer& made, const stop_token& /*stop*/) {
  const double price = made.curve.prices().energy_price;
  table curve({"n", "profit", "revenue", "energy_cost"});
  for (const profit_point& point : ask::curve_around(made)) {
    curve.add({plain(point.n), plain(point.profit), plain(point.revenue),
               plain(price * point.energy.value())});
  }
  table optima({"n", "profit", "global"});
  for (const many_candidate& one : made.size.candidates) {
    optima.add(
        {plain(one.point.n), plain(one.point.profit), one.point.n == made.size.best.n ? "1" : "0"});
  }
  table at({"n", "profit", "revenue", "energy_cost"});
  for (const profit_point& point : made.at) {
    at.add({plain(point.n), plain(point.profit), plain(point.revenue),
            plain(price * point.energy.value())});
  }
  table choices({"p", "n", "profit"});
  for (const many_precision& one : made.precisions) {
    choices.add({plain(one.p), plain(one.point.n), plain(one.point.profit)});
  }
  return {"scaling",
          fmt::format("scaling {} {}, {}: best size {:.6g}, profit {:.6g}", made.asked.kind,
                      made.curve.formats().model.name(),
                      how_many(made.curve.what().features, "feature"), made.size.best.n,
                      made.size.best.profit),
          curve.csv(),
          {{"optima", optima.csv()}, {"at", at.csv()}, {"choices", choices.csv()}}};
}

}  // namespace ktln2::cli
