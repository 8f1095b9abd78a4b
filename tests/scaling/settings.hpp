#pragma once

#include <cmath>
#include <random>

#include "ktln2/scaling/profit.hpp"
#include "reference_file.hpp"

/// Settings that the tests of this module share.
namespace scaling_test {

using namespace ktln2;

inline const kelvin room{4e-21 / boltzmann_constant.value()};  // k_B T = 4e-21 J

inline market paper_prices(double energy_price) {
  return {.energy_price = energy_price, .inference = {10}, .wanted = {}, .temperature = room};
}

inline profit_curve paper_regression(double energy_price,
                                     entropy_kind kind = entropy_kind::smooth) {
  return {paper_prices(energy_price), one_format({24, 8}), regression_training{{.w = 2}}, kind};
}

inline sgd_profit_curve paper_sgd(double energy_price, double eta = 0.05, double w = 2,
                                  sgd_model model = sgd_model::ou,
                                  entropy_kind kind = entropy_kind::smooth) {
  return {paper_prices(energy_price), one_format({24, 8}),
          sgd_training{{.w = w}, {.eta = eta}, model}, kind};
}

inline double parameter(const nlohmann::json& entry, const char* name) {
  return reference_number(entry.at("params").at(name));
}

/// The curve that an entry of tests/reference/scaling.json is about.
inline profit_curve curve_of(const nlohmann::json& entry) {
  const market prices{.energy_price = parameter(entry, "rhoJ"),
                      .inference = {parameter(entry, "rhoI")},
                      .wanted = {},
                      .temperature = kelvin{parameter(entry, "kBT") / boltzmann_constant.value()}};
  const register_formats formats = one_format({static_cast<int>(parameter(entry, "p")), 8});
  const linear_model model{parameter(entry, "w"), parameter(entry, "sigx"),
                           parameter(entry, "sigxi")};
  if (!entry.at("params").contains("eta")) {
    return {prices, formats, regression_training{model}, entropy_kind::smooth};
  }
  const descent how{parameter(entry, "eta"), parameter(entry, "B"), parameter(entry, "what0")};
  return {prices, formats, sgd_training{model, how, sgd_model::ou}, entropy_kind::smooth};
}

/// Random settings with smooth entropies.
class random_settings {
 public:
  explicit random_settings(unsigned seed) : engine_{seed} {}

  double between(double low, double high) {
    return std::uniform_real_distribution{low, high}(engine_);
  }
  double log_between(double low, double high) {
    return std::exp(between(std::log(low), std::log(high)));
  }

  profit_curve curve(double least_energy_price = 1e14) {
    market prices{.energy_price = log_between(least_energy_price, 1e18),
                  .inference = {log_between(0.1, 100)},
                  .wanted = {},
                  .temperature = room};
    const double shape = between(0, 1);
    const double sigma_xi = log_between(0.3, 3);
    if (shape > 0.5) prices.wanted = demand::power(between(0.3, 4));
    if (shape > 0.8) {
      prices.wanted = demand::threshold(sigma_xi * sigma_xi * between(1.01, 2), between(2, 40), 2);
    }
    if (between(0, 1) > 0.7) prices.inference.rise = log_between(0.1, 10);
    const register_formats formats = one_format({static_cast<int>(between(8, 54)), 8});
    const double w = between(-6, 6);
    const double sigma_x = log_between(0.3, 3);
    if (between(0, 1) < 0.4) {
      return {prices, formats, regression_training{{w, sigma_x, sigma_xi}}, entropy_kind::smooth};
    }
    const descent how{.eta = log_between(1e-3, 0.9) / (sigma_x * sigma_x),
                      .batch = std::floor(log_between(1, 200)),
                      .w0 = between(-6, 6),
                      .w0_sigma = start_deviation()};
    const sgd_model model = between(0, 1) < 0.5 ? sgd_model::ou : sgd_model::moments;
    return {prices, formats, sgd_training{{w, sigma_x, sigma_xi}, how, model},
            entropy_kind::smooth};
  }

 private:
  /// Half of the starts are points.
  double start_deviation() {
    const double log_s = std::uniform_real_distribution{-7.0, 1.0}(starts_);
    return starts_() % 2 == 0 ? 0 : std::exp(log_s);
  }

  std::mt19937 engine_;
  std::mt19937 starts_{1};
};

}  // namespace scaling_test
