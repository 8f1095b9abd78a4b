#pragma once

#include <vector>

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/pair.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/joint.hpp"
#include "ktln2/format/float_format.hpp"

namespace ktln2 {

/// Approximation 1 for a pair: differential entropy and true cell widths on 𝕌², f not renormalized.
///     H ≈ -∫_𝕌² f log(f Δ(x) Δ(y))        [eq:multi_var_diff_disc]
bits cell_width_entropy(const format_pair& formats, const regression_pair& pair);

/// Approximation 2 on 𝕌²: the widths smoothed to Δ_s.
///     H ≈ -∫_𝕌² f log(f Δ_s(x) Δ_s(y))        [eq:Ht_s_U]
bits smooth_entropy_granular(const format_pair& formats, const regression_pair& pair);

/// Approximation 2 on the whole plane.
///     H ≈ H̃_s⁰(p_x) + H̃_s⁰(p_y) - ½ log(1 + SNR)        [thm:double_gaussian]
bits smooth_joint_entropy(int p_x, int p_y, const regression_pair& pair);

/// All of the above, in the order of the derivation.
std::vector<approximation> entropy_approximations(const format_pair& formats,
                                                  const regression_pair& pair);

/// The one of them that stands for what two registers hold [eq:approx_joint_ent_SNR].
approximation smooth_approximation(const format_pair& formats, const regression_pair& pair);

/// ε₀ of the pair, the sum over both registers        [eq:special_error]
bits zero_cells_error(const format_pair& formats, const regression_pair& pair);
/// Its bound        [eq:eps_sp_gauss]
bits zero_cells_error_bound(const format_pair& formats, const regression_pair& pair);
/// |H̃ - H̃_s,𝕌| ≤ 1 + ε₀        [thm:steps]
bits smoothing_bound(const format_pair& formats, const regression_pair& pair);

/// D(f‖g) to leading order: (1/(24 ln 2)) E[Δ(x)² (∂_x ln f)² + Δ(y)² (∂_y ln f)²].
bits divergence_leading_order(const format_pair& formats, const regression_pair& pair);

/// How far Approximation 1 can be from the truth on 𝕌², however coarse the cells: as for one
/// register, the logarithmic Sobolev inequality being as good on a rectangle as on its sides.
bits divergence_bound(const format_pair& formats, const regression_pair& pair);

/// H(X_fp, Y_fp) by the identity [eq:exact_identity], a second road for fine cells: Approximation 1
/// and the leading order of D. The error bar covers what that leaves out, and clipping.
bounded<bits> joint_entropy_by_identity(const format_pair& formats, const regression_pair& pair);

}  // namespace ktln2
