#pragma once

#include <cmath>
#include <numbers>

#include "entropy/noisy_line.hpp"
#include "entropy/row_kernels.hpp"
#include "entropy/row_sum.hpp"
#include "entropy/width_map.hpp"
#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// The cells next to zero, [0, right) and its mirror image, as two rows: where they are one cell, a
/// register of Y and one with a zero of two signs in X differ in what the sign of that zero tells,
///     P(both rows) H(sign | Y_fp, both rows),    H(sign | Y_fp) = ln 2 + G(one) - G(both),
/// with the sums G of `row_sum` over one of the rows, and over both as one.
class zero_row {
 public:
  /// `cells` are those of the other variable, mirrored about an edge at 0.
  zero_row(const wide& right, const partition& cells, const noisy_line& line)
      : width_{std::fmin(ratio(right, line.row_deviation), wide_row::end_of_mass(0))},
        mass_{standard_normal{}.cell(width_ / 2, width_).probability} {
    if (!(mass_ > 0)) return;
    const row_cell one{0, width_, line.gain};
    const row_cell both{-width_, 2 * width_, line.gain};
    const wide end = wide(width_) * wide(line.row_deviation);
    const width_map widths{cells, line.noise, 10 * line.gain + 40, fine};
    const row_sum sum{widths, line.noise};
    const row_sum::result of_one = sum(wide(0.0), one);
    const row_sum::result of_both = sum(-(line.slope * end), both);
    sign_ = std::numbers::ln2 + of_one.nats - of_both.nats;
    error_ = of_one.error + of_both.error + fine * fine + 0x1p-48 * (1 + std::fabs(of_one.nats));
    if (line.is_capped) error_ += 128 / (line.gain * width_);

    const double u = ratio(cells.cell_of(0).right, line.noise);
    if (corner_row::suits(one)) {
      look_next_to_zero(corner_row{one}, u, one);
    } else if (narrow_row::suits(one)) {
      look_next_to_zero(narrow_row{one}, u, one);
    } else {
      look_next_to_zero(wide_row{one}, u, one);
    }
  }

  /// H with two zeros less that with one, over all cells of the other variable.
  [[nodiscard]] bounded<bits> worth_of_sign() const {
    return worth(2 * mass_ * sign_, 2 * mass_ * error_);
  }
  /// And over all but those next to zero.
  [[nodiscard]] bounded<bits> worth_of_sign_beyond_zero() const {
    const double there = x_log_x(same_ + other_) - x_log_x(same_) - x_log_x(other_);
    // Each is a difference of two probabilities, rounded, times the mass.
    const double rounding = mass_ > 0 ? 0x1p-48 * (44 - std::log(mass_)) : 0;
    return worth(2 * (mass_ * sign_ - there), 2 * mass_ * (error_ + rounding));
  }
  /// Of both variables in the cells next to zero, on whichever sides.
  [[nodiscard]] double both_next_to_zero() const { return 2 * (same_ + other_); }

 private:
  /// Cells of the other variable that are no wider against the noise are taken as points, which
  /// changes each G by less than the square of that.
  static constexpr double fine = 1e-8;

  static double x_log_x(double p) { return p > 0 ? p * std::log(p) : 0; }

  [[nodiscard]] bounded<bits> worth(double nats, double error) const {
    if (!(mass_ > 0)) return {bits{0}, bits{1e-300}, evidence::estimated};  // below all doubles
    return {bits{nats / std::numbers::ln2}, bits{error / std::numbers::ln2}, evidence::estimated};
  }

  template <class Kernel>
  void look_next_to_zero(const Kernel& kernel, double u, const row_cell& cell) {
    const double end = cell.smear() + row_reach;
    const double zero = kernel.through(0);
    const double above = u >= end ? 1 : kernel.through(u);
    const double below = u >= row_reach ? 0 : kernel.through(-u);
    same_ = mass_ * std::fmax(0.0, above - zero);
    other_ = mass_ * std::fmax(0.0, zero - below);
  }

  double width_;
  double mass_;       ///< of one of the two
  double sign_ = 0;   ///< H(sign | Y_fp), nats
  double error_ = 0;  ///< of that
  double same_ = 0;   ///< with the other variable next to zero on the same side
  double other_ = 0;  ///< and on the other
};

}  // namespace ktln2
