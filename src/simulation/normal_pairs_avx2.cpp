#include "simulation/normal_kernel.hpp"

#if defined(__AVX2__)

ktln2::kernel::normal_kernel ktln2::kernel::avx2_normal_kernel() { return &fill_lanes; }

#else

ktln2::kernel::normal_kernel ktln2::kernel::avx2_normal_kernel() { return nullptr; }

#endif
