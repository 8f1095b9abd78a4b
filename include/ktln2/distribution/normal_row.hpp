#pragma once

#include <cstddef>
#include <vector>

#include "ktln2/core/square_matrix.hpp"
#include "ktln2/distribution/normal_vector.hpp"

namespace ktln2 {

/// The covariance of features with these deviations, each two of which have this correlation.
/// Throws std::domain_error, with the number, unless it is below 1 and above -1/(d-1).
square_matrix equally_correlated(const std::vector<double>& deviations, double correlation);
/// With the correlation ar^|i-j|, as neighbors in time have. Throws unless it is within (-1, 1).
square_matrix autoregressive(const std::vector<double>& deviations, double ar);

/// Where the data of many features come from. Whoever takes it checks it.
///     x ~ N(μ, Σ) in d dimensions,   y = b + w·x + ξ,   ξ ~ N(0, σ_ξ²)
struct row_model {
  std::vector<double> w;
  std::vector<double> mu;
  square_matrix covariance;  ///< Σ
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
