#pragma once

#include <vector>

namespace ktln2 {

/// One step of SGD in units in which σ_x = σ_ξ = 1: φ' = (1 - ηS)φ + ηN, where S is a χ² variable
/// with B degrees of freedom divided by B and N ~ N(0, S/B) given S. Integrating over S leaves a
/// variance-gamma density. With d = φ' - φ, μ = (B-1)/2, r = √(1 + φ²) and z = B|d|r/η,
///     f(φ'|φ) = c (B r²)^-μ [z^μ K_μ(z) e^z] e^X,   X = -(B/η)(|d| r + d φ)
/// It is singular at d = 0: |d|^(B-1) for even B, d^(B-1) ln|d| for odd B.
class sgd_transition {
 public:
  sgd_transition(double eta, double batch);

  [[nodiscard]] double eta() const { return eta_; }
  [[nodiscard]] double batch() const { return batch_; }
  /// ln f(x + d | x)
  [[nodiscard]] double log_density(double x, double d) const;
  /// f(x + d | x) e^shift
  [[nodiscard]] double density(double x, double d, double shift) const;
  /// The deviation of φ' given φ = x.
  [[nodiscard]] double width(double x) const;
  /// The length on which the singularity at d = 0 shows.
  [[nodiscard]] double singular_length(double x) const;

 private:
  struct factors {
    double factor;
    double exponent;  ///< f = factor · e^exponent
  };
  [[nodiscard]] factors split(double x, double d) const;
  /// ln[z^μ K_μ(z) e^z] - μ ln μ by Debye's expansion, for large μ.
  [[nodiscard]] double log_bessel(double z) const;

  double eta_;
  double batch_;
  double mu_;
  bool is_even_;  ///< the batch
  double log_constant_;
  std::vector<double> debye_;  ///< a polynomial, from the constant up
};

}  // namespace ktln2
