#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ktln2/distribution/normal_row.hpp"
#include "ktln2/entropy/chain.hpp"

namespace ktln2 {

/// The second road to the entropy of many registers, for cells that are fine [eq:exact_identity]:
///     H = h - Σ_j E[log Δ_j] + D(f‖g),
/// all by one-dimensional integrals. With K = C⁻¹ and u = K(z - ν), D = Σ_j E[Δ_j² u_j²]/(24 ln 2)
/// to leading order, where E[u_j² | z_j] = (z_j - ν_j)²/C_jj² + K_jj - 1/C_jj.
struct vector_identity {
  double differential = 0;  ///< h, in bits
  double log_width = 0;     ///< Σ_j E[log Δ_j] over the bounded cells, in bits
  double divergence = 0;    ///< D to leading order, in bits
  bounded<bits> entropy;    ///< with the next order of D, and what is clipped, in its error
};
vector_identity entropy_by_identity(const std::vector<partition>& cells, const normal_vector& z);

/// All cells of all registers, one by one: how many products of a density and a normal integral
/// that takes, and the sum, from two rules for the cells of all but the last register.
double enumeration_work(const std::vector<partition>& cells, const normal_vector& z);
bounded<bits> enumerated_entropy(const std::vector<partition>& cells, const normal_vector& z,
                                 const stop_token& stop = {});

/// H = h - Σ E log Δ + D with D = E[T], T = E[log f/g | the cells of a draw] by Gauss quadrature in
/// the box of each draw: its deviation is of the order of D, a hundredth of what counting has. The
/// error bar is four standard errors and what is clipped. For at most 6 registers.
bounded<bits> sampled_entropy_of(const std::vector<partition>& cells, const normal_vector& z,
                                 std::size_t draws, std::uint64_t seed,
                                 const stop_token& stop = {});

/// How the entropy of a row was found.
enum class row_method { rows, chain, enumeration, sampled };
std::string_view name_of(row_method how);

/// What a row's registers hold.
struct row_entropies {
  bounded<bits> joint;
  row_method how = row_method::chain;
  bits low;  ///< proved but for the quadrature's own error bar, which is in it
  bits high;
  bounded<bits> features;             ///< H(x_fp)
  bounded<bits> conditional;          ///< H(y_fp | x_fp)
  bounded<bits> total_correlation;    ///< Σ_j H(Z_j,fp) - H
  std::vector<bounded<bits>> single;  ///< each register alone, the features first and y last
  std::vector<chain_step> steps;      ///< in the order of the chain
  double divergence = 0;              ///< D(f‖g) to leading order, in bits
};

/// The registers of a row: of one feature by the sum over rows of cells (see joint.hpp), of more by
/// the chain, whose bracket is always there; where its error bar is wide, cell by cell if that is
/// little work, else by a sample if that is narrower. `where` has a register for each feature and
/// for y, or one for all.
row_entropies row_entropy(const std::vector<storage>& where, const normal_row& row,
                          const std::vector<std::size_t>& order = {},
                          bits tolerance = default_joint_tolerance, const stop_token& stop = {});

}  // namespace ktln2
