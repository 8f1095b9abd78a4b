#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "ktln2/format/number_catalogue.hpp"
#include "ktln2/format/number_format.hpp"

/// Formats, and the numbers that are hard for them.
namespace number_samples {

inline ktln2::number_format named(const std::string& name) {
  return ktln2::find_number_format(name).value();
}

/// All that the catalogue has, and all of P3109, of so many bits at most.
inline std::vector<std::string> names_up_to(int bits) {
  std::vector<std::string> names;
  for (const ktln2::number_entry& entry : ktln2::number_catalogue()) {
    if (named(std::string(entry.name)).width() <= bits) names.emplace_back(entry.name);
  }
  for (int k = 3; k <= bits; ++k) {
    for (int p = 1; p <= k; ++p) {
      for (const char* kind : {"se", "sf", "ue", "uf"}) {
        const std::string name = "binary" + std::to_string(k) + "p" + std::to_string(p) + kind;
        try {
          (void)named(name);
          names.push_back(name);
        } catch (const std::domain_error&) {
          // Too few bits: no code is left for a number, or the precision takes them all.
        }
      }
    }
  }
  return names;
}

/// The number with its neighbors, and the same below zero.
inline void add_with_neighbors(std::vector<double>& to, double x) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double y : {x, std::nextafter(x, infinity), std::nextafter(x, -infinity)}) {
    to.push_back(y);
    to.push_back(-y);
  }
}

/// Any bit pattern, NaN among them, in turn with a number of the format's magnitude.
inline double random_number(const ktln2::number_format& format, std::mt19937_64& random) {
  const std::uint64_t bits = random();
  double x = 0;
  std::memcpy(&x, &bits, sizeof x);
  if (random() % 2 == 0) return x;
  const int least = std::max(format.min_positive().exponent() - 2, -1074);
  const int most = std::min(format.max().exponent() + 2, 1023);
  const auto range = static_cast<std::uint64_t>(std::max(most - least, 0) + 1);
  const double significand = 1 + std::ldexp(static_cast<double>(random() >> 12), -52);
  const double size =
      std::ldexp(significand, std::min(least, 1023) + static_cast<int>(random() % range));
  return bits % 2 == 0 ? size : -size;
}

/// Zeros, infinities, NaN and the ends of double; values and edges with their neighbors, all of
/// them up to 10 bits and some otherwise; `count` random numbers.
inline std::vector<double> of(const ktln2::number_format& format, int count) {
  using limits = std::numeric_limits<double>;
  std::vector<double> samples{limits::quiet_NaN(), -limits::quiet_NaN(), limits::infinity(),
                              -limits::infinity()};
  for (const double x : {0.0, limits::min(), limits::max(), 0x1p-149, 0x1p-126, 0x1p-127,
                         static_cast<double>(std::numeric_limits<float>::max())}) {
    add_with_neighbors(samples, x);
  }
  std::mt19937_64 random{static_cast<std::uint64_t>(format.width())};
  const std::uint64_t codes = std::uint64_t{1} << std::min(format.width(), 10);
  for (std::uint64_t i = 0; i < codes + 3; ++i) {
    // Of a wide format the last ones, and any of the others.
    const std::uint64_t largest = format.largest();
    std::uint64_t m = i;
    if (format.width() > 10) m = i < 5 ? largest - std::min(i, largest) : random() % largest;
    if (m > largest) continue;
    const ktln2::magnitude_run& run = format.run_of(m);
    const ktln2::wide value = run.value(m);
    add_with_neighbors(samples, value.to_double());
    add_with_neighbors(samples, run.lower_edge.to_double());
    add_with_neighbors(samples, (value + run.spacing.scaled(-1)).to_double());
  }
  for (int i = 0; i < count; ++i) samples.push_back(random_number(format, random));
  return samples;
}

}  // namespace number_samples
