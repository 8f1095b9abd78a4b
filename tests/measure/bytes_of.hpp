#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "ktln2/data/tensor.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "ktln2/measure/tensor_counts.hpp"

/// Numbers as they lie in a file.
template <class Number>
std::vector<std::byte> bytes_of(const std::vector<Number>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(Number));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// Elements of a format with a name.
inline ktln2::data::element element_of(const char* format, int bits) {
  return {format, bits, ktln2::find_number_format(format)};
}

/// All of a tensor at once.
inline ktln2::measure::tensor_counts counted(const ktln2::data::element& type,
                                             const std::vector<std::byte>& bytes,
                                             std::uint64_t count) {
  ktln2::measure::tensor_counts counts(type);
  counts.add({0, 0, count, bytes});
  return counts;
}
