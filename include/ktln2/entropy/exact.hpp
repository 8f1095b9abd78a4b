#pragma once

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/codebook.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

inline constexpr bits default_tolerance{1e-12};

/// The entropy of the cell that a random variable falls into, H(X_Q) [thm:quantized_ent], at any
/// precision and at a cost that does not grow with it: inside a run of equally wide cells -P log P
/// is a smooth function of the cell's index, and Gauss quadrature for the counting measure sums it
/// with a few evaluations.
///
/// The error bar covers quadrature (estimated from two orders and from the known mass of every
/// piece), neglected regions (bounded) and rounding. A tolerance below the rounding floor is not
/// reached, and the bar says so. Throws std::domain_error unless the tolerance is > 0 and at
/// most 1.
bounded<bits> exact_entropy(const partition& cells, const law& x,
                            bits tolerance = default_tolerance);

/// H(X_fp): the variable is stored in the format, rounded to nearest [cor:gauss_fp_ent].
inline bounded<bits> exact_entropy(const float_format& format, const law& x,
                                   bits tolerance = default_tolerance) {
  return exact_entropy(partition{format}, x, tolerance);
}

/// H(X_Q): the variable is stored as one of the values of a codebook [thm:quantized_ent].
inline bounded<bits> exact_entropy(const codebook& code, const law& x,
                                   bits tolerance = default_tolerance) {
  return exact_entropy(code.cells(), x, tolerance);
}

}  // namespace ktln2
