#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "entropy/stretch.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {

/// The length over which f may vary by its own size somewhere in the stretch.
template <class Kernel>
double variation(const Kernel& kernel, const stretch& s) {
  if constexpr (requires { kernel.density_bound(s.left, s.right); }) {
    return resolution(kernel, s);
  } else {
    return std::max(s.nearest(), kernel.core());
  }
}

/// What a sum over cells takes of the two unbounded ones.
enum class outermost_cells { nothing, granular_part };

/// Σ F over the bounded cells of a partition, for a function F of one cell that is smooth along a
/// run and negligible where the law has no mass. F takes the cell as a stretch of one, and its true
/// width: in the units of a narrow law that may be beyond double's range.
template <class Law, class F>
class cell_functional {
 public:
  cell_functional(const partition& cells, const Law& x, F function,
                  outermost_cells ends = outermost_cells::nothing)
      : x_{x}, kernel_{x.kernel()}, function_{function} {
    for (std::size_t block = 0; block < cells.block_count(); ++block) {
      for (cell_run run : cells.block(block)) {
        if (ends == outermost_cells::granular_part) run = granular_part(cells, run);
        const bool is_cell = run.count > 0 && !run.left.is_infinite() && !run.right.is_infinite();
        if (is_cell) add(run, 0, run.count);
      }
    }
  }

  [[nodiscard]] double value() const { return sum_.value(); }
  [[nodiscard]] double error() const { return error_; }

 private:
  void add(const cell_run& run, std::uint64_t first, std::uint64_t count) {
    const stretch piece = standard_stretch(x_, run, first, count);
    if (!(mass_of(kernel_, piece).probability > 1e-22) || piece.nearest() > 0x1p990) return;
    if (count == 1) return sum_.add(function_(piece, run.width));
    if (piece.is_bounded()) {
      if (count <= 128 && piece.farthest() <= 64) return add_each(piece, run.width);
      if (count > 128 && is_smooth(piece) && add_by_quadrature(piece, run.width)) return;
    }
    add(run, first, count / 2);
    add(run, first + count / 2, count - count / 2);
  }

  [[nodiscard]] bool is_smooth(const stretch& piece) const {
    for (const double z : kernel_.breaks()) {
      if (piece.holds(z)) return false;
    }
    return piece.length() <= 2 * variation(kernel_, piece);
  }

  [[nodiscard]] static stretch cell_at(double center, double width) {
    return {center - width / 2, center + width / 2, width, 1};
  }

  void add_each(const stretch& piece, const wide& width) {
    for (std::uint64_t k = 0; k < piece.count; ++k) {
      const double center = piece.left + (static_cast<double>(k) + 0.5) * piece.width;
      sum_.add(function_(cell_at(center, piece.width), width));
    }
  }

  bool add_by_quadrature(const stretch& piece, const wide& width) {
    const double low = by_rule<8>(piece, width);
    const double high = by_rule<16>(piece, width);
    const double difference = std::fabs(high - low);
    // Halving a piece that is already short against all that the law does helps no more.
    const bool may_halve = piece.length() > resolution(kernel_, piece) / 256;
    if (may_halve && !(difference <= 1e-9 * std::fabs(high))) return false;
    sum_.add(high);
    error_ += difference;
    return true;
  }

  template <std::size_t Order>
  double by_rule(const stretch& piece, const wide& width) const {
    const auto count = static_cast<double>(piece.count);
    const auto rule = gram_rule<Order>(count);
    double mean = 0;
    for (std::size_t k = 0; k < Order; ++k) {
      const double center = piece.center() + piece.length() / 2 * rule.node[k];
      mean += rule.weight[k] * function_(cell_at(center, piece.width), width);
    }
    return count * mean;
  }

  const Law& x_;
  decltype(std::declval<Law>().kernel()) kernel_;
  F function_;
  compensated_sum sum_;
  double error_ = 0;
};

/// Is f so nearly constant on the cell that relative deviations from its middle are small?
template <class Kernel>
bool is_narrow(const Kernel& kernel, const stretch& cell) {
  if (!cell.is_bounded()) return false;
  for (const double z : kernel.breaks()) {
    if (cell.holds(z)) return false;
  }
  if constexpr (requires { kernel.density_bound(cell.left, cell.right); }) {
    if (cell.width > variation(kernel, cell) / 4) return false;
  }
  const double z = cell.center();
  return cell.width * (kernel.condition(z) + 1) <= std::max(std::fabs(z), kernel.core()) / 4;
}

}  // namespace ktln2
