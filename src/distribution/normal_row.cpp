#include "ktln2/distribution/normal_row.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "ktln2/core/check.hpp"

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
  return normal_vector::from_factor("row", std::move(mean), std::move(lower));
}

template <class Correlation>
square_matrix covariance_with(const std::vector<double>& deviations,
                              const Correlation& correlation) {
  square_matrix covariance(deviations.size());
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    require_positive("row", "sigma_x", deviations[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      covariance(i, j) = covariance(j, i) = deviations[i] * deviations[j] * correlation(i, j);
    }
  }
  return covariance;
}

}  // namespace

square_matrix equally_correlated(const std::vector<double>& deviations, double correlation) {
  const auto d = static_cast<double>(deviations.size());
  if (d > 1 && !(correlation < 1 && correlation > -1 / (d - 1))) {
    throw std::domain_error("row: corr must be below 1 and, for " + shown(d) + " features, above " +
                            shown_limit(-1 / (d - 1)) + ", got " + shown(correlation));
  }
  return covariance_with(deviations, [correlation](std::size_t i, std::size_t j) {
    return i == j ? 1.0 : correlation;
  });
}

square_matrix autoregressive(const std::vector<double>& deviations, double ar) {
  if (!(std::fabs(ar) < 1)) {
    throw std::domain_error("row: ar must be above -1 and below 1, got " + shown(ar));
  }
  return covariance_with(deviations, [ar](std::size_t i, std::size_t j) {
    return i == j ? 1.0 : std::pow(ar, static_cast<double>(i - j));
  });
}

normal_row::normal_row(row_model model)
    : model_{checked_row(std::move(model))},
      x_{"row", model_.mu, model_.covariance},
      gain_{gain_of(model_, x_)},
      registers_{with_target(model_, x_)} {}

}  // namespace ktln2
