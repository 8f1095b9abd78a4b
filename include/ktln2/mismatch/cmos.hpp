#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/mismatch/nats.hpp"

namespace ktln2::mismatch {

/// A bit as CMOS holds it: the charge of a node that a pMOS transistor connects to the supply and
/// an nMOS transistor to ground, both with their gates at one input, an inverter. Below the
/// threshold a transistor lets single electrons pass at random, I = I0 e^{V_GS/n}(1 - e^{-V_DS}) on
/// average. Voltages are in units of V_T = k_B T/e, so that energies of one electron are in k_B T.
/// The model of Freitas, Delvenne and Esposito, Phys. Rev. X 11, 031064 (2021), and of Gao and
/// Limmer, Phys. Rev. Research 3, 033169 (2021).
struct cmos_bit {
  double vdd = 4;           ///< of the supply
  double capacitance = 20;  ///< of the node, in e/V_T
  double slope = 1;         ///< n: so many V_T more at the gate, e times the current
  double rate = 1;          ///< of electrons through a transistor that is off, V_GS = 0
};

/// The node of a bit. Its states are numbers of charges, from below 0 to above those at the
/// supply's voltage, as far as thermal motion reaches with a probability of e^-40.
class cmos_node {
 public:
  /// Throws std::domain_error unless 0 ≤ vdd ≤ 20, 1 ≤ slope ≤ 100, the others are finite and > 0,
  /// the node holds a charge or more at the supply's voltage and has at most 1024 states.
  explicit cmos_node(const cmos_bit& bit);

  [[nodiscard]] const cmos_bit& bit() const { return bit_; }
  [[nodiscard]] std::size_t states() const { return states_; }
  /// On the node, positive ones.
  [[nodiscard]] double charges(std::size_t state) const {
    return lowest_ + static_cast<double>(state);
  }
  [[nodiscard]] double voltage(std::size_t state) const {
    return charges(state) / bit_.capacitance;
  }
  /// q²/2C
  [[nodiscard]] double energy(std::size_t state) const {
    return charges(state) * voltage(state) / 2;
  }

  /// Between a state and the next one, by one transistor: with the current, and back.
  struct jumps {
    double with;
    double back;
    double heat;  ///< k_B T ln(with/back), what a jump with the current gives off
  };
  /// From the supply into the node, which leads up.
  [[nodiscard]] jumps through_p(std::size_t state, double input) const;
  /// From the node to ground, which leads down.
  [[nodiscard]] jumps through_n(std::size_t state, double input) const;

  /// What the node holds after a long time with the same input.
  [[nodiscard]] std::vector<double> steady(double input) const;
  /// What it then gives off in a unit of time: charges pass from the supply to ground.
  [[nodiscard]] nats idle(double input) const;
  /// Both logical values alike, each as the inverter makes it.
  [[nodiscard]] std::vector<double> mixture() const;
  /// The probability that the voltage is above half the supply's.
  [[nodiscard]] double one(const std::vector<double>& p) const;

 private:
  cmos_bit bit_;
  double lowest_ = 0;
  std::size_t states_ = 0;
};

/// The mixture of both values is driven to 0: the input rises evenly to the supply's voltage.
struct cmos_erasure {
  cmos_bit bit;
  double duration = 100;
  std::optional<double> input = {};  ///< at first; half the supply's voltage without

  [[nodiscard]] double first_input() const { return input.value_or(bit.vdd / 2); }
};

struct cmos_path {
  std::vector<double> end;  ///< the law of the node's states
  bounded<nats> system;
  /// Each transistor is in touch with a reservoir of its own,
  ///     dS_env = Σ_transistors Σ (W_xx' p_x' - W_x'x p_x) ln(W_xx'/W_x'x) dt,        [eq:s_env]
  /// which is, since every jump obeys detailed balance, what was stored and what was supplied.
  bounded<nats> environment;
  bounded<nats> total;
  bounded<nats> stored;      ///< energy that the node has lost
  bounded<double> supplied;  ///< charges that have left the supply, each with vdd
  bounded<double> error;     ///< the probability that the bit reads 1
  std::size_t steps;
};

/// Throws std::domain_error as cmos_node does and unless vdd and the duration are finite and > 0,
/// the input is from 0 to vdd and the tolerance, that of a step, from 1e-12 to 1e-3; `stopped` if
/// asked to stop.
cmos_path follow(const cmos_erasure& erasure, double tolerance = 1e-10,
                 const stop_token& stop = {});

/// The duration at which the heat is least for what is erased, ΔS_env/-ΔS_sys, to about 1%.
double best_duration(const cmos_erasure& erasure, const stop_token& stop = {});

}  // namespace ktln2::mismatch
