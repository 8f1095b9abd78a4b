#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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

/// 𝕌, in which no number is clipped: where the outermost cells would end if they were bounded.
struct granular_region {
  wide left;
  wide right;
};

/// What is true of all the cells of a partition together.
struct cell_facts {
  register_code size = 1;       ///< how many cells, K
  std::size_t block_count = 1;  ///< in how many blocks they come
  /// Is block i the mirror image, about 0, of the i-th from the other end? With an even number of
  /// blocks 0 is then the edge in the middle.
  bool is_symmetric = false;
  /// From block to block, does no cell get narrower with its distance from 0?
  bool widens_outward = false;
  granular_region granular;
};

/// Whoever knows cells: a format, a codebook. They come in blocks, ascending, of at most three cell
/// runs each, and need not be made before they are asked for.
class cell_source {
 public:
  cell_source() = default;
  cell_source(const cell_source&) = delete;
  cell_source& operator=(const cell_source&) = delete;
  cell_source(cell_source&&) = delete;
  cell_source& operator=(cell_source&&) = delete;
  virtual ~cell_source() = default;

  [[nodiscard]] virtual cell_facts facts() const = 0;
  /// For 0 ≤ block ≤ block_count: -infinity for the first, infinity beyond the last.
  [[nodiscard]] virtual wide block_left(std::size_t block) const = 0;
  /// The block's cell runs in ascending order; empty ones have count 0.
  [[nodiscard]] virtual std::array<cell_run, 3> block(std::size_t block) const = 0;
  /// The same cells over √2, if that makes their edges exact; else nullptr.
  [[nodiscard]] virtual std::shared_ptr<const cell_source> over_sqrt2() const { return nullptr; }
};

/// The real line cut into cells: all x of a cell are stored alike [thm:quantized_ent]. A cheap
/// value: copies share the source of their cells.
class partition {
 public:
  explicit partition(std::shared_ptr<const cell_source> source);
  /// The cells of a format: all x of a cell are stored as the same code, or, with `dropped_bits` =
  /// j > 0, as codes that agree in all but their lowest j bits.
  /// 0 ≤ dropped_bits ≤ format.width(); throws std::domain_error otherwise.
  explicit partition(const float_format& format, rounding how = rounding::nearest,
                     int dropped_bits = 0);
  /// Any cells, run by run. Throws std::domain_error unless the runs ascend without a gap from
  /// -infinity to infinity, each as wide as its cells together, and only the outermost cells are
  /// unbounded.
  partition(std::vector<cell_run> runs, const granular_region& granular);

  [[nodiscard]] register_code size() const { return facts_.size; }  ///< the number of cells, K
  [[nodiscard]] double log2_size() const { return log2_size_; }
  [[nodiscard]] bool is_symmetric() const { return facts_.is_symmetric; }
  /// Symmetric about an edge: one half tells all.
  [[nodiscard]] bool has_mirrored_halves() const {
    return facts_.is_symmetric && facts_.block_count % 2 == 0;
  }
  [[nodiscard]] bool widens_outward() const { return facts_.widens_outward; }
  [[nodiscard]] const granular_region& granular() const { return facts_.granular; }

  /// Is it a copy of the same one? Partitions that are alike may still be no copies.
  [[nodiscard]] bool is_copy_of(const partition& other) const { return source_ == other.source_; }
  [[nodiscard]] std::size_t block_count() const { return facts_.block_count; }
  [[nodiscard]] wide block_left(std::size_t block) const { return source_->block_left(block); }
  [[nodiscard]] wide block_right(std::size_t block) const { return source_->block_left(block + 1); }
  [[nodiscard]] std::array<cell_run, 3> block(std::size_t block) const {
    return source_->block(block);
  }

  /// The same cells over √2, for those of a format with E = 0: their own edges are irrational, and
  /// rounded to 106 bits; over √2 they are exact.
  [[nodiscard]] std::optional<partition> over_sqrt2() const {
    auto source = source_->over_sqrt2();
    return source ? std::optional<partition>(std::move(source)) : std::nullopt;
  }

  /// The cell that holds x, as a run of one. An edge belongs to the cell below it (side -1), above
  /// it (1), or else away from zero, 0 itself to the one above. Throws std::domain_error for NaN.
  [[nodiscard]] cell_run cell_of(const wide& point, int side = 0) const;

 private:
  std::shared_ptr<const cell_source> source_;
  cell_facts facts_;
  double log2_size_;
};

/// The bin-size function Δ(x) of [app:FPN_app1]: the width of the cell that holds x. The outermost
/// cells end at the edge of the granular region 𝕌; beyond it the width is infinite. Throws
/// std::domain_error for NaN and where the width is below the range of double (E ≥ 11).
double bin_size(const partition& cells, double x);

/// For toward_zero the granular region ends one spacing beyond the largest value.
inline double bin_size(const float_format& format, double x, rounding how = rounding::nearest) {
  return bin_size(partition(format, how), x);
}

}  // namespace ktln2
