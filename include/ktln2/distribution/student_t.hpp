#pragma once

#include <array>

#include "ktln2/distribution/location_scale.hpp"

namespace ktln2 {

/// Student's t with `dof` = ν degrees of freedom.
///     f(z) = C (1 + z²/ν)^(-(ν+1)/2),   C = Γ((ν+1)/2) / (Γ(ν/2) √(νπ))
class standard_student_t {
 public:
  explicit standard_student_t(double dof);

  [[nodiscard]] double dof() const { return dof_; }
  [[nodiscard]] double log_pdf(double z) const {
    return log_constant_ - (dof_ + 1) / 2 * log1p_square(z);
  }
  /// f(z)·h, without the large numbers that cancel far out: C (1+z²/ν)^(-ν/2) · h√ν/√(ν+z²).
  [[nodiscard]] cell_mass flat_cell(double z, double h) const {
    const double log_power = log_constant_ - dof_ / 2 * log1p_square(z);
    const double width = h / radius(z) * sqrt_dof_;
    return {std::exp(log_power) * width, log_power + std::log(width)};
  }
  [[nodiscard]] cell_mass upper(double z) const;
  [[nodiscard]] cell_mass lower(double z) const { return upper(-z); }
  [[nodiscard]] cell_mass cell(double z, double h) const;
  [[nodiscard]] cell_mass between(double a, double b) const;

  [[nodiscard]] auto cells(double h) const {
    return [this, h](double z) -> cell_mass {
      if (!(h * rate(z) < series_limit)) return cell(z, h);
      // mean of f over the cell / f(z) = 1 + h²/24 f''/f + …
      const double r = radius(z);
      const double share = z / r;
      const double curvature =
          (dof_ + 1) * ((dof_ + 2) * share * share - dof_ / r / r);  // r² f''/f
      const double excess = (h / r) * (h / r) / 24 * curvature;
      const cell_mass flat = flat_cell(z, h);
      return {flat.probability * (1 + excess), flat.log_probability + excess * (1 - excess / 2)};
    };
  }

  [[nodiscard]] double log_ratio(double z, double t) const {
    const double r = radius(z);
    return -(dof_ + 1) / 2 * std::log1p(t / r * (2 * (z / r) + t / r));  // 2z + t may overflow
  }
  [[nodiscard]] double log_slope(double z) const {
    return -(dof_ + 1) * (z / radius(z)) / radius(z);
  }
  [[nodiscard]] double condition(double z) const {
    const double share = std::fabs(z) / radius(z);
    return (dof_ + 1) * share * share;
  }
  [[nodiscard]] double core() const { return dof_ < 1 ? sqrt_dof_ : 1; }
  [[nodiscard]] std::array<double, 0> breaks() const { return {}; }
  [[nodiscard]] bool has_jumps() const { return false; }
  [[nodiscard]] bool is_symmetric() const { return true; }
  [[nodiscard]] double mode() const { return 0; }
  /// ν/z² is below 2^-300 from |z| = 2^200 on, for the ν that have any mass there.
  [[nodiscard]] double tail_index() const { return dof_; }
  [[nodiscard]] double entropy() const;
  [[nodiscard]] double mean() const;
  [[nodiscard]] double deviation() const;

 private:
  /// √(ν + z²), also where z² overflows: the distance to the density's branch points ±i√ν.
  [[nodiscard]] double radius(double z) const {
    const double size = std::fabs(z);
    return size < 1e150 ? std::sqrt(dof_ + z * z) : size;
  }
  /// An upper bound on how fast ln f varies near z.
  [[nodiscard]] double rate(double z) const {
    const double r = radius(z);
    return ((dof_ + 1) * (std::fabs(z) / r) + sqrt_next_) / r;
  }
  /// ln(1 + z²/ν)
  [[nodiscard]] double log1p_square(double z) const {
    const double t = std::fabs(z) / sqrt_dof_;
    if (t < 1e8) return std::log1p(t * t);
    return 2 * (std::isinf(t) ? std::log(std::fabs(z)) - std::log(sqrt_dof_) : std::log(t));
  }
  [[nodiscard]] double central(double z) const;  ///< P(0 < Z < z)
  [[nodiscard]] cell_mass wide_cell(double a, double b) const;
  [[nodiscard]] double far_series(double z) const;
  [[nodiscard]] cell_mass far_upper(double z) const;
  [[nodiscard]] cell_mass far_cell(double a, double b) const;
  [[nodiscard]] double log_mills_ratio(double z) const;

  /// Below it one term of the series is exact to 1e-16: 3 (5e-4)^4/1920.
  static constexpr double series_limit = 5e-4;
  /// Up to it quadrature of order 16 over the cell is exact to 1e-19.
  static constexpr double narrow_limit = 1;

  double dof_;
  double sqrt_dof_;
  double sqrt_next_;  ///< √(ν+1)
  double log_constant_;
};

/// Student's t, scaled and shifted. Throws std::domain_error unless loc is finite, scale finite and
/// > 0, and dof finite and at least 1e-6.
class student_t : public location_scale<standard_student_t> {
 public:
  student_t(double dof, double loc, double scale);
  /// With a scale to 100 bits that follows from something else.
  student_t(double dof, double loc, const wide& scale, const law_origin& origin);

 private:
  struct unchecked {};
  student_t(unchecked, double dof, double loc, const wide& scale);
};

}  // namespace ktln2
