#pragma once

#include <optional>
#include <vector>

#include "ktln2/entropy/fields.hpp"
#include "ktln2/measure/estimator.hpp"
#include "ktln2/measure/tensor_counts.hpp"

namespace ktln2::measure {

/// What the parts of a tensor's codes are worth.
struct code_fields {
  /// Of the whole code. Of more than 16 bits it cannot be counted: the entropy of the 16 leading
  /// bits and of each byte below by itself, which is the most that it can be.
  bounded<bits> total;
  bool is_counted = true;
  std::uint64_t low_count = 0;  ///< of so many numbers those bytes were counted
  bounded<bits> counted;        ///< of the code, or of its 16 leading bits

  /// As ktln2::number_fields has them; of numbers without a format the mantissa is all there is.
  bounded<bits> sign;
  bounded<bits> exponent;                            ///< given the sign
  bounded<bits> mantissa;                            ///< given both
  std::optional<bounded<bits>> regime = {};          ///< of a posit, given the sign
  std::optional<bounded<bits>> posit_exponent = {};  ///< given both

  /// Of fields by themselves, where the format has them.
  std::optional<bounded<bits>> exponent_alone = {};
  std::optional<bounded<bits>> mantissa_alone = {};
  std::vector<bounded<bits>> bytes;  ///< each by itself, from the highest
};

/// What the bytes below the 16 leading bits carry, each by itself; 0 where there are none.
bounded<bits> low_entropy(const tensor_counts& counts, estimator how = best_estimator);

code_fields fields_of(const tensor_counts& counts, estimator how = best_estimator);

/// What each bit is worth given those above it, from the top; below the 16 leading bits given those
/// of its byte.
std::vector<bit_entropy> bits_of(const tensor_counts& counts, estimator how = best_estimator);

}  // namespace ktln2::measure
