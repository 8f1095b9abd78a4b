#pragma once

#include <array>

#include "ktln2/distribution/location_scale.hpp"

namespace ktln2 {

/// Uniform on [0, 1].
class standard_uniform {
 public:
  [[nodiscard]] double log_pdf(double z) const;
  [[nodiscard]] cell_mass upper(double z) const;
  [[nodiscard]] cell_mass lower(double z) const;
  [[nodiscard]] cell_mass cell(double z, double h) const;
  [[nodiscard]] cell_mass between(double a, double b) const;
  [[nodiscard]] auto cells(double h) const {
    return [this, h](double z) { return cell(z, h); };
  }
  [[nodiscard]] double quantile(double q) const { return q; }
  [[nodiscard]] double log_ratio(double z, double t) const { return log_pdf(z + t) - log_pdf(z); }
  [[nodiscard]] double log_slope(double) const { return 0; }
  [[nodiscard]] double condition(double) const { return 1; }
  [[nodiscard]] double core() const { return 1; }
  [[nodiscard]] std::array<double, 2> breaks() const { return {0, 1}; }
  [[nodiscard]] bool has_jumps() const { return true; }
  [[nodiscard]] bool is_symmetric() const { return false; }
  [[nodiscard]] double mode() const { return 0.5; }
  [[nodiscard]] double entropy() const { return 0; }
  [[nodiscard]] double mean() const { return 0.5; }
  [[nodiscard]] double deviation() const { return 0.28867513459481288225; }  ///< 1/√12
};

/// Uniform on [low, high]. Throws std::domain_error unless both are finite and low < high.
class uniform : public location_scale<standard_uniform> {
 public:
  uniform(double low, double high);

  [[nodiscard]] double low() const { return location(); }
  [[nodiscard]] double high() const { return high_; }

 private:
  double high_;
};

}  // namespace ktln2
