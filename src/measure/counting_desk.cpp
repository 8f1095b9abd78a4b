#include "measure/counting_desk.hpp"

#include <algorithm>

#include "measure/float_block.hpp"

namespace ktln2::measure {

counting_desk& counting_desk::of_this_thread() {
  thread_local counting_desk desk;
  return desk;
}

void counting_desk::count_bytes(std::span<const std::byte> block) {
  const std::size_t words = block.size() / 8;
  for (std::size_t i = 0; i < words; ++i) {
    const auto word = word_at<std::uint64_t>(block.data(), i);
    for (unsigned k = 0; k < 8; ++k) ++bytes_[k][(word >> (8 * k)) & 0xff];
  }
  for (const std::byte rest : block.subspan(8 * words)) {
    ++bytes_[0][std::to_integer<std::size_t>(rest)];
  }
}

template <>
void counting_desk::count_words<std::uint16_t>(std::span<const std::byte> block,
                                               std::uint64_t /*first*/) {
  std::uint32_t* const even = codes_.data();
  std::uint32_t* const odd = even + codes_count;
  const std::size_t words = block.size() / 8;
  for (std::size_t i = 0; i < words; ++i) {
    const auto four = word_at<std::uint64_t>(block.data(), i);
    ++even[four & 0xffff];
    ++odd[(four >> 16) & 0xffff];
    ++even[(four >> 32) & 0xffff];
    ++odd[four >> 48];
  }
  for (std::size_t i = 4 * words; i < block.size() / 2; ++i) {
    ++even[word_at<std::uint16_t>(block.data(), i)];
  }
}

template <bool Low, class Word>
void counting_desk::count_some(std::span<const std::byte> block, low_counters* low) {
  std::uint32_t* const codes = codes_.data();
  const auto count_one = [&](Word word, std::size_t side) {
    ++codes[side * codes_count + leading_bits(word)];
    if constexpr (Low) {
      low_counters& to = *low;
      ++to[side][word & 0xff];
      ++to[2 + side][(word >> 8) & 0xff];
      if constexpr (sizeof(Word) == 8) {
        ++to[4 + side][(word >> 16) & 0xff];
        ++to[6 + side][(word >> 24) & 0xff];
        ++to[8 + side][(word >> 32) & 0xff];
        ++to[10 + side][(word >> 40) & 0xff];
      }
    }
  };
  const std::size_t count = block.size() / sizeof(Word);
  for (std::size_t i = 0; i + 1 < count; i += 2) {
    count_one(word_at<Word>(block.data(), i), 0);
    count_one(word_at<Word>(block.data(), i + 1), 1);
  }
  if (count % 2 != 0) count_one(word_at<Word>(block.data(), count - 1), 0);
}

template <class Word>
void counting_desk::count_words(std::span<const std::byte> block, std::uint64_t first) {
  while (!block.empty()) {
    const std::uint64_t stretch = low_stretch - first % low_stretch;
    const auto some = block.first(std::min<std::uint64_t>(stretch * sizeof(Word), block.size()));
    low_counters* const low = low_.at(first);
    low != nullptr ? count_some<true, Word>(some, low) : count_some<false, Word>(some, low);
    first += stretch;
    block = block.subspan(some.size());
  }
}
template void counting_desk::count_words<std::uint32_t>(std::span<const std::byte>, std::uint64_t);
template void counting_desk::count_words<std::uint64_t>(std::span<const std::byte>, std::uint64_t);

void counting_desk::count_floats(std::span<const std::byte> block, std::uint64_t first,
                                 std::uint32_t largest, exact_sums& to) {
  if (!float_block::fits(largest)) {
    count_words<std::uint32_t>(block, first);
    if (largest != 0) add_up_by_exponent(block, to);
    return;
  }
  std::uint32_t* const codes = codes_.data();
  const float_counters counters{{codes, codes + codes_count}, low_, first};
  const float_block sums = first % low_stretch == 0 ? float_block(block, largest, counters)
                                                    : float_block(block, largest);
  count_words<std::uint32_t>(block.subspan(4 * sums.counted()), first + sums.counted());
  if (!sums.is_of_use()) return add_up_by_exponent(block, to);
  sums.add_to(to);
  if (!sums.left_out().empty()) add_up_by_exponent(std::as_bytes(std::span(sums.left_out())), to);
}

void counting_desk::add_up_by_exponent(std::span<const std::byte> block, exact_sums& to) {
  constexpr std::uint64_t one = std::uint64_t{1} << 40;  // counts them above the sums
  const std::size_t count = block.size() / 4;
  for (std::size_t i = 0; i < count; ++i) {
    const auto word = word_at<std::uint32_t>(block.data(), i);
    const std::uint64_t m = word & 0x7fffffU;
    float_sums& sums = float_sums_[i % float_sums_.size()][word >> 23];
    sums.magnitudes += m | one;
    sums.squares += m * m;
  }
  for (std::size_t i = 0; i < 512; ++i) {
    float_sums all;
    for (auto& side : float_sums_) {
      all.magnitudes += side[i].magnitudes;
      all.squares += side[i].squares;
      side[i] = {};
    }
    const int exponent = static_cast<int>(i % 256);
    if (all.magnitudes == 0 || exponent == 255) continue;
    exact_sums::part part{.magnitudes = all.magnitudes % one, .squares = all.squares};
    if (exponent > 0) part.set_bit(23, all.magnitudes / one);
    to.add(i >= 256, std::max(exponent, 1) - 150, part);
  }
}

void counting_desk::add_up_doubles(std::span<const std::byte> block, exact_sums& to) {
  constexpr std::uint64_t hidden = std::uint64_t{1} << 52;
  for (std::size_t i = 0; i < block.size() / 8; ++i) {
    const auto word = word_at<std::uint64_t>(block.data(), i);
    const std::size_t bin = word >> 52;
    double_sums_[bin].add((word & (hidden - 1)) | (bin % 2048 != 0 ? hidden : 0));
  }
  for (std::size_t i = 0; i < 4096; ++i) {
    if (double_sums_[i].magnitudes == 0) continue;
    const int exponent = static_cast<int>(i % 2048);
    if (exponent != 2047) to.add(i >= 2048, std::max(exponent, 1) - 1075, double_sums_[i]);
    double_sums_[i] = {};
  }
}

bool counting_desk::has_byte(std::uint32_t first, std::uint32_t last) const {
  return std::any_of(bytes_.begin(), bytes_.end(), [&](const byte_counters& one) {
    return std::any_of(one.begin() + first, one.begin() + last + 1,
                       [](std::uint32_t times) { return times > 0; });
  });
}

bool counting_desk::has_code(std::uint32_t first, std::uint32_t last) const {
  std::uint32_t any = 0;
  for (std::size_t code = first; code <= last; ++code)
    any |= codes_[code] | codes_[codes_count + code];
  return any != 0;
}

std::array<std::uint64_t, 256> counting_desk::take_bytes() {
  std::array<std::uint64_t, 256> all{};
  for (byte_counters& one : bytes_) {
    for (std::size_t i = 0; i < 256; ++i) all[i] += one[i];
    one = {};
  }
  return all;
}

void counting_desk::take_codes(code_table& to) {
  constexpr std::size_t stride = 16;
  for (std::size_t begin = 0; begin < codes_count; begin += stride) {
    std::uint32_t* const even = codes_.data() + begin;
    std::uint32_t* const odd = even + codes_count;
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < stride; ++i) any |= even[i] | odd[i];
    if (any == 0) continue;
    for (std::size_t i = 0; i < stride; ++i) {
      to.add(static_cast<std::uint32_t>(begin + i), std::uint64_t{even[i]} + odd[i]);
      even[i] = odd[i] = 0;
    }
  }
}

