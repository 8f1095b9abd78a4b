#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "entropy/stretch.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/distribution/normal.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// E[ln b] in nats, b the width of the cell that holds Y over a scale, 1 for an unbounded one, and
/// Y normal. Its mean may lie between two doubles.
class log_width_mean {
 public:
  /// Where blocks have no mass to speak of, up to `negligible` is left out.
  log_width_mean(const partition& cells, const wide& mean, double deviation, double scale,
                 double negligible)
      : cells_{cells}, mean_{mean}, deviation_{deviation}, scale_{scale}, negligible_{negligible} {}

  void add_upper_half() { add(cells_.block_count() / 2, cells_.block_count()); }
  void add_lower_half() { add(0, cells_.block_count() / 2); }

  [[nodiscard]] double value() const { return sum_.value(); }
  [[nodiscard]] double mass() const { return mass_.value(); }
  /// Of the terms that were added.
  [[nodiscard]] double absolute() const { return absolute_; }
  /// |ln b| at most.
  [[nodiscard]] double largest() const { return largest_; }
  /// Of what was left out.
  [[nodiscard]] double error() const { return error_; }

 private:
  [[nodiscard]] double mass_between(const wide& left, const wide& right) const {
    const double from = ratio(left - mean_, deviation_);
    const double to = ratio(right - mean_, deviation_);
    const double length = std::isinf(to - from) ? to - from : ratio(right - left, deviation_);
    return mass_of(normal_, {from, to, length, 1}).probability;
  }

  /// Of a format with many exponents most blocks have no mass to speak of.
  void add(std::size_t first, std::size_t last) {
    if (last - first == 1 || !cells_.widens_outward()) {
      while (first < last) add_block(first++);
      return;
    }
    const double mass = mass_between(cells_.block_left(first), cells_.block_right(last - 1));
    // Widths grow outward, so that the ends have the narrowest and the widest of the bounded cells.
    const bool is_below = !(wide(0.0) < cells_.block_right(first));
    const std::size_t next_to_last = is_below ? first + 1 : last - 2;
    const double most =
        std::max({largest_in(first), largest_in(next_to_last), largest_in(last - 1)});
    if (mass * most <= negligible_) {
      mass_.add(mass);
      error_ += mass * most;
      largest_ = std::max(largest_, most);
      return;
    }
    const std::size_t half = first + (last - first) / 2;
    add(first, half);
    add(half, last);
  }

  void add_block(std::size_t block) {
    for (const cell_run& run : cells_.block(block)) {
      if (run.count == 0) continue;
      const double mass = mass_between(run.left, run.right);
      mass_.add(mass);
      if (run.right.is_infinite() || run.left.is_infinite()) continue;
      const double log_width = log_width_of(run);
      sum_.add(mass * log_width);
      absolute_ += mass * (std::fabs(log_width) + std::fabs(std::log(scale_)));
      largest_ = std::max(largest_, std::fabs(log_width));
    }
  }

  [[nodiscard]] double log_width_of(const cell_run& run) const {
    return log(run.width) - std::log(scale_);
  }
  /// |ln b| of the bounded cells of a block.
  [[nodiscard]] double largest_in(std::size_t block) const {
    double most = 0;
    for (const cell_run& run : cells_.block(block)) {
      if (run.count == 0 || run.right.is_infinite() || run.left.is_infinite()) continue;
      most = std::max(most, std::fabs(log_width_of(run)));
    }
    return most;
  }

  standard_normal normal_;
  const partition& cells_;
  wide mean_;
  double deviation_;
  double scale_;
  double negligible_;
  compensated_sum sum_;
  compensated_sum mass_;
  double absolute_ = 0;
  double largest_ = 0;
  double error_ = 0;
};

}  // namespace ktln2
