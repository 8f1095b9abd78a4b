#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "core/constants.hpp"
#include "entropy/noisy_line.hpp"
#include "entropy/row_kernels.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// The edges from 0 on of cells that are symmetric about an edge at 0.
inline std::vector<wide> edges_above_zero(const partition& cells) {
  std::vector<wide> edges{wide(0.0)};
  for (std::size_t block = cells.block_count() / 2; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      for (std::uint64_t k = 1; k <= run.count; ++k) edges.push_back(run.edge(k));
    }
  }
  return edges;
}

/// The cells next to zero, [0, right) and its mirror image, as two rows: where they are one cell, a
/// register of Y and one with a zero of two signs in X differ in what the sign of that zero tells.
class zero_row {
 public:
  /// `edges` are those of the other variable, from 0 on.
  zero_row(const wide& right, const std::vector<wide>& edges, const noisy_line& line)
      : width_{std::fmin(ratio(right, line.row_deviation), wide_row::end_of_mass(0))},
        mass_{standard_normal{}.cell(width_ / 2, width_).probability} {
    const row_cell cell{0, width_, line.gain};
    if (corner_row::suits(cell)) {
      fill(corner_row{cell}, edges, line);
    } else if (narrow_row::suits(cell)) {
      fill(narrow_row{cell}, edges, line);
    } else {
      fill(wide_row{cell}, edges, line);
    }
    if (line.is_capped) row_error_ = 64 / (line.gain * width_);
  }

  /// H with two zeros less that with one, over the cells of the other variable from `first` on.
  [[nodiscard]] bounded<bits> worth_of_sign(std::size_t first = 0) const {
    if (!(mass_ > 0)) return {bits{0}, bits{1e-300}, evidence::estimated};  // below all doubles
    compensated_sum nats;
    for (std::size_t j = first; j < same_.size(); ++j) {
      nats.add(x_log_x(same_[j] + other_[j]) - x_log_x(same_[j]) - x_log_x(other_[j]));
    }
    // Each mass is a difference of two probabilities, rounded, times that of the row.
    const auto cells = static_cast<double>(same_.size());
    const double error = mass_ * (cells * 0x1p-50 * (44 - std::log(mass_)) + row_error_);
    return {bits{2 * nats.value() / std::numbers::ln2}, bits{error / std::numbers::ln2},
            evidence::estimated};
  }
  /// Of both variables in the cells next to zero, on whichever sides.
  [[nodiscard]] double both_next_to_zero() const { return 2 * (same_[0] + other_[0]); }

 private:
  static double x_log_x(double p) { return p > 0 ? p * std::log(p) : 0; }

  template <class Kernel>
  void fill(const Kernel& kernel, const std::vector<wide>& edges, const noisy_line& line) {
    const double end = width_ * line.gain + row_reach;
    const auto through = [&](const wide& y) {
      const double u = ratio(y, line.noise);
      return u <= -row_reach ? 0 : u >= end ? 1 : kernel.through(u);
    };
    double above = through(edges[0]);
    double below = above;
    for (std::size_t j = 1; j < edges.size() && (above < 1 || below > 0); ++j) {
      const double next = through(edges[j]);
      const double before = through(-edges[j]);
      same_.push_back(mass_ * std::fmax(0.0, next - above));
      other_.push_back(mass_ * std::fmax(0.0, below - before));
      above = next;
      below = before;
    }
  }

  double width_;
  double mass_;  ///< of one of the two
  double row_error_ = 0;
  std::vector<double> same_;   ///< with the cells of the other variable on the same side
  std::vector<double> other_;  ///< and on the other, both from zero outward
};

}  // namespace ktln2
