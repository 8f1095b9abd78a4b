#include "ktln2/distribution/coefficients.hpp"

#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <mutex>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "core/triangular.hpp"
#include "distribution/estimate_mixtures.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

using boost::math::digamma;
using std::numbers::pi;

bool is_isotropic(const square_matrix& covariance) {
  for (std::size_t i = 0; i < covariance.size(); ++i) {
    for (std::size_t j = 0; j < covariance.size(); ++j) {
      if (covariance(i, j) != (i == j ? covariance(0, 0) : 0.0)) return false;
    }
  }
  return true;
}

estimate_kind kind_of(const least_squares& task) {
  const auto d = static_cast<double>(task.model.w.size());
  const double n = task.n;
  if (!(n >= 1 && n <= 1e15 && n == std::floor(n))) {
    throw std::domain_error("ols: n must be a whole number from 1 to 1e15, got " + shown(n));
  }
  if (!(task.ridge >= 0 && std::isfinite(task.ridge))) {
    throw std::domain_error("ols: ridge must be finite and >= 0, got " + shown(task.ridge));
  }
  if (task.ridge > 0) {
    if (d == 1 && !task.intercept && task.model.mu[0] == 0) return estimate_kind::ridge;
    throw std::domain_error(
        "ols: with a ridge the law is known for d = 1, mu = 0 and no intercept, got d = " +
        shown(d) + ", mu = " + shown(task.model.mu[0]) +
        ", intercept = " + (task.intercept ? "1" : "0"));
  }
  const double least = task.intercept ? d + 1 : d;
  if (n >= least) return estimate_kind::student;
  bool is_centered = true;
  bool is_null = true;
  for (const double mu : task.model.mu) is_centered = is_centered && mu == 0;
  for (const double w : task.model.w) is_null = is_null && w == 0;
  if (!task.intercept && is_centered && is_isotropic(task.model.covariance)) {
    if (n == 1) return estimate_kind::one_example;
    if (is_null) return estimate_kind::minimum_norm;
  }
  throw std::domain_error("ols: " + shown(d) + " features" +
                          (task.intercept ? " and an intercept" : "") + " need at least " +
                          shown(least) +
                          " rows (fewer only if the features are independent and "
                          "alike, and w = 0 or n = 1), got n = " +
                          shown(n));
}

/// Without an intercept the features are averaged over N(0, Σ) and not over N(μ, Σ).
void require_no_mean(const least_squares& task) {
  if (task.intercept) return;
  for (const double mu : task.model.mu) {
    if (mu == 0 && task.model.b == 0) continue;
    throw std::domain_error(
        "ols: without an intercept the law is known for mu = 0 and b = 0, got "
        "mu = " +
        shown(mu) + ", b = " + shown(task.model.b));
  }
}

/// ln of the surface of the unit sphere in d dimensions, 2π^(d/2)/Γ(d/2).
double log_sphere(double d) { return std::log(2.0) + d / 2 * std::log(pi) - std::lgamma(d / 2); }

/// h(ln R) and E ln R of R = √(χ²_a/χ²_c), in nats.
struct log_radius {
  double entropy;
  double mean;
};
log_radius radius_of(double a, double c) {
  // y = ln R² has the density e^(ya/2) (1 + e^y)^(-(a+c)/2)/B(a/2, c/2).
  const double log_beta = std::lgamma(a / 2) + std::lgamma(c / 2) - std::lgamma((a + c) / 2);
  const double mean = digamma(a / 2) - digamma(c / 2);
  const double log_one_more = digamma((a + c) / 2) - digamma(c / 2);
  const double entropy = log_beta - a / 2 * mean + (a + c) / 2 * log_one_more;
  return {entropy - std::log(2.0), mean / 2};
}

/// h of the multivariate t of n rows and d features, in nats.
double student_entropy(double n, double d, double log_sigma_xi, double log_determinant) {
  const double x = (n - d + 1) / 2;
  return d / 2 * std::log(pi) + d * log_sigma_xi - log_determinant / 2 - log_gamma_rise(x, d) +
         (n + 1) / 2 * digamma_rise(x, d);
}

/// h of Student's t with d degrees of freedom over √d, in nats.
double ratio_entropy(double d) { return student_entropy(d, 1, 0, 0); }

/// E ln(|y|/|x|) of one example.
double one_example_log_length(const coefficients& estimate) {
  const auto d = static_cast<double>(estimate.features());
  const normal_row& row = estimate.row();
  const double log_y = std::log(row.sigma_xi()) + std::log(std::hypot(1, row.gain())) +
                       (std::log(2.0) + digamma(0.5)) / 2;
  const double log_x = std::log(row.x().deviation(0)) + (std::log(2.0) + digamma(d / 2)) / 2;
  return log_y - log_x;
}

