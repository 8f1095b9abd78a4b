// The cells of the format, block by block.
#ifndef ORACLE_BLOCK_HPP_
#define ORACLE_BLOCK_HPP_

#include <algorithm>

#include "law.hpp"
#include "quad.hpp"

namespace oracle {

// Exponents beyond this are merged into the outermost cells, to stay within the range of
// __float128; only E = 15 reaches it.
constexpr int kMaxExponent = 14000;

struct Format {
  int p, E;
  bool floor_cells;

  int e_min() const { return E == 0 ? 0 : std::max(1 - (1 << (E - 1)), -kMaxExponent); }
  int e_max() const { return E == 0 ? 0 : std::min(1 << (E - 1), kMaxExponent); }
  bool merged() const { return E > 0 && (1 << (E - 1)) > kMaxExponent; }
};

// The positive cells of one exponent. Positions are counted in steps of the block from the
// magnitude with m = 0; the ones used here have few fractional bits, so that x(position) is exact.
class Block {
 public:
  Block(Format const& format, int e, Law const& law)
      : floor_cells_(format.floor_cells),
        first_(e == format.e_min()),
        last_(e == format.e_max()),
        top_(power_of_two(format.p - 1) - 1),
        location_(law.location()),
        scale_(law.scale()),
        step_(power_of_two(1 - format.p)),
        unit_(power_of_two(e)) {
    if (format.E == 0) {  // exponent 1/2: sqrt(2) in two parts, the first one short
      unit_ = ldexpq(floorq(ldexpq(kSqrt2, 44)), -44);
      unit_rest_ = (2 - unit_ * unit_) / (kSqrt2 + unit_);
    }
    width_ = (unit_ + unit_rest_) * step_ / scale_;
  }

  quad top() const { return top_; }      // the last m
  quad width() const { return width_; }  // of a cell, standardized
  quad center(quad m) const { return floor_cells_ ? m + quad(0.5) : m; }

  // z = (x - location) / scale. The product with unit_ is exact and the difference as good as its
  // own rounding, however many scales the law is away from zero.
  quad z_at(quad position) const {
    quad const k = 1 + position * step_;
    return (unit_ * k - location_ + unit_rest_ * k) / scale_;
  }

  // The cell around m if all cells were alike.
  Cell equal_cell(quad m) const {
    quad const c = center(m);
    return cell_between(c - quad(0.5), c + quad(0.5));
  }

  // The cell of m in the format [cor:gauss_fp_ent].
  Cell true_cell(quad m) const {
    quad low = center(m) - quad(0.5);
    quad high = low + 1;
    if (m == 0 && !floor_cells_) low = quad(-0.25);  // the steps below are half as wide
    if (m == 0 && first_) low = -(top_ + 1);         // x = 0
    if (m == top_ && last_) high = kInfinity;        // clipping
    return cell_between(low, high);
  }

  bool is_outermost(quad m) const { return (m == 0 && first_) || (m == top_ && last_); }
  bool is_unequal(quad m) const { return is_outermost(m) || (m == 0 && !floor_cells_); }

 private:
  Cell cell_between(quad low, quad high) const {
    if (high == kInfinity) return {z_at(low), kInfinity, kInfinity, kInfinity};
    return {z_at(low), z_at((low + high) / 2), z_at(high), width_ * (high - low)};
  }

  bool floor_cells_, first_, last_;
  quad top_, location_, scale_, step_, unit_, width_;
  quad unit_rest_ = 0;
};

}  // namespace oracle

#endif  // ORACLE_BLOCK_HPP_
