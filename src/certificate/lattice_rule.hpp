#pragma once

#include <cstdint>
#include <vector>

#include "certificate/ball.hpp"

namespace ktln2::certificate {

/// A rule for the mean of a function over N lattice points x_i = (2i + 1)/N - 1, i = 0 … N-1: the
/// mean of the polynomial that agrees with it at the zeros of the Chebyshev polynomial T_n.
///     (1/N) Σ_i F(x_i) ≈ Σ_k weight_k F(node_k)
/// It is exact for polynomials of degree below n. With |F| ≤ B inside the Bernstein ellipse with
/// parameter ρ (foci ±1, sum of its semi-axes ρ) it is wrong by at most 4Bρ^-n/(1 - ρ^-2).
class lattice_rule {
 public:
  /// n even. Nodes and weights have the bits of the working precision at this point.
  explicit lattice_rule(int n);

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] const std::vector<ball>& nodes() const { return nodes_; }
  [[nodiscard]] std::vector<ball> weights(std::uint64_t points) const;
  /// The mean of T_j over the lattice for j = 0, 2, … , n-2.
  [[nodiscard]] std::vector<ball> chebyshev_means(std::uint64_t points) const;

  /// 4ρ^-n/(1 - ρ^-2)
  [[nodiscard]] ball error_factor(const ball& rho) const;

 private:
  int n_;
  slong guarded_;  ///< bits for the sums that cancel
  std::vector<ball> nodes_;
  std::vector<std::vector<ball>> mean_;       ///< mean of T_2i is Σ_k mean_[i][k] N^-2k
  std::vector<std::vector<ball>> chebyshev_;  ///< T_2i(node_k)
};

}  // namespace ktln2::certificate
