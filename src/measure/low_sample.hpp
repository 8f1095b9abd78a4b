#pragma once

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

/// It depends on the number's place in the tensor alone, however that is cut into pieces. Multiples
/// of the golden ratio leave no stretch of stretches out, nor do they meet the rows of a matrix.
constexpr low_count low_count_at(std::uint64_t index) {
  constexpr std::uint64_t all_of = std::uint64_t{1} << 22;
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  if ((index / low_stretch * golden) >> 61 == 5) return low_count::in_sample;
  return index < all_of ? low_count::in_rest : low_count::nowhere;
}

}  // namespace ktln2::measure
