#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ktln2::measure {

/// Where the bytes below a number's 16 leading bits are counted. Each increment takes a processor's
/// time for one store, and floats have two such bytes, doubles six: of many numbers an eighth says
/// all there is to say, and is counted in a quarter of the time.
enum class low_count {
  in_sample,  ///< an eighth of the numbers of any tensor
  in_rest,    ///< all others, as long as they are not many
  nowhere
};

/// Numbers are in the sample or not so many at a time, beginning with a multiple of that.
constexpr std::uint64_t low_stretch = 256;

/// The number's stretch, times the golden ratio, without its whole part, in units of 2^-64.
/// Multiples of that ratio leave no stretch of stretches out, nor do they meet the rows of a
/// matrix.
constexpr std::uint64_t low_phase(std::uint64_t index) {
  return index / low_stretch * 0x9e3779b97f4a7c15;
}

/// It depends on the number's place in the tensor alone, however that is cut into pieces.
constexpr low_count low_count_at(std::uint64_t index) {
  constexpr std::uint64_t all_of = std::uint64_t{1} << 22;
  if (low_phase(index) >> 61 == 5) return low_count::in_sample;
  return index < all_of ? low_count::in_rest : low_count::nowhere;
}

/// The sample is in so many parts, each of them all over the tensor as it is. How they differ shows
/// how far off the sample may be where neighbors are alike, and a stretch says as much as a number.
constexpr std::size_t low_parts = 8;

/// Of a number in the sample.
constexpr std::size_t low_part_at(std::uint64_t index) {
  return low_phase(index) >> 58 & (low_parts - 1);
}

/// For each of those bytes, from the lowest: of numbers at even places, and of those at odd ones.
using byte_counters = std::array<std::uint32_t, 256>;
using low_counters = std::array<byte_counters, 12>;

struct low_desk {
  std::array<low_counters, low_parts> sample{};
  low_counters rest{};

  /// Where a number's bytes are counted; null: nowhere.
  low_counters* at(std::uint64_t index) {
    const low_count which = low_count_at(index);
    if (which == low_count::nowhere) return nullptr;
    return which == low_count::in_rest ? &rest : &sample[low_part_at(index)];
  }
};

}  // namespace ktln2::measure
