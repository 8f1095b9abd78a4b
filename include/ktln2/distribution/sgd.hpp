#pragma once

#include <string_view>

#include "ktln2/distribution/normal.hpp"
#include "ktln2/distribution/origin.hpp"

namespace ktln2 {

/// Throws std::domain_error unless eta and the deviations are finite and > 0, that of the start
/// ≥ 0, w0, w and w0 - w finite, batch a whole number from 1 to 1e15, and ησ_x² and σ_ξ/σ_x within
/// double's range.
void require_valid(const linear_model& model, const descent& how);
/// The same, and unless steps is a whole number from 1 to 1e15. After no step at all the law is a
/// point: its entropy is 0 and it has no density.
void require_valid(const linear_model& model, const descent& how, double steps);

/// "ou", "stationary", "moments" or "exact"; throws std::domain_error that lists them otherwise.
sgd_model parse_sgd_model(std::string_view name);
/// What it parses.
const char* name_of(sgd_model model);

/// N(w, ησ_ξ²/(2B))        [eq:SGD_final_dist]
normal sgd_stationary_law(const linear_model& model, const descent& how);

/// The start of SGD, N(w0, w0_sigma²). Throws std::domain_error if it is a point.
normal sgd_start_law(const descent& how);

/// N(w + (w0-w) e^(-ησ_x²k), ησ_ξ²/(2B) (1 - e^(-2ησ_x²k)) + s² e^(-2ησ_x²k)), where s is the
/// deviation of the start        [sec:nonstationarysgd]
normal sgd_ou_law(const linear_model& model, const descent& how, double steps);

/// The exact mean and deviation of ŵ after k steps. With a = ησ_x², φ = ŵ - w and the factors
/// m = 1 - a of the mean and q = m² + 2a²/B of the second moment of one step,
///     E φ_k = m^k φ_0,   Var φ_k = (q^k - m^2k) φ_0² + (η²σ_x²σ_ξ²/B) (1 - q^k)/(1 - q)
/// and with a start N(w0, s²), where φ_0 = w0 - w, the variance is larger by q^k s².
/// Finite at every step, or beyond double's range where q > 1 and k is large.
struct sgd_moments {
  double mean;
  double deviation;
};
sgd_moments exact_moments(const linear_model& model, const descent& how, double steps);

/// The deviation in the limit of many steps: infinite from ησ_x²(1 + 2/B) ≥ 2 on, where q ≥ 1.
double sgd_limit_deviation(const linear_model& model, const descent& how);

/// The normal law with the exact moments. Throws std::domain_error where they leave double's range.
normal sgd_moments_law(const linear_model& model, const descent& how, double steps);

/// SGD after a real number of steps k: mean and variance of ŵ, and their derivatives.
struct sgd_state {
  double mean;
  double variance;
  double square_error;  ///< E (ŵ - w)²
  double mean_slope;    ///< d/dk, and so on
  double variance_slope;
  double square_error_slope;
};
/// By the Ornstein–Uhlenbeck law, its limit, or with the exact moments, whose recursion is followed
/// between whole steps too. Throws std::domain_error for a bad problem or k ≤ 0, and, with exact
/// moments, from ησ_x² = 1 on: the mean then has no relaxation.
sgd_state relaxed_sgd(const linear_model& model, const descent& how, double steps, sgd_model which);

}  // namespace ktln2
