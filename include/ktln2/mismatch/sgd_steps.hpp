#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/mismatch/islands.hpp"

namespace ktln2::mismatch {

/// One step of SGD, taken apart as `island_account` is, in units of k_B.
struct step_account {
  nats production;
  nats mismatch;
  nats residual;
  /// ΔS_tot of the step less that of the same step with the data that are best for all steps
  /// together: the paper's term [app:mmc]. It may be negative.
  nats paper;
  /// From 0 to the mismatch: the bound with the step's own weights of the islands.
  nats corrected;
};

/// SGD on registers as the paper wants its mismatch cost: every step takes (ŵ, batch) to the next
/// ŵ, a process of its own, whose islands are the states that lead to one ŵ [app:mmc]. Each gives
///     s = C/τ + (α/n) Σ_batch (x² + (y - wx)²)
/// to the environment, so that the flows add up to that of island_machine, and the productions to
/// the production of the whole map. The mismatches do not: a machine that forgets its data after
/// each step could have been made for other data in each.
class stepwise_sgd {
 public:
  /// Throws std::domain_error for a bad descent or bad settings, more than 1000 steps, more than
  /// 2^20 states of a step, or a format with E = 0 or E > 8; `stopped` after a stop.
  stepwise_sgd(const register_formats& formats, const descent& how, double steps,
               const island_machine::settings& set, const stop_token& stop = {});

  [[nodiscard]] std::size_t state_count() const { return next_.size(); }
  /// Of a step: how many models it can lead to.
  [[nodiscard]] std::size_t island_count() const;
  /// The least C for which no step breaks the second law, whatever is stored.
  [[nodiscard]] double least_constant() const;

  /// ΔS_tot of all steps with normal data of these deviations.
  [[nodiscard]] nats production(double sigma_x, double sigma_xi) const;
  /// Every step with such data, where (best_x, best_xi) are those with the least production. The
  /// corrected bound is sought on a lattice of `grid`² members between the bounds.
  [[nodiscard]] std::vector<step_account> accounts(double sigma_x, double sigma_xi,
                                                   const variational_optimum& best,
                                                   const variational_bounds& bounds,
                                                   int grid = 9) const;

 private:
  struct member;
  [[nodiscard]] member member_of(double sigma_x, double sigma_xi) const;
  [[nodiscard]] std::vector<double> step_productions(const member& one) const;
  [[nodiscard]] double with_weights(const member& one, std::size_t step,
                                    const std::vector<double>& weights) const;

  register_formats formats_;
  island_machine::settings set_;
  int batch_;
  std::size_t steps_;
  std::size_t models_ = 0;           ///< how many a register can hold
  std::size_t start_ = 0;            ///< which of them Q(w0) is
  std::vector<std::uint32_t> next_;  ///< of model m and batch b at m · batches + b
  std::vector<double> flow_;         ///< s of each batch
  std::vector<double> log_z_;        ///< of each next model; -infinity where none leads
  stop_token stop_;
};

/// The same sums of all steps.
step_account sum_of(const std::vector<step_account>& steps);

}  // namespace ktln2::mismatch
