#pragma once

#include <cstddef>
#include <vector>

#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// Any sorted list of values u_1 < … < u_K, and a cell for each [thm:quantized_ent]: all x of a
/// cell are stored as its value. The edges of the cells are the midpoints between the values, or
/// given.
class codebook {
 public:
  /// Throws std::domain_error unless there is at least one value, all are finite and each is
  /// greater than the one before.
  explicit codebook(std::vector<double> values);
  /// With given edges e_1 < … < e_(K-1), one between each two values: u_i ≤ e_i ≤ u_(i+1). Throws
  /// std::domain_error otherwise, as the other constructor does.
  codebook(std::vector<double> values, const std::vector<double>& edges);

  [[nodiscard]] std::size_t size() const { return values_.size(); }  ///< K
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] const std::vector<wide>& edges() const { return edges_; }

  /// Which value stands for x: 0 … K - 1. An edge belongs to the cell away from zero, 0 itself to
  /// the one above, as with a format. Throws std::domain_error for NaN.
  [[nodiscard]] std::size_t quantize(double x) const;

  /// The cells, equally wide neighbors in one run. Their granular region reaches as far beyond the
  /// outermost values as their cells reach to the other side.
  [[nodiscard]] partition cells() const;

 private:
  std::vector<double> values_;
  std::vector<wide> edges_;
};

}  // namespace ktln2
