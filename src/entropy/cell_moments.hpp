#pragma once

#include "ktln2/distribution/normal.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// What a sum over many registers needs to know of one of them: means over the cells that a normal
/// Z falls into. Widths are those of bounded cells; Z is in the others with probability `clipped`.
/// In units of Z, squared, but for the logarithm.
struct cell_moments {
  double log_width = 0;           ///< E[ln Δ; bounded]
  double width_square = 0;        ///< E[Δ²; bounded]
  double scored_width = 0;        ///< E[Δ² z²; bounded], z in deviations from the mean
  double clipped = 0;             ///< P(an unbounded cell)
  double variance = 0;            ///< E Var(Z | its cell), over all cells
  double absolute_log_width = 0;  ///< E[|ln Δ|; bounded]
};

cell_moments cell_moments_of(const partition& cells, const normal& z);

}  // namespace ktln2
