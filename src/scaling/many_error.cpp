#include "ktln2/scaling/many_error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/constants.hpp"

namespace ktln2 {
namespace {

/// e^x E_p(x) = ∫ e^(-xt) (1+t)^-p dt by its continued fraction, whose terms after the k-th matter
/// less than e^(-4√(kx)) and than a binomial of k + p over p.
double scaled_exponential_integral(double p, double x) {
  double denominator = x + p;
  double d = 1 / denominator;
  double c = infinity;
  double value = d;
  for (double k = 1; k < 1000; ++k) {
    const double numerator = -k * (p + k - 1);
    denominator += 2;
    d = 1 / (denominator + numerator * d);
    c = denominator + numerator / c;
    value *= c * d;
    if (std::fabs(c * d - 1) < 0x1p-52) break;
  }
  return value;
}

/// E 1/(x + δ) for x ~ χ²_M, as ∫ e^(-δt) (1+2t)^(-M/2) dt: nothing cancels in it.
double mean_inverse(double degrees, double delta) {
  if (delta >= 2 || degrees >= 40) return scaled_exponential_integral(degrees / 2, delta / 2) / 2;
  // The trapezoidal rule in x, t = e^(x - e^-x): what it sums falls doubly exponentially to both
  // sides (Takahasi & Mori 1974), and at this step its error is below 1e-14.
  constexpr double step = 0.125;
  double sum = 0;
  for (double x = -4;; x += step) {
    const double shrinking = std::exp(-x);
    const double t = std::exp(x - shrinking);
    if (!(delta * t < 45)) break;
    sum += std::exp(-delta * t - degrees / 2 * std::log1p(2 * t)) * t * (1 + shrinking);
  }
  return sum * step;
}

/// The sum of 1/(x_i + δ) over the eigenvalues x_1 … x_N of a real Wishart matrix, in the mean.
/// With G(z) = Σ 1/(z - x_i), their density ∏|x_i - x_j| ∏ x_i^α e^(-x_i/2), α = (M-N-1)/2, gives
///     E G² - E G' + (2α/z - 1) E G + N/z = 0,
/// exact but for Var G = E G² - (E G)², whose limit for one interval [a, b] of eigenvalues is
/// known: (b-a)²/(8 (z-a)² (z-b)²). The orders of 1/N follow each from the one before. All is
/// written in δ = -z, with terms of one sign: the differences of large numbers are divided out.
estimated_error mean_resolvent(double few, double many, double delta) {
  const double twice_alpha = many - few - 1;
  const double past = delta + twice_alpha;
  const double spread = few * (twice_alpha + few);            // (b - a)²/16
  const double q = std::sqrt(past * past + 4 * few * delta);  // √((z - a)(z - b))
  // f_0 = -g_0 = (Q - δ - 2α)/(2δ) = 2N/D with D = Q + δ + 2α
  const double sum = past >= 0 ? q + past : 4 * few * delta / (q - past);
  const double sum1 = (q + past + 2 * few) / q;  // D' and, below, D''
  const double sum2 = -4 * spread / (q * q * q);
  const double f0 = 2 * few / sum;
  const double fall = f0 * sum1 / sum;                            // -f_0'
  const double bend = f0 * (2 * sum1 * sum1 / sum - sum2) / sum;  // f_0''
  // 2 g_0 + 2α/z - 1 = -R, R = Q/δ, and -R'/R²
  const double slow = delta / q;  // 1/R
  const double slower = (delta * (twice_alpha + 2 * few) + twice_alpha * twice_alpha) / (q * q * q);
  const double g1 = fall * slow;
  const double g1_slope = bend * slow - fall * slower;
  const double variance = 2 * spread / (q * q * q * q);
  const double g2 = -(g1_slope - g1 * g1 - variance) * slow;
  return {f0 - g1 - g2, std::fabs(g2)};
}

/// The same where the matrix is square or almost so. Small eigenvalues then matter, which the
/// orders of 1/N do not see. By Schur's complement the sum is N E 1/(y + δ(1 + v)), y ~ χ²_(M-N+1),
/// and the mean of v ≥ 0 is the sum for N - 1: as 1/x is convex, the truth is between
///     N E 1/(y + δ(1 + E v))   and   N E 1/(y + δ),
/// for the first with no less than E v.
estimated_error nearly_square_resolvent(double few, double many, double delta) {
  const double rest = many - few + 1;
  const double most = few * mean_inverse(rest, delta);
  const double most_of_v = (few - 1) * mean_inverse(rest + 1, delta);
  const double least = std::min(most, few * mean_inverse(rest, delta * (1 + most_of_v)));
  const estimated_error smooth = mean_resolvent(few, many, delta);
  return {std::max(least, std::min(most, smooth.value)), std::min(most - least, smooth.off)};
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
  const bool is_nearly_square = many - few < 2;
  const estimated_error seen = is_nearly_square ? nearly_square_resolvent(few, many, delta)
                                                : mean_resolvent(few, many, delta);
  return {1 + seen.value + empty, seen.off};
}

double ridge_excess_limit(double r, double snr) {
  // e² + (1 + S(r - 1)) e - S = 0, in the form that does not cancel
  const double middle = (1 + snr * (r - 1)) / 2;
  const double root = std::sqrt(middle * middle + snr);
  return middle > 0 ? snr / (middle + root) : root - middle;
}

double rounding_noise(int p) { return std::ldexp(1.0, -2 * p) / (8 * std::numbers::ln2); }

}  // namespace ktln2
