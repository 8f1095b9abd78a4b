#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "ktln2/distribution/location_scale.hpp"

namespace ktln2 {

/// What a tabulated law is made of, in standard units.
struct tabulated_values {
  std::vector<double> edges;    ///< of the panels, ascending
  std::vector<double> density;  ///< 16 values > 0 a panel, at its Gauss–Legendre nodes
  std::vector<double> breaks;   ///< where the density is not smooth; these are edges
  bool has_jumps = false;       ///< is it not even continuous there, or not finite?
  double core = 1;
  double mean = 0;
  double deviation = 1;
  double error = 0;  ///< of the density, in total variation
};

/// A density known by its values on panels: ln f is a polynomial on each, a power of |z| beyond the
/// last one on either side. Made to integrate to one.
/// A cheap value: copies share their table.
class standard_tabulated {
 public:
  /// Panels at the ends whose values are too small or too rough to be trusted are left out. Throws
  /// std::domain_error unless the edges ascend, there are 16 values for each panel, and what is
  /// left falls off on both sides of 0.
  explicit standard_tabulated(const tabulated_values& values);

  [[nodiscard]] double log_pdf(double z) const;
  /// The same at 16 points: much quicker where all of them are on one panel.
  [[nodiscard]] std::array<double, 16> log_pdf(const std::array<double, 16>& z) const;
  /// f(z)·h
  [[nodiscard]] cell_mass flat_cell(double z, double h) const {
    const double log_f = log_pdf(z);
    return {std::exp(log_f) * h, log_f + std::log(h)};
  }
  [[nodiscard]] cell_mass upper(double z) const;
  [[nodiscard]] cell_mass lower(double z) const;
  [[nodiscard]] cell_mass cell(double z, double h) const;
  [[nodiscard]] cell_mass between(double a, double b) const;
  [[nodiscard]] auto cells(double h) const {
    return [this, h](double z) { return cell(z, h); };
  }
  [[nodiscard]] double log_ratio(double z, double t) const;
  [[nodiscard]] double log_slope(double z) const;
  /// The larger one of both sides.
  [[nodiscard]] double condition(double z) const {
    return std::fabs(z) * std::fmax(std::fabs(log_slope(z)), std::fabs(log_slope(-z)));
  }
  [[nodiscard]] double core() const { return table_->core; }
  [[nodiscard]] std::span<const double> breaks() const { return table_->breaks; }
  [[nodiscard]] bool has_jumps() const { return table_->has_jumps; }
  [[nodiscard]] bool is_symmetric() const { return false; }
  [[nodiscard]] double mode() const { return table_->mode; }
  [[nodiscard]] double entropy() const { return table_->entropy; }
  [[nodiscard]] double mean() const { return table_->mean; }
  [[nodiscard]] double deviation() const { return table_->deviation; }
  /// How far the density is off, in total variation.
  [[nodiscard]] double table_error() const { return table_->error; }

 private:
  static constexpr std::size_t order = 16;
  using coefficients = std::array<double, order>;

  struct panel {
    double left;
    double right;
    coefficients log_f;  ///< of Legendre polynomials on [-1, 1]
    coefficients slope;  ///< of d ln f/du
    double mass;
    double below;  ///< P(Z < left)
    double above;  ///< P(Z > right)

    [[nodiscard]] double half() const { return (right - left) / 2; }
    /// From -1 to 1; from the nearer edge, as a panel may be tiny against its distance from 0.
    [[nodiscard]] double place(double z) const {
      return z - left < right - z ? (z - left) / half() - 1 : 1 - (right - z) / half();
    }
  };

  /// Beyond the edge e: f(z) = f(e) |z/e|^-(index+1).
  struct tail {
    double edge;
    double log_f;
    double index;
    double mass;
  };

  struct table {
    std::vector<panel> panels;
    tail left;
    tail right;
    std::vector<double> breaks;
    bool has_jumps;
    double core;
    double mode;
    double entropy;
    double mean;
    double deviation;
    double error;
  };

  class builder;

  [[nodiscard]] static double integral(const panel& one, double from, double to);
  [[nodiscard]] static double entropy_of(const panel& one, double from, double to);
  [[nodiscard]] static cell_mass beyond(const tail& end, double z);
  /// Between two points beyond an edge.
  [[nodiscard]] static cell_mass tail_cell(const tail& end, double near, double far);
  [[nodiscard]] std::size_t panel_at(double z) const;
  /// P(a < Z < b) as a sum of positive parts.
  [[nodiscard]] double inside(double a, double b) const;

  std::shared_ptr<const table> table_;
};

}  // namespace ktln2
