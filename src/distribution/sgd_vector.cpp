#include "ktln2/distribution/sgd_vector.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "distribution/symmetric_eigen.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

using numbers = std::vector<double>;

double dot(const numbers& a, const numbers& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

numbers product(const square_matrix& a, const numbers& x) {
  numbers y(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += a(i, j) * x[j];
  }
  return y;
}

square_matrix product(const square_matrix& a, const square_matrix& b) {
  square_matrix c{a.size()};
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double factor = a(i, k);
      for (std::size_t j = 0; j < a.size(); ++j) c(i, j) += factor * b(k, j);
    }
  }
  return c;
}

double trace_of_product(const square_matrix& a, const square_matrix& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) sum += a(i, j) * b(j, i);
  }
  return sum;
}

/// E xxᵀ and E x of the features, with a constant in front if there is an intercept.
struct feature_moments {
  square_matrix second;
  numbers mean;
};

feature_moments moments_of_features(const row_model& model, bool intercept) {
  const std::size_t shift = intercept ? 1 : 0;
  const std::size_t d = model.w.size();
  feature_moments made{square_matrix{d + shift}, numbers(d + shift, 1.0)};
  for (std::size_t i = 0; i < d; ++i) made.mean[i + shift] = model.mu[i];
  for (std::size_t i = 0; i < d + shift; ++i) {
    for (std::size_t j = 0; j < d + shift; ++j) made.second(i, j) = made.mean[i] * made.mean[j];
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      made.second(i + shift, j + shift) += model.covariance(i, j);
    }
  }
  return made;
}

/// One step's map of covariances, without what the noise and the mean add.
square_matrix mapped(const feature_moments& x, const square_matrix& c, double eta, double batch) {
  const square_matrix ac = product(x.second, c);
  const square_matrix aca = product(ac, x.second);
  double trace = 0;
  for (std::size_t i = 0; i < c.size(); ++i) trace += ac(i, i);
  const double along = dot(x.mean, product(c, x.mean));
  square_matrix next{c.size()};
  const double square = eta * eta;
  for (std::size_t i = 0; i < c.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double fourth = (trace * x.second(i, j) - 2 * along * x.mean[i] * x.mean[j]) / batch;
      const double inner = (aca(i, j) + aca(j, i)) / 2;
      const double here = (c(i, j) + c(j, i)) / 2 - eta * (ac(i, j) + ac(j, i)) +
                          square * ((1 + 1 / batch) * inner + fourth);
      next(i, j) = next(j, i) = here;
    }
  }
  return next;
}

double trace_of(const square_matrix& a) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a(i, i);
  return sum;
}

/// The spectral radius of that map. It keeps positive matrices positive, so that its powers on the
/// identity grow with it.
double spectral_radius(const feature_moments& x, double eta, double batch) {
  square_matrix c{x.mean.size()};
  for (std::size_t i = 0; i < c.size(); ++i) c(i, i) = 1;
  double before = 0;
  double growth = 1;
  int calm = 0;
  for (int k = 0; k < 20000 && calm < 8; ++k) {
    const double scale = trace_of(c);
    for (std::size_t i = 0; i < c.size(); ++i) {
      for (std::size_t j = 0; j < c.size(); ++j) c(i, j) /= scale;
    }
    c = mapped(x, c, eta, batch);
    growth = trace_of(c);
    calm = std::fabs(growth - before) <= 1e-13 * growth ? calm + 1 : 0;
    before = growth;
  }
  return growth;
}

bool all_zero(const numbers& list) {
  return std::all_of(list.begin(), list.end(), [](double x) { return x == 0; });
}

/// Σ_i (ηλ_i/B)/(2 - ηλ_i(1+1/B)); infinite where a denominator is not positive.
double kappa_of(const numbers& eigenvalues, double eta, double batch) {
  double sum = 0;
  for (const double value : eigenvalues) {
    const double a = eta * value;
    const double left = 2 - a * (1 + 1 / batch);
    if (left <= 0) return std::numeric_limits<double>::infinity();
    sum += a / batch / left;
  }
  return sum;
}

/// A zero of a function that rises from below 0, next to 0, to above 0 at `high`.
template <class Function>
double rising_zero(Function f, double high, unsigned digits) {
  std::uintmax_t most = 200;
  const auto zero = boost::math::tools::bisect(
      f, 1e-9 * high, high, boost::math::tools::eps_tolerance<double>(digits), most);
  return (zero.first + zero.second) / 2;
}

