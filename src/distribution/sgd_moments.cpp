#include "distribution/sgd_moments.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "core/constants.hpp"
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

/// e^x - 1 for x ≤ 0.
wide wide_expm1(const wide& x) {
  if (x < wide(-100.0)) return -1.0;  // to 2^-144
  int halvings = 0;
  while (!x.is_zero() && x.exponent() - halvings > -7) ++halvings;
  const wide small = x.scaled(-halvings);
  wide sum = 0.0;
  for (int k = 14; k >= 1; --k) sum = small * (wide(1.0) + sum) / wide(k);  // 2^-90/15! < 2^-130
  for (; halvings > 0; --halvings) sum = sum * (wide(2.0) + sum);           // e^2x - 1
  return sum;
}

/// A power x and x - 1, each to a relative 2^-90: neither is lost where the other is near 1.
struct wide_power {
  wide value;
  wide excess;
};

wide_power operator*(const wide_power& x, const wide_power& y) {
  const wide excess = x.excess + y.excess * x.value;
  if (abs(excess) < wide(0.5)) return {wide(1.0) + excess, excess};
  const wide value = x.value * y.value;
  constexpr int far = 1 << 20;  // beyond every range
  return value.exponent() < -far ? wide_power{0.0, -1.0} : wide_power{value, excess};
}

/// (1 + d)^n for d ≥ -1 and a whole number n.
wide_power whole_power(const wide& d, double n) {
  wide_power result{1.0, 0.0};
  wide_power base{wide(1.0) + d, d};
  constexpr int far = 1 << 20;
  for (; n >= 1; n = std::floor(n / 2)) {
    if (base.value.exponent() > far) return base;
    if (std::fmod(n, 2) == 1) result = result * base;
    base = base * base;
  }
  return result;
}

wide wide_rate(const linear_model& model, const descent& how) {
  return wide(how.eta) * wide(model.sigma_x) * wide(model.sigma_x);
}

/// q - 1 = -a (2 - a (1 + 2/B))
double second_moment_excess(double a, double batch) { return -a * (2 - a * (1 + 2 / batch)); }

/// ln(q/m²) = -ln(1 - (2a²/B)/q)
double spread_rate(double a, double both) {
  const double m = 1 - a;
  return -std::log1p(-both / (m * m + both));
}

/// w0 + φ_0 excess, and w + φ_0 factor: the first does not round through w while the factor is
/// near 1.
wide moved(const linear_model& model, const descent& how, const wide& excess) {
  return wide(how.w0) + (wide(how.w0) - wide(model.w)) * excess;
}
wide relaxed(const linear_model& model, const descent& how, const wide& factor) {
  return wide(model.w) + (wide(how.w0) - wide(model.w)) * factor;
}

/// A bound on the rounding of either, where the factor is good to 2^-95 and `moves` ŵ this far.
wide mean_error(const linear_model& model, const descent& how, const wide& moves) {
  return abs((wide(how.w0) - wide(model.w)) * moves).scaled(-95) +
         (abs(wide(model.w)) + abs(wide(how.w0))).scaled(-101);
}

/// The rate from which on q ≥ 1 and the variance of the slope grows without end.
double diverging_rate(const linear_model& model, const descent& how) {
  return 2 / (1 + 2 / how.batch) / model.sigma_x / model.sigma_x;
}

/// Of moments that no double holds: most often since the steps are too long.
[[noreturn]] void refuse_moments(const linear_model& model, const descent& how, double steps,
                                 const sgd_moments& found) {
  const std::string after = "after " + std::to_string(static_cast<long long>(steps)) +
                            (steps == 1 ? " step" : " steps") + " the slope ";
  if (found.deviation == 0) {
    throw std::domain_error("sgd: " + after + "varies by less than double's range");
  }
  const std::string lost = after + "is beyond double's range";
  if (second_moment_excess(rate(model, how), how.batch) < 0) {
    throw std::domain_error("sgd: " + lost + " with w0 = " + shown(how.w0) +
                            " and w0_sigma = " + shown(how.w0_sigma));
  }
  throw std::domain_error("sgd: eta = " + shown(how.eta) + " diverges: " + lost +
                          "; it converges below " + shown_limit(diverging_rate(model, how)));
}

