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

// Differences of logarithms of Γ, and of ψ, cancel for many rows: these have digits to spare.
using real = long double;

real log_gamma(real x) { return boost::math::lgamma(x); }
real psi(real x) { return boost::math::digamma(x); }

constexpr real ln_pi = 1.144729885849400174143427351353058712L;
constexpr real ln_2 = 0.693147180559945309417232121458176568L;

double in_bits(real nats) { return static_cast<double>(nats / ln_2); }

/// ln of the area of the unit sphere in d dimensions
real log_sphere(real d) { return ln_2 + d / 2 * ln_pi - log_gamma(d / 2); }

/// h(ŵ) in nats
real fit_nats(real n, real d) {
  const real a = (n - d + 1) / 2;
  const real b = (n + 1) / 2;
  return log_gamma(a) - log_gamma(b) + d / 2 * ln_pi + b * (psi(b) - psi(a));
}

/// ½E ln(1 + T), by which the intercept is wider for the errors of the slopes; T = χ²_d/χ²_(n-d)
real intercept_widening(real n, real d) { return (psi(n / 2) - psi((n - d) / 2)) / 2; }

/// R² = χ²_few/χ²_rest
struct radius_law {
  real few;
  real rest;

  /// h(ln R) in nats
  [[nodiscard]] real log_nats() const {
    const real a = few / 2;
    const real b = rest / 2;
    const real beta = log_gamma(a) + log_gamma(b) - log_gamma(a + b);
    return beta - a * (psi(a) - psi(b)) + (a + b) * (psi(a + b) - psi(b)) - ln_2;
  }
  [[nodiscard]] real mean_log() const { return (psi(few / 2) - psi(rest / 2)) / 2; }
};

radius_law radius_of(real n, real d) { return {std::min(n, d), std::fabs(n - d) + 1}; }

constexpr real half = 0.5L;

}  // namespace

bits smooth_row_entropy(int x_precision, int y_precision, double d, double snr) {
  return d * smooth_entropy_zero_mean(x_precision) + smooth_entropy_zero_mean(y_precision) -
         bits{std::log1p(snr) / 2 * bits_per_nat};
}

bits smooth_inference_cost(int x_precision, int y_precision, double d) {
  return d * smooth_entropy_zero_mean(x_precision) - smooth_entropy_zero_mean(y_precision);
}

differential_bits fit_differential_entropy(double n, double d) {
  return differential_bits{in_bits(fit_nats(real(n), real(d)))};
}

double fit_entropy_slope(double n, double d) {
  return (n + 1) / 4 *
         (boost::math::trigamma((n + 1) / 2) - boost::math::trigamma((n - d + 1) / 2));
}

differential_bits fit_differential_entropy_with_intercept(double n, double d) {
  const real rows = real(n);
  const real known = (ln_2 + ln_pi + 1 - std::log(rows)) / 2;
  return differential_bits{
      in_bits(fit_nats(rows - 1, real(d)) + known + intercept_widening(rows, real(d)))};
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
  const radius_law radius = radius_of(real(n), real(d));
  return differential_bits{
      in_bits(log_sphere(real(d)) + real(d) * radius.mean_log() + radius.log_nats())};
}

bits smooth_spherical_entropy(int p, double n, double d) {
  const real size = real(d);
  const real of_direction = log_sphere(size) - size / 2 * (psi(half) - psi(size / 2));
  return bits{d * (p - 0.5) + in_bits(of_direction + radius_of(real(n), size).log_nats())};
}

differential_bits one_row_differential_entropy(double d, double snr) {
  // ŵ = (x/|x|) ρ with ρ = y/|x|, twice each: h(ρ | x/|x|) is that of ξ/|x|.
  const real size = real(d);
  const real log_rho = (std::log1p(real(snr)) + psi(half) - psi(size / 2)) / 2;
  return differential_bits{
      in_bits(log_sphere(size) - ln_2 + fit_nats(size, 1) + (size - 1) * log_rho)};
}

bits smooth_one_row_entropy(int p, double d, double snr) {
  // E ln|ŵ_j| = E ln|x_j| + E ln|y| - 2 E ln|x|
  const real log_size = psi(half) - psi(real(d) / 2) + std::log1p(real(snr)) / 2;
  return bits{one_row_differential_entropy(d, snr).value() + d * (p - 0.5) - d * in_bits(log_size)};
}

double erased_per_learned(int p, double d, double snr) {
  return smooth_row_entropy(p, p, d, snr).value() / (std::log1p(snr) / 2 * bits_per_nat);
}

}  // namespace ktln2
