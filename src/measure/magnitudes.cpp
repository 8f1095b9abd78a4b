#include "measure/magnitudes.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "measure/avx2.hpp"
#include "measure/word_at.hpp"

namespace ktln2::measure {
namespace {

/// Words side by side: compilers leave plain loops of unknown length one by one.
template <class Word>
struct lanes_of {
  using type [[gnu::vector_size(32)]] = Word;
};
template <class Word>
using lanes = typename lanes_of<Word>::type;

template <class Word>
constexpr Word all_ones = std::numeric_limits<Word>::max();

/// The largest magnitude and the one before the smallest, where 0 comes before 1 and the largest
/// word before 0, so that zeros count as large; and minus their number.
template <class Word, class Words>
struct range_so_far {
  Words largest = {};
  Words before_smallest = ~Words{};
  Words minus_zeros = {};

  [[gnu::always_inline]] void add(const Words& words) {
    const Words magnitudes = words & (all_ones<Word> / 2);
    const Words before = magnitudes - 1;
    largest = magnitudes > largest ? magnitudes : largest;
    before_smallest = before < before_smallest ? before : before_smallest;
    minus_zeros += magnitudes == 0 ? ~Words{} : Words{};
  }
};

template <class Word>
[[gnu::always_inline]] inline magnitude_range<Word> scan(std::span<const std::byte> block) {
  constexpr std::size_t width = sizeof(lanes<Word>) / sizeof(Word);
  const std::size_t count = block.size() / sizeof(Word);
  const std::size_t whole = count / width * width;
  range_so_far<Word, lanes<Word>> side_by_side;
  for (std::size_t i = 0; i < whole; i += width) {
    lanes<Word> words;
    std::memcpy(&words, block.data() + i * sizeof(Word), sizeof words);
    side_by_side.add(words);
  }
  range_so_far<Word, Word> all;
  for (std::size_t k = 0; k < width; ++k) {
    all.largest = std::max<Word>(all.largest, side_by_side.largest[k]);
    all.before_smallest = std::min<Word>(all.before_smallest, side_by_side.before_smallest[k]);
    all.minus_zeros += side_by_side.minus_zeros[k];
  }
  for (std::size_t i = whole; i < count; ++i) all.add(word_at<Word>(block.data(), i));
  constexpr Word none = all_ones<Word> / 2;
  const Word smallest = all.before_smallest < none ? all.before_smallest + 1 : none;
  return {Word{0} - all.minus_zeros, smallest, all.largest};
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
