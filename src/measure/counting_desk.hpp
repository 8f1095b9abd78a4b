#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ktln2/measure/code_table.hpp"
#include "ktln2/measure/exact_sums.hpp"
#include "measure/low_sample.hpp"
#include "measure/word_at.hpp"

namespace ktln2::measure {

/// The 16 leading bits.
template <class Word>
std::uint32_t leading_bits(Word word) {
  return static_cast<std::uint32_t>(word >> (8 * sizeof(Word) - 16));
}

/// The tables that a thread counts in, all zeros between tensors: large ones that it keeps, so that
/// those of a tensor can be small. Neighbors are counted in different tables: a number that was
/// just written could not be read at once.
class counting_desk {
 public:
  static counting_desk& of_this_thread();

  /// At most so many numbers at a time: the counters have 32 bits, and sums of squares of 48 bits
  /// must fit in 64.
  static constexpr std::size_t most = std::size_t{1} << 14;

  void count_bytes(std::span<const std::byte> block);
  /// The leading bits, and the bytes below of those in the sample, and in the rest. `first` is the
  /// place of the first one in its tensor.
  template <class Word>
  void count_words(std::span<const std::byte> block, std::uint64_t first);
  /// The same of floats, the largest of which has that magnitude, and their sums; infinities and
  /// NaN left out of these.
  void count_floats(std::span<const std::byte> block, std::uint64_t first, std::uint32_t largest,
                    exact_sums& to);
  /// The sums of doubles.
  void add_up_doubles(std::span<const std::byte> block, exact_sums& to);

  /// Was any byte, or any code of 16 bits, from one to another counted?
  [[nodiscard]] bool has_byte(std::uint32_t first, std::uint32_t last) const;
  [[nodiscard]] bool has_code(std::uint32_t first, std::uint32_t last) const;

  /// Hands out what was counted of bytes, and forgets it.
  std::array<std::uint64_t, 256> take_bytes();
  /// The same of words: all that were seen, or those of a block that is all that was counted.
  void take_codes(code_table& to);
  template <class Word>
  void take_codes(std::span<const std::byte> block, code_table& to);
  void take_low_bytes(std::array<std::vector<code_table>, low_parts>& sample,
                      std::vector<code_table>& rest);

 private:
  template <bool Low, class Word>
  void count_some(std::span<const std::byte> block, low_counters* low);
  void add_up_by_exponent(std::span<const std::byte> block, exact_sums& to);

  struct float_sums {
    std::uint64_t magnitudes = 0;
    std::uint64_t squares = 0;
  };
  static constexpr std::size_t codes_count = std::size_t{1} << 16;

  std::vector<std::uint32_t> codes_ = std::vector<std::uint32_t>(2 * codes_count);
  std::array<byte_counters, 8> bytes_{};  ///< of numbers that are bytes
  low_desk low_;
  std::array<std::array<float_sums, 512>, 4> float_sums_{};
  std::vector<exact_sums::part> double_sums_ = std::vector<exact_sums::part>(4096);
};

}  // namespace ktln2::measure