template <class Word>
void counting_desk::take_codes(std::span<const std::byte> block, code_table& to) {
  for (std::size_t i = 0; i < block.size() / sizeof(Word); ++i) {
    const std::uint32_t code = leading_bits(word_at<Word>(block.data(), i));
    std::uint32_t& even = codes_[code];
    std::uint32_t& odd = codes_[codes_count + code];
    to.add(code, std::uint64_t{even} + odd);
    even = odd = 0;
  }
}
template void counting_desk::take_codes<std::uint16_t>(std::span<const std::byte>, code_table&);
template void counting_desk::take_codes<std::uint32_t>(std::span<const std::byte>, code_table&);
template void counting_desk::take_codes<std::uint64_t>(std::span<const std::byte>, code_table&);

void counting_desk::take_low_bytes(std::array<std::vector<code_table>, low_parts>& sample,
                                   std::vector<code_table>& rest) {
  const auto take = [](low_counters& from, std::vector<code_table>& to) {
    for (std::size_t k = 0; k < to.size(); ++k) {
      byte_counters& even = from[2 * (to.size() - 1 - k)];
      byte_counters& odd = from[2 * (to.size() - 1 - k) + 1];
      std::uint32_t any = 0;  // a short piece has no part in most of the sample
      for (std::uint32_t i = 0; i < 256; ++i) any |= even[i] | odd[i];
      if (any == 0) continue;
      for (std::uint32_t i = 0; i < 256; ++i) to[k].add(i, std::uint64_t{even[i]} + odd[i]);
      even = odd = {};
    }
  };
  for (std::size_t part = 0; part < low_parts; ++part) take(low_.sample[part], sample[part]);
  take(low_.rest, rest);
}

}  // namespace ktln2::measure
