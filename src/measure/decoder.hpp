#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ktln2/data/tensor.hpp"

namespace ktln2::measure {

/// What the codes of elements stand for, as doubles: NaN for none, and the nearest one of whole
/// numbers beyond 2^53.
class decoder {
 public:
  explicit decoder(data::element type);

  [[nodiscard]] double value(std::uint64_t code) const;
  /// Of numbers of a piece, from one on.
  void decode(const data::piece& piece, std::uint64_t first, std::span<double> to) const;

 private:
  template <class Word>
  void decode_words(const std::byte* from, std::span<double> to) const;

  data::element type_;
  bool is_float_;
  bool is_double_;
  std::vector<double> table_;  ///< of all codes, for up to 16 bits
};

}  // namespace ktln2::measure
