#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ktln2/format/float_format.hpp"

namespace ktln2 {

/// `count` equally wide neighboring cells that fill [left, right]. The outermost cells of a
/// partition are unbounded: their left or right is infinite, their count 1.
struct cell_run {
  wide left;
  wide right;
  wide width;
  std::uint64_t count = 0;

  /// Left edge of cell k, for 0 ≤ k ≤ count.
  [[nodiscard]] wide edge(std::uint64_t k) const {
    if (k == 0) return left;
    if (k == count) return right;
    return left + wide::from_integer(k) * width;
  }
};

/// The real line cut into the cells of a format: all x of a cell are stored as the same code, or,
/// with `dropped_bits` = j > 0, as codes that agree in all but their lowest j bits. The cells come
/// in blocks, ascending, of at most three cell runs each.
class partition {
 public:
  /// 0 ≤ dropped_bits ≤ format.width(); throws std::domain_error otherwise.
  explicit partition(const float_format& format, rounding how = rounding::nearest,
                     int dropped_bits = 0);

  [[nodiscard]] const float_format& format() const { return format_; }
  /// log2 of the number of cells
  [[nodiscard]] int log2_size() const { return format_.width() - dropped_bits_; }

  [[nodiscard]] std::size_t block_count() const;
  [[nodiscard]] wide block_left(std::size_t block) const;
  [[nodiscard]] wide block_right(std::size_t block) const;
  /// The block's cell runs in ascending order; empty ones have count 0.
  [[nodiscard]] std::array<cell_run, 3> block(std::size_t block) const;

  /// The cell that holds x, as a run of one.
  [[nodiscard]] cell_run cell_of(double x) const;

 private:
  [[nodiscard]] wide edge_before_run(std::size_t run) const;
  /// How far a cell reaches above its point, inside the run.
  [[nodiscard]] wide reach_above(const lattice_run& run) const;

  float_format format_;
  rounding how_;
  int dropped_bits_;
  std::size_t runs_in_block_;
  std::uint64_t points_in_cell_;
};

/// The bin-size function Δ(x) of [app:FPN_app1]: the width of the cell that holds x. The outermost
/// cells end at the edge of the granular region 𝕌 (for toward_zero: one spacing beyond the largest
/// value); beyond it the width is infinite. Throws std::domain_error for NaN and where the width is
/// below the range of double (E ≥ 11).
double bin_size(const float_format& format, double x, rounding how = rounding::nearest);

}  // namespace ktln2
