#pragma once

namespace ktln2 {

/// Whether loops that are compiled for AVX2 may be called here.
inline bool processor_has_avx2() {
#if defined(__x86_64__) || defined(__i386__)
  static const bool has_avx2 =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return has_avx2;
#else
  return false;
#endif
}

/// The same for AVX-512.
inline bool processor_has_avx512() {
#if defined(__x86_64__)
  static const bool has_avx512 =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  return has_avx512;
#else
  return false;
#endif
}

}  // namespace ktln2
