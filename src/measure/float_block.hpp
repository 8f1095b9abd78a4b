#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ktln2/measure/exact_sums.hpp"
#include "measure/low_sample.hpp"

namespace ktln2::measure {

/// Where floats are counted.
struct float_counters {
  std::array<std::uint32_t*, 2> leading;  ///< the 16 leading bits, at even and at odd places
  low_desk& low;
  std::uint64_t first;  ///< place of the block in its tensor; a multiple of low_stretch
};

/// Σx and Σx² of at most 2^14 floats, exactly, in the arithmetic of doubles. With the largest
/// magnitude below 2^(E+1), all those from 2^(E-15) on are multiples of 2^(E-38), so that sums of
/// them have at most 53 bits. A square, of 48 bits, is cut at 2^(2E-37): what is above adds up to
/// less than 2^(2E+16), and what is left to at most 2^(2E-24), in multiples of 2^(2E-76).
class float_block {
 public:
  static constexpr std::size_t most = std::size_t{1} << 14;

  /// `largest` is the code of the largest magnitude. Needs fits(largest).
  float_block(std::span<const std::byte> block, std::uint32_t largest);
  /// The same, and most of them are counted at once: counting waits for stores, which leaves the
  /// arithmetic of the sums to be had for nothing.
  float_block(std::span<const std::byte> block, std::uint32_t largest, const float_counters& to);
  /// Is it finite, and are the smallest that count no subnormal numbers?
  static bool fits(std::uint32_t largest) {
    return (largest >> 23) > binades && (largest >> 23) < 255;
  }

  void add_to(exact_sums& sums) const;
  /// Codes of numbers that were too small, but no zeros. More than a sixteenth are not listed: then
  /// none of this is of use.
  [[nodiscard]] const std::vector<std::uint32_t>& left_out() const { return left_out_; }
  [[nodiscard]] bool is_of_use() const { return is_of_use_; }
  /// So many, from the first one on, were counted.
  [[nodiscard]] std::size_t counted() const { return counted_; }

 private:
  static constexpr std::uint32_t binades = 15;

  template <class Kernel>
  void add_up(std::span<const std::byte> block, std::uint32_t largest, const Kernel& sums_of);

  int exponent_;  ///< E
  double sum_ = 0;
  double squares_ = 0;  ///< what is above the cut
  double squares_below_ = 0;
  std::vector<std::uint32_t> left_out_;
  bool is_of_use_ = true;
  std::size_t counted_ = 0;
};

}  // namespace ktln2::measure
