#pragma once

#include <string_view>
#include <vector>

#include "ktln2/core/square_matrix.hpp"

namespace ktln2 {

/// The lower triangular L with L Lᵀ = a (Cholesky). Throws std::domain_error that begins with
/// `where`, with the offending number, unless `a` is finite, symmetric and positive definite, to
/// the rounding of the variances that are left.
square_matrix lower_factor(std::string_view where, const square_matrix& a);

/// The rows of a lower triangular L in another order, and lower triangular again: what belongs to
/// the same covariance with its variables in that order. By rotations, so that a small variance
/// next to a large one is as exact as L is.
square_matrix reordered_factor(const square_matrix& lower, const std::vector<std::size_t>& order);

/// x with L x = b, and with Lᵀ x = b, for the first `size` rows and columns of L.
std::vector<double> solve_lower(const square_matrix& lower, std::vector<double> b,
                                std::size_t size);
std::vector<double> solve_transposed(const square_matrix& lower, std::vector<double> b,
                                     std::size_t size);

/// The diagonal of (L Lᵀ)⁻¹.
std::vector<double> inverse_diagonal(const square_matrix& lower);

}  // namespace ktln2
