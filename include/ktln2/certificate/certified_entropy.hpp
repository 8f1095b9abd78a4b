#pragma once

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/float_format.hpp"
#include "ktln2/format/number_cells.hpp"

namespace ktln2 {

/// The error to aim for: the enclosure is at most twice as wide.
inline constexpr bits certificate_tolerance{1e-13};

/// A proved enclosure of H(X_fp) [cor:gauss_fp_ent]: the variable is stored in the format, rounded
/// to nearest, and |H - value| ≤ error is a theorem for the law whose parameters, or those that it
/// was made of, are exactly the given doubles. All is ball arithmetic (Arb), and the bound on every
/// sum that is not taken term by term is derived in docs/certificates.md. A tolerance that cannot
/// be reached with reasonable effort, or that double cannot show, gives a wider enclosure, never a
/// wrong one. With `dropped_bits` = j > 0 it is the entropy of all bits of the code but the lowest
/// j.
///
/// For all laws but custom ones and the exact law of SGD, which are known by functions or tables of
/// their own, and compound ones but for exponential and half-normal laws: for these it throws
/// std::domain_error, and unless the tolerance is > 0 and at most 1, and unless at least one bit is
/// left.
bounded<bits> certified_entropy(const float_format& format, const law& x,
                                bits tolerance = certificate_tolerance, int dropped_bits = 0);

/// The same for the cells of any register whose edges are dyadic numbers that `wide` holds, as are
/// those of all number formats, in any rounding and overflow: cells that share a code count as one.
/// Throws std::domain_error also for edges that are not exact.
bounded<bits> certified_entropy(const register_cells& register_of, const law& x,
                                bits tolerance = certificate_tolerance);

}  // namespace ktln2
