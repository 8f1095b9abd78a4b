#include "core/triangular.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

std::string entry_name(std::size_t row, std::size_t column) {
  return "(" + std::to_string(row + 1) + ", " + std::to_string(column + 1) + ")";
}

void require_symmetric(std::string_view where, const square_matrix& a) {
  const std::string begin = std::string(where) + ": the covariance ";
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (!std::isfinite(a(i, j))) {
        throw std::domain_error(begin + "must be finite: its entry " + entry_name(i, j) + " is " +
                                shown(a(i, j)));
      }
      if (a(i, j) != a(j, i)) {
        throw std::domain_error(begin + "must be symmetric: its entry " + entry_name(i, j) +
                                " is " + shown(a(i, j)) + ", but " + entry_name(j, i) + " is " +
                                shown(a(j, i)));
      }
    }
  }
}

[[noreturn]] void refuse_pivot(std::string_view where, std::size_t j, double left) {
  throw std::domain_error(
      std::string(where) +
      ": the covariance must be positive definite, but the variance of variable " +
      std::to_string(j + 1) + (j == 0 ? "" : ", given those before it,") + " is " + shown(left));
}

}  // namespace

square_matrix lower_factor(std::string_view where, const square_matrix& a) {
  require_symmetric(where, a);
  const std::size_t n = a.size();
  square_matrix lower(n);
  for (std::size_t j = 0; j < n; ++j) {
    double left = a(j, j);
    for (std::size_t k = 0; k < j; ++k) left -= lower(j, k) * lower(j, k);
    // What is left of a variance is known to so many of its ulps.
    if (!(left > static_cast<double>(2 * j) * 0x1p-53 * a(j, j))) refuse_pivot(where, j, left);
    lower(j, j) = std::sqrt(left);
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= lower(i, k) * lower(j, k);
      lower(i, j) = sum / lower(j, j);
    }
  }
  return lower;
}

square_matrix reordered_factor(const square_matrix& lower, const std::vector<std::size_t>& order) {
  const std::size_t n = lower.size();
  square_matrix rows(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k <= order[i]; ++k) rows(i, k) = lower(order[i], k);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = n; k-- > i + 1;) {
      if (rows(i, k) == 0) continue;
      const double length = std::hypot(rows(i, i), rows(i, k));
      const double c = rows(i, i) / length;
      const double s = rows(i, k) / length;
      for (std::size_t r = i; r < n; ++r) {
        const double at_i = rows(r, i);
        rows(r, i) = c * at_i + s * rows(r, k);
        rows(r, k) = c * rows(r, k) - s * at_i;
      }
      rows(i, i) = length;
      rows(i, k) = 0;
    }
    if (rows(i, i) < 0) {
      for (std::size_t r = i; r < n; ++r) rows(r, i) = -rows(r, i);
    }
  }
  return rows;
}

std::vector<double> solve_lower(const square_matrix& lower, std::vector<double> b,
                                std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= lower(i, k) * b[k];
    b[i] /= lower(i, i);
  }
  return b;
}

std::vector<double> solve_transposed(const square_matrix& lower, std::vector<double> b,
                                     std::size_t size) {
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) b[i] -= lower(k, i) * b[k];
    b[i] /= lower(i, i);
  }
  return b;
}

std::vector<double> inverse_diagonal(const square_matrix& lower) {
  const std::size_t n = lower.size();
  std::vector<double> result(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> unit(n, 0.0);
    unit[j] = 1;
    for (const double entry : solve_lower(lower, std::move(unit), n)) result[j] += entry * entry;
  }
  return result;
}

}  // namespace ktln2
