// Prices, precisions and predictions with many features, against what another program found.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "ktln2/cost/many.hpp"
#include "ktln2/scaling/many_choices.hpp"
#include "ktln2/scaling/many_error.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

market reference_market(const nlohmann::json& params) {
  market made;
  made.energy_price = reference_number(params.at("rhoJ"));
  made.inference.base = reference_number(params.at("rhoI"));
  made.temperature = kelvin{reference_number(params.at("kBT")) / boltzmann_constant.value()};
  return made;
}

/// With the rows' own entropy, or the closed form.
many_profit reference_curve(const nlohmann::json& params, entropy_kind kind) {
  many_problem what;
  what.features = reference_number(params.at("d"));
  what.snr = reference_number(params.at("snr"));
  if (params.contains("eta")) {
    what.method = many_method::sgd;
    what.how = {reference_number(params.at("eta")), reference_number(params.at("batch")),
                reference_number(params.at("w0")), 1};
  }
  return {reference_market(params), one_format(float_format{24, 8}), what, kind};
}

/// No output is counted where features are rounded.
many_precision best_precision_of(const nlohmann::json& params) {
  const many_profit curve = reference_curve(params, entropy_kind::smooth);
  many_problem what = curve.what();
  what.counts_output = false;
  const auto all = many_sizes_by_precision(curve.with(what));
  return *std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.point.profit < b.point.profit;
  });
}

/// The price of a row, times d/A, at which the best r = n/d earns no more than who did not train:
/// the steepest way up from there, with as many features as doubles can bear.
double critical_least_squares(double snr) {
  constexpr double d = 1e13;
  const double untrained = 1 / least_norm_error(0, d, snr);
  const auto slope = [&](double r) { return (1 / least_squares_error(r * d, d) - untrained) / r; };
  return -boost::math::tools::brent_find_minima([&](double r) { return -slope(r); }, 1.001,
                                                4 * (1 + 1 / snr), 30)
              .second;
}

double critical_ridge(double snr) {
  const double untrained = 1 / (1 + snr);
  const auto slope = [&](double r) {
    return (1 / (1 + ridge_excess_limit(r, snr)) - untrained) / r;
  };
  const auto [at, lost] =
      boost::math::tools::brent_find_minima([&](double r) { return -slope(r); }, 1e-3, 10.0, 30);
  if (at > 2e-3) return -lost;
  // It only falls: the limit for r = 0, from polynomials through r, r/2, r/4, …
  std::vector<double> row;
  for (double r = 0.01; row.size() < 6; r /= 2) {
    row.push_back(slope(r));
    double power = 1;
    for (std::size_t k = row.size() - 1; k-- > 0;) {
      power *= 2;
      row[k] = row[k + 1] + (row[k + 1] - row[k]) / (power - 1);
    }
  }
  return row.front();
}

double prediction_of(const nlohmann::json& params) {
  row_model model;
  model.w = params.at("w").get<std::vector<double>>();
  model.mu = {0, 0};
  model.covariance = equally_correlated({1, 1}, 0);
  const many_prediction made =
      many_prediction_cost(one_format(float_format{params.at("p"), params.at("E")}), model);
  return (params.at("ideal").get<bool>() ? made.ideal() : made.erased()).value.value();
}

double stored_descent_of(const nlohmann::json& params) {
  row_model model;
  model.w = params.at("w").get<std::vector<double>>();
  model.mu = {0, 0};
  model.covariance = equally_correlated({1, 1}, reference_number(params.at("Sigma")[0][1]));
  const vector_descent how{
      reference_number(params.at("eta")), reference_number(params.at("batch")), {0, 0}, false};
  return many_sgd_cost(one_format(float_format{24, 8}), model, how,
                       reference_number(params.at("steps")), entropy_kind::exact)
      .model.value.value.value();
}

double market_value(const std::string& quantity, const nlohmann::json& params) {
  if (quantity == "n*, exact row") {
    return find_best_size(reference_curve(params, entropy_kind::exact)).best.n;
  }
  if (quantity == "n~*, exact row") {
    return find_best_size(reference_curve(params, entropy_kind::exact)).relaxed.value();
  }
  if (quantity == "critical cd/A") {
    const double snr = reference_number(params.at("snr"));
    return params.at("method") == "ols" ? critical_least_squares(snr) : critical_ridge(snr);
  }
  if (quantity == "largest learning rate") {
    return largest_learning_rate(reference_number(params.at("batch")),
                                 reference_number(params.at("d")), 1);
  }
  if (quantity == "p*") return best_precision_of(params).p;
  if (quantity == "n at p*") return best_precision_of(params).point.n;
  if (quantity == "profit at p*") return best_precision_of(params).point.profit;
  if (quantity == "n*, SGD") {
    return find_best_size(reference_curve(params, entropy_kind::exact)).best.n;
  }
  if (quantity == "excess at n*, SGD") {
    return find_best_size(reference_curve(params, entropy_kind::exact)).best.mse - 1;
  }
  if (quantity == "H, SGD, stored") return stored_descent_of(params);
  if (quantity == "cost, prediction") return prediction_of(params);
  ADD_FAILURE() << quantity;
  return 0;
}

/// Whole numbers are exact. A maximum found by search, and its limit for few rows, have what is
/// left of a difference of numbers near 1 over r ≥ 3e-4.
double tolerance_of(const nlohmann::json& entry, double truth) {
  const std::string quantity = entry.at("quantity");
  if (quantity == "critical cd/A") return 1e-11;
  if (quantity == "cost, prediction" || quantity == "H, SGD, stored") return 1e-11;
  if (quantity == "excess at n*, SGD") return 1e-12 * truth;
  if (quantity == "n~*, exact row" || quantity == "largest learning rate") return 1e-13 * truth;
  return reference_number(entry.at("est_error"));
}

TEST(many_markets, are_what_another_program_found) {
  int compared = 0;
  for (const auto& entry : reference_file("many_markets.json")) {
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const double truth = reference_value(entry);
    EXPECT_NEAR(market_value(entry.at("quantity"), entry.at("params")), truth,
                tolerance_of(entry, truth));
    ++compared;
  }
  EXPECT_EQ(compared, 30);
}

}  // namespace
