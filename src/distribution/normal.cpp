#include "ktln2/distribution/normal.hpp"

#include <boost/math/special_functions/erf.hpp>

#include "core/constants.hpp"
#include "distribution/cell_average.hpp"

namespace ktln2 {

normal::normal(double mu, double sigma) : location_scale{mu, sigma} {
  require_finite("normal", "mu", mu);
  require_positive("normal", "sigma", sigma);
}

normal::normal(const wide_moments& moments, const law_origin& origin)
    : location_scale{moments.mean, moments.deviation} {
  require_finite("normal", "mu", location());
  require_positive("normal", "sigma", scale());
  set_origin(origin, moments.mean_error);
}

cell_mass standard_normal::upper(double z) const {
  const double probability = 0.5 * std::erfc(z * (std::numbers::sqrt2 / 2));
  if (z < 0) return {probability, std::log1p(-0.5 * std::erfc(-z * (std::numbers::sqrt2 / 2)))};
  if (z < 20) return {probability, std::log(probability)};
  // Q(z) = φ(z)/z · (1 - 1/z² + 3/z⁴ - …); at z = 20 the terms fall below 1e-19 within 12
  const double inverse = 1 / (z * z);
  double term = 1;
  double tail = 0;
  for (int k = 1; k <= 12; ++k) {
    term *= -(2 * k - 1) * inverse;
    tail += term;
  }
  return {probability, log_pdf(z) - std::log(z) + std::log1p(tail)};
}

double standard_normal::quantile(double q) const {
  if (q > 0.5) return -quantile(1 - q);  // exactly 1 - q
  if (q == 0) return -infinity;
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * q);
}

cell_mass standard_normal::cell(double z, double h) const {
  z = std::fabs(z);
  if (h <= 0.05 && z * h <= 0.1) return narrow_cell<4>(*this, z, h);
  if (h <= 0.5 && z * h <= 1) return narrow_cell<8>(*this, z, h);
  return wide_cell(z - h / 2, z + h / 2);
}

cell_mass standard_normal::between(double a, double b) const {
  const double h = b - a;
  const double z = std::fabs(a + h / 2);
  if (h <= 0.5 && z * h <= 1) return cell(z, h);
  return a + b < 0 ? wide_cell(-b, -a) : wide_cell(a, b);
}

/// For a + b ≥ 0.
cell_mass standard_normal::wide_cell(double a, double b) const {
  if (a >= 0) return tail_difference(upper(a), upper(b));
  const double inside =
      0.5 * (std::erf(b * (std::numbers::sqrt2 / 2)) + std::erf(-a * (std::numbers::sqrt2 / 2)));
  return central_cell(lower(a), upper(b), inside);
}

}  // namespace ktln2
