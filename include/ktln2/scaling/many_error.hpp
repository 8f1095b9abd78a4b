#pragma once

namespace ktln2 {

/// The error of predictions with many features, against that of one who knows the truth: the mean
/// square error over σ_ξ², the noise's variance. With d features and n rows x ~ N(0, Σ), y = w·x +
/// ξ, SNR = wᵀΣw/σ_ξ². Sizes may be real. [eq:exact_error] is least squares with d = 1.

/// Least squares, whatever Σ and w: (n-1)/(n-d-1). Infinite for n ≤ d+1.
double least_squares_error(double n, double d);

/// Of all w that fit n < d rows exactly, the shortest, for Σ = σ_x² I:
///     1 + SNR (1 - n/d) + n/(d-n-1)
/// Infinite for n ≥ d-1. With n = 0, the predictor that was not trained: 1 + SNR.
double least_norm_error(double n, double d, double snr);

/// Least squares, or for n < d the shortest fit: infinite for |n - d| ≤ 1.
double fit_error(double n, double d, double snr);

/// The same with an intercept, which takes a row for itself: (1 + 1/n) times the error with n - 1
/// rows, as the means of the rows are independent of what is left of them.
double fit_error_with_intercept(double n, double d, double snr);

/// A number that comes with an estimate of how far it is off.
struct estimated_error {
  double value = 0;
  double off = 0;
};

/// Ridge regression with the penalty that is best for every n, dσ_ξ²/|w|², for Σ = σ_x² I: 1 + E
/// tr(W + d/SNR)⁻¹ with W = XᵀX/σ_x². Exact for d = 1 and for n = 1 or 0. Else from the loop
/// equation of the eigenvalues of W, to third order in 1/min(n, d), which tends to least squares
/// for large SNR and n > d+1; for |n - d| ≤ 1 held between bounds on what the smallest of them may
/// do.
estimated_error ridge_error(double n, double d, double snr);

/// The excess e of ridge in the limit of many features, n = rd: r = (1+e)(S-e)/(S e).
double ridge_excess_limit(double r, double snr);

/// What rounding a feature of deviation 1 adds to it, E Δ²/12 with smooth cells: 4^-p/(4 ln 4). The
/// stored feature is what is known, so that the rest acts as noise of size SNR times that.
double rounding_noise(int p);

}  // namespace ktln2
