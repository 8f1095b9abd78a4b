#pragma once

#include <algorithm>
#include <cmath>

namespace ktln2::ask {

/// Sums of powers of residuals, as they go by: about their mean (Pébay, Formulas for robust,
/// one-pass parallel computation of covariances and arbitrary-order statistical moments, 2008), so
/// that nothing cancels where they are far from 0.
class residual_moments {
 public:
  void add(long double r) {
    const long double before = n_;
    n_ += 1;
    const long double apart = r - mean_;
    const long double part = apart / n_;
    const long double square = apart * part * before;
    mean_ += part;
    fourths_ += square * part * part * (n_ * n_ - 3 * n_ + 3) + 6 * part * part * about_ -
                4 * part * cubes_;
    cubes_ += square * part * (n_ - 2) - 3 * part * about_;
    about_ += square;
    squares_ += r * r;
  }

  /// About 0
  [[nodiscard]] long double squares() const { return squares_; }
  [[nodiscard]] long double mean() const { return mean_; }
  [[nodiscard]] long double skewness() const { return cubes_ / n_ / std::pow(about_ / n_, 1.5L); }
  [[nodiscard]] long double kurtosis() const { return n_ * fourths_ / (about_ * about_); }

 private:
  long double n_ = 0;
  long double mean_ = 0;
  long double squares_ = 0;
  long double about_ = 0;  ///< squares, cubes and fourth powers about the mean
  long double cubes_ = 0;
  long double fourths_ = 0;
};

/// The error of a deviation, as a share of it, of n numbers with this kurtosis.
inline long double deviation_error(long double kurtosis, long double n) {
  return std::sqrt(std::max(0.0L, kurtosis - 1) / (4 * n));
}

}  // namespace ktln2::ask
