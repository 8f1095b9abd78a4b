#pragma once

#include <cstddef>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/mismatch/markov.hpp"

namespace ktln2::mismatch {

/// States whose energies are moved, smoothly, from one landscape to another (in units of k_B T)
/// while a bath at temperature T makes them jump, at a rate of its own, to states drawn from the
/// Gibbs law: W_xx' = Γ π_x, π = e^{-E}/Z, so that the heat is T ΔS_env.
struct energy_landscapes {
  std::vector<double> from;
  std::vector<double> to;
};

struct driven_process {
  energy_landscapes energies;
  double duration = 0;
  double rate = 0;  ///< Γ

  [[nodiscard]] std::size_t states() const { return energies.from.size(); }
};

/// Throws std::domain_error unless there are 1 to 4096 finite energies in each, as many in both,
/// and the duration and the rate are finite and > 0.
driven_process driven(energy_landscapes energies, double duration, double rate = 1);

/// One bit, both states alike at first, the second one lifted by `bias` k_B T in the end.
driven_process bit_erasure(double duration, double bias = 20, double rate = 1);

/// A register that is prepared for a distribution, its Gibbs law at first, and ends with all states
/// but one lifted by `bias` k_B T.
driven_process register_reset(const std::vector<double>& prepared_for, std::size_t reset_state,
                              double duration, double bias = 20, double rate = 1);

/// The same for the solver of any chain: the other road.
markov_process as_markov_process(const driven_process& process);

/// The master equation of such a process is dp/dt = Γ(π - p), and δ = p - π has one solution,
///     δ(t) = e^{-Γt} δ(0) - ∫ e^{-Γ(t-s)} π'(s) ds,
/// which is taken piece by piece in time, with π' a polynomial on each: neither high rates nor long
/// durations ask for short pieces. The entropies are integrals of positive or small numbers,
///     dS_tot = Γ Σ δ ln(p/π) dt,  dS_env = Γ Σ δ E dt,  dS_sys = Γ Σ δ ln p dt,
/// so that even those of very slow processes have digits. Throws as `follow` does for any chain,
/// `stopped` if asked to stop, and std::domain_error where energies move too far for a double.
markov_path follow(const driven_process& process, const std::vector<double>& start,
                   const stop_token& stop = {});

/// What it does to any start: p ↦ kept·p + arrived, and the entropy that it gives to the
/// environment from each state.
struct relaxing_channel {
  double kept;                  ///< e^{-Γτ}
  double gone;                  ///< 1 - kept
  std::vector<double> arrived;  ///< adds up to `gone`
  std::vector<double> flow;     ///< in units of k_B
};
relaxing_channel channel_of(const driven_process& process, const stop_token& stop = {});

std::vector<double> after(const relaxing_channel& channel, const std::vector<double>& start);
/// ΔS_tot(p) = H(πp) - H(p) + Σ p s: the other road to markov_path::total.
nats production(const relaxing_channel& channel, const std::vector<double>& start);
/// The start with the least ΔS_tot. At it ln q - kept·ln(kept·q + arrived) + s is the same for all
/// states, which says what each q is once that number is known.        [eq:mmc_exact_opt]
std::vector<double> optimal_start(const relaxing_channel& channel);

}  // namespace ktln2::mismatch
