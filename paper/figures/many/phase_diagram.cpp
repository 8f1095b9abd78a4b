// Where training pays, and how; and the best precision and number of features.
#include <algorithm>
#include <cmath>

#include "paper/figures/figures.hpp"
#include "paper/figures/many/many_figures.hpp"

namespace ktln2::paper {
namespace {

/// cd/A: the price of d rows against the value of a perfect predictor.
double relative_price(const many_profit& curve, double energy_price) {
  const double row = curve.bit_price() / curve.prices().energy_price * energy_price *
                     curve.row_entropy().value.value();
  return row * curve.what().features / curve.prices().inference.base;
}

std::vector<table> phases(const parameters& given, const effort& work) {
  const double d = given.number("d");
  table edges{{{"snr", "", "signal-to-noise ratio"},
               {"ols", "", "the price cd/A above which least squares with n > d does not pay"},
               {"ols_limit", "", "S^2/(4(1+S)^2), for many features"},
               {"ols_n", "", "its best n/d there"},
               {"ols_n_limit", "", "2(1 + 1/S), for many features"},
               {"ridge", "", "the same of ridge"},
               {"ridge_limit", "", "S/(4(1+S)), or S^2/(1+S)^3 for S < 1"},
               {"ridge_n", "", "its best n/d there"},
               {"ridge_n_limit", "", "2(1 - 1/S), where MSE = 2 sigma_xi^2; for S > 1"}}};
  for (const double snr : log_grid(given.number("snr_min"), given.number("snr_max"),
                                   work.points(given.count("points"), 6))) {
    work.pause();
    const auto edge = [&](many_method method) {
      const many_profit curve =
          many_curve(1e15, many_features_of(d, snr, method), {baseline::null, false});
      const many_best found = find_best_size(curve);
      const many_candidate* best = &found.candidates.back();
      if (method == many_method::ridge) {
        for (const many_candidate& one : found.candidates) {
          if (one.critical_price > best->critical_price) best = &one;
        }
      }
      const double price = best->critical_price;
      const many_best there = find_best_size(curve.at_energy_price(price * (1 - 1e-9)));
      const double n =
          method == many_method::ridge ? there.best.n : there.candidates.back().point.n;
      return std::pair{relative_price(curve, price), n / d};
    };
    const auto [ols, ols_n] = edge(many_method::least_squares);
    const auto [ridge, ridge_n] = edge(many_method::ridge);
    const double ols_limit = snr * snr / (4 * (1 + snr) * (1 + snr));
    const double ridge_limit = snr > 1 ? snr / (4 * (1 + snr)) : snr * snr / std::pow(1 + snr, 3);
    edges.add({snr, ols, ols_limit, ols_n, 2 * (1 + 1 / snr), ridge, ridge_limit, ridge_n,
               snr > 1 ? cell{2 * (1 - 1 / snr)} : cell{nothing}});
  }
  return {edges};
}

std::vector<table> best_choices(const parameters& given, const effort& work) {
  table precisions{{{"rho_J", "", "price of a joule"},
                    {"d", "", "features"},
                    {"p", "", "the best precision"},
                    {"profit", "", "with it"},
                    {"profit_p24", "", "with p = 24"}}};
  table features{"features",
                 {{"rho_J", "", "price of a joule"},
                  {"d", "", "the best number of features, of a spectrum j^-2"},
                  {"n", "", "rows"},
                  {"profit", "", "with them"}}};
  const double snr = given.number("snr");
  const auto by_profit = [](const auto& a, const auto& b) {
    return a.point.profit < b.point.profit;
  };
  for (const double price : log_grid(given.number("rho_J_min"), given.number("rho_J_max"),
                                     work.points(given.count("points"), 5))) {
    work.pause();
    for (const double d : given.list("d")) {
      const many_profit curve = many_curve(price, many_features_of(d, snr));
      const auto all = many_sizes_by_precision(curve);
      const auto best = std::max_element(all.begin(), all.end(), by_profit);
      if (best->point.n <= d + 1) continue;  // one row is best, and holds whatever it can
      precisions.add({price, d, best->p, best->point.profit, find_best_point(curve).profit});
    }
    const auto all =
        many_sizes_by_features(many_curve(price, many_features_of(1000, snr)), 1, 1000);
    const auto best = std::max_element(all.begin(), all.end(), by_profit);
    features.add({price, best->features, best->point.n, best->point.profit});
  }
  return {precisions, features};
}

}  // namespace

std::vector<figure> many_phase_figures() {
  return {
      {.label = "extra:phase_diagram",
       .settings = {{{"d", {100}, origin::chosen, "features"},
                     {"snr_min",
                      {0.1},
                      origin::chosen,
                      "on either side of 1 and 2, where the phases change"},
                     {"snr_max", {30}, origin::chosen, "where the lines have reached their limits"},
                     {"points", {40}, origin::chosen, "a curve"}}},
       .cost = 8,
       .compute = phases},
      {.label = "extra:best_precision_and_features",
       .settings = {{{"d", {1, 10, 50}, origin::chosen, "features"},
                     {"snr", {4}, origin::chosen, "that of $w = 2$"},
                     {"rho_J_min", {1e11}, origin::chosen, "1/J; energy nearly free"},
                     {"rho_J_max", {1e17}, origin::chosen, "1/J; where training stops to pay"},
                     {"points", {25}, origin::chosen, "prices"}}},
       .cost = 10,
       .compute = best_choices}};
}

}  // namespace ktln2::paper
