#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace ktln2 {

/// The circle of phases 0 ≤ φ < 1, cut up for a function that is analytic but for two places φ = 0
/// and φ = -θ, where it turns within a few s, like x ln x at a distance x beyond: panels that grow
/// with their distance from these places.
class phase_panels {
 public:
  phase_panels(double theta, double s) {
    add_places(0, s);
    add_places(1, s);
    add_places(1 - (theta - std::floor(theta)), s);
    edges_.push_back(0);
    edges_.push_back(1);
    std::sort(edges_.begin(), edges_.end());
    const auto is_tiny = [](double a, double b) { return b - a < 1e-15; };
    edges_.erase(std::unique(edges_.begin(), edges_.end(), is_tiny), edges_.end());
    edges_.back() = 1;
    index_.resize(1024);
    std::size_t i = 0;
    for (std::size_t k = 0; k < index_.size(); ++k) {
      const double phase = static_cast<double>(k) / static_cast<double>(index_.size());
      while (edges_[i + 1] <= phase) ++i;
      index_[k] = i;
    }
  }

  [[nodiscard]] std::size_t size() const { return edges_.size() - 1; }
  /// Where panel i begins and panel i - 1 ends.
  [[nodiscard]] double edge(std::size_t i) const { return edges_[i]; }
  /// The panel that holds φ.
  [[nodiscard]] std::size_t at(double phase) const {
    std::size_t i = index_[static_cast<std::size_t>(phase * static_cast<double>(index_.size()))];
    while (phase >= edges_[i + 1]) ++i;
    return i;
  }

 private:
  void add_places(double center, double s) {
    const auto add = [&](double x) {
      if (0 < x && x < 1) edges_.push_back(x);
    };
    add(center);
    for (double x = 2.5 * s; x < 1; x = x < 9 * s ? x + 2.5 * s : 2 * x) {
      add(center - x);
      add(center + x);
    }
  }

  std::vector<double> edges_;
  std::vector<std::size_t> index_;  ///< the panels that hold the multiples of 1/size
};

/// A function R(φ, t) with period 1 in φ and 0 ≤ t ≤ 1: Chebyshev in φ on each panel, quadratic in
/// t.
class phase_table {
 public:
  /// How many values of R that takes.
  static double work(const phase_panels& panels) {
    return 3.0 * order * static_cast<double>(panels.size());
  }

  /// R is called as R(φ, t) for t = 0, ½ and 1.
  template <class Function>
  phase_table(const phase_panels& panels, Function function) : panels_{panels} {
    for (std::size_t i = 0; i < panels.size(); ++i) {
      add_panel(panels.edge(i), panels.edge(i + 1), function);
    }
  }

  /// For 0 ≤ φ < 1.
  [[nodiscard]] double operator()(double phase, double t) const {
    const panel& here = series_[panels_.at(phase)];
    const double x = std::fma(phase, here.scale, here.shift);
    std::array<double, 3> one{};
    std::array<double, 3> two{};
    for (std::size_t n = order - 1; n > 0; --n) {
      for (std::size_t m = 0; m < 3; ++m) {
        const double next = 2 * x * one[m] - two[m] + here.coefficient[n][m];
        two[m] = one[m];
        one[m] = next;
      }
    }
    const auto value = [&](std::size_t m) { return x * one[m] - two[m] + here.coefficient[0][m]; };
    return value(0) + t * (value(1) + t * value(2));
  }

  /// By how much the last coefficients say that the table is off, on the average over φ.
  [[nodiscard]] double error() const { return error_; }
  /// The mean over φ at t.
  [[nodiscard]] double mean(double t) const { return mean_[0] + t * (mean_[1] + t * mean_[2]); }
  /// A bound on the variation of R in φ along the circle.
  [[nodiscard]] double variation() const { return variation_; }

 private:
  static constexpr std::size_t order = 16;

  struct panel {
    double scale;
    double shift;
    std::array<std::array<double, 3>, order> coefficient;  ///< of 1, t, t²
  };

  template <class Function>
  void add_panel(double left, double right, Function& function) {
    std::array<std::array<double, 3>, order> value{};
    for (std::size_t k = 0; k < order; ++k) {
      const double x = std::cos(std::numbers::pi * (static_cast<double>(k) + 0.5) / order);
      const double phase = (left + right) / 2 + (right - left) / 2 * x;
      const double low = function(phase, 0.0);
      const double middle = function(phase, 0.5);
      const double high = function(phase, 1.0);
      value[k] = {low, 4 * middle - 3 * low - high, 2 * (high + low) - 4 * middle};
    }
    panel made{2 / (right - left), -(left + right) / (right - left), {}};
    for (std::size_t n = 0; n < order; ++n) {
      for (std::size_t k = 0; k < order; ++k) {
        const double c = std::cos(std::numbers::pi * static_cast<double>(n) *
                                  (static_cast<double>(k) + 0.5) / order);
        for (std::size_t m = 0; m < 3; ++m) {
          made.coefficient[n][m] += (n == 0 ? 1.0 : 2.0) / order * c * value[k][m];
        }
      }
    }
    const auto size = [&](std::size_t n) { return std::fabs(made.coefficient[n][0]); };
    error_ += (right - left) * (size(order - 1) + size(order - 2));
    for (std::size_t n = 0; n < order; n += 2) {
      for (std::size_t m = 0; m < 3; ++m) {
        const auto degree = static_cast<double>(n);
        mean_[m] += (right - left) * made.coefficient[n][m] / (1 - degree * degree);
      }
    }
    for (std::size_t n = 1; n < order; ++n) {
      variation_ += 2 * static_cast<double>(n) * size(n);
    }
    series_.push_back(made);
  }

  const phase_panels& panels_;
  std::vector<panel> series_;
  std::array<double, 3> mean_{};
  double error_ = 0;
  double variation_ = 0;
};

}  // namespace ktln2