double nats_of(const coefficients& estimate) {
  const least_squares& task = estimate.task();
  const normal_row& row = estimate.row();
  const auto d = static_cast<double>(estimate.features());
  const double n = task.n;
  const double log_noise = std::log(row.sigma_xi());
  const double log_scale = log_noise - std::log(row.x().deviation(0));
  switch (estimate.kind()) {
    case estimate_kind::student: {
      if (!task.intercept) return student_entropy(n, d, log_noise, row.log_determinant());
      // Given z, b̂ is normal; its log-variance has the mean of ln(1 + |ζ|²).
      const double of_b = std::log(2 * pi) / 2 + 0.5 + log_noise - std::log(n) / 2 +
                          digamma_rise((n - d) / 2, d) / 2;
      return student_entropy(n - 1, d, log_noise, row.log_determinant()) + of_b;
    }
    case estimate_kind::minimum_norm: {
      const log_radius r = radius_of(n, d - n + 1);
      return log_sphere(d) + r.entropy + d * (r.mean + log_scale);
    }
    case estimate_kind::one_example:
      return log_sphere(d) - std::log(2.0) + ratio_entropy(d) + log_scale +
             (d - 1) * one_example_log_length(estimate);
    case estimate_kind::ridge:
      break;
  }
  return differential_entropy(estimate.marginal(0)).value() * std::numbers::ln2;
}

}  // namespace

struct coefficients::kept_law {
  std::once_flag once;
  std::optional<law> made;
};

coefficients::coefficients(least_squares task)
    : task_{std::move(task)},
      row_{task_.model},
      kind_{kind_of(task_)},
      kept_{std::make_shared<kept_law>()} {
  require_no_mean(task_);
  for (const double one : row_.precisions()) spread_.push_back(row_.sigma_xi() * std::sqrt(one));
}

std::string coefficients::name(std::size_t j) const {
  return j < features() ? "w" + std::to_string(j + 1) : "b";
}

double coefficients::truth(std::size_t j) const {
  return j < features() ? task_.model.w[j] : task_.model.b;
}

std::optional<double> coefficients::dof() const {
  if (kind_ != estimate_kind::student) return {};
  return task_.n - static_cast<double>(features()) + (task_.intercept ? 0 : 1);
}

normal_vector coefficients::given_chi_square(double v) const {
  if (kind_ != estimate_kind::student || task_.intercept) {
    throw std::logic_error("ols: this estimate is no multivariate t");
  }
  // Σ⁻¹ = L⁻ᵀL⁻¹: in the opposite order L⁻ᵀ is lower triangular.
  const std::size_t d = features();
  const square_matrix& lower = row_.x().factor();
  std::vector<std::size_t> back(d);
  for (std::size_t j = 0; j < d; ++j) back[j] = d - 1 - j;
  square_matrix rows(d);
  for (std::size_t k = 0; k < d; ++k) {
    std::vector<double> unit(d, 0.0);
    unit[k] = 1;
    const std::vector<double> column = solve_transposed(lower, std::move(unit), d);
    for (std::size_t j = 0; j < d; ++j) {
      rows(d - 1 - j, d - 1 - k) = column[j] * row_.sigma_xi() / std::sqrt(v);
    }
  }
  return normal_vector::from_factor("ols", task_.model.w, reordered_factor(rows, back),
                                    row_.x().doubt_when_turned());
}

law coefficients::marginal(std::size_t j) const {
  if (j >= size()) throw std::logic_error("ols: no such coefficient");
  if (kind_ == estimate_kind::student && j < features()) {
    return student_t{*dof(), truth(j), spread_[j] / std::sqrt(*dof())};
  }
  const bool is_ridge = kind_ == estimate_kind::ridge;
  if (!is_ridge && kind_ != estimate_kind::student) {
    throw std::domain_error("ols: the law of one coefficient of least norm is not known");
  }
  std::call_once(kept_->once,
                 [&] { kept_->made = is_ridge ? ridge_law(*this) : intercept_law(*this); });
  return *kept_->made;
}

differential_bits differential_entropy(const coefficients& estimate) {
  return differential_bits{nats_of(estimate) / std::numbers::ln2};
}

double mean_log_coefficient(const coefficients& estimate) {
  const auto d = static_cast<double>(estimate.features());
  const double of_direction = (digamma(0.5) - digamma(d / 2)) / 2;
  if (estimate.kind() == estimate_kind::one_example) {
    return bits_per_nat * (one_example_log_length(estimate) + of_direction);
  }
  if (estimate.kind() != estimate_kind::minimum_norm) {
    throw std::logic_error("ols: this estimate is not of least norm");
  }
  const double n = estimate.task().n;
  const normal_row& row = estimate.row();
  const double log_scale = std::log(row.sigma_xi()) - std::log(row.x().deviation(0));
  return bits_per_nat * (radius_of(n, d - n + 1).mean + log_scale + of_direction);
}

}  // namespace ktln2
