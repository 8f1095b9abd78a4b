#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "entropy/noisy_line.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// Neighboring cells of one run; with count 0, points.
struct row_span {
  wide left;
  wide right;
  wide width;
  std::uint64_t count = 0;

  [[nodiscard]] bool is_points() const { return count == 0; }
  [[nodiscard]] wide edge(std::uint64_t k) const { return left + wide::from_integer(k) * width; }
};

/// The cells of a row's variable from some place on, upward: of a pair that is centered from 0, of
/// another one from its mean, and then, with all signs changed, once more.
///
/// Cells across which the mean of the other variable moves by no more than `fine` deviations of the
/// noise are taken as points, and their runs merge: all but those of the first block, whose first
/// cell may reach down to zero.
class row_walk {
 public:
  row_walk(const partition& cells, const noisy_line& line, double fine)
      : cells_{cells}, deviation_{line.row_deviation}, gain_{line.gain}, fine_{fine} {
    const std::size_t half = cells.block_count() / 2;
    first_ = half + 1;
    end_ = end_of_fine(half + 1);
    holds_zero_ = is_fine(half);
  }

  /// The cell that holds a mean, unless it begins there or is taken as a point.
  [[nodiscard]] std::optional<cell_run> cell_around(const wide& center) const {
    const bool is_point = first_ < cells_.block_count() && abs(center) >= fine_left() &&
                          abs(center) < cells_.block_left(end_);
    const cell_run cell = cells_.cell_of(center, 1);
    if (is_point || cell.left == center) return std::nullopt;
    return cell;
  }

  /// Calls sink.add(span) for all spans from `start` on, which is the mean or the first edge above
  /// it, unless sink.neglect(left, right) says that what lies there does not matter.
  template <class Sink>
  void from(const wide& start, Sink& sink) const {
    const std::size_t end = cells_.block_count();
    const std::size_t half = end / 2;
    if (!holds_zero_) add_block(half, start, sink);
    const wide left = fine_left();
    const wide right = cells_.block_left(end_);
    const bool is_merged = first_ < end && left < right;
    if (is_merged) add_part({left, right, wide(0.0), 0}, start, sink);
    if (end_ < end) add_blocks(end_, end, start, sink);
    if (!(start < wide(0.0))) return;
    // Likewise below 0.
    if (end % 2 == 0 && !holds_zero_) add_block(half - 1, start, sink);
    if (is_merged) add_part({-right, -left, wide(0.0), 0}, start, sink);
    if (end_ < end) add_blocks(0, end - end_, start, sink);
  }

 private:
  [[nodiscard]] bool is_fine(std::size_t block) const {
    bool fine = true;
    for (const cell_run& run : cells_.block(block)) {
      fine = fine && (run.count == 0 || gain_ * ratio(run.width, deviation_) <= fine_);
    }
    return fine;
  }

  /// The first block from `first` on that is not fine.
  [[nodiscard]] std::size_t end_of_fine(std::size_t first) const {
    std::size_t end = cells_.block_count();
    if (!cells_.widens_outward()) {
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

  [[nodiscard]] wide fine_left() const {
    return holds_zero_ ? wide(0.0) : cells_.block_left(first_);
  }

  template <class Sink>
  void add_blocks(std::size_t first, std::size_t last, const wide& start, Sink& sink) const {
    const wide right = cells_.block_right(last - 1);
    if (!(start < right)) return;
    if (last - first == 1) return add_block(first, start, sink);
    const wide left = cells_.block_left(first);
    if (sink.neglect(left < start ? start : left, right)) return;
    const std::size_t half = first + (last - first) / 2;
    add_blocks(half, last, start, sink);  // first what has most rows of much mass
    add_blocks(first, half, start, sink);
  }

  template <class Sink>
  void add_block(std::size_t block, const wide& start, Sink& sink) const {
    for (const cell_run& run : cells_.block(block)) {
      if (run.count > 0) add_part({run.left, run.right, run.width, run.count}, start, sink);
    }
  }

  /// What of it lies above the start, which is no point inside a cell: an edge that is less than a
  /// quarter of a cell below it is the start itself, rounded in another way (with E = 0 all are).
  template <class Sink>
  static void add_part(row_span piece, const wide& start, Sink& sink) {
    if (!(start < piece.right)) return;
    if (piece.left < start && !piece.is_points()) {
      const double before = ratio(start - piece.left, piece.width);
      auto index =
          static_cast<std::uint64_t>(std::clamp(before, 0.0, static_cast<double>(piece.count - 1)));
      const wide below = start - piece.width.scaled(-2);
      while (index > 0 && !(piece.edge(index - 1) < below)) --index;
      while (index < piece.count && piece.edge(index) < below) ++index;
      if (index == piece.count) return;
      piece.count -= index;
    }
    if (piece.left < start) piece.left = start;
    sink.add(piece);
  }

  const partition& cells_;
  double deviation_;
  double gain_;
  double fine_;
  std::size_t first_ = 0;  ///< block of fine cells above the one next to zero
  std::size_t end_ = 0;
  bool holds_zero_ = false;  ///< are the cells next to zero fine, too?
};

}  // namespace ktln2
