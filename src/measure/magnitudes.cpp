#include "measure/magnitudes.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "measure/wide_vectors.hpp"
#include "measure/word_at.hpp"

namespace ktln2::measure {
namespace {

/// Words side by side, in so many bytes: compilers leave plain loops of unknown length one by one.
template <class Word, std::size_t Bytes>
struct lanes_of {
  using type [[gnu::vector_size(Bytes)]] = Word;
};
template <class Word, std::size_t Bytes>
using lanes = typename lanes_of<Word, Bytes>::type;

template <class Word>
constexpr Word all_ones = std::numeric_limits<Word>::max();

/// The largest magnitude and the one before the smallest, where 0 comes before 1 and the largest
/// word before 0, so that zeros count as large; and minus their number.
template <class Word, class Words>
struct range_so_far {
  Words largest = {};
  Words before_smallest = ~Words{};
  Words minus_zeros = {};
  Words any = {};
  Words all = ~Words{};

  [[gnu::always_inline]] void add(const Words& words) {
    any |= words;
    all &= words;
    const Words magnitudes = words & (all_ones<Word> / 2);
    const Words before = magnitudes - 1;
    largest = magnitudes > largest ? magnitudes : largest;
    before_smallest = before < before_smallest ? before : before_smallest;
    minus_zeros += magnitudes == 0 ? ~Words{} : Words{};
  }
};

template <class Word, std::size_t Bytes>
[[gnu::always_inline]] inline magnitude_range<Word> scan(std::span<const std::byte> block) {
  using words = lanes<Word, Bytes>;
  constexpr std::size_t width = Bytes / sizeof(Word);
  const std::size_t count = block.size() / sizeof(Word);
  const std::size_t whole = count / width * width;
  range_so_far<Word, words> side_by_side;
  for (std::size_t i = 0; i < whole; i += width) {
    words next;
    std::memcpy(&next, block.data() + i * sizeof(Word), sizeof next);
    side_by_side.add(next);
  }
  range_so_far<Word, Word> found;
  for (std::size_t k = 0; k < width; ++k) {
    found.largest = std::max<Word>(found.largest, side_by_side.largest[k]);
    found.before_smallest = std::min<Word>(found.before_smallest, side_by_side.before_smallest[k]);
    found.minus_zeros += side_by_side.minus_zeros[k];
    found.any |= side_by_side.any[k];
    found.all &= side_by_side.all[k];
  }
  for (std::size_t i = whole; i < count; ++i) found.add(word_at<Word>(block.data(), i));
  constexpr Word none = all_ones<Word> / 2;
  const Word smallest = found.before_smallest < none ? found.before_smallest + 1 : none;
  return {Word{0} - found.minus_zeros, smallest, found.largest, found.any, found.all};
}

#ifdef KTLN2_FOR_AVX2
template <class Word>
KTLN2_FOR_AVX2 magnitude_range<Word> scan_by_avx2(std::span<const std::byte> block) {
  return scan<Word, 32>(block);
}
template <class Word>
KTLN2_FOR_AVX512 magnitude_range<Word> scan_by_avx512(std::span<const std::byte> block) {
  return scan<Word, 64>(block);
}
#endif

}  // namespace

template <class Word>
magnitude_range<Word> magnitudes_in(std::span<const std::byte> block) {
#ifdef KTLN2_FOR_AVX2
  if (processor_has_avx512()) return scan_by_avx512<Word>(block);
  if (processor_has_avx2()) return scan_by_avx2<Word>(block);
#endif
  return scan<Word, 32>(block);
}
template magnitude_range<std::uint32_t> magnitudes_in(std::span<const std::byte>);
template magnitude_range<std::uint64_t> magnitudes_in(std::span<const std::byte>);

}  // namespace ktln2::measure
