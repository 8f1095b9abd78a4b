#include "ktln2/distribution/normal_vector.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/triangular.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

void require_size(std::string_view where, std::size_t size, std::size_t means) {
  if (size == 0) throw std::domain_error(std::string(where) + ": there is no variable");
  if (size == means) return;
  throw std::domain_error(std::string(where) + ": the covariance is of " + std::to_string(size) +
                          " variables, but there are " + std::to_string(means) + " means");
}

double row_product(const square_matrix& factor, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k <= std::min(i, j); ++k) sum += factor(i, k) * factor(j, k);
  return sum;
}

/// The length of a row's first entries, without overflow on the way.
double row_length(const square_matrix& factor, std::size_t row, std::size_t entries) {
  double length = 0;
  for (std::size_t k = 0; k < entries; ++k) length = std::hypot(length, factor(row, k));
  return length;
}

/// Σ_ij |C⁻¹|_ij √(C_ii C_jj), C = L Lᵀ.
double condition_of(const square_matrix& lower) {
  const std::size_t m = lower.size();
  std::vector<std::vector<double>> inverse;  // columns of L⁻¹
  std::vector<double> deviation;
  for (std::size_t j = 0; j < m; ++j) {
    std::vector<double> column(m, 0.0);
    column[j] = 1 / lower(j, j);
    for (std::size_t i = j + 1; i < m; ++i) {
      double sum = 0;
      for (std::size_t k = j; k < i; ++k) sum -= lower(i, k) * column[k];
      column[i] = sum / lower(i, i);
    }
    inverse.push_back(std::move(column));
    deviation.push_back(row_length(lower, j, j + 1));
  }
  double sum = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double entry = 0;
      for (std::size_t k = i; k < m; ++k) entry += inverse[i][k] * inverse[j][k];
      sum += (i == j ? 1 : 2) * std::fabs(entry) * deviation[i] * deviation[j];
    }
  }
  return sum;
}

/// Of so many units in the last place of √(C_ii C_jj). What is far from small is no first order any
/// more: what it may be then nobody knows.
double doubt_of_factor(const square_matrix& lower, double units) {
  const double first = units * 0x1p-53 * condition_of(lower);
  return first < 0.5 ? first / (1 - first) : 1e3 * static_cast<double>(lower.size());
}

void require_order(const std::vector<std::size_t>& order, std::size_t size) {
  std::vector<bool> seen(size, false);
  for (const std::size_t j : order) {
    if (j >= size || seen[j]) break;
    seen[j] = true;
  }
  for (std::size_t j = 0; j < size; ++j) {
    if (!seen[j] || order.size() != size) {
      throw std::domain_error("order: expected each of " + std::to_string(size) +
                              " variables once");
    }
  }
}

}  // namespace

normal_vector::normal_vector(std::string_view where, std::vector<double> mean,
                             const square_matrix& covariance)
    : mean_{std::move(mean)} {
  require_size(where, covariance.size(), mean_.size());
  for (const double m : mean_) require_finite(where, "the mean", m);
  factor_ = lower_factor(where, covariance);
  // m + 1 of the factor, and the entries' own
  doubt_ = doubt_of_factor(factor_, static_cast<double>(size()) + 2);
}

normal_vector normal_vector::from_factor(std::string_view where, std::vector<double> mean,
                                         square_matrix factor, double doubt) {
  require_size(where, factor.size(), mean.size());
  for (std::size_t j = 0; j < mean.size(); ++j) {
    require_finite(where, "the mean", mean[j]);
    require_positive(where, "each variable's deviation, given those before it,", factor(j, j));
    require_positive(where, "each variable's deviation", row_length(factor, j, j + 1));
  }
  normal_vector made;
  made.mean_ = std::move(mean);
  made.factor_ = std::move(factor);
  made.doubt_ = doubt;
  return made;
}

double normal_vector::doubt_when_turned() const {
  return doubt_ + doubt_of_factor(factor_, 12 * static_cast<double>(size()));
}

double normal_vector::deviation(std::size_t j) const { return row_length(factor_, j, j + 1); }

double normal_vector::covariance(std::size_t i, std::size_t j) const {
  return row_product(factor_, i, j);
}

double normal_vector::log_determinant() const {
  double sum = 0;
  for (std::size_t j = 0; j < size(); ++j) sum += 2 * std::log(factor_(j, j));
  return sum;
}

std::vector<double> normal_vector::precisions() const { return inverse_diagonal(factor_); }

std::vector<normal_link> normal_vector::chain() const {
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), 0);
  return chain(order);
}

std::vector<normal_link> normal_vector::chain(const std::vector<std::size_t>& order) const {
  require_order(order, size());
  const square_matrix lower = reordered_factor(factor_, order);
  std::vector<normal_link> links;
  bool independent = true;
  for (std::size_t j = 0; j < size(); ++j) {
    std::vector<double> slopes;
    for (std::size_t k = 0; k < j; ++k) slopes.push_back(lower(j, k));
    slopes = solve_transposed(lower, std::move(slopes), j);
    links.push_back({order[j], mean_[order[j]], lower(j, j), row_length(lower, j, j),
                     std::move(slopes), independent});
    for (std::size_t k = 0; k < j; ++k) {
      independent = independent && covariance(order[j], order[k]) == 0;
    }
  }
  return links;
}

differential_bits differential_entropy(const normal_vector& z) {
  const double nats = static_cast<double>(z.size()) * (std::log(2 * std::numbers::pi) + 1) / 2 +
                      z.log_determinant() / 2;
  return differential_bits{nats / std::numbers::ln2};
}

bits rounding_by(double doubt) { return bits{doubt / std::numbers::ln2}; }

bits total_correlation(const normal_vector& z) {
  double nats = 0;
  for (const normal_link& link : z.chain()) {
    nats += std::log(std::hypot(1, link.spread / link.deviation));
  }
  return bits{nats / std::numbers::ln2};
}

}  // namespace ktln2
