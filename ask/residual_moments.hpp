#pragma once

#include <algorithm>
#include <cmath>

namespace ktln2::ask {

/// Sums of powers of residuals, as they go by.
class residual_moments {
 public:
  void add(long double r) {
    const long double square = r * r;
    n_ += 1;
    sum_ += r;
    squares_ += square;
    cubes_ += square * r;
    fourths_ += square * square;
  }

  [[nodiscard]] long double squares() const { return squares_; }
  [[nodiscard]] long double mean() const { return sum_ / n_; }
  /// About the mean
  [[nodiscard]] long double skewness() const {
    const long double m = mean();
    const long double third = cubes_ / n_ - 3 * m * squares_ / n_ + 2 * m * m * m;
    return third / std::pow(variance(), 1.5L);
  }
  [[nodiscard]] long double kurtosis() const {
    const long double m = mean();
    const long double fourth =
        fourths_ / n_ - 4 * m * cubes_ / n_ + 6 * m * m * squares_ / n_ - 3 * m * m * m * m;
    return fourth / (variance() * variance());
  }

 private:
  [[nodiscard]] long double variance() const { return squares_ / n_ - mean() * mean(); }

  long double n_ = 0;
  long double sum_ = 0;
  long double squares_ = 0;
  long double cubes_ = 0;
  long double fourths_ = 0;
};

/// The error of a deviation, as a share of it, of n numbers with this kurtosis.
inline long double deviation_error(long double kurtosis, long double n) {
  return std::sqrt(std::max(0.0L, kurtosis - 1) / (4 * n));
}

}  // namespace ktln2::ask
