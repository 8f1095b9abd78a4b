#include "measure/magnitudes.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "measure/avx2.hpp"
#include "measure/word_at.hpp"

namespace ktln2::measure {
namespace {

template <class Word>
[[gnu::always_inline]] inline magnitude_range<Word> scan(std::span<const std::byte> block) {
  using whole = std::make_signed_t<Word>;  // its comparisons are the ones that vectors have
  constexpr Word all = std::numeric_limits<Word>::max() / 2;
  constexpr whole most = std::numeric_limits<whole>::max();
  whole zeros = 0;
  whole largest = 0;
  whole smallest = most;
  for (std::size_t i = 0; i < block.size() / sizeof(Word); ++i) {
    const auto m = static_cast<whole>(word_at<Word>(block.data(), i) & all);
    zeros += m == 0 ? 1 : 0;
    largest = std::max(largest, m);
    smallest = std::min(smallest, m == 0 ? most : m);
  }
  return {static_cast<std::uint64_t>(zeros), static_cast<Word>(smallest),
          static_cast<Word>(largest)};
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
  if (has_avx2()) return scan_by_avx2<Word>(block);
#endif
  return scan<Word>(block);
}
template magnitude_range<std::uint32_t> magnitudes_in(std::span<const std::byte>);
template magnitude_range<std::uint64_t> magnitudes_in(std::span<const std::byte>);

}  // namespace ktln2::measure
