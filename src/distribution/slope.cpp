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
  const wide scale = wide(model.sigma_xi) / (wide(model.sigma_x) * sqrt(wide(n)));
  require_positive("slope", "scale sigma_xi/(sigma_x sqrt(n))", scale.to_double());
  return {n, model.w, scale, slope_origin{model, n}};
}

}  // namespace ktln2
