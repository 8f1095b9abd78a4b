#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "certificate/cell_line.hpp"
#include "ktln2/format/float_format.hpp"

namespace ktln2::certificate {

/// The cells of one of the paper's formats. The positive ones come level by level, in units that
/// make every edge a half integer: with the exponent e a value is (2^p + 2m) u, m = 0 … 2^(p-1) -
/// 1, for u = 2^(e-p), and an edge lies halfway between two values. The cell of m = 0 begins at
/// (2^p - 1/2) u, or at 0 if e is the lowest exponent; the others are 2u wide; the last one of the
/// highest exponent has no end. With E = 0 the only exponent is 1/2. The others are their mirror
/// image.
///
/// Codes without their lowest bits name 2^j neighboring cells of a level at once, or, with no
/// mantissa left, all cells of neighboring levels.
class format_line : public cell_line {
 public:
  format_line(const float_format& format, int dropped_bits)
      : p_{format.p()},
        log2_joined_{std::min(dropped_bits, p_ - 1)},
        log2_joined_levels_{dropped_bits - log2_joined_},
        levels_{format.run_count() / 2 >> log2_joined_levels_},
        lowest_{format.exponent_bits() == 0 ? 0 : static_cast<long>(format.emin())},
        stretch_{format.exponent_bits() == 0 ? sqrt(2.0) : ball(1.0)} {}

  [[nodiscard]] std::size_t blocks() const override { return 2 * levels_; }
  [[nodiscard]] std::optional<ball> left(std::size_t block) const override {
    if (block == 0) return {};
    return block < levels_ ? -begin(levels_ - block) : begin(block - levels_);
  }
  [[nodiscard]] std::vector<line_run> runs(std::size_t block) const override {
    if (block >= levels_) return runs_above(block - levels_);
    std::vector<line_run> made = runs_above(levels_ - 1 - block);
    std::reverse(made.begin(), made.end());
    for (line_run& run : made) {
      std::swap(run.left, run.right);
      if (run.left) run.left = -*run.left;
      if (run.right) run.right = -*run.right;
    }
    return made;
  }
  [[nodiscard]] ball most_cells(std::size_t first, std::size_t last) const override {
    return ball::from_integer(last - first) * ball::from_integer(count());
  }
  [[nodiscard]] bool is_symmetric() const override { return true; }

 private:
  [[nodiscard]] ball unit(std::size_t level) const {
    return stretch_.scaled(lowest_ + static_cast<long>(level << log2_joined_levels_) - p_);
  }
  /// Of a level; above 0
  [[nodiscard]] ball begin(std::size_t level) const {
    return level == 0 ? ball(0.0) : (ball(1.0).scaled(p_) - ball(0.5)) * unit(level);
  }
  /// Right edge of cell m, where it is not the last of its level
  [[nodiscard]] ball edge(std::size_t level, std::uint64_t m) const {
    return (ball(1.0).scaled(p_) - ball(1.0) + ball::from_integer(m + 1).scaled(log2_joined_ + 1)) *
           unit(level);
  }
  /// Cells of a level
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{1} << (p_ - 1 - log2_joined_); }

  [[nodiscard]] std::vector<line_run> runs_above(std::size_t level) const {
    const bool endless = level + 1 == levels_;
    const ball left = begin(level);
    if (count() == 1) {
      if (endless) return {{left, {}, {}, 1}};
      const ball right = begin(level + 1);
      return {{left, right, right - left, 1}};
    }
    const ball second = edge(level, 0);
    std::vector<line_run> made{{left, second, second - left, 1}};
    const std::uint64_t regular = count() - (endless ? 2 : 1);
    const ball last = edge(level, regular);
    if (regular > 0) {
      made.push_back({second, last, unit(level).scaled(log2_joined_ + 1), regular});
    }
    if (endless) made.push_back({last, {}, {}, 1});
    return made;
  }

  int p_;
  int log2_joined_;
  int log2_joined_levels_;
  std::size_t levels_;
  long lowest_;
  ball stretch_;
};

}  // namespace ktln2::certificate
