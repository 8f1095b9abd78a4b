// How many rows are worth their energy, against the number of features; and the profit through the
// size at which no model predicts.
#include "paper/claims/claim_market.hpp"
#include "paper/figures/figures.hpp"
#include "paper/figures/many/many_figures.hpp"

namespace ktln2::paper {

many_problem many_features_of(double features, double snr, many_method method) {
  many_problem made;
  made.method = method;
  made.features = features;
  made.snr = snr;
  return made;
}

many_profit many_curve(double energy_price, const many_problem& what, const many_terms& terms) {
  return {prices_at(energy_price), one_format(float_format{24, 8}), what, entropy_kind::smooth,
          terms};
}

namespace {

std::vector<table> size_against_features(const parameters& given, const effort& work) {
  table sizes{{{"rho_J", "", "price of a joule"},
               {"d", "", "features"},
               {"n_star", "", "the best number of rows of all n > d + 1"},
               {"n_relaxed", "", "1 + sqrt(A d/c)"},
               {"profit", "", "with the best number of rows"},
               {"pays", "", "1 where that is more than the untrained predictor earns"}}};
  for (const double price : given.list("rho_J")) {
    for (const double d :
         whole_log_grid(1, given.number("d_max"), work.points(given.count("points"), 8))) {
      work.pause();
      const many_profit curve =
          many_curve(price, many_features_of(d, given.number("snr")), {baseline::null, false});
      const many_best found = find_best_size(curve);
      const many_candidate& over = found.candidates.back();
      sizes.add({price, d, over.point.n, found.relaxed.value(), over.point.profit,
                 over.point.profit > curve.baseline_profit() ? 1.0 : 0.0});
    }
  }
  return {sizes};
}

std::vector<table> profit_through_descent(const parameters& given, const effort& work) {
  table profits{{{"d", "", "features"},
                 {"n", "", "rows"},
                 {"profit", "", "at the price at which training just pays with n > d"},
                 {"mse", "", "of predictions, in units of the noise's variance"}}};
  table best{"best",
             {{"d", "", "features"},
              {"n", "", "rows"},
              {"profit", "", "at that price"},
              {"phase", "", "one, under or over"}}};
  for (const double d : given.list("d")) {
    const many_problem what = many_features_of(d, given.number("snr"));
    const many_profit any = many_curve(1e15, what, {baseline::null, false});
    const double price = find_best_size(any).candidates.back().critical_price;
    const many_profit curve = many_curve(price, what, {baseline::null, false});
    for (const double n : whole_log_grid(1, 10 * d, work.points(given.count("points"), 30))) {
      work.pause();
      const profit_point point = curve.at(n);
      profits.add({d, n, point.profit, std::isinf(point.mse) ? cell{nothing} : cell{point.mse}});
    }
    for (const many_candidate& one : find_best_size(curve).candidates) {
      best.add({d, one.point.n, one.point.profit, name_of(one.phase)});
    }
  }
  return {profits, best};
}

std::vector<table> share_against_rows(const parameters& given, const effort& work) {
  table shares{{{"d", "", "features"},
                {"n", "", "rows"},
                {"share", "", "H(model)/(n H(row)), of the rows' entropy what is kept"},
                {"erased_per_learned", "",
                 "bits erased for each bit that the rows can tell about w, at least"}}};
  const double snr = given.number("snr");
  for (const double d : given.list("d")) {
    const many_profit curve = many_curve(1e15, many_features_of(d, snr));
    const double told = std::log2(1 + snr) / 2;
    for (const double n :
         whole_log_grid(1, given.number("n_max"), work.points(given.count("points"), 20))) {
      work.pause();
      const double erased = n * curve.row_entropy().value.value() - curve.model_entropy(n).value();
      shares.add({d, n, curve.output_share(n), erased / (n * told)});
    }
  }
  return {shares};
}

}  // namespace

std::vector<figure> many_size_figures() {
  return {
      {.label = "extra:size_against_features",
       .settings = {{{"rho_J", {1e14, 1e15, 1e16}, origin::chosen, "around the paper's"},
                     {"snr", {4}, origin::chosen, "that of $w = 2$"},
                     {"d_max", {300}, origin::chosen, "features"},
                     {"points", {40}, origin::chosen, "a curve"}}},
       .cost = 4,
       .compute = size_against_features},
      {.label = "extra:profit_through_descent",
       .settings = {{{"d", {10, 20, 100}, origin::chosen, "features"},
                     {"snr", {4}, origin::chosen, "that of $w = 2$"},
                     {"points", {300}, origin::chosen, "a curve"}}},
       .cost = 1,
       .compute = profit_through_descent},
      {.label = "extra:output_share",
       .settings = {{{"d", {1, 10, 100}, origin::chosen, "features"},
                     {"snr", {4}, origin::chosen, "that of $w = 2$"},
                     {"n_max", {10000}, origin::chosen, "rows"},
                     {"points", {80}, origin::chosen, "a curve"}}},
       .cost = 1,
       .compute = share_against_rows},
  };
}

}  // namespace ktln2::paper
