#pragma once

#include "ktln2/entropy/exact.hpp"

namespace ktln2 {

/// H(X_Q) the way [thm:quantized_ent] writes it: one term for each cell. The cost grows with the
/// number of cells; kept as the oracle of the tests and as what a benchmark compares with.
/// Throws std::domain_error for more than 2^28 cells.
bounded<bits> enumerated_entropy(const partition& cells, const law& x);

}  // namespace ktln2
