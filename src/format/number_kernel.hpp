#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "format/quantize_kernel.hpp"

/// The inner loop of the array quantizer for floating-point formats that people own: nearest value,
/// ties to the even code. As those of quantize_kernel.hpp it is written once, for vectors of any
/// width, for doubles and for floats.
namespace ktln2::kernel {

/// `Word` is the bit pattern of a number that comes in.
template <class Word>
using real_of = std::conditional_t<sizeof(Word) == 8, double, float>;

/// A format whose normal numbers are normal doubles (or floats). `a` is the bit pattern of |x|.
/// From `lowest` on, adding just under half a spacing, and one more where the code below is odd,
/// rounds as it should, across exponents too. Below, |x| + magic is rounded by the processor, as
/// the last bit of `magic` is worth the spacing there.
template <class Word>
struct number_levels {
  Word lowest;  ///< the smallest normal number
  real_of<Word> magic;
  Word magic_bits;
  int small_left;  ///< shifts the codes below `lowest`, which without subnormal numbers is next to
                   ///< 0
  Word smallest;   ///< the value that stands there if the format has no zero; else 0
  int dropped;     ///< bits of a number that the format has no room for
  Word odd;        ///< 1, or 0 if nothing is dropped
  Word flip;       ///< 1 if the code is odd where the bits that remain are even
  Word below_half;
  Word mask;
  Word base;            ///< what the bits that remain are more than the code
  Word most, beyond;    ///< a > most becomes `beyond`, with the sign of x,
  Word nan_above, nan;  ///< and a > nan_above becomes `nan`, without it
  int sign_right;
  Word sign;         ///< 0 in a format without one
  Word signed_zero;  ///< all ones, or nothing where -0 is stored as 0
  Word refuse_nan;   ///< all ones where NaN needs care
  Word refuse_sign;  ///< the sign's bit where a negative number does
};

/// Takes whole groups; see quantize_kernel.hpp for where it stops.
template <class Word>
struct number_kernel {
  std::size_t group;
  std::size_t (*run)(const number_levels<Word>&, const real_of<Word>* in, void* out,
                     std::size_t size, bool streaming);
};

/// Codes of 64, 16 and 8 bits. Floats have none of 64.
struct number_kernel_set {
  number_kernel<std::uint64_t> values, codes64, codes16, codes8;
  number_kernel<std::uint32_t> float_values, float_codes16, float_codes8;
};

/// Null where the compiler does not know AVX2. Ask the processor before using it.
const number_kernel_set* avx2_number_kernels();

// No linkage from here on.
namespace {

template <class Lanes, bool values>
typename Lanes::bits stored_number(const number_levels<typename Lanes::word>& f,
                                   typename Lanes::bits x, typename Lanes::bits& care) {
  using bits = typename Lanes::bits;
  using reals = typename Lanes::reals;
  using word = typename Lanes::word;
  constexpr word sign_bit = word{1} << (8 * sizeof(word) - 1);
  const bits a = x & (sign_bit - 1);
  const bits nan = above<Lanes>(a, Lanes::all(f.nan_above));
  care |= (nan & f.refuse_nan) | (x & f.refuse_sign);
  const reals shifted = as<reals>(a) + f.magic;
  const bits rounded = a + f.below_half + (((a >> f.dropped) + f.flip) & f.odd);
  bits small;
  bits stored;
  if constexpr (values) {
    small = as<bits>(shifted - f.magic) | f.smallest;
    stored = rounded & f.mask;
  } else {
    small = (as<bits>(shifted) - f.magic_bits) << f.small_left;
    stored = (rounded >> f.dropped) - f.base;
  }
  stored = select<Lanes>(above<Lanes>(Lanes::all(f.lowest), a), small, stored);
  stored = select<Lanes>(above<Lanes>(a, Lanes::all(f.most)), Lanes::all(f.beyond), stored);
  const bits has_sign = above<Lanes>(stored, bits{}) | f.signed_zero;
  stored |= (x >> f.sign_right) & f.sign & has_sign;
  return select<Lanes>(nan, Lanes::all(f.nan), stored);
}

/// As many vectors at a time as fill one of `Out`.
template <class Lanes, class Out, bool values = false>
std::size_t quantize_numbers(const number_levels<typename Lanes::word>& levels,
                             const real_of<typename Lanes::word>* in, void* out, std::size_t size,
                             bool streaming) {
  using bits = typename Lanes::bits;
  constexpr std::size_t vectors = sizeof(typename Lanes::word) / sizeof(Out);
  constexpr std::size_t group = vectors * Lanes::count;
  const auto f = levels;  // a copy that no store through `out` can change
  auto* to = static_cast<unsigned char*>(out);
  std::size_t i = 0;
  for (; size - i >= group; i += group) {
    bits stored[vectors];
    bits care{};
    for (std::size_t v = 0; v < vectors; ++v) {
      const auto x = as<bits>(Lanes::load(in + i + v * Lanes::count));
      stored[v] = stored_number<Lanes, values>(f, x, care);
    }
    if (Lanes::any(care)) break;
    Lanes::store(to + i * sizeof(Out), Lanes::pack(stored), streaming);
  }
  if (streaming) Lanes::fence();
  return i;
}

template <class Lanes, class Out, bool values = false>
constexpr number_kernel<typename Lanes::word> number_kernel_of{
    Lanes::count * sizeof(typename Lanes::word) / sizeof(Out),
    quantize_numbers<Lanes, Out, values>};

template <class Doubles, class Floats>
constexpr number_kernel_set number_kernels_of{
    number_kernel_of<Doubles, std::uint64_t, true>, number_kernel_of<Doubles, std::uint64_t>,
    number_kernel_of<Doubles, std::uint16_t>,       number_kernel_of<Doubles, std::uint8_t>,
    number_kernel_of<Floats, std::uint32_t, true>,  number_kernel_of<Floats, std::uint16_t>,
    number_kernel_of<Floats, std::uint8_t>};

}  // namespace
}  // namespace ktln2::kernel
