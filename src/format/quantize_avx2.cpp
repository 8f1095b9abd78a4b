#include "format/number_kernel.hpp"
#include "format/quantize_kernel.hpp"

#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

namespace ktln2::kernel {
namespace {

/// What is the same for doubles and floats.
struct avx2_vectors {
  using shift = __m128i;
  static shift distance(int bits) { return _mm_cvtsi32_si128(bits); }

  template <class Bits>
  static void store(void* to, Bits value, bool streaming) {
    if (streaming) {
      _mm256_stream_si256(static_cast<__m256i*>(to), as<__m256i>(value));
    } else {
      _mm256_storeu_si256(static_cast<__m256i*>(to), as<__m256i>(value));
    }
  }
  static void fence() { _mm_sfence(); }
  template <class Bits>
  static bool any(Bits mask) {
    return _mm256_testz_si256(as<__m256i>(mask), as<__m256i>(mask)) == 0;
  }

  // Instructions that pack work on the two halves of their vectors alone. These put pairs, and
  // quadruples, of what was packed back in order.
  static __m256i halves_in_order(__m256i packed) {
    return _mm256_permute4x64_epi64(packed, _MM_SHUFFLE(3, 1, 2, 0));
  }
  static __m256i pairs_in_order(__m256i packed) {
    return _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  }
};

struct avx2_lanes : avx2_vectors {
  using word = std::uint64_t;
  using reals = double __attribute__((vector_size(32)));
  using bits = std::uint64_t __attribute__((vector_size(32)));
  using integers = std::int64_t __attribute__((vector_size(32)));
  static constexpr std::size_t count = 4;
  static constexpr int fraction_bits = 52;
  static constexpr word magnitude = ~word{0} >> 1;

  static reals all(double value) { return reals{value, value, value, value}; }
  static bits all(std::uint64_t value) { return bits{value, value, value, value}; }
  static reals load(const double* from) { return _mm256_loadu_pd(from); }
  static reals multiply_add(reals a, reals b, reals c) { return _mm256_fmadd_pd(a, b, c); }

  static reals larger(reals a, reals b) { return _mm256_max_pd(a, b); }
  static bits right(bits a, shift by) { return as<bits>(_mm256_srl_epi64(as<__m256i>(a), by)); }

  /// 4 words as they are, 16 of them below 2^16 or 32 below 2^8 in one vector.
  template <std::size_t vectors>
  static bits pack(const bits* words) {
    if constexpr (vectors == 1) return words[0];
    if constexpr (vectors == 4) return as<bits>(to_16_bits(words));
    return as<bits>(halves_in_order(_mm256_packus_epi16(to_16_bits(words), to_16_bits(words + 4))));
  }

 private:
  static __m256i to_16_bits(const bits* words) {
    const auto packed = [&](int i) {
      return _mm256_packus_epi32(as<__m256i>(words[i]), as<__m256i>(words[i + 1]));
    };
    return pairs_in_order(_mm256_packus_epi32(packed(0), packed(2)));
  }
};

struct avx2_float_lanes : avx2_vectors {
  using word = std::uint32_t;
  using reals = float __attribute__((vector_size(32)));
  using bits = std::uint32_t __attribute__((vector_size(32)));
  using integers = std::int32_t __attribute__((vector_size(32)));
  static constexpr std::size_t count = 8;
  static constexpr int fraction_bits = 23;
  static constexpr word magnitude = ~word{0} >> 1;

  static bits all(std::uint32_t value) { return bits{} + value; }
  static reals load(const float* from) { return _mm256_loadu_ps(from); }

  static reals larger(reals a, reals b) { return _mm256_max_ps(a, b); }
  static bits right(bits a, shift by) { return as<bits>(_mm256_srl_epi32(as<__m256i>(a), by)); }

  template <std::size_t vectors>
  static bits pack(const bits* words) {
    if constexpr (vectors == 1) return words[0];
    if constexpr (vectors == 2) return as<bits>(halves_in_order(packed(words)));
    return as<bits>(pairs_in_order(_mm256_packus_epi16(packed(words), packed(words + 2))));
  }

 private:
  static __m256i packed(const bits* words) {
    return _mm256_packus_epi32(as<__m256i>(words[0]), as<__m256i>(words[1]));
  }
};

}  // namespace

const kernel_set* avx2_kernels() { return &kernels_of<avx2_lanes>; }
const number_kernel_set* avx2_number_kernels() {
  return &number_kernels_of<avx2_lanes, avx2_float_lanes>;
}

}  // namespace ktln2::kernel

#else

const ktln2::kernel::kernel_set* ktln2::kernel::avx2_kernels() { return nullptr; }
const ktln2::kernel::number_kernel_set* ktln2::kernel::avx2_number_kernels() { return nullptr; }

#endif
