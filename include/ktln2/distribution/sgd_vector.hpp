#pragma once

#include <vector>

#include "ktln2/core/square_matrix.hpp"
#include "ktln2/distribution/normal_row.hpp"

namespace ktln2 {

/// Stochastic gradient descent on many coefficients θ, from the point `start`, with a fresh batch
/// of B rows in each step:
///     θ ← θ - (η/B) Σ (θ·x - y) x        [eq:SGD_update]
/// With an intercept, x has a constant 1 in front, and θ the intercept.
struct vector_descent {
  double eta = 0.01;
  double batch = 10;
  std::vector<double> start;  ///< one number for each coefficient, the intercept's first
  bool intercept = false;
};

/// Mean and covariance of θ.
struct vector_moments {
  std::vector<double> mean;
  square_matrix covariance;
};

/// The exact first two moments of SGD, and those of its Ornstein–Uhlenbeck process.
///
/// With φ = θ - θ*, A = E xxᵀ, μ = E x, m = E φ and C = Cov φ, and as for normal x (a constant is
/// normal, too) E[xxᵀMxxᵀ] = 2AMA + A tr(AM) - 2(μᵀMμ)μμᵀ:
///     m' = (I - ηA) m
///     C' = C - η(AC + CA) + η²ACA + (η²/B) {AMA + [tr(AM) + σ_ξ²] A - 2(μᵀMμ)μμᵀ},  M = C + mmᵀ
/// It is C, and not M, that is carried on, and kept symmetric: its antisymmetric rounding errors
/// would not shrink.
class sgd_vector {
 public:
  /// Throws std::domain_error, with the offending number, for a bad row, a start of another size, η
  /// that is not > 0, a batch that is no whole number ≥ 1, and an η from which on the second
  /// moments grow without end.
  sgd_vector(const row_model& model, const vector_descent& how);

  [[nodiscard]] std::size_t size() const { return truth_.size(); }
  /// θ*, the intercept first.
  [[nodiscard]] const std::vector<double>& truth() const { return truth_; }

  /// After so many steps. Throws std::domain_error for more than 1e9, or for what would take hours.
  [[nodiscard]] vector_moments after(double steps) const;
  /// The limit of many steps. In closed form where all means are 0 and there is no intercept; with
  /// κ = Σ_i (ηλ_i/B)/(2 - ηλ_i(1+1/B)) over the eigenvalues λ_i of Σ,
  ///     C_ii = (ησ_ξ²/B)/[(2 - ηλ_i(1+1/B))(1-κ)],   MSE = σ_ξ²/(1-κ).
  [[nodiscard]] vector_moments stationary() const;

  /// dφ = -Aφ dt + noise of covariance (ησ_ξ²/B) A dt, t = ηk        [sec:nonstationarysgd]
  ///     m = e^(-ηAk) m_0,   C = (ησ_ξ²/2B) (I - e^(-2ηAk))
  [[nodiscard]] vector_moments ou_after(double steps) const;

  /// tr(A (C + mmᵀ)), what the model's errors add to the noise of a prediction.
  [[nodiscard]] double excess_risk(const vector_moments& at) const;

 private:
  [[nodiscard]] bool is_centered() const;
  [[nodiscard]] vector_moments absolute(vector_moments of_error) const;
  [[nodiscard]] vector_moments step_by_step(double steps) const;
  [[nodiscard]] vector_moments by_eigenvalues(double steps) const;

  square_matrix second_;        ///< A
  std::vector<double> mean_x_;  ///< μ
  std::vector<double> truth_;   ///< θ*
  std::vector<double> start_;   ///< φ_0
  double sigma_xi_;
  double eta_;
  double batch_;
};

/// The learning rate from which on the second moments of SGD grow without end: for centered
/// features the least of the roots of κ(η) = 1 and ηλ_max = 2B/(B+1); with means or an intercept
/// that at which the spectral radius of the step is 1. Throws as sgd_vector does.
double largest_learning_rate(const row_model& model, double batch, bool intercept);

}  // namespace ktln2
