#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ktln2/format/number_format.hpp"
#include "ktln2/format/quantize.hpp"

namespace ktln2 {

/// Arrays in the formats that people own: every element is stored exactly as
/// number_format::quantize would, with the usual rule of the format unless another one is given.
/// Floating-point formats with ties to even go at the speed of memory where their normal numbers
/// are normal numbers of the elements that come in, and nearly so do the values of integers and of
/// fixed point; all others go one by one, and so do negative numbers into a format without a sign.
///
/// All these functions throw std::domain_error
///   - for a rule that the format does not have, and for rounding by chance;
///   - for an element that cannot be stored, NaN where the format has none, and name its index: the
///     elements of `out` before that index are then stored, those from it on are untouched;
///   - unless `in` and `out` have the same size, and do not overlap. They may be one and the same
///     memory if their elements have the same size.

/// The stored values; NaN is the quiet one, without a sign. A value of more than 53 bits is rounded
/// to the nearest double, ties to even, and one outside the range of double is refused.
void quantize_values(const number_format& format, std::span<const double> in, std::span<double> out,
                     const std::optional<storing>& rule = {},
                     array_kernels use = array_kernels::fastest);
/// Throws std::domain_error for a format some of whose values are no floats.
void quantize_values(const number_format& format, std::span<const float> in, std::span<float> out,
                     const std::optional<storing>& rule = {},
                     array_kernels use = array_kernels::fastest);

/// The codes. Throws std::domain_error for a format that is wider than an element of `out`.
void quantize_codes(const number_format& format, std::span<const double> in,
                    std::span<std::uint64_t> out, const std::optional<storing>& rule = {},
                    array_kernels use = array_kernels::fastest);
void quantize_codes(const number_format& format, std::span<const double> in,
                    std::span<std::uint16_t> out, const std::optional<storing>& rule = {},
                    array_kernels use = array_kernels::fastest);
void quantize_codes(const number_format& format, std::span<const double> in,
                    std::span<std::uint8_t> out, const std::optional<storing>& rule = {},
                    array_kernels use = array_kernels::fastest);
void quantize_codes(const number_format& format, std::span<const float> in,
                    std::span<std::uint64_t> out, const std::optional<storing>& rule = {},
                    array_kernels use = array_kernels::fastest);
void quantize_codes(const number_format& format, std::span<const float> in,
                    std::span<std::uint16_t> out, const std::optional<storing>& rule = {},
                    array_kernels use = array_kernels::fastest);
void quantize_codes(const number_format& format, std::span<const float> in,
                    std::span<std::uint8_t> out, const std::optional<storing>& rule = {},
                    array_kernels use = array_kernels::fastest);

/// Whether all finite doubles go at the speed of memory.
bool has_array_kernel(const number_format& format, const storing& rule);

/// What codes stand for, as quantize_values has it.
void decode(const number_format& format, std::span<const std::uint64_t> codes,
            std::span<double> out);
void decode(const number_format& format, std::span<const std::uint16_t> codes,
            std::span<double> out);
void decode(const number_format& format, std::span<const std::uint8_t> codes,
            std::span<double> out);

}  // namespace ktln2
