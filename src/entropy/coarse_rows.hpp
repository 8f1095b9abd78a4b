#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "ktln2/core/wide.hpp"

namespace ktln2 {

/// The entropies of many neighboring rows, where the cells of X and of Y near them are equally wide
/// and not narrow against the noise, so that each row is different: what matters is where in the
/// lattice of Y the mean wX falls.
///
/// Lengths are in units of σ_ξ. The mean of Y moves by `smear` along a row, uniformly but for the
/// slope of the density of X: with s from -smear/2 to smear/2 along the row that is
///     g(s) ∝ 1 - λs + κs²,   λ = z/gain,  κ = (λ² - 1/gain²)/2
/// to second order in the width of a cell of X. Then P(Y < t | row) is an integral of g(s) Φ(t -
/// s), which needs at the two corners r = t ± smear/2 only
///     Ψ = ∫Φ = rΦ + φ,   Θ = ∫rΦ = ((r²-1)Φ + rφ)/2,   Ω = ∫r²Φ = (r³Φ + (r²+2)φ)/3,
/// and neighboring rows share their corners.
class coarse_rows {
 public:
  /// Fewer rows are not worth the setting up.
  static constexpr std::uint64_t worthwhile = 1024;
  /// What the third order in the width of a cell of X, over which ln f falls by `slope`, can add to
  /// the entropy of a row.
  static double third_order(double slope) { return slope * slope * slope / 16; }

  coarse_rows(double smear, double y_width, double gain)
      : smear_{smear}, y_width_{y_width}, gain_{gain} {}

  /// The mean of H_i over rows, weighted with their mass. The first row begins where the mean of Y
  /// is `phase` cells of Y (0 ≤ phase < 1) above an edge; its left end is at z, and a row is `step`
  /// wide, in units of σ_x.
  double mean_entropy(double phase, double z, double step, std::uint64_t count) {
    const double advance = smear_ / y_width_;
    edge(phase, left_);
    const double middle = z + static_cast<double>(count) / 2 * step;
    double entropies = 0;
    double weights = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const double next = phase + static_cast<double>(i + 1) * advance;
      const double whole = std::floor(next);
      edge(next - whole, right_);
      right_.first += static_cast<std::int64_t>(whole);
      right_.origin = next;
      const double center = z + (static_cast<double>(i) + 0.5) * step;
      const double weight = std::exp((middle - center) * (middle + center) / 2);
      entropies += weight * row(center);
      weights += weight;
      std::swap(left_, right_);
    }
    return entropies / weights;
  }

  /// A bound on the error of a row's entropy: each of the cells within reach is good to a few ulps,
  /// beyond the reach lie 1e-15 of the mass; and what the third order adds.
  [[nodiscard]] double error(double slope) const {
    const double cells = (smear_ + 2 * reach) / y_width_ + 2;
    return 64 * 0x1p-53 * cells + 1e-13 + third_order(slope);
  }

 private:
  static constexpr double reach = 8;

  struct corner {
    double psi;
    double theta;
    double omega;
  };

  /// An edge of a row: its corners with the edges of Y first, first + 1, … (counted from the first
  /// row's), all those within reach. `origin` is where the mean of Y is, in cells of Y.
  struct corners {
    std::int64_t first = 0;
    double origin = 0;
    std::vector<corner> values;
  };

  void edge(double phase, corners& result) const {
    const double span = reach / y_width_;
    const double first = std::ceil(phase - span);
    const double last = std::floor(phase + span);
    result.first = static_cast<std::int64_t>(first);
    result.origin = phase;
    result.values.clear();
    for (double j = first; j <= last; ++j) result.values.push_back(at((j - phase) * y_width_));
  }

  static corner at(double r) {
    const double density =
        std::exp(-r * r / 2) * (1 / std::numbers::sqrt2) * std::numbers::inv_sqrtpi;
    const double below = 0.5 * std::erfc(-r * (std::numbers::sqrt2 / 2));
    const double r2 = r * r;
    return {r * below + density, ((r2 - 1) * below + r * density) / 2,
            (r2 * r * below + (r2 + 2) * density) / 3};
  }

  /// The corner with edge j of Y, from the list or, beyond the reach, from the limits of Φ.
  [[nodiscard]] corner corner_of(const corners& of, std::int64_t j) const {
    const std::int64_t index = j - of.first;
    if (index < 0) return {0, 0, 0};
    if (index < static_cast<std::int64_t>(of.values.size())) {
      return of.values[static_cast<std::size_t>(index)];
    }
    const double r = (static_cast<double>(j) - of.origin) * y_width_;
    return {r, (r * r - 1) / 2, r * r * r / 3};
  }

  /// -Σ q ln q over the cells of Y within reach of the row between left_ and right_.
  [[nodiscard]] double row(double z) const {
    const double lambda = z / gain_;
    const double kappa = (lambda * lambda - 1 / (gain_ * gain_)) / 2;
    const double scale = 1 / (smear_ * (1 + kappa * smear_ * smear_ / 12));
    const std::int64_t last = right_.first + static_cast<std::int64_t>(right_.values.size());
    double below = 0;
    double entropy = 0;
    for (std::int64_t j = left_.first; j <= last; ++j) {
      double through = 1;
      if (j < last) {
        const corner a = corner_of(left_, j);
        const corner b = corner_of(right_, j);
        const double t = (static_cast<double>(j) - left_.origin) * y_width_ - smear_ / 2;
        through =
            scale * ((1 - t * (lambda - kappa * t)) * (a.psi - b.psi) +
                     (lambda - 2 * kappa * t) * (a.theta - b.theta) + kappa * (a.omega - b.omega));
      }
      const double q = through - below;
      if (q > 0) entropy -= q * std::log(q);
      below = through;
    }
    return entropy;
  }

  double smear_;
  double y_width_;
  double gain_;
  corners left_;
  corners right_;
};

}  // namespace ktln2
