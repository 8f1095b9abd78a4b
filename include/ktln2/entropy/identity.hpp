#pragma once

#include "ktln2/entropy/exact.hpp"

namespace ktln2 {

/// The second road to H(X_fp) [eq:exact_identity]: with g the density that is uniform on each cell,
///     H = h - E[log Δ] + D(f‖g).
/// The two unbounded cells have no width; they are added apart, and the other terms are taken over
/// the bounded cells only, without renormalizing f.
struct identity_terms {
  double differential = 0;  ///< -∫ f log f over the bounded cells, in bits
  double log_width = 0;     ///< ∫ f log Δ over the bounded cells, in bits
  double divergence = 0;    ///< D(f‖g) over the bounded cells, in bits
  double clipped = 0;       ///< -Σ P log P of the two unbounded cells, in bits
  bounded<bits> entropy;    ///< differential - log_width + divergence + clipped
};

/// h comes from its closed form less two tail integrals, E[log Δ] from one distribution-function
/// difference for each run of cells, D from quadrature inside the cells. An independent check of
/// exact_entropy and, at fine precision, the proof that D hardly matters.
identity_terms entropy_by_identity(const partition& cells, const law& x);

/// D(f‖g) on all of 𝕌, with which the two outermost cells end here; the error of its quadrature is
/// added to it.
bits granular_divergence(const partition& cells, const law& x);

}  // namespace ktln2
