#include <algorithm>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "scaling/training_curve.hpp"

namespace ktln2 {
namespace {

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

class regression_curve : public training_curve {
 public:
  regression_curve(const linear_model& model, double stored_error)
      : training_curve{stored_error}, model_{model} {
    (void)slope_law(model, first());  // checks
  }

  [[nodiscard]] training what() const override { return regression_training{model_}; }
  [[nodiscard]] double first() const override { return 3; }
  [[nodiscard]] double step() const override { return 1; }
  void require_size(double n) const override {
    if (n < 1) throw std::domain_error("scaling: n must be at least 1, got " + shown(n));
  }
  [[nodiscard]] std::shared_ptr<const training_curve> relaxed() const override {
    return std::make_shared<regression_curve>(*this);
  }

  [[nodiscard]] double mse(double n) const override {
    return regression_mse(n, model_.sigma_xi) + model_.sigma_x * model_.sigma_x * stored_error();
  }
  [[nodiscard]] double mse_slope(double n) const override {
    const double share = model_.sigma_xi / (n - 2);
    return n > 2 ? -share * share : 0;
  }
  [[nodiscard]] double limit_mse() const override {
    const double scale = model_.sigma_x * model_.sigma_x;
    return model_.sigma_xi * model_.sigma_xi + scale * stored_error();
  }

  [[nodiscard]] law law_at(double n) const override {
    return student_t{n, model_.w, model_.sigma_xi / model_.sigma_x / std::sqrt(n)};
  }
  [[nodiscard]] std::optional<ou_check> check_at(double /*n*/) const override { return {}; }
  [[nodiscard]] double smooth_entropy_at(double n, int p) const override {
    const double scale = std::log2(model_.sigma_xi / model_.sigma_x);
    if (model_.w == 0) return smooth_entropy(p, law_at(n)).value();
    return slope_entropy(n) * bits_per_nat + scale + p - 0.5 - std::log2(std::fabs(model_.w));
  }
  [[nodiscard]] double smooth_entropy_slope(double n) const override {
    // Around 0 the mean logarithm of |ŵ| moves too, by -ψ'(n/2)/4.
    const double log_slope = model_.w == 0 ? -boost::math::trigamma(n / 2) / 4 : 0;
    return (slope_entropy_slope(n) - log_slope) * bits_per_nat;
  }
  [[nodiscard]] double smooth_entropy_bound(double a, double b, int p) const override {
    return std::max(smooth_entropy_at(a, p), smooth_entropy_at(b, p));
  }
  /// f(z) ~ (1 + z²)^(-(n+1)/2) is an exponential family in n: the information is the second
  /// derivative of the logarithm of its norm, (ψ'(n/2) - ψ'((n+1)/2))/4.        [lem:compute_f_z]
  [[nodiscard]] double information(double n) const override {
    return -slope_entropy_slope(n) / (n + 1);
  }
  [[nodiscard]] double smooth_growth() const override { return 0; }
  [[nodiscard]] double pole() const override { return std::numeric_limits<double>::quiet_NaN(); }
  [[nodiscard]] step_slopes slopes_at(double n) const override {
    return {mse(n), 1, mse_slope(n), smooth_entropy_slope(n)};
  }

 private:
  linear_model model_;
};

}  // namespace

double regression_mse(double n, double sigma_xi) {
  return n > 2 ? sigma_xi * sigma_xi * ((n - 1) / (n - 2)) : infinity;
}

std::shared_ptr<const training_curve> curve_of(const regression_training& what,
                                               double stored_error) {
  return std::make_shared<regression_curve>(what.model, stored_error);
}

}  // namespace ktln2
