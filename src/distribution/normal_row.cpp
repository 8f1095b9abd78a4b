#include "ktln2/distribution/normal_row.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "ktln2/core/check.hpp"
#include "ktln2/core/wide.hpp"

namespace ktln2 {
namespace {

/// Checked before anything is made of it.
row_model checked_row(row_model model) {
  const std::size_t d = model.w.size();
  const auto require_count = [d](const char* what, std::size_t count) {
    if (count == d) return;
    throw std::domain_error("row: there are " + std::to_string(d) + " weights w, but " +
                            std::to_string(count) + " " + what);
  };
  require_in_range("row", "the number of features", static_cast<long long>(d), 1, 2000);
  require_count("means mu", model.mu.size());
  require_count("features in the covariance", model.covariance.size());
  for (const double w : model.w) require_finite("row", "w", w);
  for (const double mu : model.mu) require_finite("row", "mu", mu);
  require_finite("row", "b", model.b);
  require_positive("row", "sigma_xi", model.sigma_xi);
  return model;
}

/// Lᵀw: what y has of each independent direction of x.
std::vector<double> signal_of(const std::vector<double>& w, const square_matrix& lower) {
  std::vector<double> signal(w.size(), 0.0);
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (std::size_t k = 0; k <= i; ++k) signal[k] += w[i] * lower(i, k);
  }
  return signal;
}

double gain_of(const row_model& model, const normal_vector& x) {
  double length = 0;
  for (const double part : signal_of(model.w, x.factor())) length = std::hypot(length, part);
  const double gain = length / model.sigma_xi;
  require_finite("row", "|w| sigma_x / sigma_xi", gain);
  return gain;
}

/// By how much rounding may move the logarithm of y's variance: of a sum w·x whose terms cancel it
/// is the ulps of the terms.
double doubt_of_target(const row_model& model, const normal_vector& x, double deviation) {
  const auto d = static_cast<double>(x.size());
  double terms = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    double sum = 0;
    for (std::size_t i = k; i < x.size(); ++i) sum += std::fabs(model.w[i] * x.factor()(i, k));
    terms = std::hypot(terms, sum);
  }
  return 2 * std::log1p((d + 8) * 0x1p-53 * terms / deviation);
}

/// The mean of y lies between two doubles: t deviations of the noise off, it takes less than the
/// mass t to other cells, which then holds some 40 bits more or less at the most.
double doubt_of_mean(const row_model& model, double mean_of_y) {
  wide exact = model.b;
  for (std::size_t k = 0; k < model.w.size(); ++k) {
    exact = exact + wide(model.w[k]) * wide(model.mu[k]);
  }
  return 40 * std::fabs(ratio(exact - wide(mean_of_y), model.sigma_xi));
}

/// With y below x: [L, 0; (Lᵀw)ᵀ, σ_ξ]. Nothing cancels, however small the noise is.
normal_vector with_target(const row_model& model, const normal_vector& x) {
  const std::size_t d = x.size();
  square_matrix lower(d + 1);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t k = 0; k <= i; ++k) lower(i, k) = x.factor()(i, k);
  }
  const std::vector<double> signal = signal_of(model.w, x.factor());
  std::vector<double> mean = model.mu;
  double mean_of_y = model.b;
  for (std::size_t k = 0; k < d; ++k) {
    lower(d, k) = signal[k];
    mean_of_y = std::fma(model.w[k], model.mu[k], mean_of_y);
  }
  lower(d, d) = model.sigma_xi;
  mean.push_back(mean_of_y);
  double deviation = model.sigma_xi;
  for (const double part : signal) deviation = std::hypot(deviation, part);
  const double doubt =
      x.doubt() + doubt_of_target(model, x, deviation) + doubt_of_mean(model, mean_of_y);
  return normal_vector::from_factor("row", std::move(mean), std::move(lower), doubt);
}

/// deviations[i] deviations[j] times what is at (i, j), of a covariance or, times deviations[i]
/// alone, of its factor.
template <class Correlation, class Factor>
feature_covariance covariance_with(const std::vector<double>& deviations,
                                   const Correlation& correlation, const Factor& factor) {
  square_matrix covariance(deviations.size());
  square_matrix lower(deviations.size());
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    require_positive("row", "sigma_x", deviations[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      covariance(i, j) = covariance(j, i) = deviations[i] * deviations[j] * correlation(i, j);
      lower(i, j) = deviations[i] * factor(i, j);
    }
  }
  return {std::move(covariance), std::move(lower)};
}

normal_vector vector_of_features(const row_model& model) {
  const feature_covariance& covariance = model.covariance;
  if (!covariance.factor()) return {"row", model.mu, covariance};
  // A dozen roundings in each entry of its diagonal, at most.
  const double doubt = 24 * 0x1p-53 * static_cast<double>(covariance.size());
  return normal_vector::from_factor("row", model.mu, *covariance.factor(), doubt);
}

}  // namespace

feature_covariance equally_correlated(const std::vector<double>& deviations, double correlation) {
  const auto d = static_cast<double>(deviations.size());
  const double r = correlation;
  // 1 + kr is rounded once, however little is left of it.
  const auto more = [r](double k) { return std::fma(k, r, 1.0); };
  if (d > 1 && !(r < 1 && more(d - 1) > 0)) {
    throw std::domain_error("row: corr must be below 1 and, for " + shown(d) + " features, above " +
                            shown_limit(-1 / (d - 1)) + ", got " + shown(r));
  }
  // Given k others two features have the covariance r(1-r)/(1+(k-1)r), and the variance
  // (1-r)(1+kr)/(1+(k-1)r).
  return covariance_with(
      deviations, [r](std::size_t i, std::size_t j) { return i == j ? 1.0 : r; },
      [&](std::size_t i, std::size_t j) {
        const auto k = static_cast<double>(j);
        if (j == 0) return i == 0 ? 1.0 : r;
        const double variance = (1 - r) * more(k) / more(k - 1);
        return i == j ? std::sqrt(variance) : r * (1 - r) / more(k - 1) / std::sqrt(variance);
      });
}

feature_covariance autoregressive(const std::vector<double>& deviations, double ar) {
  if (!(std::fabs(ar) < 1)) {
    throw std::domain_error("row: ar must be above -1 and below 1, got " + shown(ar));
  }
  const auto power = [ar](std::size_t i, std::size_t j) {
    return i == j ? 1.0 : std::pow(ar, static_cast<double>(i - j));
  };
  // x_i = ar x_(i-1) + √(1-ar²) times what is new.
  const double fresh = std::sqrt((1 - ar) * (1 + ar));
  return covariance_with(deviations, power, [&](std::size_t i, std::size_t j) {
    return j == 0 ? power(i, 0) : power(i, j) * fresh;
  });
}

normal_row::normal_row(row_model model)
    : model_{checked_row(std::move(model))},
      x_{vector_of_features(model_)},
      gain_{gain_of(model_, x_)},
      registers_{with_target(model_, x_)} {}

}  // namespace ktln2
