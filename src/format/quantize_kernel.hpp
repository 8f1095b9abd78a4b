#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loops of the array quantizer. They are written once, for vectors of any width, and
/// compiled twice: for any processor (quantize.cpp) and with AVX2 (quantize_avx2.cpp).
///
/// A kernel stores the first elements of an array and returns how many. It stops where a vector
/// holds an element that needs care (NaN, a subnormal number that the format resolves more finely
/// than double, a number too near to a midpoint) and where less than a vector is left.
namespace ktln2::kernel {

constexpr std::uint64_t magnitude_bits = 0x7fff'ffff'ffff'ffff;
constexpr std::uint64_t infinity_bits = 0x7ff0'0000'0000'0000;

/// E ≥ 1, both for values and for codes. `a` is the bit pattern of |x|: adding half a spacing and
/// clearing the bits below it rounds to nearest, ties away from zero, across exponents too.
struct binary_levels {
  std::uint64_t care_above;       ///< a > care_above needs care,
  std::uint64_t care_between[2];  ///< and so does what lies between these two (-1: below 0)
  std::uint64_t half;
  std::uint64_t mask;
  std::uint64_t lowest, smallest;  ///< what is rounded to less than `lowest` becomes `smallest`
  std::uint64_t highest, largest;
  int right, left;     ///< shifts that put the rounded bits where a code has them; 0 for values
  std::uint64_t base;  ///< subtracted then: the code of the exponent bias
  std::uint64_t sign;
};

/// E = 0: |x|·inverse is N of the magnitudes N·√2·2^(1-p), but for the rounding errors. They matter
/// to one number in 2^(51-p): where that is rare, the others can go fast.
struct single_level {
  static constexpr int max_p = 44;
  double smallest, largest;       ///< magnitudes, to the nearest double
  double inverse;                 ///< 2^(p-1)/√2
  double safe;                    ///< nearer than this to an integer, it is the right one for sure
  double root;                    ///< √2·2^(1-p) lies between root + root_below
  double root_below, root_above;  ///< and root + root_above
  bool values;                    ///< or codes
  std::uint64_t first;            ///< N of the smallest
  std::uint64_t sign;
};

/// `streaming` stores bypass the caches and need an `out` that is aligned to a vector.
struct kernel_set {
  std::size_t lanes;
  std::size_t (*binary)(const binary_levels&, const double* in, void* out, std::size_t size,
                        bool streaming);
  std::size_t (*single)(const single_level&, const double* in, void* out, std::size_t size,
                        bool streaming);
};

/// How far ahead of the loops numbers are fetched: the processor's own prefetch ends at a page.
constexpr std::size_t prefetch_bytes = 1024;

/// Null where the compiler does not know AVX2. Ask the processor before using it.
const kernel_set* avx2_kernels();

// No linkage from here on: code compiled for AVX2 must never stand in for the portable one.
namespace {

template <class To, class From>
To as(From vector) {
  static_assert(sizeof(To) == sizeof(From));
  return reinterpret_cast<To>(vector);
}

/// a > b, lane by lane, all ones where it holds, for bit patterns below 2^63 (or -1, the least).
template <class Lanes>
typename Lanes::bits above(typename Lanes::bits a, typename Lanes::bits b) {
  using integers = typename Lanes::integers;
  return as<typename Lanes::bits>(as<integers>(a) > as<integers>(b));
}

template <class Lanes>
typename Lanes::bits select(typename Lanes::bits mask, typename Lanes::bits a,
                            typename Lanes::bits b) {
  return as<typename Lanes::integers>(mask) ? a : b;
}

template <class Lanes>
std::size_t quantize_binary(const binary_levels& levels, const double* in, void* out,
                            std::size_t size, bool streaming) {
  using bits = typename Lanes::bits;
  using reals = typename Lanes::reals;
  const binary_levels f = levels;  // a copy that no store through `out` can change
  auto* to = static_cast<unsigned char*>(out);
  std::size_t i = 0;
  for (; size - i >= Lanes::count; i += Lanes::count) {
    __builtin_prefetch(in + i + prefetch_bytes / sizeof(double));
    const reals x = Lanes::load(in + i);
    const bits a = as<bits>(x) & magnitude_bits;
    const bits care = above<Lanes>(a, Lanes::all(f.care_above)) |
                      (above<Lanes>(a, Lanes::all(f.care_between[0])) &
                       above<Lanes>(Lanes::all(f.care_between[1]), a));
    if (Lanes::any(care)) break;
    const bits rounded = (a + f.half) & f.mask;
    bits stored = ((rounded >> f.right) << f.left) - f.base;
    stored =
        select<Lanes>(above<Lanes>(rounded, Lanes::all(f.highest)), Lanes::all(f.largest), stored);
    stored =
        select<Lanes>(above<Lanes>(Lanes::all(f.lowest), rounded), Lanes::all(f.smallest), stored);
    Lanes::store(to + i * sizeof(double), stored | (as<bits>(x < 0.0) & f.sign), streaming);
  }
  if (streaming) Lanes::fence();
  return i;
}

template <class Lanes>
std::size_t quantize_single(const single_level& level, const double* in, void* out,
                            std::size_t size, bool streaming) {
  using bits = typename Lanes::bits;
  using reals = typename Lanes::reals;
  const single_level f = level;
  constexpr double to_integer = 0x1p52;  // to_integer + y is rounded to an integer, in the low bits
  constexpr std::uint64_t to_integer_bits = 0x4330'0000'0000'0000;
  auto* to = static_cast<unsigned char*>(out);
  std::size_t i = 0;
  for (; size - i >= Lanes::count; i += Lanes::count) {
    __builtin_prefetch(in + i + prefetch_bytes / sizeof(double));
    const reals x = Lanes::load(in + i);
    auto magnitude = as<reals>(as<bits>(x) & magnitude_bits);
    magnitude = Lanes::all(f.largest) < magnitude ? Lanes::all(f.largest) : magnitude;
    magnitude = Lanes::all(f.smallest) > magnitude ? Lanes::all(f.smallest) : magnitude;
    const reals scaled = magnitude * f.inverse;
    const reals shifted = scaled + to_integer;
    const reals n = shifted - to_integer;
    // NaN passes the clipping and is not sure.
    bits sure = as<bits>(as<reals>(as<bits>(scaled - n) & magnitude_bits) < f.safe);
    bits stored = as<bits>(shifted) - (to_integer_bits + f.first);
    if (f.values) {
      const reals root = Lanes::all(f.root);
      const reals low = Lanes::multiply_add(n, root, n * f.root_below);
      const reals high = Lanes::multiply_add(n, root, n * f.root_above);
      sure &= as<bits>(low == high);  // then the product in between is rounded alike
      stored = as<bits>(low);
    }
    if (Lanes::any(~sure)) break;
    Lanes::store(to + i * sizeof(double), stored | (as<bits>(x < 0.0) & f.sign), streaming);
  }
  if (streaming) Lanes::fence();
  return i;
}

template <class Lanes>
constexpr kernel_set kernels_of{Lanes::count, quantize_binary<Lanes>, quantize_single<Lanes>};

}  // namespace
}  // namespace ktln2::kernel
