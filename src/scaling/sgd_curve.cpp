#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <vector>

#include "core/constants.hpp"
#include "distribution/sgd_moments.hpp"
#include "ktln2/distribution/sgd_exact.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "scaling/training_curve.hpp"

namespace ktln2 {
namespace {

/// In steps k = n/B, of which the moments are functions.
class sgd_curve : public training_curve {
 public:
  sgd_curve(const sgd_training& what, double stored_error)
      : training_curve{stored_error}, model_{what.model}, how_{what.how}, which_{what.law} {
    require_relaxed(model_, how_, which_);
    rates_ = rates_of(model_, how_, which_);
  }

  [[nodiscard]] training what() const override { return sgd_training{model_, how_, which_}; }
  [[nodiscard]] double first() const override { return how_.batch; }
  [[nodiscard]] double step() const override { return how_.batch; }
  void require_size(double /*n*/) const override {}
  [[nodiscard]] bool is_relaxed() const override { return which_ != sgd_model::exact; }
  [[nodiscard]] std::shared_ptr<const training_curve> relaxed() const override {
    const sgd_model smooth = is_relaxed() ? which_ : sgd_model::moments;
    return std::make_shared<sgd_curve>(sgd_training{model_, how_, smooth}, stored_error());
  }

  [[nodiscard]] double mse(double n) const override { return mse_of(after(n)); }
  [[nodiscard]] double mse_slope(double n) const override {
    return input_variance() * after(n).square_error_slope / how_.batch;
  }
  [[nodiscard]] double limit_mse() const override {
    if (rates_.excess >= 0) return infinity;
    const double noise = model_.sigma_xi * model_.sigma_xi;
    return noise + input_variance() * (rates_.noise / -rates_.excess + stored_error());
  }

  [[nodiscard]] law law_at(double n) const override {
    if (!is_relaxed()) return exact_law_after(n / how_.batch);
    const sgd_state state = after(n);
    return normal{state.mean, std::sqrt(state.variance)};
  }
  [[nodiscard]] std::optional<ou_check> check_at(double n) const override {
    if (which_ != sgd_model::ou) return {};
    return check_ou(model_, how_, n / how_.batch);
  }
  [[nodiscard]] double smooth_entropy_at(double n, int p) const override {
    const sgd_state state = after(n);
    if (state.mean == 0 && stays_at_zero()) return smooth_entropy_zero_mean(p).value();
    return smooth_entropy_of(state.variance, log_mean(n / how_.batch, state.mean), p);
  }
  [[nodiscard]] double smooth_entropy_slope(double n) const override {
    return entropy_slope(after(n)) / how_.batch;
  }
  [[nodiscard]] double smooth_entropy_bound(double a, double b, int p) const override {
    if (stays_at_zero()) return smooth_entropy_at(a, p);
    const double from = a / how_.batch;
    const double to = b / how_.batch;
    const double left = after(a).mean;
    const double right = after(b).mean;
    if (left * right < 0) return infinity;
    const double least = std::min(log_mean(from, left), log_mean(to, right));
    return smooth_entropy_of(variance_bound(from, to), least, p);
  }
  [[nodiscard]] double smooth_growth() const override {
    if (which_ == sgd_model::stationary || stays_at_zero()) return 0;
    const double towards_zero = model_.w == 0 ? -rates_.mean : 0;
    return (towards_zero + std::max(0.0, rates_.square / 2)) * bits_per_nat / how_.batch;
  }
  [[nodiscard]] double pole() const override {
    if (which_ == sgd_model::stationary) return undefined;
    // w + (w0 - w) e^(rate k) = 0
    const double share = model_.w / (model_.w - how_.w0);
    if (!(share > 0 && share < 1)) return undefined;
    return std::log(share) / rates_.mean * how_.batch;
  }
  [[nodiscard]] step_slopes slopes_at(double n) const override {
    const sgd_state state = after(n);
    return {mse_of(state), input_variance(), state.square_error_slope, entropy_slope(state)};
  }

