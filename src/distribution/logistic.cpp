#include "ktln2/distribution/logistic.hpp"

namespace ktln2 {

logistic::logistic(double loc, double scale) : location_scale{loc, scale} {
  require_finite("logistic", "loc", loc);
  require_positive("logistic", "scale", scale);
}

cell_mass standard_logistic::upper(double z) const {
  const double decay = std::exp(-std::fabs(z));
  if (z >= 0) return {decay / (1 + decay), -z - std::log1p(decay)};
  return {1 / (1 + decay), -std::log1p(decay)};
}

cell_mass standard_logistic::cell(double z, double h) const {
  z = std::fabs(z);
  return from_edges(z - h / 2, z + h / 2, h);
}

cell_mass standard_logistic::between(double a, double b) const {
  return a + b < 0 ? from_edges(-b, -a, b - a) : from_edges(a, b, b - a);
}

/// For a + b ≥ 0 and b - a = h:
///     P = 1/(1 + e^-b) - 1/(1 + e^-a) = (1 - e^-h) · P(Z > a) · P(Z < b)
cell_mass standard_logistic::from_edges(double a, double b, double h) const {
  const cell_mass above = upper(a);
  const cell_mass below = lower(b);
  const double share = -std::expm1(-h);
  const double probability = share * above.probability * below.probability;
  if (probability > 0.5) {
    const double outside = lower(a).probability + upper(b).probability;
    return {1 - outside, std::log1p(-outside)};
  }
  return {probability, std::log(share) + above.log_probability + below.log_probability};
}

double standard_logistic::log_ratio(double z, double t) const {
  // ln f = -2 ln cosh(z/2) + const;  cosh((z+t)/2)/cosh(z/2) = cosh(t/2) + tanh(z/2) sinh(t/2)
  const double half = std::sinh(t / 4);
  return -2 * std::log1p(2 * half * half + std::tanh(z / 2) * std::sinh(t / 2));
}

}  // namespace ktln2
