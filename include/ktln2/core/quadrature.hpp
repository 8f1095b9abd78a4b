#pragma once

#include <array>
#include <cstddef>

namespace ktln2 {

/// Nodes in (-1, 1) and weights that add up to 1: a rule for the mean of a function.
template <std::size_t Order>
struct mean_rule {
  std::array<double, Order> node;
  std::array<double, Order> weight;
};

/// Gauss quadrature for the counting measure on N equally spaced points ("Gram", or discrete
/// Chebyshev, polynomials). The N points stand at x_i = (2i + 1)/N - 1, the middles of N equal
/// parts of [-1, 1]; then
///     (1/N) Σ_i f(x_i) = Σ_k weight_k f(node_k)
/// exactly for polynomials of degree below 2·Order. N = ∞ gives Gauss–Legendre quadrature.
/// For Order 2, 4, 8 or 16 and N > Order.
template <std::size_t Order>
mean_rule<Order> gram_rule(double points);

/// The Gauss–Legendre rule of order 4, 8 or 16.
template <std::size_t Order>
const mean_rule<Order>& gauss_legendre();

/// A sum that keeps the rounding errors of its additions (Neumaier).
class compensated_sum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    const bool sum_is_larger = (sum_ < 0 ? -sum_ : sum_) >= (term < 0 ? -term : term);
    correction_ += sum_is_larger ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  /// An infinite sum stays infinite: its correction is not a number.
  [[nodiscard]] double value() const {
    const double corrected = sum_ + correction_;
    return corrected == corrected ? corrected : sum_;
  }

 private:
  double sum_ = 0;
  double correction_ = 0;
};

}  // namespace ktln2
