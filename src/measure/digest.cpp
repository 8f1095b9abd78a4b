#include "measure/digest.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "measure/wide_vectors.hpp"

#ifdef KTLN2_FOR_AVX2
#include <immintrin.h>
#endif

namespace ktln2::measure {
namespace {

constexpr std::size_t keys_count = 512;

/// Steele et al. 2014, splitmix64.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr std::array<std::uint64_t, keys_count> keys = [] {
  std::array<std::uint64_t, keys_count> made{};
  for (std::size_t i = 0; i < keys_count; ++i) made[i] = mixed(i);
  return made;
}();

[[gnu::always_inline]] inline std::uint64_t product_of_halves(std::uint64_t x) {
  return (x & 0xffffffffU) * (x >> 32);
}

/// A word of which only some bytes are here; the others count as zeros.
std::uint64_t of_part(std::span<const std::byte> bytes, std::uint64_t position) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word |= static_cast<std::uint64_t>(bytes[i]) << (8 * (position % 8 + i));
  }
  const std::uint64_t place = position / 8;
  return product_of_halves(word + keys[place % keys_count] + mixed(~(place / keys_count)));
}

/// Words in a row that have neighboring keys.
[[gnu::always_inline]] inline std::uint64_t sum_of_words(const std::byte* from, std::size_t words,
                                                         std::uint64_t place) {
  const std::uint64_t* const key = keys.data() + place % keys_count;
  const std::uint64_t shared = mixed(~(place / keys_count));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + 8 * i, 8);
    sum += product_of_halves(word + key[i] + shared);
  }
  return sum;
}

#ifdef KTLN2_FOR_AVX2
/// Four words at a time: the product of halves is one instruction, which a compiler does not find
/// by itself.
KTLN2_FOR_AVX2 std::uint64_t sum_by_avx2(const std::byte* from, std::size_t words,
                                         std::uint64_t place) {
  const std::uint64_t* const key = keys.data() + place % keys_count;
  const auto same = static_cast<std::int64_t>(mixed(~(place / keys_count)));
  const __m256i shared = _mm256_set1_epi64x(same);
  const std::size_t fours = words / 4;
  __m256i sum = _mm256_setzero_si256();
  for (std::size_t i = 0; i < fours; ++i) {
    __m256i word;
    __m256i own;
    std::memcpy(&word, from + 32 * i, sizeof word);
    std::memcpy(&own, key + 4 * i, sizeof own);
    const __m256i x = _mm256_add_epi64(_mm256_add_epi64(word, own), shared);
    sum = _mm256_add_epi64(sum, _mm256_mul_epu32(x, _mm256_srli_epi64(x, 32)));
  }
  std::array<std::uint64_t, 4> lanes{};
  std::memcpy(lanes.data(), &sum, sizeof sum);
  const std::uint64_t rest = sum_of_words(from + 32 * fours, words - 4 * fours, place + 4 * fours);
  return lanes[0] + lanes[1] + lanes[2] + lanes[3] + rest;
}
#endif

std::uint64_t of_words(const std::byte* from, std::size_t words, std::uint64_t place) {
#ifdef KTLN2_FOR_AVX2
  if (processor_has_avx2()) return sum_by_avx2(from, words, place);
#endif
  return sum_of_words(from, words, place);
}

}  // namespace

std::uint64_t digest_of(std::span<const std::byte> bytes, std::uint64_t position) {
  std::uint64_t sum = 0;
  const auto take = [&](std::size_t count) {
    bytes = bytes.subspan(count);
    position += count;
  };
  if (position % 8 != 0) {
    const std::size_t count = std::min<std::size_t>(8 - position % 8, bytes.size());
    sum += of_part(bytes.first(count), position);
    take(count);
  }
  while (bytes.size() >= 8) {
    const std::uint64_t place = position / 8;
    const std::size_t words =
        std::min<std::size_t>(keys_count - place % keys_count, bytes.size() / 8);
    sum += of_words(bytes.data(), words, place);
    take(8 * words);
  }
  return bytes.empty() ? sum : sum + of_part(bytes, position);
}

}  // namespace ktln2::measure
