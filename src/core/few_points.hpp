#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <mutex>

#include "ktln2/core/quadrature.hpp"

namespace ktln2 {

/// The Gauss rule for N equally spaced points, by the recurrence of its orthonormal polynomials
///     x q_k = √β_{k+1} q_{k+1} + √β_k q_{k-1},    β_k = k²(1 - k²/N²)/(4k² - 1):
/// nodes by bisection, as the signs of q_k count the roots below a point, weights 1/Σ q_k².
template <std::size_t Order>
class few_points {
 public:
  explicit few_points(std::size_t points) {
    const auto n = static_cast<long double>(points);
    for (std::size_t k = 1; k < Order; ++k) {
      const auto square = static_cast<long double>(k * k);
      beta_[k] = square * (1 - square / (n * n)) / (4 * square - 1);
    }
  }

  [[nodiscard]] mean_rule<Order> rule() const {
    mean_rule<Order> made{};
    for (std::size_t k = Order / 2; k < Order; ++k) {
      const long double x = root(k);
      const std::size_t left = Order - 1 - k;
      made.node[k] = static_cast<double>(x);
      made.node[left] = -made.node[k];
      made.weight[k] = made.weight[left] = static_cast<double>(weight(x));
    }
    return made;
  }

 private:
  /// How many roots of q_Order lie below x: the negative pivots of the Jacobi matrix less x.
  [[nodiscard]] std::size_t roots_below(long double x) const {
    std::size_t count = 0;
    long double pivot = 1;
    for (std::size_t k = 0; k < Order; ++k) {
      pivot = -x - (k == 0 ? 0 : beta_[k] / pivot);
      if (pivot < 0) ++count;
    }
    return count;
  }

  [[nodiscard]] long double root(std::size_t k) const {
    long double low = 0;
    long double high = 1;
    constexpr int halvings = 62;
    for (int i = 0; i < halvings; ++i) {
      const long double middle = (low + high) / 2;
      (roots_below(middle) > k ? high : low) = middle;
    }
    return (low + high) / 2;
  }

  [[nodiscard]] long double weight(long double x) const {
    long double sum = 1;
    long double before = 0;
    long double now = 1;
    for (std::size_t k = 1; k < Order; ++k) {
      const long double below = k == 1 ? 0 : std::sqrt(beta_[k - 1]);
      const long double next = (x * now - below * before) / std::sqrt(beta_[k]);
      before = now;
      now = next;
      sum += now * now;
    }
    return 1 / sum;
  }

  std::array<long double, Order> beta_{};
};

/// The rule for fewer than `Most` points, computed when it is first asked for.
template <std::size_t Order, std::size_t Most>
const mean_rule<Order>& few_points_rule(std::size_t points) {
  static std::array<std::once_flag, Most> once;
  static std::array<mean_rule<Order>, Most> rules;
  std::call_once(once.at(points), [&] { rules[points] = few_points<Order>{points}.rule(); });
  return rules[points];
}

}  // namespace ktln2
