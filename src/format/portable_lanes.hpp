#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

/// Vectors of 16 bytes, as every processor has them or can do without.
namespace ktln2::kernel {
namespace {

/// What is the same for doubles and floats: `Self` has the types.
template <class Self, class Real, class Word>
struct portable_vectors {
  using word = Word;
  static constexpr std::size_t count = 16 / sizeof(Word);
  static constexpr int fraction_bits = std::numeric_limits<Real>::digits - 1;
  static constexpr Word magnitude = ~Word{0} >> 1;

  static auto load(const Real* from) {
    typename Self::reals value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  template <class Bits>
  static void store(void* to, Bits value, bool /*streaming*/) {
    std::memcpy(to, &value, sizeof value);
  }
  static void fence() {}
  using shift = int;
  static shift distance(int bits) { return bits; }
  template <class Bits>
  static Bits right(Bits a, shift by) {
    return a >> by;
  }
  template <class Reals>
  static Reals larger(Reals a, Reals b) {
    return a > b ? a : b;
  }
  /// The low bits of all words, in one vector.
  template <std::size_t vectors, class Bits>
  static Bits pack(const Bits* words) {
    using narrow = std::conditional_t<sizeof(Word) == vectors, std::uint8_t, std::uint16_t>;
    Bits result;
    if constexpr (vectors == 1) {
      result = words[0];
    } else {
      narrow packed[vectors * count];
      for (std::size_t i = 0; i < vectors * count; ++i) {
        packed[i] = static_cast<narrow>(words[i / count][i % count]);
      }
      std::memcpy(&result, packed, sizeof result);
    }
    return result;
  }
};

struct portable_lanes_types {
  using reals = double __attribute__((vector_size(16)));
  using bits = std::uint64_t __attribute__((vector_size(16)));
  using integers = std::int64_t __attribute__((vector_size(16)));
};

struct portable_lanes : portable_lanes_types,
                        portable_vectors<portable_lanes_types, double, std::uint64_t> {
  static reals all(double value) { return reals{value, value}; }
  static bits all(std::uint64_t value) { return bits{value, value}; }
  static bool any(bits mask) { return (mask[0] | mask[1]) != 0; }
  static reals multiply_add(reals a, reals b, reals c) {
    return reals{std::fma(a[0], b[0], c[0]), std::fma(a[1], b[1], c[1])};
  }
};

struct portable_float_lanes_types {
  using reals = float __attribute__((vector_size(16)));
  using bits = std::uint32_t __attribute__((vector_size(16)));
  using integers = std::int32_t __attribute__((vector_size(16)));
};

struct portable_float_lanes : portable_float_lanes_types,
                              portable_vectors<portable_float_lanes_types, float, std::uint32_t> {
  static bits all(std::uint32_t value) { return bits{value, value, value, value}; }
  static bool any(bits mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }
};

}  // namespace
}  // namespace ktln2::kernel
