#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "ktln2/mismatch/nats.hpp"

namespace ktln2::mismatch {

/// The rates of a continuous-time Markov chain: the entry (to, from) is the rate of jumps between
/// two states, and a diagonal entry what leaves that state, negative.
class rate_matrix {
 public:
  explicit rate_matrix(std::size_t states) : states_{states}, rate_(states * states) {}

  [[nodiscard]] std::size_t states() const { return states_; }
  [[nodiscard]] double& operator()(std::size_t to, std::size_t from) {
    return rate_[to * states_ + from];
  }
  [[nodiscard]] double operator()(std::size_t to, std::size_t from) const {
    return rate_[to * states_ + from];
  }

 private:
  std::size_t states_;
  std::vector<double> rate_;
};

/// Throws std::domain_error unless rates off the diagonal are finite and ≥ 0, every column sums to
/// zero, and no jump is possible one way only: its entropy flow would be infinite.
void require_valid(const rate_matrix& rates);

/// Throws std::domain_error unless there are as many probabilities, all > 0, and they add up to 1.
void require_distribution(const std::vector<double>& p, std::size_t states);

/// Time-dependent rates from time 0 to `duration`        [eq:CTMC]
struct markov_process {
  std::size_t states;
  double duration;
  std::function<rate_matrix(double time)> rates;
};

/// What has happened to a distribution on its way. The three are integrated apart from each other's
/// end points:
///     dS_env = Σ W_xx' p_x' ln(W_xx'/W_x'x) dt,   dS_tot = Σ W_xx' p_x' ln(W_xx' p_x'/(W_x'x p_x))
///     dt
/// and dS_sys alike        [eq:s_env]
struct markov_path {
  std::vector<double> end;
  nats system;
  nats environment;
  nats total;
  std::size_t steps;  ///< of the solver
};

/// Solves the master equation [eq:CTMC]. Throws std::domain_error unless the probabilities are > 0
/// (the entropy of a state that was empty changes at an infinite rate) and add up to 1, the
/// duration is finite and > 0, the rates are valid at all times and the tolerance from 1e-13 to
/// 1e-3.
markov_path follow(const markov_process& process, const std::vector<double>& start,
                   double tolerance = 1e-11);

/// What the process does to any start: the map π, and the entropy that it gives to the environment
/// from each state.
struct markov_channel {
  std::vector<std::vector<double>> transition;  ///< π(to | from) as [from][to]
  std::vector<double> flow;                     ///< in units of k_B
};
markov_channel channel_of(const markov_process& process, double tolerance = 1e-11);

/// π p
std::vector<double> after(const markov_channel& channel, const std::vector<double>& start);
/// ΔS_tot(p) = H(πp) - H(p) + Σ p s: the other road to markov_path::total.
nats production(const markov_channel& channel, const std::vector<double>& start);
/// The start with the least ΔS_tot, by alternating minimization: ΔS_tot is convex. For a channel
/// with one island and full support.        [eq:mmc_exact_opt]
std::vector<double> optimal_start(const markov_channel& channel);

/// D(p‖q) in units of k_B
nats divergence(const std::vector<double>& p, const std::vector<double>& q);
/// H(p) in units of k_B
nats entropy_of(const std::vector<double>& p);

}  // namespace ktln2::mismatch
