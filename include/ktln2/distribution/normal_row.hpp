#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "ktln2/core/square_matrix.hpp"
#include "ktln2/distribution/normal_vector.hpp"

namespace ktln2 {

/// The covariance of features: its entries, and its triangular factor where that is known better
/// than from them. Rounded entries do not tell how far a correlation is from 1; that of neighbors
/// in time, or one that all have, has a factor in closed form.
class feature_covariance {
 public:
  feature_covariance() = default;
  feature_covariance(square_matrix entries)  // NOLINT(google-explicit-constructor): any Σ is one
      : entries_{std::move(entries)} {}
  feature_covariance(square_matrix entries, square_matrix factor)
      : entries_{std::move(entries)}, factor_{std::move(factor)} {}

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] double operator()(std::size_t row, std::size_t column) const {
    return entries_(row, column);
  }
  /// Another covariance, of which no factor is known.
  void set(std::size_t row, std::size_t column, double value) {
    entries_(row, column) = value;
    factor_.reset();
  }
  operator const square_matrix&() const {  // NOLINT(google-explicit-constructor): it is one
    return entries_;
  }
  [[nodiscard]] const std::optional<square_matrix>& factor() const { return factor_; }

 private:
  square_matrix entries_;
  std::optional<square_matrix> factor_;
};

/// The covariance of features with these deviations, each two of which have this correlation.
/// Throws std::domain_error, with the number, unless it is below 1 and above -1/(d-1).
feature_covariance equally_correlated(const std::vector<double>& deviations, double correlation);
/// With the correlation ar^|i-j|, as neighbors in time have. Throws unless it is within (-1, 1).
feature_covariance autoregressive(const std::vector<double>& deviations, double ar);

/// Where the data of many features come from. Whoever takes it checks it.
///     x ~ N(μ, Σ) in d dimensions,   y = b + w·x + ξ,   ξ ~ N(0, σ_ξ²)
struct row_model {
  std::vector<double> w;
  std::vector<double> mu;
  feature_covariance covariance;  ///< Σ
  double b = 0;
  double sigma_xi = 1;
};

/// A row of data: d features and a target, on d+1 registers. The paper's pair [eq:initial_dist] is
/// d = 1 with μ = b = 0. An intercept takes no register: it only moves the mean of y.
///     (x, y) ~ N(ν, C),   ν = (μ, b + w·μ),   det C = σ_ξ² det Σ
/// Throws std::domain_error, with the offending number, unless the sizes agree, all is finite, Σ is
/// symmetric and positive definite, and σ_ξ > 0.
class normal_row {
 public:
  explicit normal_row(row_model model);

  [[nodiscard]] const row_model& model() const { return model_; }
  [[nodiscard]] std::size_t features() const { return model_.w.size(); }
  [[nodiscard]] double sigma_xi() const { return model_.sigma_xi; }
  /// x alone.
  [[nodiscard]] const normal_vector& x() const { return x_; }
  /// All registers, the features first and y last.
  [[nodiscard]] const normal_vector& registers() const { return registers_; }
  /// wᵀΣw/σ_ξ²
  [[nodiscard]] double snr() const { return gain_ * gain_; }
  /// Its square root.
  [[nodiscard]] double gain() const { return gain_; }
  /// ln det Σ
  [[nodiscard]] double log_determinant() const { return x_.log_determinant(); }
  /// The diagonal of Σ⁻¹.
  [[nodiscard]] std::vector<double> precisions() const { return x_.precisions(); }

 private:
  row_model model_;
  normal_vector x_;
  double gain_;
  normal_vector registers_;
};

}  // namespace ktln2
