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

// Differences of ln Γ, and of ψ, cancel for many rows. So both are what Stirling's formula has,
// whose logarithms are taken together by hand, and a small rest.

constexpr double ln_2 = std::numbers::ln2;
constexpr double ln_pi = 1.1447298858494002;
/// From there on the rests are their asymptotic series, whose next term is below 1e-19.
constexpr double far = 16;

/// ln Γ(x) = (x - ½) ln x - x + ½ ln 2π + gamma_rest(x)
double gamma_rest(double x) {
  if (x < far) {
    return boost::math::lgamma(x) - ((x - 0.5) * std::log(x) - x + (ln_2 + ln_pi) / 2);
  }
  const double y = 1 / (x * x);
  const double far_terms = 1.0 / 1188 - y * (691.0 / 360360 - y / 156);
  return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y * far_terms)))) / x;
}

/// ψ(x) = ln x - psi_rest(x)
double psi_rest(double x) {
  if (x < far) return std::log(x) - boost::math::digamma(x);
  const double y = 1 / (x * x);
  const double far_terms = 1.0 / 240 - y * (1.0 / 132 - y * (691.0 / 32760 - y / 12));
  return 1 / (2 * x) + y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * far_terms)));
}

/// ψ(x) - ψ(y)
double psi_between(double y, double x) { return std::log(x / y) + psi_rest(y) - psi_rest(x); }

double in_bits(double nats) { return nats * bits_per_nat; }

/// ln of the area of the unit sphere in d dimensions
double log_sphere(double d) { return ln_2 + d / 2 * ln_pi - boost::math::lgamma(d / 2); }

/// h(ŵ) in nats: with a = (n - d + 1)/2 and b = (n + 1)/2
///     ln Γ(a) - ln Γ(b) + d/2 ln π + b (ψ(b) - ψ(a))
double fit_nats(double n, double d) {
  const double a = (n - d + 1) / 2;
  const double b = (n + 1) / 2;
  return (std::log(b / a) + d * (1 + ln_pi - std::log(a))) / 2 + gamma_rest(a) - gamma_rest(b) +
         b * (psi_rest(a) - psi_rest(b));
}

/// ½E ln(1 + T), by which the intercept is wider for the errors of the slopes; T = χ²_d/χ²_(n-d)
double intercept_widening(double n, double d) { return psi_between((n - d) / 2, n / 2) / 2; }

/// R² = χ²_few/χ²_rest
struct radius_law {
  double few;
  double rest;

  /// h(ln R) in nats: with a = few/2, b = rest/2 and c = a + b
  ///     ln B(a, b) - a (ψ(a) - ψ(b)) + c (ψ(c) - ψ(b)) - ln 2
  [[nodiscard]] double log_nats() const {
    const double a = few / 2;
    const double b = rest / 2;
    const double c = a + b;
    return (std::log(c / a / b) + ln_pi - ln_2) / 2 + gamma_rest(a) + gamma_rest(b) -
           gamma_rest(c) + a * (psi_rest(a) - psi_rest(b)) + c * (psi_rest(b) - psi_rest(c));
  }
  [[nodiscard]] double mean_log() const { return psi_between(rest / 2, few / 2) / 2; }
};

radius_law radius_of(double n, double d) { return {std::min(n, d), std::fabs(n - d) + 1}; }

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
  const double known = (ln_2 + ln_pi + 1 - std::log(n)) / 2;
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
  const radius_law radius = radius_of(n, d);
  return differential_bits{in_bits(log_sphere(d) + d * radius.mean_log() + radius.log_nats())};
}

bits smooth_spherical_entropy(int p, double n, double d) {
  const double of_direction = log_sphere(d) + d / 2 * psi_between(0.5, d / 2);
  return bits{d * (p - 0.5) + in_bits(of_direction + radius_of(n, d).log_nats())};
}

differential_bits one_row_differential_entropy(double d, double snr) {
  // ŵ = (x/|x|) ρ with ρ = y/|x|, twice each: h(ρ | x/|x|) is that of ξ/|x|.
  const double log_rho = (std::log1p(snr) - psi_between(0.5, d / 2)) / 2;
  return differential_bits{in_bits(log_sphere(d) - ln_2 + fit_nats(d, 1) + (d - 1) * log_rho)};
}

bits smooth_one_row_entropy(int p, double d, double snr) {
  // E ln|ŵ_j| = E ln|x_j| + E ln|y| - 2 E ln|x|
  const double log_size = std::log1p(snr) / 2 - psi_between(0.5, d / 2);
  return bits{one_row_differential_entropy(d, snr).value() + d * (p - 0.5) - d * in_bits(log_size)};
}

double erased_per_learned(int p, double d, double snr) {
  return smooth_row_entropy(p, p, d, snr).value() / (std::log1p(snr) / 2 * bits_per_nat);
}

}  // namespace ktln2
