#pragma once

#include <mutex>
#include <vector>

#include "ktln2/distribution/compound_law.hpp"

namespace ktln2 {

/// What a compound law and its kernel share. x = center + 2^exponent z
struct standard_compound::table {
  compound_pieces pieces;
  wide center;
  int exponent = 0;
  std::vector<double> breaks;
  double mode = 0;

  /// As the real line has them; computed when they are asked for, if they are not known.
  [[nodiscard]] double mean() const;
  [[nodiscard]] double deviation() const;
  [[nodiscard]] double entropy() const;

 private:
  struct moments {
    double mean;
    double deviation;
  };
  [[nodiscard]] const moments& found_moments() const;

  mutable std::once_flag moments_once_;
  mutable std::once_flag entropy_once_;
  mutable moments moments_{};
  mutable double entropy_ = 0;
};

}  // namespace ktln2
