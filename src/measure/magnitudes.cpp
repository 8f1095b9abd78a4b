#include "measure/magnitudes.hpp"

#include <algorithm>
#include <limits>

#include "measure/avx2.hpp"
#include "measure/word_at.hpp"

namespace ktln2::measure {
namespace {

template <class Word>
[[gnu::always_inline]] inline magnitude_range<Word> scan(std::span<const std::byte> block) {
  constexpr Word all = std::numeric_limits<Word>::max() / 2;
  const std::size_t count = block.size() / sizeof(Word);
  const auto magnitude = [&](std::size_t i) -> Word {
    return word_at<Word>(block.data(), i) & all;
  };
  // One thing at a time: such loops become vectors.
  Word largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, magnitude(i));
  Word before_smallest = std::numeric_limits<Word>::max();  // of 0 it is the largest word
  for (std::size_t i = 0; i < count; ++i) {
    before_smallest = std::min<Word>(before_smallest, magnitude(i) - 1);
  }
  Word zeros = 0;
  for (std::size_t i = 0; i < count; ++i) zeros += magnitude(i) == 0 ? 1 : 0;
  const Word smallest = before_smallest < all ? before_smallest + 1 : all;
  return {zeros, smallest, largest};
}

#ifdef KTLN2_FOR_AVX2
template <class Word>
KTLN2_FOR_AVX2 magnitude_range<Word> scan_by_avx2(std::span<const std::byte> block) {
  return scan<Word>(block);
}
#endif

}  // namespace

template <class Word>
magnitude_range<Word> magnitudes_in(std::span<const std::byte> block) {
#ifdef KTLN2_FOR_AVX2
  if (processor_has_avx2()) return scan_by_avx2<Word>(block);
#endif
  return scan<Word>(block);
}
template magnitude_range<std::uint32_t> magnitudes_in(std::span<const std::byte>);
template magnitude_range<std::uint64_t> magnitudes_in(std::span<const std::byte>);

}  // namespace ktln2::measure
