#pragma once

#include <cstdint>
#include <span>

#include "ktln2/format/quantize.hpp"

namespace ktln2::simulation {

/// Independent standard normal numbers that need no state: the pair with the counter
/// (trial, index) is a function of the seed and that counter alone, so that every trial draws the
/// same numbers on any number of threads and in any order.
///
/// The words are Threefry-2x64 with 20 rounds (Random123), the normals a ziggurat of 256 layers on
/// 52 bits each. Indices are below 2^63.
class normal_pairs {
 public:
  explicit normal_pairs(std::uint64_t seed, array_kernels use = array_kernels::fastest)
      : seed_{seed}, use_{use} {}

  /// a[i] and b[i] are the pair with the counter (first_trial + i, index). Throws std::domain_error
  /// unless both have the same size.
  void fill(std::uint64_t first_trial, std::uint64_t index, std::span<double> a,
            std::span<double> b) const;

 private:
  std::uint64_t seed_;
  array_kernels use_;
};

}  // namespace ktln2::simulation
