#pragma once

#include <vector>

#include "ktln2/core/square_matrix.hpp"

namespace ktln2 {

/// a = V diag(values) Vᵀ, V orthogonal: the columns of `vectors`.
struct symmetric_eigen {
  std::vector<double> values;
  square_matrix vectors;
};

/// By Jacobi's rotations, which are as exact as `a` is, small values beside large ones too.
symmetric_eigen eigen_of(const square_matrix& a);

}  // namespace ktln2
