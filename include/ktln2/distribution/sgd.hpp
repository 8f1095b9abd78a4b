#pragma once

#include <string_view>

#include "ktln2/distribution/normal.hpp"

namespace ktln2 {

/// The slope ŵ of y = w x + ξ [eq:initial_dist] after `steps` steps of stochastic gradient descent
/// from ŵ = w0, each on a fresh batch [eq:SGD_update].
struct sgd_problem {
  double eta = 0.01;
  double batch = 10;
  double steps = 100;
  double w0 = 1;
  double w = 2;
  double sigma_x = 1;
  double sigma_xi = 1;
};

/// Throws std::domain_error unless eta and the deviations are finite and > 0, w0, w and w0 - w
/// finite, batch and steps whole numbers from 1 to 1e15, and ησ_x² and σ_ξ/σ_x within double's
/// range. After no step at all the law is a point: its entropy is 0 and it has no density.
void require_valid(const sgd_problem& problem);

/// Which law stands for ŵ.
enum class sgd_model {
  ou,          ///< the Ornstein–Uhlenbeck process at that time [sec:nonstationarysgd]
  stationary,  ///< its limit [eq:SGD_final_dist]
  moments,     ///< normal, with the exact mean and variance
  exact,       ///< the law itself
};

/// "ou", "stationary", "moments" or "exact"; throws std::domain_error that lists them otherwise.
sgd_model parse_sgd_model(std::string_view name);

/// N(w, ησ_ξ²/(2B))        [eq:SGD_final_dist]
normal sgd_stationary_law(const sgd_problem& problem);

/// N(w + (w0-w) e^(-ησ_x²k), ησ_ξ²/(2B) (1 - e^(-2ησ_x²k)))        [sec:nonstationarysgd]
normal sgd_ou_law(const sgd_problem& problem);

/// The exact mean and deviation of ŵ after k steps. With a = ησ_x², φ = ŵ - w and the factors
/// m = 1 - a of the mean and q = m² + 2a²/B of the second moment of one step,
///     E φ_k = m^k φ_0,   Var φ_k = (q^k - m^2k) φ_0² + (η²σ_x²σ_ξ²/B) (1 - q^k)/(1 - q)
/// Finite at every step, or beyond double's range where q > 1 and k is large.
struct sgd_moments {
  double mean;
  double deviation;
};
sgd_moments exact_moments(const sgd_problem& problem);

/// The deviation in the limit of many steps: infinite from ησ_x²(1 + 2/B) ≥ 2 on, where q ≥ 1.
double sgd_limit_deviation(const sgd_problem& problem);

/// The normal law with the exact moments. Throws std::domain_error where they leave double's range.
normal sgd_moments_law(const sgd_problem& problem);

}  // namespace ktln2
