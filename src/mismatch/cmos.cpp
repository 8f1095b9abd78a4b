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

constexpr double largest_voltage = 20;  ///< half a volt: more is not below the threshold
constexpr double largest_states = 1024;

/// `range` says what low and high are.
void require_from_to(const char* name, double value, double low, double high, const char* range) {
  if (value >= low && value <= high) return;
  throw std::domain_error(std::string("cmos: ") + name + " must be from " + range + ", got " +
                          shown(value));
}

/// The rates at all times are these lists, times the two transistors' currents.
class node_in_time {
 public:
  node_in_time(const cmos_node& node, const cmos_erasure& erasure)
      : node_{node}, erasure_{erasure} {
    for (std::size_t k = 0; k + 1 < node.states(); ++k) {
      p_.push_back(node.through_p(k, node.bit().vdd));  // both off
      n_.push_back(node.through_n(k, 0));
    }
  }

  /// Where the node ends, and what it took from the supply on its way.
  struct outcome {
    std::vector<double> law;
    double supplied = 0;
    double supplied_error = 0;  ///< without what `far` does to it
    double far = 0;             ///< half of Σ|δp|
    std::size_t steps = 0;
  };
  [[nodiscard]] outcome follow(double tolerance, const stop_token& stop) const {
    // Rounding alone grows with the number of states.
    const double each = tolerance * std::max(1.0, static_cast<double>(node_.states()) / 200);
    outcome made{.law = node_.mixture()};
    const double first = erasure_.first_input();
    const double half = node_.bit().vdd / 2;
    const double turn = first < half ? erasure_.duration * (half - first) / (2 * half - first) : 0;
    if (turn > 0) {
      const double before = charges_of(made.law);
      const double through_n = pass(made, 0, turn, each, stop);
      made.supplied += through_n + charges_of(made.law) - before;
    }
    made.supplied += pass(made, turn, erasure_.duration, each, stop);
    return made;
  }

 private:
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

  [[nodiscard]] double charges_of(const std::vector<double>& law) const {
    compensated_sum sum;
    for (std::size_t k = 0; k < law.size(); ++k) sum.add(law[k] * node_.charges(k));
    return sum.value();
  }

  void rates(double t, ladder_rates& out) const {
    const currents now = at(t);
    for (std::size_t k = 0; k < p_.size(); ++k) {
      out.up[k] = now.p * p_[k].with + now.n * n_[k].back;
      out.down[k] = now.p * p_[k].back + now.n * n_[k].with;
    }
  }

  /// Charges through the weaker transistor, since through the other many come and go, and what
  /// would have left the ladder at its ends.
  enum integral : std::size_t { passed = 0, lost = 1, integrals = 2 };
  void slopes(double t, bool by_p, const std::vector<double>& law, std::vector<double>& out) const {
    const currents now = at(t);
    double sum = 0;
    for (std::size_t k = 0; k < p_.size(); ++k) {
      sum += by_p ? p_[k].with * law[k] - p_[k].back * law[k + 1]
                  : n_[k].with * law[k + 1] - n_[k].back * law[k];
    }
    out[passed] = sum * (by_p ? now.p : now.n);
    // The rate at an end is larger than that next to it by a factor of e^{1/C} or less.
    const double beyond = std::exp(1 / node_.bit().capacitance);
    out[lost] = beyond * ((now.p * p_.back().with + now.n * n_.back().back) * law.back() +
                          (now.p * p_[0].back + now.n * n_[0].with) * law[0]);
  }

  /// While the same transistor is the weaker one: how many charges it lets pass.
  double pass(outcome& so_far, double from, double to, double tolerance,
              const stop_token& stop) const {
    const bool by_p = to == erasure_.duration;
    const ladder_system system{
        integrals, [this](double t, ladder_rates& out) { rates(t, out); },
        [this, by_p](double t, const std::vector<double>& law, std::vector<double>& out) {
          slopes(t, by_p, law, out);
        }};
    ladder_path path = climb(system, std::move(so_far.law), from, to, tolerance, stop);
    so_far.law = std::move(path.end);
    so_far.supplied_error += path.integral_errors[passed];
    so_far.far += path.law_error / 2 + std::fabs(path.integrals[lost]);
    so_far.steps += path.steps;
    return path.integrals[passed];
  }

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
  require_from_to("vdd", bit.vdd, 0, largest_voltage, "0 to 20");
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
  require_from_to("rate times duration", erasure.bit.rate * erasure.duration, 1e-15, 1e15,
                  "1e-15 to 1e15");
  auto [law, supplied, supplied_error, far, steps] =
      node_in_time{node, erasure}.follow(tolerance, stop);

  // The law that is meant differs from this one by what the solver misses, and where charges left
  // the ladder; that of the start by its own tails and rounding.
  constexpr double rounding = 1e-14;
  far = std::min(1.0, far + rounding);
  // Two nodes that differ by a charge can be made to run alike until that charge has passed the one
  // transistor or the other. From there on they are one: they take at most one charge more or less.
  const auto reach = static_cast<double>(node.states());
  const std::vector<double> start = node.mixture();
  compensated_sum stored;
  for (std::size_t k = 0; k < law.size(); ++k) stored.add((start[k] - law[k]) * node.energy(k));

  cmos_path made{law, {}, {}, {}, {}, {}, {}, steps};
  made.supplied = {supplied,
                   supplied_error + far * reach + rounding * (std::fabs(supplied) + reach)};
  made.stored = {nats{stored.value()},
                 nats{far * std::max(node.energy(0), node.energy(node.states() - 1))}};
  made.environment = made.stored + bounded<nats>{nats{erasure.bit.vdd * made.supplied.value},
                                                 nats{erasure.bit.vdd * made.supplied.error}};
  made.system = {entropy_of(law) - entropy_of(start), nats{2 * entropy_apart(far, law.size())}};
  made.total = made.system + made.environment;
  made.error = {node.one(law), far};
  return made;
}

double best_duration(const cmos_erasure& erasure, const stop_token& stop) {
  constexpr double coarse = 1e-6;
  // The time in which the nMOS transistor, when it is on, empties the node.
  const cmos_bit& bit = erasure.bit;
  const double empties = bit.capacitance * bit.vdd / bit.rate * std::exp(-bit.vdd / bit.slope);
  const auto cost = [&](double log_ratio) {
    cmos_erasure one = erasure;
    one.duration = empties * std::exp(log_ratio);
    const cmos_path path = follow(one, coarse, stop);
    return path.system.value < nats{0} ? path.environment.value / -path.system.value : infinity;
  };
  double best = 0;
  double least = infinity;
  for (int at = -3; at < 12 && at <= best + 3; ++at) {
    const double found = cost(at);
    if (found < least || least == infinity) best = at;
    least = std::min(least, found);
  }
  constexpr int bits = 10;
  return empties *
         std::exp(boost::math::tools::brent_find_minima(cost, best - 1, best + 1, bits).first);
}

}  // namespace ktln2::mismatch
