#include "format/quantize_kernel.hpp"

#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

namespace ktln2::kernel {
namespace {

struct avx2_lanes {
  using reals = double __attribute__((vector_size(32)));
  using bits = std::uint64_t __attribute__((vector_size(32)));
  using integers = std::int64_t __attribute__((vector_size(32)));
  static constexpr std::size_t count = 4;

  static reals all(double value) { return reals{value, value, value, value}; }
  static bits all(std::uint64_t value) { return bits{value, value, value, value}; }
  static reals load(const double* from) { return _mm256_loadu_pd(from); }
  static void store(void* to, bits value, bool streaming) {
    if (streaming) {
      _mm256_stream_si256(static_cast<__m256i*>(to), as<__m256i>(value));
    } else {
      _mm256_storeu_si256(static_cast<__m256i*>(to), as<__m256i>(value));
    }
  }
  static void fence() { _mm_sfence(); }
  static bool any(bits mask) {
    return _mm256_testz_si256(as<__m256i>(mask), as<__m256i>(mask)) == 0;
  }
  static reals multiply_add(reals a, reals b, reals c) { return _mm256_fmadd_pd(a, b, c); }
};

}  // namespace

const kernel_set* avx2_kernels() { return &kernels_of<avx2_lanes>; }

}  // namespace ktln2::kernel

#else

const ktln2::kernel::kernel_set* ktln2::kernel::avx2_kernels() { return nullptr; }

#endif
