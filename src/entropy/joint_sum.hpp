#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "entropy/cell_sum.hpp"
#include "entropy/coarse_rows.hpp"
#include "entropy/row_law.hpp"
#include "entropy/width_map.hpp"
#include "ktln2/core/integer.hpp"
#include "ktln2/distribution/pair.hpp"

namespace ktln2 {

/// H(Y_fp | X_fp) = Σ_i P_i H_i, where i is a cell of X, a row, and H_i the entropy of the register
/// of Y given that row. All in nats; w > 0 (the cells are symmetric, so -w has the same entropies)
/// and, by symmetry again, x > 0.
///
/// Along a run of equal cells P_i H_i is a smooth function of the cell's index,
///   - where the cells of Y are narrow against σ_ξ: H_i then does not feel where in the lattice of
///     Y the mean wX falls (its ripple is of order exp(-2π²σ_ξ²/width²));
///   - over stretches longer than σ_ξ/w only away from where the widths of Y's cells change.
/// Such pieces are summed by Gram quadrature, others row by row.
///
/// Where the mean of Y moves by less than `fine` deviations σ_ξ within a cell of X, the cells of X
/// are taken as points: knowing the cell instead of x itself raises H_i by at most smear²/8, the
/// information that a signal of that amplitude can carry through the noise. All such runs merge
/// into one integral.
class joint_sum {
 public:
  joint_sum(const partition& x_cells, const partition& y_cells, const regression_pair& pair,
            double tolerance)
      : x_cells_{x_cells},
        y_cells_{y_cells},
        slope_{std::fabs(pair.w())},
        sigma_x_{pair.sigma_x()},
        sigma_xi_{pair.sigma_xi()},
        gain_{pair.gain()},
        tolerance_{tolerance},
        fine_{std::sqrt(tolerance / 8)},
        widths_{y_cells, pair.sigma_xi(), 10 * gain_ + 40} {}

  bounded<bits> compute() {
    const std::size_t half = x_cells_.block_count() / 2;
    const std::size_t end = x_cells_.block_count();
    // The runs that merge: all but the first block's, whose first cell reaches down to zero.
    const std::size_t fine_end = end_of_fine(half + 1);
    const bool all_fine = is_fine(half);
    if (!all_fine) add_block(half);
    const wide fine_left = all_fine ? wide(0.0) : x_cells_.block_left(half + 1);
    const wide fine_right = x_cells_.block_left(fine_end);
    if (half + 1 < end && fine_left < fine_right) add({fine_left, fine_right, wide(0.0), 0});
    if (fine_end < end) add_blocks(fine_end, end);

    const double nats = 2 * nats_.value();
    const double lost = std::fabs(2 * mass_.value() - 1);
    const double error = 2 * error_ + lost * (log_size() + 1) + 4 * 0x1p-53 * nats;
    if (!std::isfinite(nats) || !std::isfinite(error)) {
      throw std::runtime_error("joint entropy: the parameters are beyond double precision");
    }
    return {bits{nats / std::numbers::ln2}, bits{error / std::numbers::ln2}, evidence::estimated};
  }

 private:
  static constexpr double margin = 9;        ///< Φ(-9) = 1e-19
  static constexpr double fine_cell = 0.75;  ///< exp(-2π²/0.75²) = 6e-16
  static constexpr std::uint64_t few = 128;
  static constexpr std::uint64_t most_rows = 1 << 20;
  static constexpr std::uint64_t block_size = 512;
  static constexpr std::uint64_t smallest_sample = 256;  ///< in blocks

  [[nodiscard]] double log_size() const { return y_cells_.log2_size() * std::numbers::ln2; }

  /// Neighboring cells of one run of X; with count 0, points.
  struct span {
    wide left;
    wide right;
    wide width;
    std::uint64_t count = 0;

    [[nodiscard]] bool is_points() const { return count == 0; }
  };

  [[nodiscard]] double standard(const wide& x) const { return ratio(x, sigma_x_); }

  [[nodiscard]] bool is_fine(std::size_t block) const {
    bool fine = true;
    for (const cell_run& run : x_cells_.block(block)) {
      fine = fine && (run.count == 0 || gain_ * standard(run.width) <= fine_);
    }
    return fine;
  }

