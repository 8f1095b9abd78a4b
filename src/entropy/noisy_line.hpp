#pragma once

#include <algorithm>
#include <cmath>

#include "ktln2/core/wide.hpp"
#include "ktln2/distribution/pair.hpp"

namespace ktln2 {

/// The pair as a sum over rows sees it: one variable, N(center, row_deviation²), in whose cells the
/// rows are, and another one, offset + slope times the first and noise, N(0, noise²). The slope is
/// positive: the cells are symmetric, so that -w has the same entropies, if the row's variable
/// changes its sign.
struct noisy_line {
  wide slope;
  double row_deviation;
  double deviation;  ///< of the other variable
  double noise;
  double gain;  ///< slope·row_deviation/noise
  bool is_capped = false;
  wide center = {};
  wide offset = {};
  double shift = 0;  ///< the other variable's mean over the noise

  /// Both variables are as often positive as negative: one half tells all.
  [[nodiscard]] bool is_centered() const { return center.is_zero() && offset.is_zero(); }
  /// With the signs of both variables changed.
  [[nodiscard]] noisy_line mirrored() const {
    noisy_line made = *this;
    made.center = -center;
    made.offset = -offset;
    made.shift = -shift;
    return made;
  }

  /// Rows are cells of X.
  static noisy_line by_x(const regression_pair& pair) {
    const double signal = std::fabs(pair.w()) * pair.sigma_x();
    const bool is_capped = pair.gain() > most_gain;
    noisy_line made{std::fabs(pair.w()),
                    pair.sigma_x(),
                    pair.sigma_y(),
                    is_capped ? signal / most_gain : pair.sigma_xi(),
                    std::min(pair.gain(), most_gain),
                    is_capped};
    made.place(pair.w() < 0, pair.mu_x(), pair.mean_of_y());
    return made;
  }

  /// Rows are cells of Y: X = w'Y + ξ', w' = g²/(1 + g²)/w. The slope has more digits than a double
  /// has, as wX has them.
  static noisy_line by_y(const regression_pair& pair) {
    const double gain = std::min(pair.gain(), most_gain);
    const double spread = std::hypot(1, gain);
    const wide w = std::fabs(pair.w());
    wide inverse{1 / w.high(), 0, -w.exponent()};
    inverse = inverse + inverse * (wide(1.0) - w * inverse);
    const double noise_share = 1 / spread / spread;
    const wide signal_share =
        gain < 1 ? wide(gain / spread * (gain / spread)) : wide(1.0) - wide(noise_share);
    noisy_line made{inverse * signal_share,  pair.sigma_y(), pair.sigma_x(),
                    pair.sigma_x() / spread, gain,           pair.gain() > most_gain};
    made.place(pair.w() < 0, pair.mean_of_y(), pair.mu_x());
    return made;
  }

 private:
  /// Where the means are; of the row's variable with the other sign, if the slope had one.
  void place(bool is_mirrored, const wide& row_mean, const wide& other_mean) {
    center = is_mirrored ? -row_mean : row_mean;
    offset = other_mean - slope * center;
    shift = ratio(other_mean, noise);
  }

  /// Noise so far below the cells that it only says which side of an edge a point on the edge
  /// falls on. More of it leaves a mass of the order of cells·2^-96 in other cells.
  static constexpr double most_gain = 0x1p96;
};

}  // namespace ktln2