 private:
  /// A search looks at the next sizes, too: all from one evolution, and kept.
  [[nodiscard]] law exact_law_after(double steps) const {
    const std::lock_guard lock(mutex_);
    const auto known = exact_laws_.find(steps);
    if (known != exact_laws_.end()) return known->second;
    std::vector<double> wanted;
    for (const double k : {steps, steps - 1, steps + 1, steps - 2, steps + 2}) {
      if (k >= 1 && !exact_laws_.contains(k)) wanted.push_back(k);
    }
    const std::vector<sgd_exact> made = sgd_exact_laws(model_, how_, wanted);
    for (std::size_t i = 0; i < made.size(); ++i) exact_laws_.emplace(wanted[i], made[i]);
    return made.front();
  }

  [[nodiscard]] double input_variance() const { return model_.sigma_x * model_.sigma_x; }
  [[nodiscard]] sgd_state after(double n) const {
    return state_after(model_, how_, rates_, n / how_.batch, which_);
  }
  [[nodiscard]] double mse_of(const sgd_state& state) const {
    return input_variance() * (state.square_error + stored_error()) +
           model_.sigma_xi * model_.sigma_xi;
  }

  [[nodiscard]] bool stays_at_zero() const {
    return model_.w == 0 && (how_.w0 == 0 || which_ == sgd_model::stationary);
  }
  /// ln|μ|, also where μ itself underflows on its way to w = 0.
  [[nodiscard]] double log_mean(double k, double mean) const {
    if (model_.w == 0 && which_ != sgd_model::stationary) {
      return std::log(std::fabs(how_.w0)) + k * rates_.mean;
    }
    return std::log(std::fabs(mean));
  }
  /// [eq:three_approxes] of a normal law
  static double smooth_entropy_of(double variance, double log_mean, int p) {
    const double log_2pi_e = std::log(2 * std::numbers::pi) + 1;
    const double h = (log_2pi_e + std::log(variance)) / 2;
    return (h - log_mean) * bits_per_nat + p - 0.5;
  }
  [[nodiscard]] double entropy_slope(const sgd_state& state) const {
    if (stays_at_zero()) return 0;
    const double log_slope = model_.w == 0 ? rates_.mean : state.mean_slope / state.mean;
    const double h_slope = state.variance_slope / (2 * state.variance);
    return (h_slope - log_slope) * bits_per_nat;
  }
  /// The noise grows with k; so does the share of the start's second moment, which itself falls (or
  /// grows, where the learning rate is too large).
  [[nodiscard]] double variance_bound(double from, double to) const {
    const sgd_rates& r = rates_;
    if (which_ == sgd_model::stationary) return r.noise / -r.excess;
    const double start = how_.w0 - model_.w;
    const double decay = std::exp(std::max(from * r.square, to * r.square));
    const double from_start =
        start * start * -std::expm1(-to * r.spread) + how_.w0_sigma * how_.w0_sigma;
    return decay * from_start + r.noise * geometric(r, to);
  }

  linear_model model_;
  descent how_;
  sgd_model which_;
  sgd_rates rates_{};
  mutable std::mutex mutex_;
  mutable std::map<double, law> exact_laws_;  ///< by steps
};

}  // namespace

double sgd_mse(const linear_model& model, const descent& how, double steps, sgd_model which) {
  const double square_error = relaxed_sgd(model, how, steps, which).square_error;
  return model.sigma_x * model.sigma_x * square_error + model.sigma_xi * model.sigma_xi;
}

bool ou_check::trusted() const {
  // The total variation of two close normal laws: 2φ(1) for each unit of ln σ, φ(0) for each of μ/σ
  return 0.484 * std::fabs(std::log(deviation_ratio)) + 0.399 * std::fabs(mean_gap) <= 0.05;
}

ou_check check_ou(const linear_model& model, const descent& how, double steps) {
  const sgd_moments truth = exact_moments(model, how, steps);
  const normal process = sgd_ou_law(model, how, steps);
  const double scale = model.sigma_x * model.sigma_x;
  const double noise = model.sigma_xi * model.sigma_xi;
  const auto mse = [&](double mean, double deviation) {
    const double bias = mean - model.w;
    return scale * (bias * bias + deviation * deviation) + noise;
  };
  return {truth.deviation / process.scale(), (truth.mean - process.location()) / truth.deviation,
          mse(truth.mean, truth.deviation) / mse(process.location(), process.scale())};
}

std::shared_ptr<const training_curve> curve_of(const sgd_training& what, double stored_error) {
  return std::make_shared<sgd_curve>(what, stored_error);
}

}  // namespace ktln2
