#pragma once

#include "ktln2/distribution/linear_model.hpp"
#include "ktln2/distribution/normal.hpp"

namespace ktln2 {

/// The jointly normal pair (X, Y) of [eq:initial_dist]:
///     X ~ N(0, σ_x²),   Y = wX + ξ,   ξ ~ N(0, σ_ξ²) independent of X
/// Throws std::domain_error unless w is finite, the deviations are finite and > 0, and so are σ_y
/// and the ratio |w|σ_x/σ_ξ where w is not 0.
class regression_pair {
 public:
  /// Not explicit: the pair is what the model says of one point.
  regression_pair(const linear_model& model);
  regression_pair(double w, double sigma_x, double sigma_xi)
      : regression_pair(linear_model{w, sigma_x, sigma_xi}) {}

  [[nodiscard]] const linear_model& model() const { return model_; }
  [[nodiscard]] double w() const { return model_.w; }
  [[nodiscard]] double sigma_x() const { return model_.sigma_x; }
  [[nodiscard]] double sigma_xi() const { return model_.sigma_xi; }
  [[nodiscard]] double sigma_y() const { return sigma_y_; }
  /// |w|σ_x/σ_ξ, the square root of the signal-to-noise ratio.
  [[nodiscard]] double gain() const { return gain_; }
  [[nodiscard]] double snr() const { return gain_ * gain_; }
  [[nodiscard]] double correlation() const;

  [[nodiscard]] normal x() const { return {0, model_.sigma_x}; }
  [[nodiscard]] normal y() const { return {0, sigma_y_}; }
  /// The same pair with the names exchanged: (Y, X), X = w'Y + ξ'.
  [[nodiscard]] regression_pair exchanged() const;

 private:
  linear_model model_;
  double sigma_y_;
  double gain_;
};

/// h(X, Y) = h(X) + h(ξ)
differential_bits differential_entropy(const regression_pair& pair);

/// What the continuous X and Y tell of each other: ½ log(1 + SNR).
bits mutual_information(const regression_pair& pair);

}  // namespace ktln2
