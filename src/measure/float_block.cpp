#include "measure/float_block.hpp"

#include <algorithm>
#include <array>
#include <atomic>
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

struct nothing_beside {
  static constexpr bool counts = false;
  void operator()(const std::byte* /*eight*/) const {}
};

struct counting_beside {
  static constexpr bool counts = true;
  float_counters to;
  [[gnu::always_inline]] void operator()(const std::byte* eight) const {
    one<0>(eight);
    one<1>(eight);
    one<2>(eight);
    one<3>(eight);
    one<4>(eight);
    one<5>(eight);
    one<6>(eight);
    one<7>(eight);
  }
  template <std::size_t I>
  [[gnu::always_inline]] void one(const std::byte* eight) const {
    to.count(word_at<std::uint32_t>(eight, I), I % 2);
    // Or else the compiler keeps counts of neighbors at hand, in more memory than it saves.
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
};

/// Sums of every fourth number.
struct four_sums {
  four_doubles sum = {};
  four_doubles squares = {};
  four_doubles below = {};
  four_ints out = {};

  [[gnu::always_inline]] void add(const std::byte* four, std::int32_t least, double cut) {
    four_ints words;
    std::memcpy(&words, four, sizeof words);
    const four_ints magnitudes = words & 0x7fffffff;
    const four_ints kept = magnitudes >= least;
    out |= magnitudes & ~kept;
    const auto x = __builtin_convertvector(bit_cast<four_floats>(words & kept), four_doubles);
    const four_doubles square = x * x;
    const four_doubles above = (square + cut) - cut;
    sum += x;
    squares += above;
    below += square - above;
  }
};

/// Of a multiple of 8 numbers. Magnitudes below `least` are left out; `cut` is 3·2^51 times what
/// squares are cut to multiples of. `beside` has each eight of them in turn: few enough for a
/// processor to do both at once.
template <class Beside>
[[gnu::always_inline]] inline lane_sums sums_in_lanes(const std::byte* from, std::size_t count,
                                                      std::int32_t least, double cut,
                                                      const Beside& beside) {
  four_sums even;
  four_sums odd;
  const Beside local = beside;
  for (std::size_t i = 0; i < count; i += 8) {
    even.add(from + 4 * i, least, cut);
    odd.add(from + 4 * i + 16, least, cut);
    local(from + 4 * i);
  }
  const four_doubles sum = even.sum + odd.sum;
  const four_doubles squares = even.squares + odd.squares;
  const four_doubles below = even.below + odd.below;
  const four_ints out = even.out | odd.out;
  lane_sums all;
  for (int lane = 0; lane < 4; ++lane) {
    all.sum += sum[lane];
    all.squares += squares[lane];
    all.squares_below += below[lane];
    all.leaves_some_out = all.leaves_some_out || out[lane] != 0;
  }
  return all;
}

#ifdef KTLN2_FOR_AVX2
template <class Beside>
KTLN2_FOR_AVX2 lane_sums sums_in_wide_lanes(const std::byte* from, std::size_t count,
                                            std::int32_t least, double cut, const Beside& beside) {
  return sums_in_lanes(from, count, least, cut, beside);
}
#endif

template <class Beside>
lane_sums sums_of_some(const std::byte* from, std::size_t count, std::int32_t least, double cut,
                       const Beside& beside) {
#ifdef KTLN2_FOR_AVX2
  if (processor_has_avx2()) return sums_in_wide_lanes(from, count, least, cut, beside);
#endif
  return sums_in_lanes(from, count, least, cut, beside);
}

}  // namespace

float_block::float_block(std::span<const std::byte> block, std::uint32_t largest)
    : exponent_{static_cast<int>(largest >> 23) - 127} {
  add_up(block, largest, nothing_beside{});
}

float_block::float_block(std::span<const std::byte> block, std::uint32_t largest,
                         const float_counters& to)
    : exponent_{static_cast<int>(largest >> 23) - 127} {
  add_up(block, largest, counting_beside{to});
}

template <class Beside>
void float_block::add_up(std::span<const std::byte> block, std::uint32_t largest,
                         const Beside& beside) {
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
                           cut, beside);
      if (Beside::counts) counted_ = end;
    } else {  // the end of a tensor, filled with zeros
      std::array<std::byte, 4 * some> filled{};
      std::copy(block.begin() + static_cast<std::ptrdiff_t>(4 * begin),
                block.begin() + static_cast<std::ptrdiff_t>(4 * end), filled.begin());
      found = sums_of_some(filled.data(), some, static_cast<std::int32_t>(least), cut,
                           nothing_beside{});
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
