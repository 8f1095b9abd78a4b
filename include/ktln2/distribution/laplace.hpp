#pragma once

#include <array>

#include "ktln2/distribution/location_scale.hpp"

namespace ktln2 {

/// f(z) = e^(-|z|) / 2
class standard_laplace {
 public:
  [[nodiscard]] double log_pdf(double z) const { return -std::fabs(z) - std::numbers::ln2; }
  [[nodiscard]] cell_mass upper(double z) const;
  [[nodiscard]] cell_mass lower(double z) const { return upper(-z); }
  [[nodiscard]] cell_mass cell(double z, double h) const;
  [[nodiscard]] cell_mass between(double a, double b) const;
  [[nodiscard]] auto cells(double h) const {
    return [this, h, narrow = h < 1, sinh_half = std::sinh(std::fmin(h, 1.0) / 2),
            log_sinh_half = std::log(std::sinh(std::fmin(h, 1.0) / 2))](double z) -> cell_mass {
      const double size = std::fabs(z);
      if (!narrow || size < h / 2) return cell(z, h);
      return {std::exp(-size) * sinh_half, log_sinh_half - size};
    };
  }
  [[nodiscard]] double quantile(double q) const {
    return q < 0.5 ? std::log(2 * q) : -std::log(2 * (1 - q));
  }
  [[nodiscard]] double log_ratio(double z, double t) const {
    return std::fabs(z) - std::fabs(z + t);
  }
  [[nodiscard]] double log_slope(double z) const { return z < 0 ? 1 : -1; }
  [[nodiscard]] double condition(double z) const { return std::fabs(z); }
  [[nodiscard]] double core() const { return 1; }
  [[nodiscard]] std::array<double, 1> breaks() const { return {0}; }
  [[nodiscard]] bool has_jumps() const { return false; }
  [[nodiscard]] bool is_symmetric() const { return true; }
  [[nodiscard]] double mode() const { return 0; }
  [[nodiscard]] double entropy() const { return 1 + std::numbers::ln2; }
  [[nodiscard]] double mean() const { return 0; }
  [[nodiscard]] double deviation() const { return std::numbers::sqrt2; }

 private:
  [[nodiscard]] cell_mass from_edges(double a, double b, double h) const;
};

/// Laplace (double exponential). Throws std::domain_error unless loc is finite and scale finite
/// and > 0.
class laplace : public location_scale<standard_laplace> {
 public:
  laplace(double loc, double scale);
};

}  // namespace ktln2
