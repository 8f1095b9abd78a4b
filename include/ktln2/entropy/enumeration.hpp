#pragma once

#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/entropy/exact.hpp"

namespace ktln2 {

/// H(X_Q) the way [thm:quantized_ent] writes it: one term for each cell. The cost grows with the
/// number of cells; kept as the oracle of the tests and as what a benchmark compares with.
/// Throws std::domain_error for more than 2^28 cells.
bounded<bits> enumerated_entropy(const partition& cells, const law& x);

/// Σ P_c s_c: the mean of what each cell has, `of`, from the lowest cell to the highest. The error
/// bar covers rounding, and mass that the law itself may have misplaced.
/// Throws std::domain_error unless there is one for each cell, `stopped` if it is stopped.
bounded<double> mean_over_cells(const partition& cells, const law& x, const std::vector<double>& of,
                                const stop_token& stop = {});

}  // namespace ktln2
