#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ktln2/core/square_matrix.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/normal.hpp"

namespace ktln2 {

/// What those before it say of a variable of a normal vector:
///     Z | before ~ N(M, s²),   M = ν + Σ_k β_k (Z_k - ν_k) ~ N(ν, C - s²)
struct normal_link {
  std::size_t variable = 0;
  double mean = 0;             ///< ν
  double deviation = 0;        ///< s
  double spread = 0;           ///< the deviation of M
  std::vector<double> slopes;  ///< β, one for each variable before it, in their order
  bool independent = true;     ///< are those before it independent of each other?
};

/// Z ~ N(ν, C) in any number of dimensions, kept as C's lower triangular factor.
class normal_vector {
 public:
  /// Throws std::domain_error that begins with `where`, with the offending number, unless the sizes
  /// agree, all is finite, and the covariance symmetric and positive definite.
  normal_vector(std::string_view where, std::vector<double> mean, const square_matrix& covariance);
  /// From the factor itself: C = L Lᵀ, with L's diagonal > 0, and how far ln det C is off.
  static normal_vector from_factor(std::string_view where, std::vector<double> mean,
                                   square_matrix factor, double doubt = 0);

  [[nodiscard]] std::size_t size() const { return mean_.size(); }
  [[nodiscard]] double mean(std::size_t j) const { return mean_[j]; }
  [[nodiscard]] double deviation(std::size_t j) const;
  [[nodiscard]] double covariance(std::size_t i, std::size_t j) const;
  [[nodiscard]] const square_matrix& factor() const { return factor_; }
  [[nodiscard]] normal marginal(std::size_t j) const { return {mean(j), deviation(j)}; }
  /// ln det C
  [[nodiscard]] double log_determinant() const;
  /// The most that rounding may have moved ln det C, or as much for other reasons: of each entry of
  /// C by half an ulp, and of the factor, which is that of a matrix which is off by at most (m+1)
  /// 2^-53 √(C_ii C_jj) in each entry [Higham, Accuracy and Stability of Numerical Algorithms, 2nd
  /// ed., theorem 10.3],
  ///     |d ln det C| ≤ Σ_ij |C⁻¹|_ij |dC|_ij.
  [[nodiscard]] double doubt() const { return doubt_; }
  /// With what rotations into another order, or a solution with the factor, add: of each row they
  /// are off by 6m 2^-53 of its length at most.
  [[nodiscard]] double doubt_when_turned() const;
  /// The diagonal of C⁻¹: what 1/variance would be, given all others.
  [[nodiscard]] std::vector<double> precisions() const;

  /// Each variable given those before it, in the order in which they stand or in another one.
  [[nodiscard]] std::vector<normal_link> chain() const;
  /// Throws std::domain_error unless each variable is in it once.
  [[nodiscard]] std::vector<normal_link> chain(const std::vector<std::size_t>& order) const;

 private:
  normal_vector() = default;
  std::vector<double> mean_;
  square_matrix factor_;
  double doubt_ = 0;
};

/// h(Z) = ½ log((2πe)^m det C)
differential_bits differential_entropy(const normal_vector& z);

/// By how much so much doubt of ln det C may move an entropy, that of registers too. Of h it is
/// half of the doubt, and so for fine cells; the other half is for coarse ones.
bits rounding_by(double doubt);
inline bits rounding_of(const normal_vector& z) { return rounding_by(z.doubt()); }

/// What the variables share: Σ_j h(Z_j) - h(Z).
bits total_correlation(const normal_vector& z);

}  // namespace ktln2
