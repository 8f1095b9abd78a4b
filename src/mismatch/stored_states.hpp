#pragma once

#include <cstddef>
#include <vector>

#include "entropy/pair_table.hpp"

namespace ktln2::mismatch {

/// In ascending order. Throws std::domain_error unless the format has 1 to 8 exponent bits.
std::vector<double> listed_values(const float_format& format);

struct data_point {
  double x;
  double y;
};

/// The points of every input state, one state after the other.
class all_states {
 public:
  /// Throws std::domain_error for more than 2^20 of them, and as listed_values does.
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

}  // namespace ktln2::mismatch
