#pragma once

/// A function that begins with KTLN2_FOR_AVX2 is compiled for processors that have AVX2: the same
/// loop, in wider vectors. Whole numbers only, so that results are the same. Not defined for
/// others.
#if defined(__x86_64__) && defined(__GNUC__)
#define KTLN2_FOR_AVX2 [[gnu::target("avx2")]]

namespace ktln2::measure {

inline bool has_avx2() {
  static const bool has_it = __builtin_cpu_supports("avx2") != 0;
  return has_it;
}

}  // namespace ktln2::measure
#endif