/// σ_ξ √(η/(2B))
wide limit_deviation(const linear_model& model, const descent& how) {
  return wide(model.sigma_xi) * sqrt(wide(how.eta) / wide(how.batch).scaled(1));
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

double variance_after(const sgd_rates& r, double start, double start_variance, double k) {
  if (k == 0) return start_variance;  // the spread of m = 0 is infinite
  // φ_0² (q^k - m^2k) = φ_0² q^k (1 - (m²/q)^k)
  const double share = -std::expm1(-k * r.spread);
  return (start * start * share + start_variance) * std::exp(k * r.square) +
         r.noise * geometric(r, k);
}

sgd_state state_after(const linear_model& model, const descent& how, const sgd_rates& r, double k,
                      sgd_model which) {
  if (which == sgd_model::stationary) {
    const double variance = r.noise / -r.excess;
    return {model.w, variance, variance, 0, 0, 0};
  }
  const double start = how.w0 - model.w;
  const double start_variance = how.w0_sigma * how.w0_sigma;
  const double decay = std::exp(k * r.mean);
  const double noise = r.noise * geometric(r, k);
  const double noise_slope = r.noise * geometric_slope(r, k);
  const double square = start * start * std::exp(k * r.square);
  const double spread_start = start_variance * std::exp(k * r.square);
  const double share = -std::expm1(-k * r.spread);
  return {moved_mean(model, how, k * r.mean, 1),
          variance_after(r, start, start_variance, k),
          square + spread_start + noise,
          start * decay * r.mean,
          square * (r.spread + 2 * r.mean * share) + spread_start * r.square + noise_slope,
          (square + spread_start) * r.square + noise_slope};
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
  return {{model.w, limit_deviation(model, how), 0.0},
          sgd_origin{model, how, 1, sgd_model::stationary}};
}

normal sgd_start_law(const descent& how) {
  require_finite("sgd", "w0", how.w0);
  require_positive("sgd", "w0_sigma", how.w0_sigma);
  return {how.w0, how.w0_sigma};
}

normal sgd_ou_law(const linear_model& model, const descent& how, double steps) {
  require_valid(model, how, steps);
  const wide exponent = -(wide_rate(model, how) * wide(steps));
  const wide excess = wide_expm1(exponent);
  const wide mean =
      excess > wide(-0.5) ? moved(model, how, excess) : relaxed(model, how, wide(1.0) + excess);
  const wide variance_excess = wide_expm1(exponent.scaled(1));
  const wide noise = limit_deviation(model, how) * sqrt(-variance_excess);
  const wide start = wide(how.w0_sigma) * sqrt(wide(1.0) + variance_excess);
  const wide deviation = start.is_zero() ? noise : sqrt(noise * noise + start * start);
  return {{mean, deviation, mean_error(model, how, excess)},
          sgd_origin{model, how, steps, sgd_model::ou}};
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
  const double spread_start =
      how.has_random_start() ? how.w0_sigma * std::exp(steps * r.square / 2) : 0;
  return {mean, std::hypot(std::hypot(start == 0 ? 0 : start * from_start, noise), spread_start)};
}

double sgd_limit_deviation(const linear_model& model, const descent& how) {
  require_valid(model, how);
  const double a = rate(model, how);
  if (second_moment_excess(a, how.batch) >= 0) return infinity;
  // a²/(1 - q) = a / (2 - a (1 + 2/B))
  return model.sigma_xi / model.sigma_x * std::sqrt(a / (2 - a * (1 + 2 / how.batch)) / how.batch);
}

/// As `exact_moments`, in more bits.
normal sgd_moments_law(const linear_model& model, const descent& how, double steps) {
  const sgd_moments rounded = exact_moments(model, how, steps);
  const bool is_within_range = std::isfinite(rounded.mean) && std::isfinite(rounded.deviation);
  if (!is_within_range || rounded.deviation == 0) refuse_moments(model, how, steps, rounded);
  const wide a = wide_rate(model, how);
  const wide spread = (a * a).scaled(1) / wide(how.batch);  // q - m²
  const wide excess = spread - a * (wide(2.0) - a);         // q - 1

  const bool flips = a > wide(1.0);
  const wide_power m = whole_power(flips ? a - wide(2.0) : -a, steps);  // |m|^k
  const bool is_odd = flips && std::fmod(steps, 2) == 1;
  const wide mean = !flips && m.excess > wide(-0.5)
                        ? moved(model, how, m.excess)
                        : relaxed(model, how, is_odd ? -m.value : m.value);

  const wide_power q = whole_power(excess, steps);
  const wide_power left = whole_power(-(spread / (wide(1.0) + excess)), steps);  // (m²/q)^k
  const wide start = wide(how.w0) - wide(model.w);
  const wide step = wide(how.eta) * wide(model.sigma_x) * wide(model.sigma_xi);
  const wide sum = excess.is_zero() ? wide(steps) : q.excess / excess;
  const wide spread_start = wide(how.w0_sigma) * wide(how.w0_sigma);
  const wide variance =
      step * step / wide(how.batch) * sum + (spread_start - start * start * left.excess) * q.value;
  return {{mean, sqrt(variance), mean_error(model, how, flips ? m.value : m.excess)},
          sgd_origin{model, how, steps, sgd_model::moments}};
}

}  // namespace ktln2
