#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ktln2::measure {

/// The magnitudes of a block of floats or doubles, as the whole numbers that their codes are, and
/// the bits of words of any kind.
template <class Word>
struct magnitude_range {
  std::uint64_t zeros = 0;
  Word smallest = 0;  ///< but 0; the largest that there could be, if all are zeros
  Word largest = 0;
  Word any = 0;                      ///< bits that are set in one of them at least
  Word all = static_cast<Word>(-1);  ///< bits that are set in each
};

template <class Word>
magnitude_range<Word> magnitudes_in(std::span<const std::byte> block);

}  // namespace ktln2::measure
