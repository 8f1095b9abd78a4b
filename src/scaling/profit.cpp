#include "ktln2/scaling/profit.hpp"

#include <algorithm>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "ktln2/core/check.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint_approximations.hpp"

namespace ktln2 {
namespace {

constexpr double bits_per_nat = 1 / std::numbers::ln2;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// From here on the series in 1/n below is good to the last digit.
constexpr double series_from = 32;

/// h(Z) of [lem:diff_ent_Ex] for σ_ξ = σ_x, in nats, and its derivative with respect to n:
/// (n+1)/4 (ψ'((n+1)/2) - ψ'(n/2)). The difference cancels for large n; its series does not.
double slope_entropy(double n) {
  const double log_2pi_e = std::log(2 * std::numbers::pi) + 1;
  const double leading = (log_2pi_e - std::log(n)) / 2;
  if (n < series_from) {
    return (differential_entropy(student_t{n, 0, 1 / std::sqrt(n)}).value()) * std::numbers::ln2;
  }
  const double t = 1 / n;
  double sum = 155.0 / 20;
  for (const double c :
       {155.0 / 18, -17.0 / 16, -17.0 / 14, 1.0 / 4, 3.0 / 10, -1.0 / 8, -1.0 / 6, 1.0 / 4, 1.0}) {
    sum = sum * t + c;
  }
  return leading + sum * t;
}

double slope_entropy_slope(double n) {
  if (n < series_from) {
    return (n + 1) / 4 * (boost::math::trigamma((n + 1) / 2) - boost::math::trigamma(n / 2));
  }
  const double t = 1 / n;
  const double s = t * t;
  const double sum = ((((-155 * s + 17) * s - 3) * s + 1) * s - 1) * t - 1;  // times 1/n²
  return (n + 1) / 2 * s * sum;
}

double rate(const sgd_problem& problem) { return problem.eta * problem.sigma_x * problem.sigma_x; }

sgd_rates rates_of(const sgd_problem& problem, sgd_model model) {
  const double a = rate(problem);
  const double limit = problem.eta * problem.sigma_xi * problem.sigma_xi / (2 * problem.batch);
  if (model == sgd_model::ou || model == sgd_model::stationary) {
    return {-a, -2 * a, -2 * a, 2 * a * limit, 0};
  }
  const double m = 1 - a;
  const double both = 2 * a / problem.batch * a;
  const double excess = -a * (2 - a * (1 + 2 / problem.batch));
  return {std::log1p(-a), std::log1p(excess), excess, 2 * a * limit,
          -std::log1p(-both / (m * m + both))};
}

/// 1 + q + … + q^(k-1), for real k
double geometric(const sgd_rates& r, double k) {
  return r.excess == 0 ? k : std::expm1(k * r.square) / r.excess;
}
double geometric_slope(const sgd_rates& r, double k) {
  return r.excess == 0 ? 1 : r.square / r.excess * std::exp(k * r.square);
}

sgd_state state_after(const sgd_problem& problem, const sgd_rates& r, double k, sgd_model model) {
  if (model == sgd_model::stationary) {
    const double variance = r.noise / -r.excess;
    return {problem.w, variance, variance, 0, 0, 0};
  }
  const double start = problem.w0 - problem.w;
  const double decay = std::exp(k * r.mean);
  const double mean =
      k * r.mean > -0.5 ? problem.w0 + start * std::expm1(k * r.mean) : problem.w + start * decay;
  const double noise = r.noise * geometric(r, k);
  const double noise_slope = r.noise * geometric_slope(r, k);
  // φ_0² (q^k - m^2k) = φ_0² q^k (1 - (m²/q)^k)
  const double square = start * start * std::exp(k * r.square);
  const double share = -std::expm1(-k * r.spread);
  return {mean,
          square * share + noise,
          square + noise,
          start * decay * r.mean,
          square * (r.spread + 2 * r.mean * share) + noise_slope,
          square * r.square + noise_slope};
}

void require_relaxed(const sgd_problem& problem, sgd_model model) {
  sgd_problem whole = problem;
  whole.steps = 1;
  require_valid(whole);
  const bool is_exact = model == sgd_model::moments || model == sgd_model::exact;
  if (is_exact && rate(problem) >= 1) {
    throw std::domain_error(
        "scaling: with the exact moments of SGD eta sigma_x^2 must be below 1, got " +
        shown(rate(problem)));
  }
}

/// ln|μ|, also where μ itself underflows on its way to w = 0.
double log_mean(const sgd_problem& problem, const sgd_rates& r, double k, double mean,
                sgd_model model) {
  if (problem.w == 0 && model != sgd_model::stationary) {
    return std::log(std::fabs(problem.w0)) + k * r.mean;
  }
  return std::log(std::fabs(mean));
}

bool stays_at_zero(const sgd_problem& problem, sgd_model model) {
  return problem.w == 0 && (problem.w0 == 0 || model == sgd_model::stationary);
}

void require_stored_error(double value) {
  if (!(value >= 0 && std::isfinite(value))) {
    throw std::domain_error("scaling: stored error must be finite and >= 0, got " + shown(value));
  }
}

bits entropy_of_data(const format_pair& formats, const regression_pair& pair, entropy_kind kind) {
  return kind == entropy_kind::exact ? joint_entropy(formats, pair).joint.value
                                     : smooth_joint_entropy(formats.x.p(), formats.y.p(), pair);
}

double price_of_a_bit(const market& prices) {
  require_valid(prices);
  return prices.energy_price * landauer_cost(bits{1}, prices.temperature).value();
}

}  // namespace

double regression_mse(double n, double sigma_xi) {
  return n > 2 ? sigma_xi * sigma_xi * ((n - 1) / (n - 2)) : infinity;
}

sgd_state relaxed_sgd(const sgd_problem& problem, double steps, sgd_model model) {
  require_relaxed(problem, model);
  require_positive("scaling", "steps", steps);
  return state_after(problem, rates_of(problem, model), steps, model);
}

double sgd_mse(const sgd_problem& problem, double steps, sgd_model model) {
  const double square_error = relaxed_sgd(problem, steps, model).square_error;
  return problem.sigma_x * problem.sigma_x * square_error + problem.sigma_xi * problem.sigma_xi;
}

profit_curve::profit_curve(market prices, const register_formats& formats,
                           const regression& problem, entropy_kind kind, double stored_error)
    : prices_{std::move(prices)},
      kind_{kind},
      is_sgd_{false},
      regression_{problem},
      model_format_{formats.model},
      bit_price_{price_of_a_bit(prices_)},
      stored_error_{stored_error} {
  regression_.n = 3;
  slope_law(regression_);  // checks
  require_stored_error(stored_error);
  data_ = entropy_of_data(formats.data, {problem.w, problem.sigma_x, problem.sigma_xi}, kind);
}

profit_curve::profit_curve(market prices, const register_formats& formats,
                           const sgd_problem& problem, sgd_model model, entropy_kind kind,
                           double stored_error)
    : prices_{std::move(prices)},
      kind_{kind},
      is_sgd_{true},
      sgd_{problem},
      model_{model},
      model_format_{formats.model},
      bit_price_{price_of_a_bit(prices_)},
      stored_error_{stored_error} {
  require_relaxed(problem, model);
  require_stored_error(stored_error);
  sgd_.steps = 1;
  rates_ = rates_of(problem, model);
  regression_ = {.n = 3, .w = problem.w, .sigma_x = problem.sigma_x, .sigma_xi = problem.sigma_xi};
  data_ = entropy_of_data(formats.data, {problem.w, problem.sigma_x, problem.sigma_xi}, kind);
}

profit_curve profit_curve::with(double eta, double batch) const {
  profit_curve changed = *this;
  changed.sgd_.eta = eta;
  changed.sgd_.batch = batch;
  require_relaxed(changed.sgd_, model_);
  changed.rates_ = rates_of(changed.sgd_, model_);
  return changed;
}

profit_curve profit_curve::with(sgd_model model) const {
  profit_curve changed = *this;
  changed.model_ = model;
  require_relaxed(changed.sgd_, model);
  changed.rates_ = rates_of(changed.sgd_, model);
  return changed;
}

profit_curve profit_curve::with_smooth_model() const {
  profit_curve changed = *this;
  changed.kind_ = entropy_kind::smooth;
  if (model_ == sgd_model::exact) changed.model_ = sgd_model::moments;
  return changed;
}

double profit_curve::mse(double n) const {
  const double sigma_xi = regression_.sigma_xi;
  const double scale = regression_.sigma_x * regression_.sigma_x;
  if (!is_sgd_) return regression_mse(n, sigma_xi) + scale * stored_error_;
  const double square_error = state_after(sgd_, rates_, n / sgd_.batch, model_).square_error;
  return scale * (square_error + stored_error_) + sigma_xi * sigma_xi;
}

double profit_curve::mse_slope(double n) const {
  if (!is_sgd_) {
    const double share = regression_.sigma_xi / (n - 2);
    return n > 2 ? -share * share : 0;
  }
  const double scale = regression_.sigma_x * regression_.sigma_x;
  return scale * state_after(sgd_, rates_, n / sgd_.batch, model_).square_error_slope / sgd_.batch;
}

law profit_curve::law_at(double n) const {
  if (!is_sgd_) {
    return student_t{n, regression_.w, regression_.sigma_xi / regression_.sigma_x / std::sqrt(n)};
  }
  const double k = n / sgd_.batch;
  if (model_ == sgd_model::exact) {
    sgd_problem whole = sgd_;
    whole.steps = k;
    return sgd_law(whole, model_);
  }
  const sgd_state state = state_after(sgd_, rates_, k, model_);
  return normal{state.mean, std::sqrt(state.variance)};
}

double profit_curve::smooth_entropy_at(double n) const {
  const int p = model_format_.p();
  if (!is_sgd_) {
    const double scale = std::log2(regression_.sigma_xi / regression_.sigma_x);
    if (regression_.w == 0) return smooth_entropy(p, law_at(n)).value();
    return slope_entropy(n) * bits_per_nat + scale + p - 0.5 - std::log2(std::fabs(regression_.w));
  }
  const double k = n / sgd_.batch;
  const sgd_state state = state_after(sgd_, rates_, k, model_);
  if (state.mean == 0 && stays_at_zero(sgd_, model_)) return smooth_entropy_zero_mean(p).value();
  const double log_2pi_e = std::log(2 * std::numbers::pi) + 1;
  const double h = (log_2pi_e + std::log(state.variance)) / 2;
  return (h - log_mean(sgd_, rates_, k, state.mean, model_)) * bits_per_nat + p - 0.5;
}

double profit_curve::smooth_entropy_slope(double n) const {
  if (!is_sgd_) {
    // Around 0 the mean logarithm of |ŵ| moves too, by -ψ'(n/2)/4.
    const double log_slope = regression_.w == 0 ? -boost::math::trigamma(n / 2) / 4 : 0;
    return (slope_entropy_slope(n) - log_slope) * bits_per_nat;
  }
  const sgd_state state = state_after(sgd_, rates_, n / sgd_.batch, model_);
  return sgd_entropy_slope(state) / sgd_.batch;
}

double profit_curve::sgd_entropy_slope(const sgd_state& state) const {
  if (stays_at_zero(sgd_, model_)) return 0;
  const double log_slope = sgd_.w == 0 ? rates_.mean : state.mean_slope / state.mean;
  const double h_slope = state.variance_slope / (2 * state.variance);
  return (h_slope - log_slope) * bits_per_nat;
}

double profit_curve::sgd_derivative(double k) const {
  const sgd_state state = state_after(sgd_, rates_, k, model_);
  const double scale = sgd_.sigma_x * sgd_.sigma_x;
  const double error = scale * (state.square_error + stored_error_) + sgd_.sigma_xi * sgd_.sigma_xi;
  const double earned =
      std::isinf(error) ? 0 : revenue_slope(prices_, error) * scale * state.square_error_slope;
  if (bit_price_ == 0) return earned / sgd_.batch;
  const double entropy = sgd_.batch * data_.value() - sgd_entropy_slope(state);
  return (earned - bit_price_ * entropy) / sgd_.batch;
}

bits profit_curve::model_entropy(double n) const {
  if (is_sgd_ && model_ == sgd_model::exact) {
    const double k = n / sgd_.batch;
    if (k != std::floor(k)) return bits{undefined};
    const law last = law_at(n);
    if (kind_ == entropy_kind::exact) return exact_entropy(model_format_, last).value;
    const int p = model_format_.p();
    return smooth_entropy_offset(p, last).value_or(smooth_entropy(p, last));
  }
  if (kind_ == entropy_kind::exact) return exact_entropy(model_format_, law_at(n)).value;
  return bits{smooth_entropy_at(n)};
}

double profit_curve::entropy_slope(double n) const {
  if (is_sgd_ && model_ == sgd_model::exact) return undefined;
  if (kind_ == entropy_kind::smooth) return smooth_entropy_slope(n);
  const double h = 1e-3 * n;
  const auto difference = [&](double by) {
    return (model_entropy(n + by) - model_entropy(n - by)).value();
  };
  return (8 * difference(h) - difference(2 * h)) / (12 * h);
}

double profit_curve::profit(double n) const {
  const double earned = revenue(prices_, mse(n));
  if (bit_price_ == 0) return earned;
  return earned - bit_price_ * (n * data_ - model_entropy(n)).value();
}

double profit_curve::derivative(double n) const {
  if (is_sgd_ && kind_ == entropy_kind::smooth && model_ != sgd_model::exact) {
    return sgd_derivative(n / sgd_.batch);
  }
  const double error = mse(n);
  const double earned = std::isinf(error) ? 0 : revenue_slope(prices_, error) * mse_slope(n);
  if (bit_price_ == 0) return earned;
  return earned - bit_price_ * (data_.value() - entropy_slope(n));
}

profit_point profit_curve::at(double n) const {
  require_positive("scaling", "n", n);
  if (!is_sgd_ && n < 1) throw std::domain_error("scaling: n must be at least 1, got " + shown(n));
  profit_point point{};
  point.n = n;
  point.mse = mse(n);
  point.demand = prices_.wanted(point.mse);
  point.revenue = revenue(prices_, point.mse);
  point.model_entropy = model_entropy(n);
  point.energy = landauer_cost(n * data_ - point.model_entropy, prices_.temperature);
  point.profit =
      bit_price_ == 0 ? point.revenue : point.revenue - prices_.energy_price * point.energy.value();
  point.derivative = derivative(n);
  return point;
}

double profit_curve::entropy_bound(double a, double b) const {
  if (kind_ == entropy_kind::exact) return model_format_.width();
  if (!is_sgd_) return std::max(smooth_entropy_at(a), smooth_entropy_at(b));
  if (stays_at_zero(sgd_, model_)) return smooth_entropy_at(a);
  const double from = a / sgd_.batch;
  const double to = b / sgd_.batch;
  const double left = state_after(sgd_, rates_, from, model_).mean;
  const double right = state_after(sgd_, rates_, to, model_).mean;
  if (left * right < 0) return infinity;
  const double least = std::min(log_mean(sgd_, rates_, from, left, model_),
                                log_mean(sgd_, rates_, to, right, model_));
  // The noise grows with k; so does the share of the start's second moment, which itself falls
  // (or grows, where the learning rate is too large).
  const sgd_rates& r = rates_;
  const double start = sgd_.w0 - sgd_.w;
  const double square = start * start * std::exp(std::max(from * r.square, to * r.square));
  const double variance = model_ == sgd_model::stationary
                              ? r.noise / -r.excess
                              : square * -std::expm1(-to * r.spread) + r.noise * geometric(r, to);
  const double log_2pi_e = std::log(2 * std::numbers::pi) + 1;
  return ((log_2pi_e + std::log(variance)) / 2 - least) * bits_per_nat + model_format_.p() - 0.5;
}

double profit_curve::upper_bound(double a, double b) const {
  const double earned = std::max(revenue(prices_, mse(a)), revenue(prices_, mse(b)));
  if (bit_price_ == 0) return earned;
  const double data = (data_.value() >= 0 ? a : b) * data_.value();
  return earned - bit_price_ * (data - entropy_bound(a, b));
}

double profit_curve::tail_bound(double n) const {
  const double earned = std::max(revenue(prices_, mse(n)), revenue(prices_, limit_mse()));
  if (bit_price_ == 0) return earned;
  return earned - bit_price_ * (n * data_.value() - entropy_bound(n, 2 * n));
}

double profit_curve::limit_mse() const {
  const double noise = regression_.sigma_xi * regression_.sigma_xi;
  const double scale = regression_.sigma_x * regression_.sigma_x;
  if (!is_sgd_) return noise + scale * stored_error_;
  const sgd_rates& r = rates_;
  return r.excess < 0 ? noise + scale * (r.noise / -r.excess + stored_error_) : infinity;
}

double profit_curve::model_growth() const {
  if (!is_sgd_ || kind_ == entropy_kind::exact) return 0;
  if (model_ == sgd_model::stationary || stays_at_zero(sgd_, model_)) return 0;
  const sgd_rates& r = rates_;
  const double towards_zero = sgd_.w == 0 ? -r.mean : 0;
  return (towards_zero + std::max(0.0, r.square / 2)) * bits_per_nat / sgd_.batch;
}

double profit_curve::pole() const {
  if (!is_sgd_ || model_ == sgd_model::stationary || kind_ == entropy_kind::exact) return undefined;
  // w + (w0 - w) e^(rate k) = 0
  const double share = sgd_.w / (sgd_.w - sgd_.w0);
  if (!(share > 0 && share < 1)) return undefined;
  return std::log(share) / rates_.mean * sgd_.batch;
}

}  // namespace ktln2