  /// The first block from `first` on that is not fine.
  [[nodiscard]] std::size_t end_of_fine(std::size_t first) const {
    std::size_t end = x_cells_.block_count();
    if (!x_cells_.widens_outward()) {
      while (first < end && is_fine(first)) ++first;
      return first;
    }
    while (first < end) {
      const std::size_t middle = first + (end - first) / 2;
      if (is_fine(middle)) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first;
  }

  void add_blocks(std::size_t first, std::size_t last) {
    if (last - first == 1) return add_block(first);
    const double left = standard(x_cells_.block_left(first));
    const double right = standard(x_cells_.block_right(last - 1));
    if (neglect(mass_of(normal_, {left, right, right - left, 1}).probability)) return;
    const std::size_t half = first + (last - first) / 2;
    add_blocks(half, last);  // first what has most rows of much mass
    add_blocks(first, half);
  }

  void add_block(std::size_t block) {
    for (const cell_run& run : x_cells_.block(block)) {
      if (run.count > 0) add({run.left, run.right, run.width, run.count});
    }
  }

  /// Rows of total mass m add at most m ln N. That does not matter, or the work is enough.
  bool neglect(double mass) {
    const double most = mass * log_size();
    if (!(most <= tolerance_ / 64) && rows_ < most_rows) return false;
    nats_.add(most / 2);
    error_ += most / 2;
    mass_.add(mass);
    return true;
  }

  void add(const span& piece) {
    const double left = standard(piece.left);
    const double right = standard(piece.right);
    const double length = std::isinf(right) ? right : standard(piece.right - piece.left);
    const double mass = mass_of(normal_, {left, right, length, 1}).probability;
    if (neglect(mass)) return;
    if (piece.count == 1) return add_row(piece, mass);
    if (piece.is_points() && right > 11) return cut(piece, 10 * gain_);

    // What the mean of Y, and Y itself, run over, in units of σ_ξ.
    const double from = gain_ * left;
    const double to = gain_ * right;
    const width_map::view y = widths_.between(from - margin, to + margin);
    if (y.same_cell) {  // but for 1e-19 of the mass
      mass_.add(mass);
      error_ += mass * 1e-17 * (1 + log_size());
      return;
    }
    const bool is_coarse = y.widest > fine_cell;
    if (!piece.is_points() && (piece.count < few || (is_coarse && !resolves_phase(piece)))) {
      return add_rows(piece, y.level, mass);
    }
    const double middle = from + (to - from) / 2;
    const double longest = is_coarse ? 1.5 : 2;
    if ((is_coarse || !y.level) && to - from > longest) {
      return cut(piece, is_coarse ? middle : cut_point(from, to));
    }
    if (length > 2 * std::max(1.0, left)) return cut(piece, middle);
    const bool gentle = length * (1 + right * right) < right / 4 && (y.level || to - from < 0.25);
    const bool done = gentle ? by_quadrature<4, 8>(piece, left, right, mass)
                             : by_quadrature<8, 16>(piece, left, right, mass);
    if (!done) cut(piece, middle);
  }

  /// Many rows while the mean of Y crosses a cell of Y?
  [[nodiscard]] bool resolves_phase(const span& piece) const {
    return gain_ * standard(piece.width) <= 0.125;
  }

  /// A point that parts what is near a change of Y's widths from what is not; else the middle.
  [[nodiscard]] double cut_point(double from, double to) const {
    const double at = widths_.cut(from, to, margin);
    return std::isnan(at) ? from + (to - from) / 2 : at;
  }

  /// Cuts where the mean of Y is at `u`, in units of σ_ξ.
  void cut(const span& piece, double u) {
    const wide at = wide(u) * wide(sigma_x_ / gain_);
    if (piece.is_points()) {
      add({piece.left, at, piece.width, 0});
      add({at, piece.right, piece.width, 0});
      return;
    }
    const double before = std::floor(standard(at - piece.left) / standard(piece.width));
    const auto most = static_cast<double>(piece.count - 1);
    const auto index =
        std::min(static_cast<std::uint64_t>(std::clamp(before, 1.0, most)), piece.count - 1);
    const wide edge = piece.left + wide::from_integer(index) * piece.width;
    add({piece.left, edge, piece.width, index});
    add({edge, piece.right, piece.width, piece.count - index});
  }

  /// H_i of a row, with its error bar. What the errors of all rows add up to stays below the
  /// tolerance if each is weighted with its mass.
  struct entropy {
    double nats;
    double error;
  };

  template <class Kernel>
  entropy row_entropy(const wide& x, const Kernel& kernel, double tolerance) {
    ++rows_;
    const row_law law{wide(slope_) * x, sigma_xi_, kernel};
    const bounded<bits> h = cell_sum(y_cells_, law, tolerance).compute();
    return {h.value.value() * std::numbers::ln2, h.error.value() * std::numbers::ln2};
  }

  entropy row_entropy(const wide& x, const row_cell& cell, double tolerance) {
    if (narrow_row::suits(cell)) return row_entropy(x, narrow_row{cell}, tolerance);
    const double left = cell.z - cell.width / 2;
    return row_entropy(x, wide_row{left, left + cell.width, cell.z, gain_}, tolerance);
  }

  [[nodiscard]] double row_tolerance(double mass) const {
    return std::fmin(1e-3, tolerance_ / 8 * (1 + 0.01 / mass));
  }

  void add(entropy row, double mass) {
    nats_.add(mass * row.nats);
    error_ += mass * row.error;
    mass_.add(mass);
  }

  void add_row(const span& piece, double mass) {
    const double left = standard(piece.left);
    const double right = standard(piece.right);
    if (right <= wide_row::end_of_mass(left)) {
      const wide center = midpoint(piece.left, piece.right);
      const row_cell cell{standard(center), standard(piece.width), gain_};
      return add(row_entropy(center, cell, row_tolerance(mass)), mass);
    }
    // All its mass is near its left end.
    add(row_entropy(piece.left, wide_row{left, right, left, gain_}, row_tolerance(mass)), mass);
  }

  void add_rows(const span& piece, bool level, double mass) {
    const double width = standard(piece.width);
    const double slope = width * standard(piece.right);
    const bool is_flat = slope < 0.01 && mass * coarse_rows::third_order(slope) < tolerance_ / 4;
    if (piece.count >= coarse_rows::worthwhile && is_flat) {
      if (level) return add_coarse_rows(piece, mass);
      const double from = gain_ * standard(piece.left);
      const double to = gain_ * standard(piece.right);
      return cut(piece, cut_point(from, to));
    }
    if (rows_ + piece.count > most_rows && piece.count > 1) {
      rows_ = most_rows;  // more than can be done: a bound is all there is
      neglect(mass);
      return;
    }
    for (std::uint64_t i = 0; i < piece.count; ++i) {
      const wide edge = piece.left + wide::from_integer(i) * piece.width;
      const wide center = edge + piece.width.scaled(-1);
      const row_cell cell{standard(center), width, gain_};
      const double p = normal_.cell(cell.z, cell.width).probability;
      add(row_entropy(center, cell, row_tolerance(p * static_cast<double>(piece.count))), p);
    }
  }

  /// All rows, in blocks; or a sample of blocks, if that is accurate enough or if all are too many.
  void add_coarse_rows(const span& piece, double mass) {
    const std::uint64_t blocks = (piece.count + block_size - 1) / block_size;
    const double allowed = tolerance_ * (mass + 0x1p-8) / 8;
    // A share for what has much mass, and something for what has not.
    const auto share = static_cast<std::uint64_t>(mass * 0x1p16);
    const std::uint64_t most = std::min(blocks, std::max({share, budget_ / 4, smallest_sample}));
    for (std::uint64_t strata = smallest_sample;; strata *= 16) {
      const bool last = strata >= most;
      const entropy mean = coarse_mean(piece, last ? most : strata, blocks);
      if (last && most > share) budget_ -= std::min(budget_, most);
      if (last || mass * mean.error <= allowed) return add(mean, mass);
    }
  }

  /// The mean of H_i over the rows, from one block of each stratum of neighboring blocks.
  [[nodiscard]] entropy coarse_mean(const span& piece, std::uint64_t strata,
                                    std::uint64_t blocks) const {
    const double width = standard(piece.width);
    const cell_run y = y_cells_.cell_of((wide(slope_) * piece.left).to_double());
    const double y_width = y.width.to_double();
    coarse_rows rows{gain_ * width, y_width / sigma_xi_, gain_};
    const auto edge_of = [&](std::uint64_t stratum) {
      const auto block = static_cast<std::uint64_t>(uint128{blocks} * stratum / strata);
      return std::min(block * block_size, piece.count);
    };
    double sum = 0;
    double mass = 0;
    double previous = 0;
    double squares = 0;
    for (std::uint64_t k = 0; k < strata; ++k) {
      const std::uint64_t from = edge_of(k);
      const std::uint64_t to = edge_of(k + 1);
      // A golden-ratio sequence of places: no lattice keeps step with it.
      const double place = std::numbers::phi * static_cast<double>(k);
      const auto room = static_cast<double>(to - from - std::min(block_size, to - from));
      const auto first = from + static_cast<std::uint64_t>(room * (place - std::floor(place)));
      const wide left = piece.left + wide::from_integer(first) * piece.width;
      const wide above = wide(slope_) * left - y.left;
      const wide whole = std::floor(ratio(above, y_width));
      const double phase = std::clamp(ratio(above - whole * y.width, y_width), 0.0, 1.0);
      const double h =
          rows.mean_entropy(phase, standard(left), width, std::min(block_size, to - first));

      const double length = static_cast<double>(to - from) * width;
      const double start = standard(piece.left + wide::from_integer(from) * piece.width);
      const double p = normal_.cell(start + length / 2, length).probability;
      sum += p * h;
      mass += p;
      if (k > 0) squares += (h - previous) * (h - previous) / 2;
      previous = h;
    }
    // The strata differ by what the places of their blocks make: squares/strata estimates the
    // variance of one. Five deviations of the mean, by which a stratum may weigh three times its
    // share.
    const auto n = static_cast<double>(strata);
    const double sampling = strata < blocks ? 15 * std::sqrt(squares / (n - 1) / n) : 0;
    return {sum / mass, rows.error(width * standard(piece.right)) + sampling};
  }

  struct rule_sum {
    double nats = 0;
    double mass = 0;
    double error = 0;
  };

  template <std::size_t Order>
  rule_sum apply(const span& piece, double left, double right, double tolerance) {
    const double infinity = std::numeric_limits<double>::infinity();
    const auto count = static_cast<double>(piece.count);
    const mean_rule<Order> rule = gram_rule<Order>(piece.is_points() ? infinity : count);
    const wide length = piece.right - piece.left;
    const double width = standard(piece.width);
    rule_sum sum;
    for (std::size_t k = 0; k < Order; ++k) {
      const wide center = piece.left + length * wide((1 + rule.node[k]) / 2);
      const double z = standard(center);
      const double p = piece.is_points() ? std::exp(normal_.log_pdf(z)) * (right - left)
                                         : count * normal_.cell(z, width).probability;
      const entropy row = piece.is_points() ? row_entropy(center, normal_, tolerance)
                                            : row_entropy(center, {z, width, gain_}, tolerance);
      sum.nats += rule.weight[k] * p * row.nats;
      sum.error += rule.weight[k] * p * row.error;
      sum.mass += rule.weight[k] * p;
    }
    return sum;
  }

  template <std::size_t Low, std::size_t High>
  bool by_quadrature(const span& piece, double left, double right, double mass) {
    const double tolerance = row_tolerance(mass);
    const rule_sum low = apply<Low>(piece, left, right, tolerance);
    const rule_sum high = apply<High>(piece, left, right, tolerance);
    const double difference = std::fabs(high.nats - low.nats);
    const double relative = 10 * difference / high.nats;
    const double estimate = std::fmin(difference, high.nats * relative * std::sqrt(relative));
    const double mismatch = std::fabs(high.mass - mass) * (high.nats / high.mass + 1);
    const double allowed = tolerance_ * (mass + 0x1p-8) / 8;
    const double error = estimate + std::fmax(0.0, mismatch - 64 * 0x1p-53 * high.nats);
    const bool may_halve = std::max(gain_, 1.0) * (right - left) > 1e-3;
    if (may_halve && !(error <= std::fmax(allowed, high.error))) return false;
    // Cells taken as points: H_i is larger by something between 0 and smear²/8.
    const double raised = piece.is_points() ? mass * fine_ * fine_ / 16 : 0;
    nats_.add(high.nats + raised);
    error_ += error + high.error + raised;
    mass_.add(mass);
    return true;
  }

  standard_normal normal_;
  const partition& x_cells_;
  const partition& y_cells_;
  double slope_;
  double sigma_x_;
  double sigma_xi_;
  double gain_;
  double tolerance_;
  double fine_;
  width_map widths_;
  std::uint64_t budget_ = 1 << 14;  ///< of blocks of coarse rows
  std::uint64_t rows_ = 0;          ///< so far
  compensated_sum nats_;
  compensated_sum mass_;
  double error_ = 0;
};

}  // namespace ktln2
