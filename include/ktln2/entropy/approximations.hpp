#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ktln2/core/units.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// Approximation 1: differential entropy and true cell widths, on the granular region 𝕌, f not
/// renormalized.
///     H ≈ -∫_𝕌 f log(f Δ)        [eq:diff_approx]
bits cell_width_entropy(const partition& cells, const law& x);
inline bits cell_width_entropy(const float_format& format, const law& x) {
  return cell_width_entropy(partition{format}, x);
}

/// Approximation 2 on 𝕌: the widths smoothed to Δ_s(x) = |x| 2^(1-p)/√2.
///     H ≈ -∫_𝕌 f log(f Δ_s)        [eq:Ht_s_U]
bits smooth_entropy_granular(const float_format& format, const law& x);

/// Approximation 2 on the whole line; the exponent's width no longer matters.
///     H ≈ h + (p-1) - E log(|X|/√2)        [eq:first_two_approx]
bits smooth_entropy(int p, const law& x);

/// Approximation 3: the law as narrow as a point at its mean (its location, where there is none).
///     H ≈ h + (p-1) - log(|μ|/√2)        [eq:three_approxes]
/// Nothing where μ = 0.
std::optional<bits> smooth_entropy_offset(int p, const law& x);

/// Approximation 2 for a normal law with mean 0; the deviation does not matter.
///     H ≈ p + ½ log(2πe) + γ/(2 ln 2)        [eq:single_mean_0] [thm:single_gaussian]
bits smooth_entropy_zero_mean(int p);

/// G = E log(|X|/√2), in bits        [eq:G_int_non_gauss]
/// In closed form for uniform, Laplace and logistic laws, and for normal and Student laws around 0;
/// by quadrature otherwise.
double mean_log_magnitude(const law& x);

/// How an approximation is justified [tab:approx_audit].
enum class standing { theorem_backed, asymptotic };

/// A number that must not exceed its limit for an approximation to hold.
struct requirement {
  std::string_view name;
  double value = 0;
  double limit = 0;

  [[nodiscard]] bool holds() const { return value <= limit; }  // never for NaN
};

/// An approximation that knows where it holds, and how far it may be off.
struct approximation {
  std::string_view label;     ///< of the paper
  std::optional<bits> value;  ///< nothing where it does not exist
  standing status;
  std::string_view exists_for;
  std::vector<requirement> requirements;
  /// |value - H| is no more, whether the requirements hold or not: what the estimate moves away
  /// from Approximation 1, which is computed; D(f‖g) and clipping, which are bounded; and rounding.
  /// No more than the width of the registers leaves possible. Infinite where there is no value.
  bits at_most;

  /// Do all requirements hold, and is it an entropy at all, not negative? Then it is off by at most
  /// `at_most`, of which ½ bit a register is the smoothing of cells' widths [thm:steps] and little
  /// is anything else.
  [[nodiscard]] bool applies() const;
};

/// How far a mass Q outside of 𝕌, which the `cells` outermost cells take, can move the entropy:
///     Q (log cells + 1 - log Q)
bits clipping_bound(double outside, double log2_cells);

/// How far an estimate can be from an entropy that is between 0 and the width of the registers.
bits capacity_bound(bits estimate, int width);

/// All of the above for one register, in the order of the derivation.
std::vector<approximation> entropy_approximations(const float_format& format, const law& x);

/// The first of them for any cells, such as those of a codebook; it does not exist for a single
/// one. The others need the widths of a format.
approximation cell_width_approximation(const partition& cells, const law& x);

/// The one of them that stands for what a register holds: [eq:three_approxes], or
/// [eq:first_two_approx] where the mean is exactly 0.
approximation smooth_approximation(const float_format& format, const law& x);

}  // namespace ktln2
