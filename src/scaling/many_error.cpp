#include "ktln2/scaling/many_error.hpp"

#include <algorithm>
#include <boost/math/quadrature/exp_sinh.hpp>
#include <cmath>

#include "core/constants.hpp"

namespace ktln2 {
namespace {

/// E 1/(x + δ) for x ~ χ²_M, as ∫ e^(-δt) (1+2t)^(-M/2) dt: nothing cancels in it.
double mean_inverse(double degrees, double delta) {
  thread_local boost::math::quadrature::exp_sinh<double> rule;
  return rule.integrate(
      [&](double t) { return std::exp(-delta * t - degrees / 2 * std::log1p(2 * t)); }, 1e-14);
}

/// The sum of 1/(x_i + δ) over the eigenvalues x_1 … x_N of a real Wishart matrix, in the mean.
/// With G(z) = Σ 1/(z - x_i), their density ∏|x_i - x_j| ∏ x_i^α e^(-x_i/2), α = (M-N-1)/2, gives
///     E G² - E G' + (2α/z - 1) E G + N/z = 0,
/// exact but for Var G = E G² - (E G)², whose limit for one interval [a, b] of eigenvalues is
/// known: (b-a)²/(8 (z-a)² (z-b)²). The orders of 1/N follow each from the one before.
estimated_error mean_resolvent(double few, double many, double delta) {
  const double twice_alpha = many - few - 1;
  const double z = -delta;
  const double sum = 2 * twice_alpha + 4 * few;             // a + b
  const double product = twice_alpha * twice_alpha;         // a b
  const double gap = 16 * (twice_alpha * few + few * few);  // (b - a)²
  const double square = (z - sum) * z + product;            // (z - a)(z - b) = Q²
  const double q = std::sqrt(square);
  const double q1 = (2 * z - sum) / (2 * q);  // its derivatives
  const double q2 = (1 - q1 * q1) / q;
  // 2 g_0 + 2α/z - 1 = -R, R = -Q/z
  const double r = -q / z;
  const double r1 = -(q1 - q / z) / z;
  const double r2 = -(q2 - 2 * (q1 - q / z) / z) / z;
  const double g0 = (1 - twice_alpha / z - r) / 2;
  const double s1 = (twice_alpha / (z * z) - r1) / 2;  // g_0'
  const double s2 = (-2 * twice_alpha / (z * z * z) - r2) / 2;
  const double g1 = -s1 / r;
  const double g1_slope = -(s2 - s1 * r1 / r) / r;
  const double variance = gap / (8 * square * square);
  const double g2 = -(g1_slope - g1 * g1 - variance) / r;
  return {-(g0 + g1 + g2), std::fabs(g2)};
}

}  // namespace

double least_squares_error(double n, double d) {
  return n > d + 1 ? (n - 1) / (n - d - 1) : infinity;
}

double least_norm_error(double n, double d, double snr) {
  if (n == 0) return 1 + snr;
  return n < d - 1 ? 1 + snr * (1 - n / d) + n / (d - n - 1) : infinity;
}

double fit_error(double n, double d, double snr) {
  return n < d ? least_norm_error(n, d, snr) : least_squares_error(n, d);
}

double fit_error_with_intercept(double n, double d, double snr) {
  return (1 + 1 / n) * fit_error(n - 1, d, snr);
}

estimated_error ridge_error(double n, double d, double snr) {
  if (n == 0 || snr == 0) return {1 + snr, 0};
  const double few = std::min(n, d);
  const double many = std::max(n, d);
  const double delta = d / snr;
  const double empty = (d - few) / delta;  // directions that no row has seen
  if (few == 1) return {1 + mean_inverse(many, delta) + empty, 0};
  const estimated_error seen = mean_resolvent(few, many, delta);
  return {1 + seen.value + empty, seen.off};
}

double ridge_excess_limit(double r, double snr) {
  // e² + (1 + S(r - 1)) e - S = 0, in the form that does not cancel
  const double middle = (1 + snr * (r - 1)) / 2;
  const double root = std::sqrt(middle * middle + snr);
  return middle > 0 ? snr / (middle + root) : root - middle;
}

}  // namespace ktln2
