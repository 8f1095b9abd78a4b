#pragma once

#include <array>

#include "ktln2/distribution/location_scale.hpp"

namespace ktln2 {

/// Z ~ N(0, 1).
class standard_normal {
 public:
  [[nodiscard]] double log_pdf(double z) const { return -z * z / 2 - log_sqrt_2pi; }
  /// f(z)·h
  [[nodiscard]] cell_mass flat_cell(double z, double h) const {
    const double log_f = log_pdf(z);
    return {std::exp(log_f) * h, log_f + std::log(h)};
  }
  [[nodiscard]] cell_mass upper(double z) const;
  [[nodiscard]] cell_mass lower(double z) const { return upper(-z); }
  [[nodiscard]] cell_mass cell(double z, double h) const;
  [[nodiscard]] cell_mass between(double a, double b) const;

  [[nodiscard]] auto cells(double h) const {
    return [this, h, half2 = h * h / 4, log_h = std::log(h)](double z) -> cell_mass {
      if (!(h * (1 + std::fabs(z)) < series_limit)) return cell(z, h);
      // mean of f over the cell / f(z) = Σ_k He_2k(z) (h/2)^2k / (2k+1)!
      const double z2 = z * z;
      const double excess =
          half2 / 6 *
          ((z2 - 1) +
           half2 / 20 * ((z2 * z2 - 6 * z2 + 3) + half2 / 42 * (z2 * (z2 * (z2 - 15) + 45) - 15)));
      const double log_f = log_pdf(z);
      return {std::exp(log_f) * h * (1 + excess),
              log_f + log_h + excess * (1 - excess * (0.5 - excess / 3))};
    };
  }

  [[nodiscard]] double quantile(double q) const;
  [[nodiscard]] double log_ratio(double z, double t) const { return -t * (z + t / 2); }
  [[nodiscard]] double log_slope(double z) const { return -z; }
  [[nodiscard]] double condition(double z) const { return z * z; }
  [[nodiscard]] double core() const { return 1; }
  [[nodiscard]] std::array<double, 0> breaks() const { return {}; }
  [[nodiscard]] bool has_jumps() const { return false; }
  [[nodiscard]] bool is_symmetric() const { return true; }
  [[nodiscard]] double mode() const { return 0; }
  [[nodiscard]] double entropy() const { return log_sqrt_2pi + 0.5; }
  [[nodiscard]] double mean() const { return 0; }
  [[nodiscard]] double deviation() const { return 1; }

 private:
  [[nodiscard]] cell_mass wide_cell(double a, double b) const;

  static constexpr double log_sqrt_2pi = 0.91893853320467274178;
  /// Below it the three terms of the series are exact to 1e-18: (0.01)^8 9!!/9! < 1e-18.
  static constexpr double series_limit = 0.02;
};

/// A mean and a deviation to 100 bits, and how far the mean may be off.
struct wide_moments {
  wide mean;
  wide deviation;
  wide mean_error;
};

/// N(mu, sigma²). Throws std::domain_error unless mu is finite and sigma finite and > 0.
class normal : public location_scale<standard_normal> {
 public:
  normal(double mu, double sigma);
  /// With moments that follow from something else.
  normal(const wide_moments& moments, const law_origin& origin);
};

}  // namespace ktln2