double largest_rate(const feature_moments& x, double batch) {
  const double bound = 2 * batch / (batch + 1);  // of ηλ_max
  if (all_zero(x.mean)) {
    const numbers values = eigen_of(x.second).values;
    const double high = bound / *std::max_element(values.begin(), values.end());
    return rising_zero([&](double eta) { return std::min(kappa_of(values, eta, batch), 2.0) - 1; },
                       high, 53);
  }
  const double high = bound / trace_of(x.second) * static_cast<double>(x.mean.size());
  return rising_zero([&](double eta) { return spectral_radius(x, eta, batch) - 1; }, high, 40);
}

bool converges(const feature_moments& x, double eta, double batch) {
  if (all_zero(x.mean)) return kappa_of(eigen_of(x.second).values, eta, batch) < 1;
  return spectral_radius(x, eta, batch) < 1;
}

void require_batch(double batch) {
  if (batch >= 1 && batch <= 1e15 && batch == std::floor(batch)) return;
  throw std::domain_error("sgd: batch must be a whole number from 1 to 1e15, got " + shown(batch));
}

void require_steps(double steps) {
  if (steps >= 1 && steps <= 1e9 && steps == std::floor(steps)) return;
  throw std::domain_error("sgd: steps must be a whole number from 1 to 1e9, got " + shown(steps));
}

void require_work(double steps, double each) {
  if (steps * each <= 1e12) return;
  throw std::domain_error("sgd: " + shown(steps) + " steps of so many coefficients take too long");
}

/// V x, and V a Vᵀ
numbers from_eigen(const square_matrix& vectors, const numbers& x) { return product(vectors, x); }
square_matrix transposed(const square_matrix& a) {
  square_matrix t{a.size()};
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) t(j, i) = a(i, j);
  }
  return t;
}
square_matrix from_eigen(const square_matrix& vectors, const square_matrix& a) {
  square_matrix made = product(product(vectors, a), transposed(vectors));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      made(i, j) = made(j, i) = (made(i, j) + made(j, i)) / 2;
    }
  }
  return made;
}

}  // namespace

sgd_vector::sgd_vector(const row_model& model, const vector_descent& how)
    : sigma_xi_{model.sigma_xi}, eta_{how.eta}, batch_{how.batch} {
  const normal_row checked{model};
  require_positive("sgd", "eta", eta_);
  require_batch(batch_);
  feature_moments x = moments_of_features(model, how.intercept);
  if (how.intercept) truth_.push_back(model.b);
  truth_.insert(truth_.end(), model.w.begin(), model.w.end());
  if (!how.intercept && model.b != 0) {
    throw std::domain_error("sgd: b must be 0 without an intercept, got " + shown(model.b));
  }
  if (how.start.size() != truth_.size()) {
    throw std::domain_error("sgd: expected a start for each of " + std::to_string(truth_.size()) +
                            " coefficients, got " + std::to_string(how.start.size()));
  }
  for (std::size_t i = 0; i < truth_.size(); ++i) {
    require_finite("sgd", "w0", how.start[i]);
    start_.push_back(how.start[i] - truth_[i]);
  }
  if (!converges(x, eta_, batch_)) {
    const double most = largest_rate(x, batch_);
    throw std::domain_error("sgd: eta must be below " + shown_limit(most) +
                            ", or the second moments grow without end, got " + shown(eta_));
  }
  second_ = std::move(x.second);
  mean_x_ = std::move(x.mean);
}

bool sgd_vector::is_centered() const { return all_zero(mean_x_); }

vector_moments sgd_vector::absolute(vector_moments of_error) const {
  for (std::size_t i = 0; i < size(); ++i) of_error.mean[i] += truth_[i];
  return of_error;
}

vector_moments sgd_vector::after(double steps) const {
  require_steps(steps);
  return absolute(is_centered() ? by_eigenvalues(steps) : step_by_step(steps));
}

