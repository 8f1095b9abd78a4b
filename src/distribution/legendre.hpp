#pragma once

#include <array>
#include <cstddef>

#include "ktln2/core/quadrature.hpp"

/// Polynomials of degree 15 on [-1, 1], as sums of Legendre polynomials.
namespace ktln2::legendre {

inline constexpr std::size_t order = 16;
using coefficients = std::array<double, order>;

/// Σ a_n P_n(u), by Clenshaw's recurrence.
inline double sum(const coefficients& a, double u) {
  double next = 0;
  double here = a[order - 1];
  for (std::size_t n = order - 1; n-- > 0;) {
    const auto k = static_cast<double>(n);
    const double before = a[n] + (2 * k + 1) / (k + 1) * u * here - (k + 1) / (k + 2) * next;
    next = here;
    here = before;
  }
  return here;
}

/// The same at 16 places side by side.
inline std::array<double, 16> sums(const coefficients& a, const std::array<double, 16>& u) {
  std::array<double, 16> next{};
  std::array<double, 16> here{};
  here.fill(a[order - 1]);
  for (std::size_t n = order - 1; n-- > 0;) {
    const auto k = static_cast<double>(n);
    const double up = (2 * k + 1) / (k + 1);
    const double back = (k + 1) / (k + 2);
    for (std::size_t j = 0; j < u.size(); ++j) {
      const double before = a[n] + up * u[j] * here[j] - back * next[j];
      next[j] = here[j];
      here[j] = before;
    }
  }
  return here;
}

/// The polynomial through 16 values at the Gauss–Legendre nodes.
inline coefficients through(const double* values) {
  const auto& rule = gauss_legendre<order>();
  coefficients a{};
  for (std::size_t j = 0; j < order; ++j) {
    double before = 0;
    double here = 1;
    for (std::size_t n = 0; n < order; ++n) {
      const auto k = static_cast<double>(n);
      a[n] += (2 * k + 1) * rule.weight[j] * here * values[j];
      const double next = ((2 * k + 1) * rule.node[j] * here - k * before) / (k + 1);
      before = here;
      here = next;
    }
  }
  return a;
}

}  // namespace ktln2::legendre
