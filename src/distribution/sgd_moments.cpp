#include "distribution/sgd_moments.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

/// a = ησ_x², the share of its distance from w that ŵ loses in a step, on average.
double rate(const linear_model& model, const descent& how) {
  return how.eta * model.sigma_x * model.sigma_x;
}

/// w + φ_0 e^x, without rounding through w while e^x is near 1.
double moved_mean(const linear_model& model, const descent& how, double log_factor, double sign) {
  const double start = how.w0 - model.w;
  if (sign > 0 && log_factor > -0.5) return how.w0 + start * std::expm1(log_factor);
  return model.w + sign * start * std::exp(log_factor);
}

/// q - 1 = -a (2 - a (1 + 2/B))
double second_moment_excess(double a, double batch) { return -a * (2 - a * (1 + 2 / batch)); }

/// ln(q/m²) = -ln(1 - (2a²/B)/q)
double spread_rate(double a, double both) {
  const double m = 1 - a;
  return -std::log1p(-both / (m * m + both));
}

}  // namespace

sgd_rates rates_of(const linear_model& model, const descent& how, sgd_model which) {
  const double a = rate(model, how);
  const double limit = how.eta * model.sigma_xi * model.sigma_xi / (2 * how.batch);
  if (which == sgd_model::ou || which == sgd_model::stationary) {
    return {-a, -2 * a, -2 * a, 2 * a * limit, 0};
  }
  const double excess = second_moment_excess(a, how.batch);
  return {a < 1 ? std::log1p(-a) : std::log(a - 1), std::log1p(excess), excess, 2 * a * limit,
          spread_rate(a, 2 * a / how.batch * a)};
}

double second_moment_factor(double eta, double batch) {
  return (1 - eta) * (1 - eta) + 2 * eta * eta / batch;
}

sgd_rates rates_with_factor(double eta, double batch, double factor) {
  return {std::log1p(-eta), std::log(factor), factor - 1, eta * eta / batch,
          spread_rate(eta, 2 * eta * eta / batch)};
}

double geometric(const sgd_rates& r, double k) {
  return r.excess == 0 ? k : std::expm1(k * r.square) / r.excess;
}
double geometric_slope(const sgd_rates& r, double k) {
  return r.excess == 0 ? 1 : r.square / r.excess * std::exp(k * r.square);
}

double variance_after(const sgd_rates& r, double start, double k) {
  // φ_0² (q^k - m^2k) = φ_0² q^k (1 - (m²/q)^k)
  const double share = -std::expm1(-k * r.spread);
  return start * start * std::exp(k * r.square) * share + r.noise * geometric(r, k);
}

sgd_state state_after(const linear_model& model, const descent& how, const sgd_rates& r, double k,
                      sgd_model which) {
  if (which == sgd_model::stationary) {
    const double variance = r.noise / -r.excess;
    return {model.w, variance, variance, 0, 0, 0};
  }
  const double start = how.w0 - model.w;
  const double decay = std::exp(k * r.mean);
  const double noise = r.noise * geometric(r, k);
  const double noise_slope = r.noise * geometric_slope(r, k);
  const double square = start * start * std::exp(k * r.square);
  const double share = -std::expm1(-k * r.spread);
  return {moved_mean(model, how, k * r.mean, 1),
          variance_after(r, start, k),
          square + noise,
          start * decay * r.mean,
          square * (r.spread + 2 * r.mean * share) + noise_slope,
          square * r.square + noise_slope};
}

void require_relaxed(const linear_model& model, const descent& how, sgd_model which) {
  require_valid(model, how);
  const bool is_exact = which == sgd_model::moments || which == sgd_model::exact;
  if (is_exact && rate(model, how) >= 1) {
    throw std::domain_error(
        "scaling: with the exact moments of SGD eta sigma_x^2 must be below 1, got " +
        shown(rate(model, how)));
  }
}

sgd_state relaxed_sgd(const linear_model& model, const descent& how, double steps,
                      sgd_model which) {
  require_relaxed(model, how, which);
  require_positive("scaling", "steps", steps);
  return state_after(model, how, rates_of(model, how, which), steps, which);
}

normal sgd_stationary_law(const linear_model& model, const descent& how) {
  require_valid(model, how);
  return {model.w, model.sigma_xi * std::sqrt(how.eta / (2 * how.batch))};
}

normal sgd_ou_law(const linear_model& model, const descent& how, double steps) {
  require_valid(model, how, steps);
  const double limit = sgd_stationary_law(model, how).scale();
  const sgd_rates r = rates_of(model, how, sgd_model::ou);
  return {moved_mean(model, how, steps * r.mean, 1),
          limit * std::sqrt(-std::expm1(steps * r.square))};
}

sgd_moments exact_moments(const linear_model& model, const descent& how, double steps) {
  require_valid(model, how, steps);
  const double a = rate(model, how);
  const sgd_rates r = rates_of(model, how, sgd_model::moments);
  const bool odd_flip = a > 1 && std::fmod(steps, 2) == 1;
  const double mean = moved_mean(model, how, steps * r.mean, odd_flip ? -1 : 1);
  // The terms of `variance_after`, each as a deviation: their squares may leave double's range.
  const double from_start =
      std::exp(steps * r.square / 2) * std::sqrt(-std::expm1(-steps * r.spread));
  const double noise =
      model.sigma_xi / model.sigma_x * a * std::sqrt(geometric(r, steps) / how.batch);
  const double start = how.w0 - model.w;
  return {mean, std::hypot(start == 0 ? 0 : start * from_start, noise)};
}

double sgd_limit_deviation(const linear_model& model, const descent& how) {
  require_valid(model, how);
  const double a = rate(model, how);
  if (second_moment_excess(a, how.batch) >= 0) return std::numeric_limits<double>::infinity();
  // a²/(1 - q) = a / (2 - a (1 + 2/B))
  return model.sigma_xi / model.sigma_x * std::sqrt(a / (2 - a * (1 + 2 / how.batch)) / how.batch);
}

normal sgd_moments_law(const linear_model& model, const descent& how, double steps) {
  const sgd_moments exact = exact_moments(model, how, steps);
  require_finite("sgd", "mean", exact.mean);
  require_positive("sgd", "deviation", exact.deviation);
  return {exact.mean, exact.deviation};
}

}  // namespace ktln2
