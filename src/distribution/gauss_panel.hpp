#pragma once

#include <cstddef>

#include "ktln2/core/quadrature.hpp"

namespace ktln2 {

/// ∫ of f from a to b by one rule.
template <std::size_t Order, class F>
double by_rule(double a, double b, const F& f) {
  const auto& rule = gauss_legendre<Order>();
  double mean = 0;
  for (std::size_t k = 0; k < Order; ++k) {
    mean += rule.weight[k] * f(a + (b - a) / 2 * (1 + rule.node[k]));
  }
  return (b - a) * mean;
}

}  // namespace ktln2
