#pragma once

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/normal_row.hpp"
#include "ktln2/entropy/joint.hpp"

namespace ktln2 {

/// H(Q(S)) of the sum S = b + w·x_fp of what is stored, from H(Q(T)), T = b + w·x, and H(x_fp), of
/// which Q(S) is a function. Of the two codes one is the other, moved by M cells, so that their
/// entropies differ by H(M | the run of cells) at most. In a run of cells of width Δ
///     E|M| ≤ E|S - T| / (Δ/2),   |S - T| ≤ Σ |w_j| Δ(x_j)/2
/// as cells of the next run toward 0 may be half as wide; where |S - T| is more than half of what
/// the run is away from 0 (Markov: rarely), and where a register clips, M may be anything. Cells
/// are taken as wide as Δ(x) ≤ c + r|x| says. That S has no phase in common with the cells is not
/// proved; Δ(x_j)/2 stands for a mean of Δ(x_j)/4.
bounded<bits> shifted_sum_entropy(const storage_pair& where, const normal_row& row,
                                  const bounded<bits>& of_numbers,
                                  const bounded<bits>& of_features);

}  // namespace ktln2
