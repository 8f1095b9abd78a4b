#pragma once

#include <cstddef>
#include <vector>

namespace ktln2 {

/// n × n numbers, all 0 to begin with.
class square_matrix {
 public:
  square_matrix() = default;
  explicit square_matrix(std::size_t size) : size_{size}, entries_(size * size, 0.0) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] double operator()(std::size_t row, std::size_t column) const {
    return entries_[row * size_ + column];
  }
  double& operator()(std::size_t row, std::size_t column) { return entries_[row * size_ + column]; }

 private:
  std::size_t size_ = 0;
  std::vector<double> entries_;
};

}  // namespace ktln2
