#pragma once

#include "ktln2/distribution/coefficients.hpp"

namespace ktln2 {

/// The slope that regression with a penalty λ finds, d = 1: given s = Σx², which is σ_x²χ²_n, it is
/// N(ws/(s + λ), σ_ξ²s/(s + λ)²).
law ridge_law(const coefficients& estimate);

/// The intercept alone: N(b - σ_ξ m ζ, σ_ξ²(1 + ζ² + ρ²)/n), where m² = μᵀΣ⁻¹μ, ζ is the part of
/// the slopes' t vector along μ, and ρ the length of the rest.
law intercept_law(const coefficients& estimate);

}  // namespace ktln2