vector_moments sgd_vector::step_by_step(double steps) const {
  const auto d = static_cast<double>(size());
  require_work(steps, 4 * d * d * d);
  const feature_moments x{second_, mean_x_};
  vector_moments now{start_, square_matrix{size()}};
  const double noise = eta_ * eta_ / batch_;
  for (double k = 0; k < steps; ++k) {
    const numbers am = product(second_, now.mean);
    const double seen = dot(now.mean, am) + sigma_xi_ * sigma_xi_;
    const double along = dot(mean_x_, now.mean);
    now.covariance = mapped(x, now.covariance, eta_, batch_);
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) {
        // In this order it is symmetric to the last bit.
        now.covariance(i, j) += noise * (am[i] * am[j] + seen * second_(i, j) -
                                         2 * along * along * (mean_x_[i] * mean_x_[j]));
      }
    }
    for (std::size_t i = 0; i < size(); ++i) now.mean[i] -= eta_ * am[i];
  }
  return now;
}

/// Along the eigenvectors of Σ covariances go each by itself, but for the variances, which share
/// the trace.
vector_moments sgd_vector::by_eigenvalues(double steps) const {
  const auto d = static_cast<double>(size());
  require_work(steps, 4 * d * d);
  const symmetric_eigen basis = eigen_of(second_);
  const numbers& value = basis.values;
  numbers mean = product(transposed(basis.vectors), start_);
  square_matrix c{size()};
  const double noise = eta_ * eta_ / batch_;
  for (double k = 0; k < steps; ++k) {
    double seen = sigma_xi_ * sigma_xi_;  // σ_ξ² + tr(AM)
    for (std::size_t i = 0; i < size(); ++i) seen += value[i] * (c(i, i) + mean[i] * mean[i]);
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double both = value[i] * value[j];
        const double kept = (1 - eta_ * value[i]) * (1 - eta_ * value[j]) + noise * both;
        c(i, j) = kept * c(i, j) + noise * both * mean[i] * mean[j];
      }
      c(i, i) += noise * value[i] * seen;
    }
    for (std::size_t i = 0; i < size(); ++i) mean[i] *= 1 - eta_ * value[i];
  }
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) c(j, i) = c(i, j);
  }
  return {from_eigen(basis.vectors, mean), from_eigen(basis.vectors, c)};
}

vector_moments sgd_vector::stationary() const {
  vector_moments limit{truth_, square_matrix{size()}};
  if (is_centered()) {
    const symmetric_eigen basis = eigen_of(second_);
    const double kappa = kappa_of(basis.values, eta_, batch_);
    for (std::size_t i = 0; i < size(); ++i) {
      limit.covariance(i, i) = eta_ * sigma_xi_ * sigma_xi_ / batch_ /
                               ((2 - eta_ * basis.values[i] * (1 + 1 / batch_)) * (1 - kappa));
    }
    limit.covariance = from_eigen(basis.vectors, limit.covariance);
    return limit;
  }
  // Σ_k of what the noise of each step has become since.
  const feature_moments x{second_, mean_x_};
  square_matrix term{size()};
  const double noise = eta_ * eta_ * sigma_xi_ * sigma_xi_ / batch_;
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = 0; j < size(); ++j) term(i, j) = noise * second_(i, j);
  }
  const auto d = static_cast<double>(size());
  for (double k = 0;; ++k) {
    require_work(k, 4 * d * d * d);
    for (std::size_t i = 0; i < size(); ++i) {
      for (std::size_t j = 0; j < size(); ++j) limit.covariance(i, j) += term(i, j);
    }
    if (trace_of(term) <= 0x1p-56 * trace_of(limit.covariance)) return limit;
    term = mapped(x, term, eta_, batch_);
  }
}

vector_moments sgd_vector::ou_after(double steps) const {
  require_steps(steps);
  const symmetric_eigen basis = eigen_of(second_);
  numbers mean = product(transposed(basis.vectors), start_);
  square_matrix c{size()};
  for (std::size_t i = 0; i < size(); ++i) {
    const double shrink = eta_ * basis.values[i] * steps;
    mean[i] *= std::exp(-shrink);
    c(i, i) = -std::expm1(-2 * shrink) * eta_ * sigma_xi_ * sigma_xi_ / (2 * batch_);
  }
  return absolute({from_eigen(basis.vectors, mean), from_eigen(basis.vectors, c)});
}

double sgd_vector::excess_risk(const vector_moments& at) const {
  numbers error = at.mean;
  for (std::size_t i = 0; i < size(); ++i) error[i] -= truth_[i];
  return trace_of_product(second_, at.covariance) + dot(error, product(second_, error));
}

double largest_learning_rate(const row_model& model, double batch, bool intercept) {
  const normal_row checked{model};
  require_batch(batch);
  return largest_rate(moments_of_features(model, intercept), batch);
}

}  // namespace ktln2
