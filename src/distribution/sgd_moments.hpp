#pragma once

#include "ktln2/distribution/sgd.hpp"

namespace ktln2 {

/// What a step of SGD does to φ = ŵ - w: the exact moments obey φ' = mφ, (φ²)' = qφ² + noise in the
/// mean; the Ornstein–Uhlenbeck process has the same form with e^-a for m and e^-2a for q,
/// a = ησ_x². As logarithms, so that k may be real. The home of all that is known of SGD's moments.
struct sgd_rates {
  double mean;    ///< ln |m|
  double square;  ///< ln q
  double excess;  ///< q - 1; for the process -2a, so that its noise adds up to ησ_ξ²/(2B)
  double noise;
  double spread;  ///< ln(q/m²), at which the starting point turns into variance
};

/// Of the process for `ou` and `stationary`, of the exact moments for the others.
sgd_rates rates_of(const linear_model& model, const descent& how, sgd_model which);
/// Of the exact moments for σ_x = σ_ξ = 1, or with another factor q that stands in for theirs.
double second_moment_factor(double eta, double batch);
sgd_rates rates_with_factor(double eta, double batch, double factor);

/// 1 + q + … + q^(k-1), for real k, and its derivative
double geometric(const sgd_rates& r, double k);
double geometric_slope(const sgd_rates& r, double k);

/// Var φ_k = φ_0² (q^k - m^2k) + s² q^k + noise (1 - q^k)/(1 - q) from a start with the mean φ_0
/// and the variance s²
double variance_after(const sgd_rates& r, double start, double start_variance, double k);
/// All moments, after a real number of steps: those of the limit for `stationary`.
sgd_state state_after(const linear_model& model, const descent& how, const sgd_rates& r, double k,
                      sgd_model which);

/// Throws std::domain_error for a bad problem, or where `relaxed_sgd` does whatever k is.
void require_relaxed(const linear_model& model, const descent& how, sgd_model which);

}  // namespace ktln2
