#pragma once

#include "ktln2/data/tensor.hpp"

namespace ktln2::measure {

/// IEEE's format of as many bits as Word.
template <class Word>
inline bool is_ieee(const data::element& type) {
  return type.format && type.format->name() == (sizeof(Word) == 4 ? "binary32" : "binary64");
}

inline bool is_integer(const data::element& type) {
  if (!type.format) return true;
  return type.format->kind() == number_format::family::twos_complement &&
         type.format->min_positive() == wide(1.0);
}

}  // namespace ktln2::measure
