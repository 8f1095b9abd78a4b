#include "measure/float_block.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>

#include "measure/wide_vectors.hpp"
#include "measure/word_at.hpp"

namespace ktln2::measure {
namespace {

/// So many at a time, on any processor: its compiler knows what to make of it.
template <std::size_t Width>
struct lanes {
  using ints [[gnu::vector_size(4 * Width)]] = std::int32_t;
  using floats [[gnu::vector_size(4 * Width)]] = float;
  using doubles [[gnu::vector_size(8 * Width)]] = double;
};

struct lane_sums {
  double sum = 0;
  double squares = 0;
  double squares_below = 0;
  bool leaves_some_out = false;
};

struct nothing_beside {
  void operator()(const std::byte* /*eight*/) const {}
};

template <bool Low>
struct counting_beside {
  std::array<std::uint32_t*, 2> leading;
  low_counters* low;
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
    constexpr std::size_t side = I % 2;
    ++leading[side][word_at<std::uint16_t>(eight, 2 * I + 1)];
    if constexpr (Low) {
      const auto word = word_at<std::uint32_t>(eight, I);
      ++(*low)[side][word & 0xff];
      ++(*low)[2 + side][(word >> 8) & 0xff];
    }
    // Or else the compiler keeps counts of neighbors at hand, in more memory than it saves.
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
};

/// Sums of every so manieth number.
template <std::size_t Width>
struct sums_of_lanes {
  using ints = typename lanes<Width>::ints;
  using floats = typename lanes<Width>::floats;
  using doubles = typename lanes<Width>::doubles;

  doubles sum = {};
  doubles squares = {};
  doubles below = {};
  ints out = {};

  [[gnu::always_inline]] void add(const std::byte* some, std::int32_t least, double cut) {
    ints words;
    std::memcpy(&words, some, sizeof words);
    const ints magnitudes = words & 0x7fffffff;
    const ints kept = magnitudes >= least;
    out |= magnitudes & ~kept;
    words &= kept;
    floats numbers;
    std::memcpy(&numbers, &words, sizeof numbers);
    const auto x = __builtin_convertvector(numbers, doubles);
    const doubles square = x * x;
    const doubles above = (square + cut) - cut;
    sum += x;
    squares += above;
    below += square - above;
  }
};

/// Of a multiple of 8 numbers. Magnitudes below `least` are left out; `cut` is 3·2^51 times what
/// squares are cut to multiples of. `beside` has each eight of them in turn: few enough for a
/// processor to do both at once.
template <std::size_t Width, class Beside>
[[gnu::always_inline]] inline lane_sums sums_in_lanes(const std::byte* from, std::size_t count,
                                                      std::int32_t least, double cut,
                                                      const Beside& beside) {
  constexpr std::size_t groups = 8 / Width;
  std::array<sums_of_lanes<Width>, groups> group;
  const Beside local = beside;
  for (std::size_t i = 0; i < count; i += 8) {
    for (std::size_t g = 0; g < groups; ++g) group[g].add(from + 4 * (i + g * Width), least, cut);
    local(from + 4 * i);
  }
  lane_sums all;
  for (const sums_of_lanes<Width>& one : group) {
    for (std::size_t lane = 0; lane < Width; ++lane) {
      all.sum += one.sum[lane];
      all.squares += one.squares[lane];
      all.squares_below += one.below[lane];
      all.leaves_some_out = all.leaves_some_out || one.out[lane] != 0;
    }
  }
  return all;
}

#ifdef KTLN2_FOR_AVX2
template <class Beside>
KTLN2_FOR_AVX2 lane_sums sums_by_avx2(const std::byte* from, std::size_t count, std::int32_t least,
                                      double cut, const Beside& beside) {
  return sums_in_lanes<4>(from, count, least, cut, beside);
}
template <class Beside>
KTLN2_FOR_AVX512 lane_sums sums_by_avx512(const std::byte* from, std::size_t count,
                                          std::int32_t least, double cut, const Beside& beside) {
  return sums_in_lanes<8>(from, count, least, cut, beside);
}
#endif

template <class Beside>
lane_sums sums_of_some(const std::byte* from, std::size_t count, std::int32_t least, double cut,
                       const Beside& beside) {
#ifdef KTLN2_FOR_AVX2
  if (processor_has_avx512()) return sums_by_avx512(from, count, least, cut, beside);
  if (processor_has_avx2()) return sums_by_avx2(from, count, least, cut, beside);
#endif
  return sums_in_lanes<4>(from, count, least, cut, beside);
}

/// Sums of some that begin at a place of the block.
struct without_counting {
  static constexpr bool counts = false;
  lane_sums operator()(std::uint64_t /*place*/, const std::byte* from, std::size_t count,
                       std::int32_t least, double cut) const {
    return sums_of_some(from, count, least, cut, nothing_beside{});
  }
};

struct with_counting {
  static constexpr bool counts = true;
  const float_counters& to;
  lane_sums operator()(std::uint64_t place, const std::byte* from, std::size_t count,
                       std::int32_t least, double cut) const {
    const auto sums = [&](const auto& beside) {
      return sums_of_some(from, count, least, cut, beside);
    };
    low_counters* const low = to.low.at(to.first + place);
    return low != nullptr ? sums(counting_beside<true>{to.leading, low})
                          : sums(counting_beside<false>{to.leading, low});
  }
};

}  // namespace

float_block::float_block(std::span<const std::byte> block, std::uint32_t largest)
    : exponent_{static_cast<int>(largest >> 23) - 127} {
  add_up(block, largest, without_counting{});
}

float_block::float_block(std::span<const std::byte> block, std::uint32_t largest,
                         const float_counters& to)
    : exponent_{static_cast<int>(largest >> 23) - 127} {
  add_up(block, largest, with_counting{to});
}

template <class Kernel>
void float_block::add_up(std::span<const std::byte> block, std::uint32_t largest,
                         const Kernel& sums_of) {
  constexpr std::size_t some = low_stretch;  // few have one that is too small among them
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
      found = sums_of(begin, block.data() + 4 * begin, end - begin,
                      static_cast<std::int32_t>(least), cut);
      if (Kernel::counts) counted_ = end;
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
