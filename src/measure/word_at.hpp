#pragma once

#include <cstddef>
#include <cstring>

namespace ktln2::measure {

/// The i-th word, wherever they begin.
template <class Word>
Word word_at(const std::byte* from, std::size_t i) {
  Word word = 0;
  std::memcpy(&word, from + i * sizeof(Word), sizeof(Word));
  return word;
}

}  // namespace ktln2::measure
