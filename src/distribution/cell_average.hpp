#pragma once

#include <cmath>

#include "ktln2/core/quadrature.hpp"
#include "ktln2/distribution/location_scale.hpp"

namespace ktln2 {

/// The mass of a cell narrow enough for Gauss–Legendre quadrature of the density: all terms are
/// positive, so nothing cancels.
///     P = f(z) · h · mean of f(z+t)/f(z) over |t| < h/2
template <std::size_t Order, class Kernel>
cell_mass narrow_cell(const Kernel& kernel, double z, double h) {
  const auto& rule = gauss_legendre<Order>();
  double mean = 0;
  for (std::size_t k = 0; k < rule.node.size(); ++k) {
    mean += rule.weight[k] * std::exp(kernel.log_ratio(z, h / 2 * rule.node[k]));
  }
  const cell_mass flat = kernel.flat_cell(z, h);
  return {flat.probability * mean, flat.log_probability + std::log(mean)};
}

/// The mass of a wide cell: from its two tails when it holds most of the law, otherwise what lies
/// `inside`, summed over both sides of the center.
inline cell_mass central_cell(cell_mass below, cell_mass above, double inside) {
  const double outside = below.probability + above.probability;
  if (outside < 0.5) return {1 - outside, std::log1p(-outside)};
  return {inside, std::log(inside)};
}

/// P(Z > a) - P(Z > b), where the second is well below the first.
inline cell_mass tail_difference(cell_mass beyond_a, cell_mass beyond_b) {
  const double log_ratio = beyond_b.log_probability - beyond_a.log_probability;
  if (std::isnan(log_ratio)) return {0, beyond_a.log_probability};  // both beyond double's range
  const double share = -std::expm1(log_ratio);
  return {beyond_a.probability * share, beyond_a.log_probability + std::log(share)};
}

}  // namespace ktln2
