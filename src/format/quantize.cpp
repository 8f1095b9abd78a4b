#include "ktln2/format/quantize.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "core/constants.hpp"
#include "core/processor.hpp"
#include "format/array_run.hpp"
#include "format/portable_lanes.hpp"
#include "format/quantize_kernel.hpp"
#include "format/single_level.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

using array_run::element;
using kernel::infinity_bits;
using kernel::kernel_set;

constexpr int double_bias = 1023;
constexpr std::uint64_t one = 1;
constexpr std::uint64_t smallest_normal_bits = one << (double_digits - 1);

const kernel_set& kernels_for(array_kernels use) {
  const kernel_set* avx2 = kernel::avx2_kernels();
  const bool takes_it = use == array_kernels::fastest && processor_has_avx2();
  return takes_it && avx2 != nullptr ? *avx2 : kernel::kernels_of<kernel::portable_lanes>;
}

/// The bit pattern of the double 2^exponent.
std::uint64_t power_bits(int exponent) {
  return static_cast<std::uint64_t>(exponent + double_bias) << (double_digits - 1);
}

/// What values and codes have in common: rounding, and which elements need care.
kernel::binary_levels rounding_of(const float_format& format) {
  const int dropped = std::max(0, double_digits - format.p());
  kernel::binary_levels levels{};
  levels.mask = ~std::uint64_t{0} << dropped;
  levels.half = dropped > 0 ? one << (dropped - 1) : 0;
  if (format.exponent_bits() <= 10) {
    levels.care_above = infinity_bits;  // NaN
    levels.lowest = power_bits(static_cast<int>(format.emin()));
    levels.highest = power_bits(static_cast<int>(format.emax()) + 1) - (one << dropped);
  } else {
    // No finite double is clipped above, but infinity is. Below, the format keeps all its digits
    // where double has subnormal numbers; only 0 is simple.
    levels.care_above = infinity_bits - 1;
    levels.care_between[0] = 0;
    levels.care_between[1] = smallest_normal_bits;
    levels.lowest = smallest_normal_bits;
    levels.highest = kernel::magnitude_bits;
  }
  return levels;
}

kernel::binary_levels value_levels(const float_format& format) {
  kernel::binary_levels levels = rounding_of(format);
  levels.sign = one << 63;
  if (format.exponent_bits() <= 10) {
    levels.smallest = levels.lowest;
    // With p ≥ 54 the largest value is no double; the nearest is the power of two above it.
    levels.largest = levels.highest + (format.p() > double_digits ? 1 : 0);
  } else {
    levels.care_above -= levels.half;             // what is rounded up to 2^1024
    levels.smallest = smallest_normal_bits >> 1;  // 2^-1023, for E = 11
    if (format.exponent_bits() > 11) levels.care_between[0] = ~std::uint64_t{0};  // from 0 on
  }
  return levels;
}

kernel::binary_levels code_levels(const float_format& format) {
  kernel::binary_levels levels = rounding_of(format);
  levels.right = std::max(0, double_digits - format.p());
  levels.left = std::max(0, format.p() - double_digits);
  levels.base = static_cast<std::uint64_t>(static_cast<int>(format.emin()) + double_bias)
                << (format.p() - 1);
  levels.sign = one << (format.width() - 1);
  levels.largest = levels.sign - 1;
  return levels;
}

kernel::single_level single_level_of(const float_format& format, bool values) {
  const int p = format.p();
  kernel::single_level level{};
  level.first = one << (p - 1);
  level.smallest = single_level::nearest_double(level.first, p);
  level.largest = single_level::nearest_double(level.first + (level.first - 1), p);
  level.inverse = std::scalbn(0x1.6a09e667f3bcdp-1, p - 1);
  // The product is below 2^p, and off by 2^-54 of it for the inverse and 2^-53 for its rounding.
  level.safe = 0.5 - std::scalbn(1.0, p - 52);
  level.root = std::scalbn(0x1.6a09e667f3bcdp+0, 1 - p);
  level.root_below = std::scalbn(-0x1.bdd3413b27p-54, 1 - p);  // √2 = root - 1.bdd3413b26455…
  level.root_above = std::scalbn(-0x1.bdd3413b26p-54, 1 - p);
  level.values = values;
  level.sign = one << (values ? 63 : format.width() - 1);
  return level;
}

[[noreturn]] void refuse_nan(const char* where, std::size_t index) {
  throw std::domain_error(element(where, index) + " must be a number, got nan");
}

double stored_value(const float_format& format, double x, std::size_t index) {
  if (std::isnan(x)) refuse_nan("quantize_values", index);
  if (format.exponent_bits() == 0) {
    const double magnitude = single_level::nearest_double(
        single_level::nearest_significand(std::fabs(x), format.p()), format.p());
    return x < 0 ? -magnitude : magnitude;
  }
  const double stored = format.value(format.quantize(x)).to_double();
  if (stored == 0 || std::isinf(stored)) {
    throw std::domain_error(element("quantize_values", index) + ": " + format.name() + " stores " +
                            shown(x) + " outside the range of double");
  }
  return stored;
}

std::uint64_t stored_code(const float_format& format, double x, std::size_t index) {
  if (std::isnan(x)) refuse_nan("quantize_codes", index);
  return static_cast<std::uint64_t>(format.encode(format.quantize(x)));
}

template <class Stored, class One>
void quantize_array(const float_format& format, std::span<const double> in, std::span<Stored> out,
                    array_kernels use, One one_element) {
  constexpr bool values = std::is_same_v<Stored, double>;
  const kernel_set& kernels = kernels_for(use);
  if (format.exponent_bits() > 0) {
    const kernel::binary_levels levels = values ? value_levels(format) : code_levels(format);
    const auto run = [&](auto... array) { return kernels.binary(levels, array...); };
    array_run::quantize(in, out, kernels.lanes, run, one_element);
  } else if (format.p() <= kernel::single_level::max_p) {
    const kernel::single_level level = single_level_of(format, values);
    const auto run = [&](auto... array) { return kernels.single(level, array...); };
    array_run::quantize(in, out, kernels.lanes, run, one_element);
  } else {
    const auto none = [](auto...) { return std::size_t{0}; };
    array_run::quantize(in, out, in.size(), none, one_element);
  }
}

}  // namespace

void quantize_values(const float_format& format, std::span<const double> in, std::span<double> out,
                     array_kernels use) {
  array_run::require_same_extent<double>("quantize_values", in, out);
  quantize_array(format, in, out, use,
                 [&](double x, std::size_t i) { return stored_value(format, x, i); });
}

void quantize_codes(const float_format& format, std::span<const double> in,
                    std::span<std::uint64_t> out, array_kernels use) {
  array_run::require_same_extent<double>("quantize_codes", in, out);
  if (format.width() > 64) {
    throw std::domain_error("quantize_codes: the codes of " + format.name() + " need " +
                            std::to_string(format.width()) + " bits, more than 64");
  }
  quantize_array(format, in, out, use,
                 [&](double x, std::size_t i) { return stored_code(format, x, i); });
}

}  // namespace ktln2
