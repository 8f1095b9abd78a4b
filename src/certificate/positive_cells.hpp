#pragma once

#include <algorithm>
#include <cstdint>

#include "certificate/ball.hpp"
#include "ktln2/format/float_format.hpp"

namespace ktln2::certificate {

/// The positive cells of a format, level by level, in units that make every edge a half integer:
/// with the exponent e a value is (2^p + 2m) u, m = 0 … 2^(p-1) - 1, for u = 2^(e-p), and an edge
/// lies halfway between two values. The cell of m = 0 begins at (2^p - 1/2) u, or at 0 if e is the
/// lowest exponent; the others are 2u wide; the last one of the highest exponent has no end. With
/// E = 0 the only exponent is 1/2.
///
/// Codes without their lowest bits name 2^j neighboring cells of a level at once, or, with no
/// mantissa left, all cells of neighboring levels.
class positive_cells {
 public:
  positive_cells(const float_format& format, int dropped_bits)
      : p_{format.p()},
        log2_joined_{std::min(dropped_bits, p_ - 1)},
        log2_joined_levels_{dropped_bits - log2_joined_},
        levels_{static_cast<int>(format.run_count() / 2 >> log2_joined_levels_)},
        lowest_{format.exponent_bits() == 0 ? 0 : static_cast<long>(format.emin())},
        stretch_{format.exponent_bits() == 0 ? sqrt(2.0) : ball(1.0)} {}

  [[nodiscard]] int levels() const { return levels_; }
  [[nodiscard]] ball unit(int level) const {
    return stretch_.scaled(lowest_ + (long{level} << log2_joined_levels_) - p_);
  }
  /// Edges in units of the level
  [[nodiscard]] ball left(int level) const {
    return level == 0 ? ball(0.0) : ball(1.0).scaled(p_) - ball(0.5);
  }
  /// Right edge of cell m, where it is not the last of its level
  [[nodiscard]] ball edge(std::uint64_t m) const {
    return ball(1.0).scaled(p_) - ball(1.0) + ball::from_integer(m + 1).scaled(log2_joined_ + 1);
  }
  /// Of all cells but the first of a level and the one without end
  [[nodiscard]] ball width(int level) const { return unit(level).scaled(log2_joined_ + 1); }
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{1} << (p_ - 1 - log2_joined_); }
  [[nodiscard]] bool is_highest(int level) const { return level == levels_ - 1; }

 private:
  int p_;
  int log2_joined_;
  int log2_joined_levels_;
  int levels_;
  long lowest_;
  ball stretch_;
};

}  // namespace ktln2::certificate
