#include <cmath>

#include "ktln2/core/quadrature.hpp"
#include "ktln2/distribution/coefficients.hpp"

namespace ktln2 {
namespace {

/// From here on the series below are exact to rounding.
constexpr double far = 32;

/// ln Γ(x + ½) - ln Γ(x)
double half_step(double x) {
  double before = 0;
  for (; x < far; ++x) before -= std::log1p(0.5 / x);
  const double r = 1 / (x * x);
  const double series =
      -1.0 / 8 + r * (1.0 / 192 - r * (1.0 / 640 - r * (17.0 / 14336 - r * 31.0 / 18432)));
  return before + std::log(x) / 2 + series / x;
}

/// Its derivative, ψ(x + ½) - ψ(x).
double digamma_half_step(double x) {
  double before = 0;
  for (; x < far; ++x) before += 0.5 / (x * (x + 0.5));
  const double r = 1 / (x * x);
  const double series =
      1.0 / 8 - r * (1.0 / 64 - r * (1.0 / 128 - r * (17.0 / 2048 - r * 31.0 / 2048)));
  return before + 0.5 / x + series * r;
}

/// Whole steps one by one, then perhaps a half.
template <class Whole, class Half>
double risen(double x, double steps, Whole whole, Half half) {
  compensated_sum sum;
  for (; steps >= 2; steps -= 2, ++x) sum.add(whole(x));
  if (steps == 1) sum.add(half(x));
  return sum.value();
}

}  // namespace

double log_gamma_rise(double x, double steps) {
  return risen(
      x, steps, [](double y) { return std::log(y); }, half_step);
}

double digamma_rise(double x, double steps) {
  return risen(
      x, steps, [](double y) { return 1 / y; }, digamma_half_step);
}

}  // namespace ktln2
