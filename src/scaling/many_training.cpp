#include "scaling/many_training.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/scaling/many_entropy.hpp"
#include "ktln2/scaling/many_error.hpp"

namespace ktln2 {
namespace {

/// d/d ln σ of E ln|N(μ, σ²)| is Dawson's F'(u) at u = |μ|/(σ√2): never below -0.2849, nor above 1.
constexpr double least_widening = -0.2849;

/// Least squares, and the shortest exact fit where there are fewer rows than features.
class fitted : public many_training {
 public:
  explicit fitted(const many_problem& what)
      : d_{what.features},
        snr_{what.snr},
        signal_{std::sqrt(what.snr / what.features)},
        noise_{1 + what.added_noise},
        lost_{what.intercept ? 1.0 : 0.0},
        counts_output_{what.counts_output} {}

  [[nodiscard]] double settled() const override { return d_ + 2 + lost_; }
  [[nodiscard]] double error(double n) const override {
    // What rounding adds is noise too; of the signal it takes nothing.
    const double signal = snr_ / noise_;
    return noise_ *
           (lost_ > 0 ? fit_error_with_intercept(n, d_, signal) : fit_error(n, d_, signal));
  }
  [[nodiscard]] double limit_error() const override { return noise_; }

  [[nodiscard]] double entropy(double n, int p) const override {
    if (!counts_output_) return 0;
    const double rows = n - lost_;
    const double intercept = lost_ * smooth_entropy_zero_mean(p).value();
    if (rows == 0) return intercept;
    if (rows >= d_) return intercept + smooth_fit_entropy(p, rows, d_, signal_).value();
    if (rows == 1) return intercept + smooth_one_row_entropy(p, d_, snr_).value();
    // Where w is not 0, what its direction tells of ŵ's is left out: the truth is a little less.
    return intercept + smooth_spherical_entropy(p, rows, d_).value();
  }
  /// h falls with n. E ln|ŵ_j| falls by at most what ln of the scale does, ½(ψ(ν_b/2) - ψ(ν_a/2)).
  [[nodiscard]] double entropy_bound(double a, double b, int p) const override {
    if (!counts_output_) return 0;
    const double fall = boost::math::digamma(freedom(b) / 2) - boost::math::digamma(freedom(a) / 2);
    return entropy(a, p) + d_ * fall / 2 * bits_per_nat;
  }

  [[nodiscard]] std::optional<slopes> slopes_between(double a, double b) const override {
    const range error{-error_slope(b), -error_slope(a)};
    if (!counts_output_) return slopes{error, {0, 0}};
    const double most = d_ * boost::math::trigamma(freedom(a) / 2) / 4;
    const double low = fit_entropy_slope(a - lost_, d_) + least_widening * most;
    const double high = fit_entropy_slope(b - lost_, d_) + most;
    return slopes{error, {low * bits_per_nat, high * bits_per_nat}};
  }

 private:
  [[nodiscard]] double freedom(double n) const { return n - lost_ - d_ + 1; }
  /// Negative, and rising with n.
  [[nodiscard]] double error_slope(double n) const {
    const double m = n - lost_;
    const double left = m - d_ - 1;
    const double fall = d_ / (left * left);
    if (lost_ == 0) return -noise_ * fall;
    return -noise_ * ((m - 1) / left / (n * n) + (1 + 1 / n) * fall);
  }

  double d_;
  double snr_;
  double signal_;  ///< of one coefficient
  double noise_;
  double lost_;  ///< rows that an intercept takes
  bool counts_output_;
};

/// Ridge with the best penalty: no law of its coefficients is known, and so no output is counted.
class penalized : public many_training {
 public:
  explicit penalized(const many_problem& what)
      : d_{what.features},
        snr_{what.snr / (1 + what.added_noise)},
        noise_{1 + what.added_noise},
        lost_{what.intercept ? 1.0 : 0.0} {}

  /// For one feature the error is exact and falls all the way; the estimate for more does from
  /// here.
  [[nodiscard]] double settled() const override { return d_ == 1 ? 1 + lost_ : d_ + 2 + lost_; }
  [[nodiscard]] double error(double n) const override {
    const double widened = lost_ > 0 ? 1 + 1 / n : 1;
    return noise_ * widened * ridge_error(n - lost_, d_, snr_).value;
  }
  [[nodiscard]] double limit_error() const override { return noise_; }
  [[nodiscard]] double entropy(double /*n*/, int /*p*/) const override { return 0; }
  [[nodiscard]] double entropy_bound(double, double, int) const override { return 0; }

 private:
  double d_;
  double snr_;
  double noise_;
  double lost_;
};

/// SGD with exact moments, in units in which σ_x = σ_ξ = 1 and a = ησ_x². As all coefficients are
/// alike, E φφᵀ = αI + γuuᵀ with u = (1, …, 1)/√d, and with q = 1 - 2a + a²(1 + (d+1)/B),
/// q_1 = 1 - 2a + a²(1 + 1/B):
///     γ' = q_1 γ,   tr' = q tr + a² d/B,   m' = (1 - a) m
class descended : public many_training {
 public:
  explicit descended(const many_problem& what)
      : d_{what.features},
        batch_{what.how.batch},
        a_{what.how.eta * what.how.sigma_x * what.how.sigma_x},
        truth_{std::sqrt(what.snr / what.features)},
        start_{what.how.w0 * what.how.sigma_x / what.sigma_xi - truth_},
        noise_{1 + what.added_noise},
        log_q_{std::log1p(a_ * (-2 + a_ * (1 + (d_ + 1) / batch_)))},
        log_q1_{std::log1p(a_ * (-2 + a_ * (1 + 1 / batch_)))},
        limit_{noise_ * d_ * a_ / batch_ / (2 - a_ * (1 + (d_ + 1) / batch_))},
        counts_output_{what.counts_output} {}

