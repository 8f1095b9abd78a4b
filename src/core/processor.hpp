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

}  // namespace ktln2
