#pragma once

#include <Random123/threefry.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// The inner loops of normal_pairs, compiled twice: for any processor and with AVX2. They have only
/// loops of a fixed length, which the compiler turns into vector code.
namespace ktln2::kernel {

/// Trials that go through the kernel together.
constexpr std::size_t normal_lanes = 16;

/// The layers of the ziggurat: layer i holds |z| < edge[i], and |z| < edge[i + 1] lies under the
/// density for sure. Layer 0 is the base strip, whose part beyond edge[1] stands for the tail.
struct ziggurat {
  static constexpr std::size_t layers = 256;
  std::array<double, layers + 1> edge;
  std::array<double, layers> scale;        ///< edge[i]·2^-52
  std::array<double, layers + 1> density;  ///< exp(-edge[i]²/2)
};

/// 16 pairs for the trials from `first` on. Returns how many of them need more than the fast test:
/// 2·lane (+ 1 for b) of each is written to `rejected`, which has room for 33.
using normal_kernel = std::size_t (*)(const ziggurat&, std::uint64_t seed, std::uint64_t first,
                                      std::uint64_t index, double* a, double* b,
                                      std::uint32_t* rejected);

/// Null where the compiler does not know AVX2. Ask the processor before using it.
normal_kernel avx2_normal_kernel();

// No linkage from here on: code compiled for AVX2 must never stand in for the portable one.
namespace {

/// A word is a layer (8 bits), a sign (1 bit) and, from bit 12 on, 52 bits of magnitude.
inline std::size_t layer_of(std::uint64_t word) { return word & 0xff; }

inline double magnitude_of(const ziggurat& z, std::uint64_t word) {
  // As the digits of a number between 2^52 and 2^53: there is no quick conversion of 64 bits.
  const std::uint64_t bits = (word >> 12) | 0x4330'0000'0000'0000;
  double shifted = 0;
  std::memcpy(&shifted, &bits, sizeof shifted);
  return (shifted - (0x1p52 - 0.5)) * z.scale[layer_of(word)];  // j + 1/2: never 0
}

inline double with_sign_of(std::uint64_t word, double magnitude) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &magnitude, sizeof bits);
  bits |= (word << 55) & 0x8000'0000'0000'0000;
  std::memcpy(&magnitude, &bits, sizeof bits);
  return magnitude;
}

inline std::size_t fast_normals(const ziggurat& z, const std::uint64_t* words, double* out,
                                std::uint32_t which, std::uint32_t* rejected, std::size_t count) {
  for (std::size_t i = 0; i < normal_lanes; ++i) {
    const double magnitude = magnitude_of(z, words[i]);
    out[i] = with_sign_of(words[i], magnitude);
    // Written always, kept where the test fails: no branch to mispredict.
    rejected[count] = 2 * static_cast<std::uint32_t>(i) + which;
    count += magnitude < z.edge[layer_of(words[i]) + 1] ? 0 : 1;
  }
  return count;
}

inline std::size_t fill_lanes(const ziggurat& z, std::uint64_t seed, std::uint64_t first,
                              std::uint64_t index, double* a, double* b, std::uint32_t* rejected) {
  const threefry2x64_key_t key = {{seed, 0}};
  std::uint64_t left[normal_lanes];
  std::uint64_t right[normal_lanes];
  for (std::size_t i = 0; i < normal_lanes; ++i) {
    const threefry2x64_ctr_t counter = {{first + i, index}};
    const threefry2x64_ctr_t words = threefry2x64_R(threefry2x64_rounds, counter, key);
    left[i] = words.v[0];
    right[i] = words.v[1];
  }
  const std::size_t count = fast_normals(z, left, a, 0, rejected, 0);
  return fast_normals(z, right, b, 1, rejected, count);
}

}  // namespace
}  // namespace ktln2::kernel
