#pragma once

#include <string_view>
#include <vector>

#include "ktln2/distribution/coefficients.hpp"
#include "ktln2/entropy/row_entropy.hpp"

namespace ktln2 {

/// How the entropy of stored coefficients was found.
enum class coefficient_method {
  one_register,  ///< one coefficient: the sum over its cells
  identity,      ///< h - Σ E log Δ_j + D: fine cells
  rows,          ///< two coefficients, cell by cell
  bracket,       ///< given χ²_ν the vector is normal: the chain, and what χ² tells at most
  smooth,        ///< the closed form for smooth widths, off by at most half a bit a register
};
std::string_view name_of(coefficient_method how);

/// What the registers of the coefficients hold.
struct coefficient_entropies {
  bounded<bits> joint;
  coefficient_method how = coefficient_method::identity;
  bits low;
  bits high;
  std::vector<bounded<bits>> single;  ///< each coefficient alone; none where its law is not known
};

/// All coefficients in registers of one kind. With I(ŵ; V) = h(ŵ) - E h(ŵ|V), V ~ χ²_ν,
///     E H(ŵ_fp | V) ≤ H(ŵ_fp) ≤ E H(ŵ_fp | V) + I(ŵ; V),
/// which is about d/(2ν ln 2) wide: narrow if there are many rows, where cells may be coarse. Fine
/// cells have the identity, and two coefficients on small registers are summed cell by cell. The
/// answer is the one with the narrowest bar.
coefficient_entropies coefficient_entropy(const storage& where, const coefficients& estimate,
                                          bits tolerance = default_joint_tolerance,
                                          const stop_token& stop = {});

/// The roads by themselves. Each throws std::domain_error where it does not lead.
bounded<bits> entropy_by_identity(const partition& cells, const coefficients& estimate);
bounded<bits> entropy_by_rows(const partition& cells, const coefficients& estimate,
                              const stop_token& stop = {});
double work_by_rows(const partition& cells, const coefficients& estimate);
struct entropy_bracket {
  bits low;
  bits high;
};
entropy_bracket bracket_by_chi_square(const partition& cells, const coefficients& estimate,
                                      bits tolerance = default_joint_tolerance,
                                      const stop_token& stop = {});

/// H̃_s = h + Σ_j (p - ½ - E log|ŵ_j|), for smooth widths [eq:first_two_approx].
bits smooth_entropy(int p, const coefficients& estimate);

}  // namespace ktln2
