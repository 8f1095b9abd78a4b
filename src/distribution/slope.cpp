#include "ktln2/distribution/slope.hpp"

#include <cmath>
#include <stdexcept>

namespace ktln2 {

student_t slope_law(const linear_model& model, double n) {
  if (!(n >= 1 && n <= 1e15 && n == std::floor(n))) {
    throw std::domain_error("slope: n must be a whole number from 1 to 1e15, got " + shown(n));
  }
  require_finite("slope", "w", model.w);
  require_positive("slope", "sigma_x", model.sigma_x);
  require_positive("slope", "sigma_xi", model.sigma_xi);
  // The quotient first: σ_x √n may overflow where the scale does not.
  const double scale = model.sigma_xi / model.sigma_x / std::sqrt(n);
  require_positive("slope", "scale sigma_xi/(sigma_x sqrt(n))", scale);
  return {n, model.w, scale};
}

}  // namespace ktln2
