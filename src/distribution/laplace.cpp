#include "ktln2/distribution/laplace.hpp"

namespace ktln2 {

laplace::laplace(double loc, double scale) : location_scale{loc, scale} {
  require_finite("laplace", "loc", loc);
  require_positive("laplace", "scale", scale);
}

cell_mass standard_laplace::upper(double z) const {
  if (z >= 0) return {0.5 * std::exp(-z), log_pdf(z)};
  const double below = 0.5 * std::exp(z);
  return {1 - below, std::log1p(-below)};
}

cell_mass standard_laplace::cell(double z, double h) const {
  z = std::fabs(z);
  return from_edges(z - h / 2, z + h / 2, h);
}

cell_mass standard_laplace::between(double a, double b) const {
  return a + b < 0 ? from_edges(-b, -a, b - a) : from_edges(a, b, b - a);
}

/// For a + b ≥ 0 and b - a = h.
cell_mass standard_laplace::from_edges(double a, double b, double h) const {
  if (a >= 0) {
    const double share = -std::expm1(-h);
    return {0.5 * std::exp(-a) * share, log_pdf(a) + std::log(share)};
  }
  const double outside = 0.5 * (std::exp(a) + std::exp(-b));
  if (outside < 0.5) return {1 - outside, std::log1p(-outside)};
  const double inside = -0.5 * (std::expm1(a) + std::expm1(-b));
  return {inside, std::log(inside)};
}

}  // namespace ktln2
