#pragma once

#include "ktln2/core/units.hpp"

namespace ktln2 {

/// Smooth entropies of models with many coefficients: the differential entropy, and the registers'
/// cells as wide as Δ_s [eq:first_two_approx], coefficient by coefficient. Features are centered,
/// independent and equally wide. A `signal` is w_jσ_x/σ_ξ, the same for all coefficients; units do
/// not matter, as these entropies are free of scale like [eq:single_mean_0].

/// A row of d features and a target: Σ H_0(p_j) - ½ log(1 + SNR)        [thm:double_gaussian]
bits smooth_row_entropy(int x_precision, int y_precision, double d, double snr);

/// One prediction, d registers in and one out: (d-1) H_0(p) for centered independent features
bits smooth_inference_cost(int x_precision, int y_precision, double d);

/// h(ŵ) of least squares on n ≥ d rows, σ_ξ = σ_x = 1: the density is ∝ (1 + |z|²)^(-(n+1)/2),
/// z = ŵ - w, a multivariate t with n-d+1 degrees of freedom. [lem:diff_ent_Ex] is d = 1.
differential_bits fit_differential_entropy(double n, double d);
/// Its derivative with respect to n, in nats: it rises towards 0.
double fit_entropy_slope(double n, double d);
/// The same with the intercept, whose register comes last, for n ≥ d+1.
differential_bits fit_differential_entropy_with_intercept(double n, double d);

/// Least squares, n ≥ d.
bits smooth_fit_entropy(int p, double n, double d, double signal);
/// With an intercept that is 0 in truth, n ≥ d+1.
bits smooth_fit_entropy_with_intercept(int p, double n, double d, double signal);

/// The shortest fit of n rows, or least squares, where w = 0: the law is spherical, and its radius
/// R² = χ²_min(n,d)/χ²_(|n-d|+1).
bits smooth_spherical_entropy(int p, double n, double d);
differential_bits spherical_differential_entropy(double n, double d);

/// The shortest fit of one row, whatever w: ŵ = x y/|x|², so that logarithms add.
bits smooth_one_row_entropy(int p, double d, double snr);
differential_bits one_row_differential_entropy(double d, double snr);

/// At least so many bits are erased for each bit that n rows tell about w, if w is drawn alike in
/// all directions with this SNR: one row tells at most ½ log(1 + SNR).
double erased_per_learned(int p, double d, double snr);

}  // namespace ktln2
