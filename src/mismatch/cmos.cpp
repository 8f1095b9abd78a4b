#include "ktln2/mismatch/cmos.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/mismatch/markov.hpp"
#include "ladder_solver.hpp"

namespace ktln2::mismatch {
namespace {

constexpr double largest_voltage = 40;  ///< a volt: more is not below the threshold
constexpr double largest_states = 2048;

/// `range` says what low and high are.
void require_from_to(const char* name, double value, double low, double high, const char* range) {
  if (value >= low && value <= high) return;
  throw std::domain_error(std::string("cmos: ") + name + " must be from " + range + ", got " +
                          shown(value));
}

/// The rates at all times are these four lists, times the two transistors' currents.
class node_in_time {
 public:
  node_in_time(const cmos_node& node, const cmos_erasure& erasure)
      : node_{node}, erasure_{erasure} {
    for (std::size_t k = 0; k + 1 < node.states(); ++k) {
      const auto p = node.through_p(k, node.bit().vdd);  // both off
      const auto n = node.through_n(k, 0);
      p_.push_back(p);
      n_.push_back(n);
    }
  }

  /// So many times what passes when they are off.
  struct currents {
    double p;
    double n;
  };
  [[nodiscard]] currents at(double t) const {
    const cmos_bit& bit = node_.bit();
    const double share = t / erasure_.duration;
    const double input = (1 - share) * erasure_.first_input() + share * bit.vdd;
    return {std::exp((bit.vdd - input) / bit.slope), std::exp(input / bit.slope)};
  }

  void rates(double t, ladder_rates& out) const {
    const currents now = at(t);
    for (std::size_t k = 0; k < p_.size(); ++k) {
      out.up[k] = now.p * p_[k].with + now.n * n_[k].back;
      out.down[k] = now.p * p_[k].back + now.n * n_[k].with;
    }
  }

  /// Heat, charges from the supply, and what would have left the ladder at its ends.
  enum integral : std::size_t { heat = 0, supplied = 1, lost = 2, integrals = 3 };
  void slopes(double t, const std::vector<double>& law, std::vector<double>& out) const {
    const currents now = at(t);
    double by_p = 0;
    double given_off = 0;
    for (std::size_t k = 0; k < p_.size(); ++k) {
      const double in = now.p * (p_[k].with * law[k] - p_[k].back * law[k + 1]);
      const double away = now.n * (n_[k].with * law[k + 1] - n_[k].back * law[k]);
      by_p += in;
      given_off += in * p_[k].heat + away * n_[k].heat;
    }
    out[heat] = given_off;
    out[supplied] = by_p;
    // The rate at an end differs from that next to it by a factor of e^{1/C}, and at most by this.
    const double beyond = std::exp(1 / node_.bit().capacitance);
    out[lost] = beyond * ((now.p * p_.back().with + now.n * n_.back().back) * law.back() +
                          (now.p * p_[0].back + now.n * n_[0].with) * law[0]);
  }

  [[nodiscard]] ladder_path follow(double tolerance, const stop_token& stop) const {
    const ladder_system system{integrals, [this](double t, ladder_rates& out) { rates(t, out); },
                               [this](double t, const std::vector<double>& p,
                                      std::vector<double>& out) { slopes(t, p, out); }};
    // Rounding alone grows with the number of states.
    const double many = std::max(1.0, static_cast<double>(node_.states()) / 200);
    return climb(system, node_.mixture(), erasure_.duration, many * tolerance, stop);
  }

