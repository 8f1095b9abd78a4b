#pragma once

#include "core/processor.hpp"

/// A function that begins with KTLN2_FOR_AVX2, or KTLN2_FOR_AVX512, is the same loop in wider
/// vectors, for where processor_has_avx2(), or processor_has_avx512(). Whole numbers only, so that
/// results are the same. Not defined for others.
#if defined(__x86_64__) && defined(__GNUC__)
#define KTLN2_FOR_AVX2 [[gnu::target("avx2")]]
#define KTLN2_FOR_AVX512 [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]]
#endif
