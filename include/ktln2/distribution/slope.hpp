#pragma once

#include "ktln2/distribution/linear_model.hpp"
#include "ktln2/distribution/student_t.hpp"

namespace ktln2 {

/// The law of the slope ŵ that exact regression finds from n points: Student's t with n degrees of
/// freedom around w, with scale σ_ξ / (σ_x √n)        [lem:compute_f_z]
/// Throws std::domain_error unless n is a whole number ≥ 1 (at most 1e15), w is finite and the
/// deviations and the scale they make are finite and > 0.
student_t slope_law(const linear_model& model, double n);

}  // namespace ktln2
