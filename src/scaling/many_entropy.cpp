#include "ktln2/scaling/many_entropy.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>

#include "core/constants.hpp"
#include "ktln2/entropy/approximations.hpp"

namespace ktln2 {
namespace {

// Differences of these cancel for many rows: in long double they have digits to spare.
long double log_gamma(double x) { return boost::math::lgamma(static_cast<long double>(x)); }
long double psi(double x) { return boost::math::digamma(static_cast<long double>(x)); }

constexpr long double ln_pi = 1.144729885849400174143427351353058712L;
constexpr long double ln_2 = 0.693147180559945309417232121458176568L;

double in_bits(long double nats) { return static_cast<double>(nats / ln_2); }

/// ln of the area of the unit sphere in d dimensions
long double log_sphere(double d) { return ln_2 + d / 2 * ln_pi - log_gamma(d / 2); }

/// h(ŵ) in nats
long double fit_nats(double n, double d) {
  const double a = (n - d + 1) / 2;
  const double b = (n + 1) / 2;
  return log_gamma(a) - log_gamma(b) + d / 2 * ln_pi + b * (psi(b) - psi(a));
}

/// ½E ln(1 + T), by which the intercept is wider for the errors of the slopes; T = χ²_d/χ²_(n-d)
long double intercept_widening(double n, double d) { return (psi(n / 2) - psi((n - d) / 2)) / 2; }

/// h(ln R) in nats, for R² = χ²_few/χ²_rest
long double log_radius_nats(double few, double rest) {
  const double a = few / 2;
  const double b = rest / 2;
  const long double beta = log_gamma(a) + log_gamma(b) - log_gamma(a + b);
  const long double of_square = beta - a * (psi(a) - psi(b)) + (a + b) * (psi(a + b) - psi(b));
  return of_square - ln_2;
}

}  // namespace

bits smooth_row_entropy(int x_precision, int y_precision, double d, double snr) {
  return d * smooth_entropy_zero_mean(x_precision) + smooth_entropy_zero_mean(y_precision) -
         bits{std::log1p(snr) / 2 * bits_per_nat};
}

bits smooth_inference_cost(int x_precision, int y_precision, double d) {
  return d * smooth_entropy_zero_mean(x_precision) - smooth_entropy_zero_mean(y_precision);
}

differential_bits fit_differential_entropy(double n, double d) {
  return differential_bits{in_bits(fit_nats(n, d))};
}

double fit_entropy_slope(double n, double d) {
  return (n + 1) / 4 *
         (boost::math::trigamma((n + 1) / 2) - boost::math::trigamma((n - d + 1) / 2));
}

differential_bits fit_differential_entropy_with_intercept(double n, double d) {
  const long double known = (ln_2 + ln_pi + 1 - std::log(static_cast<long double>(n))) / 2;
  return differential_bits{in_bits(fit_nats(n - 1, d) + known + intercept_widening(n, d))};
}

bits smooth_fit_entropy(int p, double n, double d, double signal) {
  const double dof = n - d + 1;
  const double log_width = mean_log_magnitude(student_t{dof, signal, 1 / std::sqrt(dof)});
  return bits{fit_differential_entropy(n, d).value() + d * ((p - 1) - log_width)};
}

bits smooth_fit_entropy_with_intercept(int p, double n, double d, double signal) {
  // b̂ given the slopes is normal, so that h(b̂ | ŵ) and E ln|b̂| have the rows and the widening in
  // common: the intercept's register holds what any normal number of mean 0 does.
  return smooth_fit_entropy(p, n - 1, d, signal) + smooth_entropy_zero_mean(p);
}

differential_bits spherical_differential_entropy(double n, double d) {
  const double few = std::min(n, d);
  const double rest = std::fabs(n - d) + 1;
  const long double log_radius = (psi(few / 2) - psi(rest / 2)) / 2;
  return differential_bits{in_bits(log_sphere(d) + d * log_radius + log_radius_nats(few, rest))};
}

bits smooth_spherical_entropy(int p, double n, double d) {
  const long double of_direction = log_sphere(d) - d / 2 * (psi(0.5) - psi(d / 2));
  const long double radius = log_radius_nats(std::min(n, d), std::fabs(n - d) + 1);
  return bits{d * (p - 0.5) + in_bits(of_direction + radius)};
}

differential_bits one_row_differential_entropy(double d, double snr) {
  // ŵ = (x/|x|) ρ with ρ = y/|x|, twice each: h(ρ | x/|x|) is that of ξ/|x|.
  const long double log_rho = (std::log1p(snr) + psi(0.5) - psi(d / 2)) / 2;
  return differential_bits{in_bits(log_sphere(d) - ln_2 + fit_nats(d, 1) + (d - 1) * log_rho)};
}

bits smooth_one_row_entropy(int p, double d, double snr) {
  // E ln|ŵ_j| = E ln|x_j| + E ln|y| - 2 E ln|x|
  const long double log_size = psi(0.5) - psi(d / 2) + std::log1p(snr) / 2;
  return bits{one_row_differential_entropy(d, snr).value() + d * (p - 0.5) - d * in_bits(log_size)};
}

double erased_per_learned(int p, double d, double snr) {
  return smooth_row_entropy(p, p, d, snr).value() / (std::log1p(snr) / 2 * bits_per_nat);
}

}  // namespace ktln2
