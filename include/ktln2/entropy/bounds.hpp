#pragma once

#include <numbers>
#include <optional>

#include "ktln2/core/units.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// What smoothing the widths of the two cells next to zero can cost.
///     ε₀ = ∫_B0 f |log(Δ_s/Δ_0)|        [eq:special_error]
bits zero_cells_error(const float_format& format, const law& x);

///     C₀ = 2a (p - ½ + log e),  a = 2^e_min (1 + 2^-p)        [cor:eps_sp_bound]
double zero_cells_constant(const float_format& format);

/// Its bound from the largest density in those cells.
///     ε₀ ≤ C₀ sup_B0 f        [eq:eps_sp_general]
bits zero_cells_error_bound(const float_format& format, const law& x);

/// Where a register keeps little of a number.
struct edge_masses {
  double clipped;    ///< P(outside of 𝕌)
  double underflow;  ///< P(in the two cells next to zero), which where E = 0 are as all others: 0
};
edge_masses masses_at_edges(const float_format& format, const law& x);
/// P(outside of 𝕌) for any cells.
double mass_outside(const partition& cells, const law& x);

/// How far smoothing can move the entropy of one register on 𝕌.
///     |H̃ - H̃_s,𝕌| ≤ ½ + ε₀        [thm:steps]
bits smoothing_bound(const float_format& format, const law& x);

/// D(f‖g) on 𝕌 to leading order for fine cells: (1/(24 ln 2)) Σ_cells width² ∫ (f')²/f. Nothing
/// for a density with jumps.
std::optional<bits> divergence_leading_order(const float_format& format, const law& x);

/// How far Approximation 1 can be from the truth on 𝕌, however coarse the cells: by the logarithmic
/// Sobolev inequality on an interval, whose constant is that of the circle that it covers twice
/// (F. B. Weissler, J. Funct. Anal. 37, 218, 1980; M. Émery and J. E. Yukich, Sém. Prob. XXI,
/// 1987),
///     D(f‖g) ≤ (1/(2π² ln 2)) Σ_cells width² ∫ (f')²/f        [eq:exact_identity]
/// Nothing for a density with jumps.
std::optional<bits> divergence_bound(const float_format& format, const law& x);

/// What that bound is of the leading order: (1/2π²) / (1/24). The inequality holds for products of
/// intervals too, with the sum over the directions.
inline constexpr double divergence_bound_ratio = 12 / (std::numbers::pi * std::numbers::pi);

// What Approximation 3 neglects for N(μ, σ²): the event Aᶜ that X is not within half of μ.

/// P(Aᶜ) = P(|X - μ| > |μ|/2), and its bound (4σ/(|μ|√(2π))) e^(-μ²/8σ²)        [eq:p_ac_bound]
double offset_tail_mass(const normal& x);
double offset_tail_mass_bound(const normal& x);

/// A bound on E[|ln|X/μ||; Aᶜ], in nats, with the constants of the proof:
///     (C₁σ/|μ| + C₂|μ|/σ) e^(-μ²/8σ²),  C₁ = 4(ln 2 + 3/2)/√(2π),  C₂ = (1 + ln 2)/√(2π)
/// [lem:Ac-bound]
double offset_log_tail_bound(const normal& x);

/// |ln(1+x) - x + x²/2| ≤ ⅔|x|³ for |x| ≤ ½        [lem:mercator-remainder]
/// Throws std::domain_error for larger x.
double mercator_remainder_bound(double x);

}  // namespace ktln2