  [[nodiscard]] double step() const override { return batch_; }
  [[nodiscard]] double error(double n) const override { return noise_ + trace(n / batch_); }
  [[nodiscard]] double limit_error() const override { return noise_ + limit_; }

  [[nodiscard]] double entropy(double n, int p) const override {
    if (!counts_output_) return 0;
    const double k = n / batch_;
    const state now{(trace(k) - rank_one(k)) / d_, spread(k), mean(k)};
    const normal one{now.mean, std::sqrt(now.variance(d_))};
    return log_volume(now.alpha, now.along) + d_ * ((p - 1) - mean_log_magnitude(one));
  }

  [[nodiscard]] double entropy_bound(double a, double b, int p) const override {
    if (!counts_output_) return 0;
    const double from = a / batch_;
    const double to = b / batch_;
    const double most_trace = std::max(trace(from), trace(to));
    const double least_trace = std::min(trace(from), trace(to));
    const double most_alpha = (most_trace - rank_one(to)) / d_;
    const double least_alpha = std::max((least_trace - rank_one(from)) / d_, 1e-300);
    const double most_along =
        std::max(0.0, d_ * start_ * start_ * (std::exp(from * log_q1_) - square_shrink(to)));
    // E ln|N| grows with |mean|, and with the deviation by -0.285 to 1 times its logarithm.
    const bool turns = mean(from) * mean(to) <= 0 || a_ > 1;
    const double least_mean = turns ? 0 : std::min(std::fabs(mean(from)), std::fabs(mean(to)));
    const double narrow = std::sqrt(least_alpha);
    const double wide = std::sqrt(most_alpha + most_along / d_);
    const double log_width = mean_log_magnitude(normal{least_mean, narrow}) +
                             least_widening * std::log2(std::max(1.0, wide / narrow));
    return log_volume(most_alpha, most_along) + d_ * ((p - 1) - log_width);
  }

 private:
  struct state {
    double alpha;  ///< the variance across u
    double along;  ///< by how much that along u is more
    double mean;   ///< of one coefficient
    [[nodiscard]] double variance(double d) const { return alpha + along / d; }
  };
  [[nodiscard]] double trace(double k) const {
    return limit_ + (d_ * start_ * start_ - limit_) * std::exp(k * log_q_);
  }
  [[nodiscard]] double rank_one(double k) const {
    return d_ * start_ * start_ * std::exp(k * log_q1_);
  }
  [[nodiscard]] double square_shrink(double k) const { return std::pow((1 - a_) * (1 - a_), k); }
  [[nodiscard]] double mean(double k) const { return truth_ + start_ * std::pow(1 - a_, k); }
  /// γ less the square of the mean
  [[nodiscard]] double spread(double k) const {
    return d_ * start_ * start_ * (std::exp(k * log_q1_) - square_shrink(k));
  }
  /// h of a normal law with these variances, in bits
  [[nodiscard]] double log_volume(double alpha, double along) const {
    const double log_2pi_e = std::log(2 * std::numbers::pi) + 1;
    const double nats = ((d_ - 1) * std::log(alpha) + std::log(alpha + along) + d_ * log_2pi_e) / 2;
    return nats * bits_per_nat;
  }

  double d_;
  double batch_;
  double a_;
  double truth_;  ///< w
  double start_;  ///< w_0 - w
  double noise_;
  double log_q_;
  double log_q1_;
  double limit_;  ///< tr M of the stationary state
  bool counts_output_;
};

void require_whole(const char* name, double value, double most) {
  if (value >= 1 && value <= most && value == std::floor(value)) return;
  throw std::domain_error(std::string("scaling: ") + name + " must be a whole number from 1 to " +
                          shown(most) + ", got " + shown(value));
}

}  // namespace

double largest_learning_rate(double batch, double features, double sigma_x) {
  return 2 * batch / (sigma_x * sigma_x * (batch + features + 1));
}

void require_valid(const many_problem& what) {
  require_whole("features", what.features, 1e5);
  if (!(what.snr >= 0 && std::isfinite(what.snr))) {
    throw std::domain_error("scaling: snr must be finite and >= 0, got " + shown(what.snr));
  }
  require_positive("scaling", "sigma_xi", what.sigma_xi);
  if (what.method != many_method::sgd) return;
  require_whole("batch", what.how.batch, 1e12);
  require_positive("scaling", "eta", what.how.eta);
  require_positive("scaling", "sigma_x", what.how.sigma_x);
  require_finite("scaling", "w0", what.how.w0);
  const double most = largest_learning_rate(what.how.batch, what.features, what.how.sigma_x);
  if (what.how.eta >= most) {
    throw std::domain_error(
        "scaling: eta must be below 2B/(sigma_x^2 (B+d+1)) = " + shown_limit(most) +
        ", or the errors of SGD grow without end, got " + shown(what.how.eta));
  }
}

std::shared_ptr<const many_training> training_of(const many_problem& what) {
  require_valid(what);
  switch (what.method) {
    case many_method::ridge:
      return std::make_shared<penalized>(what);
    case many_method::sgd:
      return std::make_shared<descended>(what);
    case many_method::least_squares:
      break;
  }
  return std::make_shared<fitted>(what);
}

}  // namespace ktln2
