#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/cost/computations.hpp"
#include "ktln2/mismatch/nats.hpp"
#include "ktln2/mismatch/variational.hpp"

namespace ktln2::mismatch {

/// The islands of a map π from inputs to outputs, given as the outputs that each input can reach:
/// two inputs that can reach the same output are on one island, and so is all that hangs together
/// that way [eq:Islands]. Returns the island of each input, numbered from 0 in the order of the
/// inputs.
std::vector<std::uint32_t> islands_of(const std::vector<std::vector<std::uint32_t>>& reachable);

/// A deterministic algorithm on registers: the points (x_1, y_1), (x_2, y_2), … are stored, and one
/// number comes out. An input state is a number in base K_x K_y, whose lowest digit is the first
/// point; the digit of a point is i_x K_y + i_y, with the values of each register in ascending
/// order.
struct stored_algorithm {
  format_pair data;
  int points;
  std::vector<std::uint32_t> output;  ///< the code that each input state leads to
  std::vector<std::uint32_t> island;  ///< the island that it is on
  std::size_t island_count;
};

/// ŵ = Q(Σxy/Σx²) of the stored values, rounded once [eq:exact_formula]: ties go away from zero
/// [eq:sem_fp], and Σxy = 0, for which the paper has no value, is stored as +2^e_min, as the
/// formula of the quantizer has it. Throws std::domain_error for more than 2^20 states, n < 1, or a
/// format with E = 0 or E > 8.
stored_algorithm stored_regression(const register_formats& formats, int n,
                                   const stop_token& stop = {});

/// ŵ ← Q(ŵ - (η/B) Σ (ŵx - y)x) from Q(w0), stored after every step and rounded once in each
/// [eq:SGD_update]. Throws std::domain_error as stored_regression does, and for a bad descent.
stored_algorithm stored_sgd(const register_formats& formats, const descent& how, double steps,
                            const stop_token& stop = {});

/// A machine: an algorithm, and the entropy that it gives to the environment for each input state,
/// in units of k_B, so that ΔS_env is linear in the input's distribution.
///     s = C + (α/n) Σ_i (x_i² + (y_i - w x_i)²)
/// the mean of which over continuous data is C + α(σ_x² + σ_ξ²).
class island_machine {
 public:
  struct settings {
    double w = 1;
    double alpha = 1;
    double constant = 0;
  };
  /// Throws std::domain_error unless the settings are finite.
  island_machine(stored_algorithm algorithm, const settings& set);

  [[nodiscard]] const stored_algorithm& algorithm() const { return algorithm_; }
  [[nodiscard]] std::size_t state_count() const { return flow_.size(); }
  [[nodiscard]] const std::vector<double>& flow() const { return flow_; }  ///< s of each state
  /// ln Z_c of each island, Z_c = Σ_{x ∈ c} e^{-s(x)}.
  [[nodiscard]] const std::vector<double>& log_z() const { return log_z_; }
  [[nodiscard]] double constant() const { return set_.constant; }
  /// The least C for which ΔS_tot ≥ 0 whatever is stored: max_c ln Z_c at C = 0.
  [[nodiscard]] double least_constant() const;

  /// How many pairs of codes a point can have.
  [[nodiscard]] std::size_t digit_count() const;
  /// ln P of each of them for a point of [eq:initial_dist] with slope w; -infinity below e^-650.
  [[nodiscard]] std::vector<double> log_digits(double sigma_x, double sigma_xi) const;
  /// The same, but -infinity nowhere: the logarithm outlives the probability. It takes far longer.
  [[nodiscard]] std::vector<double> all_log_digits(double sigma_x, double sigma_xi) const;
  /// ln P of each input state when independent points of [eq:initial_dist], with slope w, are
  /// stored; -infinity where a point has that.
  [[nodiscard]] std::vector<double> log_member(double sigma_x, double sigma_xi) const;

 private:
  stored_algorithm algorithm_;
  settings set_;
  std::vector<double> flow_;
  std::vector<double> log_z_;
};

/// ΔS_tot of a distribution over the input states, taken apart, in units of k_B. With
/// q^c(x) = e^{-s(x)}/Z_c on island c:
///     ΔS_tot = mismatch + residual,   mismatch = Σ_c p(c) D(p^c‖q^c),   residual = Σ_c p(c) (-ln
///     Z_c) excess = ΔS_tot - min_c (-ln Z_c)
/// mismatch is the first form of [eq:MMC], excess the second. They agree for all p only where every
/// island has the same Z_c.
struct island_account {
  nats production;  ///< ΔS_tot = ΔS_sys + ΔS_env, from the entropies
  nats mismatch;
  nats residual;
  nats excess;
};
/// From the logarithms of the probabilities. Throws std::domain_error unless there is one for each
/// state.
island_account account(const island_machine& machine, const std::vector<double>& log_p);

/// What the family of stored normal data [eq:initial_dist], with deviations inside `bounds`, says
/// of a member of it.
struct member_bounds {
  island_account account;
  /// MMC_v = ΔS_tot(p) - min_θ ΔS_tot(p_θ): at most the excess, but no bound on the mismatch.
  /// [eq:var_bound]
  nats paper;
  /// ΔS_tot(p) - min_θ ΔS_tot(r_θ), r_θ = Σ_c p(c) p_θ^c: the laws of the family inside each
  /// island, and p's own weights of the islands. From 0 to the mismatch.
  nats corrected;
  double sigma_x = 0;  ///< of that r_θ
  double sigma_xi = 0;
};

class variational_family {
 public:
  /// Looks at a lattice of members, and finds the best. Throws as variational_optima does, and
  /// `stopped` after a stop, then and later.
  variational_family(island_machine machine, const variational_bounds& bounds,
                     const variational_search& how = {.grid = 13}, const stop_token& stop = {});

  /// The local minima of ΔS_tot among the members, the lowest first        [eq:mmc_var_opt]
  [[nodiscard]] const std::vector<variational_optimum>& optima() const { return optima_; }

  /// Without `refine` the best r_θ is sought on the lattice only, which takes no time and makes the
  /// corrected bound a little smaller; it is a bound all the same.
  [[nodiscard]] member_bounds bounds_of(double sigma_x, double sigma_xi, bool refine = true) const;

 private:
  /// <s> - H of a member inside each island, and the islands' weights.
  struct member {
    std::vector<double> production;
    std::vector<double> weight;
  };
  [[nodiscard]] member inside_islands(double sigma_x, double sigma_xi) const;
  /// With the logarithms of the weights.
  [[nodiscard]] member inside_islands(const std::vector<double>& digit) const;

  /// All states of one island with the same points in any order: they are equally likely, since the
  /// points are independent, and give the same to the environment.
  struct state_class {
    std::size_t state = 0;  ///< with the points in ascending order; it may be on another island
    std::uint32_t island = 0;
    double count = 0;
    double log_count = 0;
  };
  void classify();

  struct looked_at {
    double sigma_x;
    double sigma_xi;
    std::vector<double> production;
  };

  island_machine machine_;
  variational_bounds bounds_;
  variational_search how_;
  std::vector<variational_optimum> optima_;
  stop_token stop_;
  std::vector<state_class> classes_;
  std::vector<looked_at> lattice_;  ///< evenly in log σ
};

}  // namespace ktln2::mismatch
