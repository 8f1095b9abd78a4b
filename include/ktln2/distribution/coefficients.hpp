#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ktln2/distribution/law.hpp"
#include "ktln2/distribution/normal_row.hpp"

namespace ktln2 {

/// Regression on n rows: what is estimated, and how.
struct least_squares {
  row_model model;
  double n = 20;
  bool intercept = false;  ///< is one estimated? It is then the last coefficient.
  double ridge = 0;        ///< the penalty λ, added to each entry of the diagonal of XᵀX
};

/// How the estimate's law is known.
enum class estimate_kind {
  student,       ///< a multivariate t: n ≥ d rows, of an intercept n > d
  one_example,   ///< n = 1 < d, the estimate of least norm, features alike and independent
  minimum_norm,  ///< n < d and w = 0, likewise
  ridge,         ///< d = 1 with a penalty: a mixture of normal laws
};

/// The law of the coefficients that least squares finds, ŵ = w + z, of which the paper's slope
/// [lem:compute_f_z] is d = 1. Averaged over the features, z has the density
///     f(z) ∝ (1 + zᵀΣz/σ_ξ²)^(-(n+1)/2):
/// a multivariate t with ν = n - d + 1 degrees of freedom and the scale σ_ξ²Σ⁻¹/ν. If an intercept
/// is estimated too, ŵ has that law for n - 1 rows, and given z b̂ is normal around b - z·μ with the
/// variance (σ_ξ² + zᵀΣz)/n.
///
/// Throws std::domain_error, with the number, for what normal_row refuses, unless n is a whole
/// number from 1 to 1e15, and where the law is not known: too few rows, but for the cases above; a
/// penalty for d > 1 or with an intercept.
class coefficients {
 public:
  explicit coefficients(least_squares task);

  [[nodiscard]] const least_squares& task() const { return task_; }
  [[nodiscard]] estimate_kind kind() const { return kind_; }
  [[nodiscard]] std::size_t features() const { return row_.features(); }
  /// With the intercept.
  [[nodiscard]] std::size_t size() const { return features() + (task_.intercept ? 1 : 0); }
  [[nodiscard]] std::string name(std::size_t j) const;  ///< "w1" …, "b"
  [[nodiscard]] double truth(std::size_t j) const;      ///< w_j, or b
  /// ν of the multivariate t. Nothing for the other kinds.
  [[nodiscard]] std::optional<double> dof() const;
  /// τ_j = σ_ξ √(Σ⁻¹)_jj: coefficient j of the features is Student's around w_j with scale τ_j/√ν.
  [[nodiscard]] double spread(std::size_t j) const { return spread_[j]; }
  /// ŵ given V ~ χ²_ν: N(w, σ_ξ²Σ⁻¹/V). For a multivariate t without an intercept.
  [[nodiscard]] normal_vector given_chi_square(double v) const;

  /// One coefficient alone. Throws std::domain_error where it is not known: of an estimate of least
  /// norm.
  [[nodiscard]] law marginal(std::size_t j) const;

  [[nodiscard]] const normal_row& row() const { return row_; }

 private:
  least_squares task_;
  normal_row row_;
  std::vector<double> spread_;
  estimate_kind kind_;
  /// A law that takes long to be made is made once, for all copies.
  struct kept_law;
  std::shared_ptr<kept_law> kept_;
};

/// b̂ - b given how far the slopes are off: N(center, deviation²), of which b̂'s law is the mixture.
struct intercept_part {
  double weight;
  double center;
  double deviation;
};
/// Enough of them for means over the mixture to 1e-8 of what they are; the weights add up to 1.
/// Throws as `marginal` does for the intercept.
std::vector<intercept_part> intercept_parts(const coefficients& estimate);

/// h of all coefficients together, in closed form but for the penalty's.
differential_bits differential_entropy(const coefficients& estimate);

/// E log|ŵ_j|, in bits, of an estimate of least norm: what its smooth entropy needs.
double mean_log_coefficient(const coefficients& estimate);

/// ln Γ(x + steps/2) - ln Γ(x) and ψ(x + steps/2) - ψ(x), for x > 0, without cancellation.
double log_gamma_rise(double x, double steps);
double digamma_rise(double x, double steps);

}  // namespace ktln2
