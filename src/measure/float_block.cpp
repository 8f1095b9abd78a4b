#include "measure/float_block.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "ktln2/core/bit_cast.hpp"
#include "measure/avx2.hpp"
#include "measure/word_at.hpp"

namespace ktln2::measure {
namespace {

// Four at a time, on any processor: its compiler knows what to make of it.
using four_ints [[gnu::vector_size(16)]] = std::int32_t;
using four_floats [[gnu::vector_size(16)]] = float;
using four_doubles [[gnu::vector_size(32)]] = double;

struct lane_sums {
  double sum = 0;
  double squares = 0;
  double squares_below = 0;
  bool leaves_some_out = false;
};

/// Of a multiple of 8 numbers. Magnitudes below `least` are left out; `cut` is 3·2^51 times what
/// squares are cut to multiples of.
[[gnu::always_inline]] inline lane_sums sums_in_lanes(const std::byte* from, std::size_t count,
                                                      std::int32_t least, double cut) {
  four_doubles sum[2] = {};
  four_doubles squares[2] = {};
  four_doubles below[2] = {};
  four_ints out = {};
  for (std::size_t i = 0; i < count; i += 8) {
    for (std::size_t k = 0; k < 2; ++k) {
      four_ints words;
      std::memcpy(&words, from + 4 * (i + 4 * k), sizeof words);
      const four_ints magnitudes = words & 0x7fffffff;
      const four_ints kept = magnitudes >= least;
      out |= magnitudes & ~kept;
      const auto x = __builtin_convertvector(bit_cast<four_floats>(words & kept), four_doubles);
      const four_doubles square = x * x;
      const four_doubles above = (square + cut) - cut;
      sum[k] += x;
      squares[k] += above;
      below[k] += square - above;
    }
  }
  lane_sums all;
  for (int lane = 0; lane < 4; ++lane) {
    all.sum += sum[0][lane] + sum[1][lane];
    all.squares += squares[0][lane] + squares[1][lane];
    all.squares_below += below[0][lane] + below[1][lane];
    all.leaves_some_out = all.leaves_some_out || out[lane] != 0;
  }
  return all;
}

#ifdef KTLN2_FOR_AVX2
KTLN2_FOR_AVX2 lane_sums sums_in_wide_lanes(const std::byte* from, std::size_t count,
                                            std::int32_t least, double cut) {
  return sums_in_lanes(from, count, least, cut);
}
#endif

lane_sums sums_of_some(const std::byte* from, std::size_t count, std::int32_t least, double cut) {
#ifdef KTLN2_FOR_AVX2
  if (processor_has_avx2()) return sums_in_wide_lanes(from, count, least, cut);
#endif
  return sums_in_lanes(from, count, least, cut);
}

}  // namespace

float_block::float_block(std::span<const std::byte> block, std::uint32_t largest)
    : exponent_{static_cast<int>(largest >> 23) - 127} {
  constexpr std::size_t some = 256;  // few have one that is too small among them
  const std::uint32_t least = ((largest >> 23) - binades) << 23;
  const double cut = std::ldexp(1.5, 2 * exponent_ - 37 + 52);
  const std::size_t count = block.size() / 4;
  const auto leave_out = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto word = word_at<std::uint32_t>(block.data(), i);
      const std::uint32_t magnitude = word & 0x7fffffffU;
      if (magnitude != 0 && magnitude < least) left_out_.push_back(word);
    }
    is_of_use_ = left_out_.size() <= count / 16;
  };
  for (std::size_t begin = 0; begin < count && is_of_use_; begin += some) {
    const std::size_t end = std::min(begin + some, count);
    lane_sums found;
    if ((end - begin) % 8 == 0) {
      found = sums_of_some(block.data() + 4 * begin, end - begin, static_cast<std::int32_t>(least),
                           cut);
    } else {  // the end of a tensor, filled with zeros
      std::array<std::byte, 4 * some> filled{};
      std::copy(block.begin() + static_cast<std::ptrdiff_t>(4 * begin),
                block.begin() + static_cast<std::ptrdiff_t>(4 * end), filled.begin());
      found = sums_of_some(filled.data(), some, static_cast<std::int32_t>(least), cut);
    }
    sum_ += found.sum;
    squares_ += found.squares;
    squares_below_ += found.squares_below;
    if (found.leaves_some_out) leave_out(begin, end);
  }
}

void float_block::add_to(exact_sums& sums) const {
  const int unit = exponent_ - 38;
  const auto whole = [](double x, int in_units_of) { return std::ldexp(x, -in_units_of); };
  exact_sums::part part;
  part.magnitudes = static_cast<std::uint64_t>(whole(std::fabs(sum_), unit));
  // The part below may be negative.
  const auto below = static_cast<std::int64_t>(whole(squares_below_, 2 * unit));
  part.squares = static_cast<uint128>(whole(squares_, 2 * unit));
  part.squares += static_cast<uint128>(below);  // modulo 2^128, which it does not reach
  sums.add(sum_ < 0, unit, part);
}

}  // namespace ktln2::measure