 private:
  const cmos_node& node_;
  const cmos_erasure& erasure_;
  std::vector<cmos_node::jumps> p_;
  std::vector<cmos_node::jumps> n_;
};

/// How far the entropies of laws on `states` can be apart, that are `far` from each other, half of
/// Σ|δp|: Fannes's inequality, as Audenaert has it.
double entropy_apart(double far, std::size_t states) {
  if (far >= 0.5) return std::log(static_cast<double>(states));
  const double mixed = far > 0 ? -far * std::log(far) - (1 - far) * std::log1p(-far) : 0;
  return far * std::log(static_cast<double>(states)) + mixed;
}

}  // namespace

cmos_node::cmos_node(const cmos_bit& bit) : bit_{bit} {
  require_from_to("vdd", bit.vdd, 0, largest_voltage, "0 to 40");
  require_positive("cmos", "capacitance", bit.capacitance);
  require_from_to("slope factor", bit.slope, 1, 100, "1 to 100");
  require_from_to("rate", bit.rate, 1e-100, 1e100, "1e-100 to 1e100");
  const double full = bit.vdd * bit.capacitance;
  if (bit.vdd > 0 && full < 1) {
    throw std::domain_error(
        "cmos: the node must hold a charge or more at vdd, got capacitance * vdd = " + shown(full));
  }
  // Beyond the voltages of ground and supply the law falls as e^{-q²/2C}, or faster. Times the
  // largest of the rates, e^-40 is left.
  const double margin = std::ceil(std::sqrt(2 * (40 + bit.vdd) * bit.capacitance)) + 1;
  lowest_ = -margin;
  const double states = std::ceil(full) + 2 * margin + 1;
  if (!(states <= largest_states)) {
    throw std::domain_error("cmos: the node has " + shown(states) + " states, at most " +
                            shown(largest_states) + " can be followed: lower vdd or capacitance");
  }
  states_ = static_cast<std::size_t>(states);
}

/// A jump gives off what the charge loses on its way, V_DS, less half a charge's own voltage, 1/2C:
/// so it is the difference of energies, and detailed balance holds for each transistor.
cmos_node::jumps cmos_node::through_p(std::size_t state, double input) const {
  const double heat = bit_.vdd - (charges(state) + 0.5) / bit_.capacitance;
  const double with = bit_.rate * std::exp((bit_.vdd - input) / bit_.slope);
  return {with, with * std::exp(-heat), heat};
}

cmos_node::jumps cmos_node::through_n(std::size_t state, double input) const {
  const double heat = (charges(state) + 0.5) / bit_.capacitance;
  const double with = bit_.rate * std::exp(input / bit_.slope);
  return {with, with * std::exp(-heat), heat};
}

std::vector<double> cmos_node::steady(double input) const {
  std::vector<double> log_law(states_);
  for (std::size_t k = 0; k + 1 < states_; ++k) {
    const jumps p = through_p(k, input);
    const jumps n = through_n(k, input);
    log_law[k + 1] = log_law[k] + std::log((p.with + n.back) / (p.back + n.with));
  }
  const double highest = *std::max_element(log_law.begin(), log_law.end());
  compensated_sum sum;
  std::vector<double> law;
  for (const double one_log : log_law) {
    law.push_back(std::exp(one_log - highest));
    sum.add(law.back());
  }
  for (double& one_state : law) one_state /= sum.value();
  return law;
}

nats cmos_node::idle(double input) const {
  const std::vector<double> law = steady(input);
  double through = 0;
  for (std::size_t k = 0; k + 1 < states_; ++k) {
    const jumps p = through_p(k, input);
    through += p.with * law[k] - p.back * law[k + 1];
  }
  return nats{bit_.vdd * through};
}

std::vector<double> cmos_node::mixture() const {
  std::vector<double> law = steady(0);
  const std::vector<double> zero = steady(bit_.vdd);
  for (std::size_t k = 0; k < states_; ++k) law[k] = (law[k] + zero[k]) / 2;
  return law;
}

double cmos_node::one(const std::vector<double>& p) const {
  compensated_sum sum;
  for (std::size_t k = 0; k < states_; ++k) {
    const double above = 2 * charges(k) - bit_.vdd * bit_.capacitance;
    sum.add(above > 0 ? p[k] : above == 0 ? p[k] / 2 : 0);
  }
  return std::clamp(sum.value(), 0.0, 1.0);
}

cmos_path follow(const cmos_erasure& erasure, double tolerance, const stop_token& stop) {
  const cmos_node node{erasure.bit};
  require_positive("cmos", "vdd", erasure.bit.vdd);
  require_positive("cmos", "duration", erasure.duration);
  require_from_to("input", erasure.first_input(), 0, erasure.bit.vdd, "0 to vdd");
  require_from_to("tolerance", tolerance, 1e-12, 1e-3, "1e-12 to 1e-3");
  require_from_to("rate times duration", erasure.bit.rate * erasure.duration, 1e-100, 1e100,
                  "1e-100 to 1e100");
  const node_in_time runs{node, erasure};
  const ladder_path path = runs.follow(tolerance, stop);

  // The law that is meant differs from this one by what the solver misses, and where charges left
  // the ladder; that of the start by its own tails and rounding.
  constexpr double rounding = 1e-14;
  const double far = path.law_error / 2 + std::fabs(path.integrals[node_in_time::lost]) + rounding;
  // Two nodes that differ by a charge can be made to run alike until that charge has passed the one
  // transistor or the other. So, from there on, they take at most one charge from the supply more
  // or less.
  const double reach = static_cast<double>(node.states());
  const double energies = std::max(node.energy(0), node.energy(node.states() - 1));
  const auto integral = [&](node_in_time::integral which, double by_law) {
    const double value = path.integrals[which];
    return bounded<double>{
        value, path.integral_errors[which] + far * by_law + rounding * std::fabs(value)};
  };
  const bounded<double> heat = integral(node_in_time::heat, reach * erasure.bit.vdd + energies);
  cmos_path made{path.end, {}, {nats{heat.value}, nats{heat.error}}, {}, {}, {}, path.steps};
  made.system = {entropy_of(path.end) - entropy_of(node.mixture()),
                 nats{2 * entropy_apart(far, node.states())}};
  made.total = made.system + made.environment;
  made.supplied = integral(node_in_time::supplied, reach);
  made.error = {node.one(path.end), far};
  return made;
}

double best_duration(const cmos_erasure& erasure, const stop_token& stop) {
  constexpr double coarse = 1e-7;
  const auto cost = [&](double log_duration) {
    cmos_erasure one = erasure;
    one.duration = std::exp(log_duration);
    const cmos_path path = follow(one, coarse, stop);
    return path.system.value < nats{0} ? path.environment.value / -path.system.value : infinity;
  };
  // The time in which the nMOS transistor, when it is on, empties the node.
  const cmos_bit& bit = erasure.bit;
  const double empties =
      std::log(std::max(1.0, bit.capacitance * bit.vdd) / bit.rate) - bit.vdd / bit.slope;
  double best = empties;
  double least = infinity;
  for (double at = empties - 3; at < empties + 12; at += 1) {
    const double found = cost(at);
    if (found < least) {
      least = found;
      best = at;
    } else if (at > best + 3 && least < infinity) {
      break;
    }
  }
  constexpr int bits = 8;
  return std::exp(boost::math::tools::brent_find_minima(cost, best - 1, best + 1, bits).first);
}

}  // namespace ktln2::mismatch
