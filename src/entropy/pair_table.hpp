#pragma once

#include <cmath>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/distribution/pair.hpp"
#include "ktln2/entropy/joint.hpp"

namespace ktln2 {

/// ln Σ e^a, one term at a time.
class log_sum {
 public:
  void add(double a) {
    if (a == -infinity) return;
    if (a <= largest_) {
      sum_ += std::exp(a - largest_);
    } else {
      sum_ = sum_ * std::exp(largest_ - a) + 1;
      largest_ = a;
    }
  }
  [[nodiscard]] double value() const { return largest_ + std::log(sum_); }

 private:
  double largest_ = -infinity;
  double sum_ = 0;
};

/// The values of a small format, ascending.
std::vector<double> values_of(const float_format& format);

/// ln P that X is in one cell and Y in another, x running slowest: the logarithm outlives the
/// probability. Throws std::domain_error where the noise is so narrow that a cell would take more
/// than 1e5 pieces.
std::vector<double> log_pair_table(const format_pair& data, const regression_pair& pair);

/// The same for all that is likelier than e^least_likely, and -infinity for the rest: far quicker,
/// as few cells of Y are within reach of a point x.
inline constexpr double least_likely = -650;
std::vector<double> likely_log_pair_table(const format_pair& data, const regression_pair& pair);

}  // namespace ktln2
