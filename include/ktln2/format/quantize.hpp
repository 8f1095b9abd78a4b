#pragma once

#include <cstdint>
#include <span>

#include "ktln2/format/float_format.hpp"

namespace ktln2 {

/// Which code quantizes an array. The results are the same, bit for bit.
enum class array_kernels {
  fastest,   ///< the best that this processor has: AVX2, or the portable ones
  portable,  ///< the same source compiled for any processor
};

/// The quantizer of Eq. [eq:sem_fp] on a whole array, at the speed of memory. Every element is
/// stored exactly as float_format::quantize would: nearest value, ties away from zero, clipped at
/// both ends, ±0 as +2^e_min, ±infinity as the largest value of its sign.
///
/// Both functions throw std::domain_error
///   - for NaN, and name its index: the elements of `out` before that index are then stored, those
///     from it on are untouched;
///   - unless `in` and `out` have the same size, and are one and the same memory or do not overlap.

/// The stored values. Nearly all of them are doubles; the others are rounded to the nearest double,
/// ties to even: √2 (1 + m·2^(1-p)) with E = 0, and the largest value with p ≥ 54. With E ≥ 11 a
/// stored value may lie outside the range of double (what stands for infinity, with E ≥ 12 what
/// stands for 0, and DBL_MAX where it is rounded up): std::domain_error, as for NaN.
void quantize_values(const float_format& format, std::span<const double> in, std::span<double> out,
                     array_kernels use = array_kernels::fastest);

/// The codes of float_format::encode. Throws std::domain_error for formats wider than 64 bits.
void quantize_codes(const float_format& format, std::span<const double> in,
                    std::span<std::uint64_t> out, array_kernels use = array_kernels::fastest);

}  // namespace ktln2
