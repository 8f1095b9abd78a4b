#pragma once

#include "ktln2/core/wide.hpp"
#include "ktln2/distribution/linear_model.hpp"
#include "ktln2/distribution/normal.hpp"

namespace ktln2 {

/// Where a pair is, other than around 0.
struct pair_place {
  double mu_x = 0;  ///< the mean of X
  double b = 0;     ///< the intercept
};

/// The jointly normal pair (X, Y) of [eq:initial_dist], which has μ_x = b = 0:
///     X ~ N(μ_x, σ_x²),   Y = b + wX + ξ,   ξ ~ N(0, σ_ξ²) independent of X
/// Throws std::domain_error unless w, μ_x, b and the mean of Y are finite, the deviations are
/// finite and > 0, and so are σ_y and the ratio |w|σ_x/σ_ξ where w is not 0.
class regression_pair {
 public:
  /// Not explicit: the pair is what the model says of one point.
  regression_pair(const linear_model& model, const pair_place& place = {});
  regression_pair(double w, double sigma_x, double sigma_xi)
      : regression_pair(linear_model{w, sigma_x, sigma_xi}) {}

  [[nodiscard]] const linear_model& model() const { return model_; }
  [[nodiscard]] double w() const { return model_.w; }
  [[nodiscard]] double sigma_x() const { return model_.sigma_x; }
  [[nodiscard]] double sigma_xi() const { return model_.sigma_xi; }
  [[nodiscard]] double sigma_y() const { return sigma_y_; }
  [[nodiscard]] double mu_x() const { return place_.mu_x; }
  [[nodiscard]] double b() const { return place_.b; }
  /// b + wμ_x, to more digits than a double has.
  [[nodiscard]] wide mean_of_y() const { return wide(place_.b) + wide(model_.w) * place_.mu_x; }
  /// Are both variables as often positive as negative?
  [[nodiscard]] bool is_centered() const { return place_.mu_x == 0 && place_.b == 0; }
  /// |w|σ_x/σ_ξ, the square root of the signal-to-noise ratio.
  [[nodiscard]] double gain() const { return gain_; }
  [[nodiscard]] double snr() const { return gain_ * gain_; }
  [[nodiscard]] double correlation() const;

  [[nodiscard]] normal x() const { return {place_.mu_x, model_.sigma_x}; }
  /// With the mean of Y as a double has it.
  [[nodiscard]] normal y() const { return {mean_of_y().to_double(), sigma_y_}; }
  /// The same pair with the names exchanged: (Y, X), X = w'Y + ξ'.
  [[nodiscard]] regression_pair exchanged() const;

 private:
  linear_model model_;
  pair_place place_;
  double sigma_y_;
  double gain_;
};

/// h(X, Y) = h(X) + h(ξ)
differential_bits differential_entropy(const regression_pair& pair);

/// What the continuous X and Y tell of each other: ½ log(1 + SNR).
bits mutual_information(const regression_pair& pair);

}  // namespace ktln2
