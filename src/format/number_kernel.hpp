#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

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
  Word quick_most;   ///< up to here quick_number does; perhaps -1, below all
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

/// Any number.
template <class Lanes, bool values>
__attribute__((noinline)) typename Lanes::bits stored_number(
    const number_levels<typename Lanes::word>& f, typename Lanes::bits x,
    typename Lanes::bits& care) {
  using bits = typename Lanes::bits;
  using reals = typename Lanes::reals;
  const bits a = x & Lanes::magnitude;
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

/// The same in half as many instructions, for what nearly all numbers are: finite, not too large,
/// and of a format with a sign, a zero, subnormal numbers and more than one digit. Here `magic`
/// grows with the exponent, so that the processor rounds all of them.
template <class Lanes, bool values, bool one_zero>
struct quick_number {
  using bits = typename Lanes::bits;
  using reals = typename Lanes::reals;
  using word = typename Lanes::word;

  explicit quick_number(const number_levels<word>& f)
      : most{Lanes::all(f.quick_most)},
        lowest{Lanes::all(f.lowest)},
        sign{Lanes::all(f.sign)},
        to_magic{Lanes::all(static_cast<word>(f.dropped) << Lanes::fraction_bits)},
        base{to_magic + (lowest >> f.dropped)},
        dropped{Lanes::distance(f.dropped)},
        sign_right{Lanes::distance(f.sign_right)} {}

  /// What is stored, and in `too_much` where that is wrong.
  __attribute__((always_inline)) bits stored(bits x, bits& too_much) const {
    constexpr word exponents = Lanes::magnitude >> Lanes::fraction_bits << Lanes::fraction_bits;
    const bits a = x & Lanes::magnitude;
    too_much |= above<Lanes>(a, most);
    const auto level = as<bits>(Lanes::larger(as<reals>(x & exponents), as<reals>(lowest)));
    const auto magic = as<reals>(level + to_magic);
    const reals shifted = as<reals>(a) + magic;
    bits result;
    if constexpr (values) {
      result = as<bits>(shifted - magic);
    } else {
      result = (as<bits>(shifted) - level) + (Lanes::right(level, dropped) - base);
      x = Lanes::right(x, sign_right);
    }
    bits sign_of_x = x & sign;
    if constexpr (one_zero) sign_of_x &= above<Lanes>(result, bits{});
    return result | sign_of_x;
  }

  bits most, lowest, sign, to_magic, base;
  typename Lanes::shift dropped, sign_right;
};

/// Vectors that are looked at together, and all of them carefully if one number among them needs
/// it.
template <class Lanes, class Out>
constexpr std::size_t vectors_of = sizeof(Out) == 1 && sizeof(typename Lanes::word) == 8 ? 8 : 4;

/// Stores a group of vectors, one or more packed into each of `Out`.
template <class Lanes, class Out, std::size_t... v>
__attribute__((always_inline)) inline void store_group(void* out, bool streaming,
                                                       const typename Lanes::bits* stored,
                                                       std::index_sequence<v...> /*vectors*/) {
  constexpr std::size_t packed = sizeof(typename Lanes::word) / sizeof(Out);
  constexpr std::size_t bytes = Lanes::count * sizeof(Out);
  auto* to = static_cast<unsigned char*>(out);
  ((v % packed == 0
        ? Lanes::store(to + v * bytes, Lanes::template pack<packed>(stored + v), streaming)
        : void()),
   ...);
}

/// Stores a group whatever is in it; false if that needs care.
template <class Lanes, class Out, bool values, std::size_t... v>
__attribute__((noinline)) bool store_any_group(const number_levels<typename Lanes::word>& f,
                                               const real_of<typename Lanes::word>* in, void* out,
                                               bool streaming, std::index_sequence<v...> vectors) {
  using bits = typename Lanes::bits;
  bits care{};
  const bits stored[] = {
      stored_number<Lanes, values>(f, as<bits>(Lanes::load(in + v * Lanes::count)), care)...};
  if (Lanes::any(care)) return false;
  store_group<Lanes, Out>(out, streaming, stored, vectors);
  return true;
}

template <class Lanes, class Out, bool values, bool one_zero, std::size_t... v>
std::size_t quantize_groups(const number_levels<typename Lanes::word>& f,
                            const real_of<typename Lanes::word>* in, void* out, std::size_t size,
                            bool streaming, std::index_sequence<v...> vectors) {
  using bits = typename Lanes::bits;
  constexpr std::size_t group = sizeof...(v) * Lanes::count;
  constexpr std::size_t ahead = prefetch_bytes / sizeof(*in);
  const quick_number<Lanes, values, one_zero> quick{f};
  auto* to = static_cast<unsigned char*>(out);
  std::size_t i = 0;
  for (; size - i >= group; i += group) {
    // Half of the vectors begin a line.
    ((v % 2 == 0 ? __builtin_prefetch(in + i + v * Lanes::count + ahead) : void()), ...);
    bits too_much{};
    const bits stored[] = {
        quick.stored(as<bits>(Lanes::load(in + i + v * Lanes::count)), too_much)...};
    if (!Lanes::any(too_much)) {
      store_group<Lanes, Out>(to + i * sizeof(Out), streaming, stored, vectors);
    } else if (!store_any_group<Lanes, Out, values>(f, in + i, to + i * sizeof(Out), streaming,
                                                    vectors)) {
      break;
    }
  }
  if (streaming) Lanes::fence();
  return i;
}

template <class Lanes, class Out, bool values = false>
std::size_t quantize_numbers(const number_levels<typename Lanes::word>& levels,
                             const real_of<typename Lanes::word>* in, void* out, std::size_t size,
                             bool streaming) {
  const auto f = levels;  // a copy that no store through `out` can change
  constexpr std::make_index_sequence<vectors_of<Lanes, Out>> vectors;
  return f.signed_zero == 0
             ? quantize_groups<Lanes, Out, values, true>(f, in, out, size, streaming, vectors)
             : quantize_groups<Lanes, Out, values, false>(f, in, out, size, streaming, vectors);
}

template <class Lanes, class Out, bool values = false>
constexpr number_kernel<typename Lanes::word> number_kernel_of{
    vectors_of<Lanes, Out> * Lanes::count, quantize_numbers<Lanes, Out, values>};

template <class Doubles, class Floats>
constexpr number_kernel_set number_kernels_of{
    number_kernel_of<Doubles, std::uint64_t, true>, number_kernel_of<Doubles, std::uint64_t>,
    number_kernel_of<Doubles, std::uint16_t>,       number_kernel_of<Doubles, std::uint8_t>,
    number_kernel_of<Floats, std::uint32_t, true>,  number_kernel_of<Floats, std::uint16_t>,
    number_kernel_of<Floats, std::uint8_t>};

}  // namespace
}  // namespace ktln2::kernel
