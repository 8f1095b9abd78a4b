#pragma once

#include <cstddef>
#include <vector>

#include "ktln2/core/result.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/normal_vector.hpp"
#include "ktln2/entropy/joint.hpp"
#include "ktln2/format/storage.hpp"

namespace ktln2 {

/// E H(N(M, noise²) stored), M ~ `mean`: what the register of M + noise holds, given M itself.
/// Throws std::domain_error unless the cells are symmetric about 0.
bounded<bits> entropy_given_mean(const partition& cells, const normal& mean, double noise,
                                 bits tolerance = default_joint_tolerance,
                                 const stop_token& stop = {});

/// Many registers of one kind or of several, one for each variable of a vector. Throws
/// std::domain_error for cells that do not mirror each other about 0, or that share a code.
std::vector<partition> register_partitions(const std::vector<storage>& where);

/// What one register adds to those before it.
struct chain_step {
  std::size_t variable = 0;
  /// H(Z_j,fp | Z_<j), given the numbers themselves.
  bounded<bits> given_numbers;
  /// By how much it is more given what is stored of them: to leading order, and at most.
  bits smear;
  bits smear_bound;
};

/// The entropy of several registers, between `low` and `high`; `value` is an estimate with its own
/// error bar.
struct chain_entropy {
  bounded<bits> value;
  bits low;
  bits high;
  std::vector<chain_step> steps;
};

/// The entropy of the registers that a normal vector is stored in, by one-dimensional integrals, in
/// any dimension. Given those before it, Z_j is normal around a mean M_j that is normal too, so
/// that
///     H(Z_fp) = Σ_j E H(N(M_j, s_j²) stored) + Σ_j ι_j,    0 ≤ ι_j ≤ ½ log(1 + v_j/s_j²)
/// where ι_j is the information on Z_j that rounding the others loses: less than a normal channel
/// with noise s_j carries of what M_j varies inside a box of cells. With v_j ≥ E Var(M_j | box):
///     v_j = Σ β_k² E Var(Z_k | cell)          if those before it are independent,
///     v_j = (Σ |β_k| √(E Δ_k²))²/12           otherwise,
/// since M_j has a log-concave density on an interval of the length Σ|β_k|Δ_k [Prékopa], of which
/// no variance is above that of the uniform law; boxes that are not bounded, which have less of M_j
/// than the whole space has, come with their probability and ½ log(1 + Var M_j/s_j²).
///
/// The numbers of the quadrature are in `low`, `high` and the error bar. Throws as the functions
/// above, and for an order that does not have each variable once.
chain_entropy entropy_by_chain(const std::vector<partition>& cells, const normal_vector& z,
                               const std::vector<std::size_t>& order,
                               bits tolerance = default_joint_tolerance,
                               const stop_token& stop = {});
/// In the order in which the variables stand.
chain_entropy entropy_by_chain(const std::vector<partition>& cells, const normal_vector& z,
                               bits tolerance = default_joint_tolerance,
                               const stop_token& stop = {});

}  // namespace ktln2
