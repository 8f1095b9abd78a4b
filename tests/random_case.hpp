#pragma once

#include <cmath>
#include <cstdlib>
#include <random>

/// Numbers for random formats and laws, the extreme ones among them, the same ones for a seed.
class random_numbers {
 public:
  explicit random_numbers(unsigned seed) : engine_{seed} {}

  double unit() { return std::uniform_real_distribution<>(0, 1)(engine_); }
  bool chance(double share) { return unit() < share; }
  int whole(int low, int high) { return std::uniform_int_distribution<>(low, high)(engine_); }
  double log_uniform(double low, double high) {
    return std::exp(std::log(low) + unit() * (std::log(high) - std::log(low)));
  }

  int precision() { return whole(1, chance(0.8) ? 53 : 64); }
  int exponent_bits() { return whole(0, chance(0.8) ? 11 : 15); }
  double scale() { return chance(0.8) ? log_uniform(1e-9, 1e6) : log_uniform(1e-300, 1e300); }
  /// Centered, near the center, far away (up to 1e15 scales), or on a power of two.
  double location(double scale) {
    if (chance(0.3)) return 0;
    if (chance(0.2)) return std::exp2(std::fmin(1020, std::round(std::log2(scale) + 50 * unit())));
    const double distance = scale * log_uniform(1e-3, chance(0.5) ? 1e3 : 1e15);
    return (chance(0.5) ? -1 : 1) * std::fmin(distance, 1e307);
  }

 private:
  std::mt19937 engine_;
};

/// A number that the environment may set, for a longer run or another seed.
inline int from_environment(const char* name, int fallback) {
  const char* const text = std::getenv(name);
  return text == nullptr ? fallback : std::atoi(text);
}
