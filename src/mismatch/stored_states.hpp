#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/distribution/pair.hpp"
#include "ktln2/entropy/joint.hpp"

namespace ktln2::mismatch {

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

/// In ascending order. Throws std::domain_error unless the format has 1 to 8 exponent bits.
std::vector<double> values_of(const float_format& format);

struct data_point {
  double x;
  double y;
};

/// The points of every input state, one state after the other.
class all_states {
 public:
  /// Throws std::domain_error for more than 2^20 of them, and as values_of does.
  all_states(const format_pair& data, int points);

  [[nodiscard]] std::size_t count() const { return count_; }
  template <class Visit>
  void visit(const Visit& each) const {
    std::vector<data_point> points(static_cast<std::size_t>(points_));
    for (std::size_t state = 0; state < count_; ++state) {
      std::size_t left = state;
      for (data_point& point : points) {
        point = digits_[left % digits_.size()];
        left /= digits_.size();
      }
      each(points);
    }
  }

 private:
  int points_;
  std::size_t count_ = 0;
  std::vector<data_point> digits_;
};

/// ln P that X is in one cell and Y in another, x running slowest.
std::vector<double> log_pair_table(const format_pair& data, const regression_pair& pair);

}  // namespace ktln2::mismatch
