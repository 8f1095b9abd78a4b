#pragma once

#include "ktln2/core/units.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/float_format.hpp"

namespace ktln2 {

/// What smoothing the widths of the two cells next to zero can cost.
///     ε₀ = ∫_B0 f |log(Δ_s/Δ_0)|        [eq:special_error]
bits zero_cells_error(const float_format& format, const law& x);

///     C₀ = 2a (p - ½ + log e),  a = 2^e_min (1 + 2^-p)        [cor:eps_sp_bound]
double zero_cells_constant(const float_format& format);

/// Its bound from the largest density in those cells.
///     ε₀ ≤ C₀ sup_B0 f        [eq:eps_sp_general]
bits zero_cells_error_bound(const float_format& format, const law& x);

/// How far smoothing can move the entropy of one register on 𝕌.
///     |H̃ - H̃_s,𝕌| ≤ ½ + ε₀        [thm:steps]
bits smoothing_bound(const float_format& format, const law& x);

}  // namespace ktln2
