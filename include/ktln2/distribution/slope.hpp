#pragma once

#include "ktln2/distribution/student_t.hpp"

namespace ktln2 {

/// The regression problem of the paper: y = w x + ξ on n points [eq:initial_dist].
struct regression {
  double n = 10;
  double w = 1;
  double sigma_x = 1;
  double sigma_xi = 1;
};

/// The law of the slope ŵ found by exact regression: Student's t with n degrees of freedom around
/// w, with scale σ_ξ / (σ_x √n)        [lem:compute_f_z]
/// Throws std::domain_error unless n is a whole number ≥ 1 (at most 1e15), w is finite and the
/// deviations and the scale they make are finite and > 0.
student_t slope_law(const regression& problem);

}  // namespace ktln2
