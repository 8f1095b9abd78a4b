#pragma once

#include <array>

#include "ktln2/distribution/location_scale.hpp"

namespace ktln2 {

/// f(z) = 1 / (4 cosh²(z/2))
class standard_logistic {
 public:
  [[nodiscard]] double log_pdf(double z) const {
    const double size = std::fabs(z);
    return -size - 2 * std::log1p(std::exp(-size));
  }
  [[nodiscard]] cell_mass upper(double z) const;
  [[nodiscard]] cell_mass lower(double z) const { return upper(-z); }
  [[nodiscard]] cell_mass cell(double z, double h) const;
  [[nodiscard]] cell_mass between(double a, double b) const;
  [[nodiscard]] auto cells(double h) const {
    return [this, h, log_h = std::log(h)](double z) -> cell_mass {
      if (h > 1e-3) return cell(z, h);
      // P = sinh(h/2) / (cosh z + cosh(h/2)), with the factor e^-|z| taken out
      const double decay = std::exp(-std::fabs(z));
      const double h2 = h * h;
      const double sinh_excess = h2 / 24 * (1 + h2 / 80);  // sinh(h/2) = h/2 (1 + …)
      const double cosh_excess = h2 / 8 * (1 + h2 / 48);   // cosh(h/2) = 1 + …
      const double shoulder = (1 + decay) * (1 + decay);   // 2 e^-|z| (cosh z + 1)
      const double excess = 2 * decay * cosh_excess / shoulder;
      return {h * decay * (1 + sinh_excess) / (shoulder * (1 + excess)),
              log_h - std::fabs(z) - 2 * std::log1p(decay) + sinh_excess * (1 - sinh_excess / 2) -
                  excess * (1 - excess / 2)};
    };
  }
  [[nodiscard]] double quantile(double q) const {
    // Near the median 2q - 1 is exact.
    return 0.25 < q && q < 0.75 ? 2 * std::atanh(2 * q - 1) : std::log(q / (1 - q));
  }
  [[nodiscard]] double log_ratio(double z, double t) const;
  [[nodiscard]] double log_slope(double z) const { return -std::tanh(z / 2); }
  [[nodiscard]] double condition(double z) const { return std::fabs(z); }
  [[nodiscard]] double core() const { return 1; }
  [[nodiscard]] std::array<double, 0> breaks() const { return {}; }
  [[nodiscard]] bool has_jumps() const { return false; }
  [[nodiscard]] bool is_symmetric() const { return true; }
  [[nodiscard]] double mode() const { return 0; }
  [[nodiscard]] double entropy() const { return 2; }
  [[nodiscard]] double mean() const { return 0; }
  [[nodiscard]] double deviation() const { return std::numbers::pi / std::numbers::sqrt3; }

 private:
  [[nodiscard]] cell_mass from_edges(double a, double b, double h) const;
};

/// Logistic. Throws std::domain_error unless loc is finite and scale finite and > 0.
class logistic : public location_scale<standard_logistic> {
 public:
  logistic(double loc, double scale);
};

}  // namespace ktln2
