#include "ktln2/mismatch/driven.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2::mismatch {
namespace {

constexpr std::size_t order = 16;  ///< nodes of a piece of time
constexpr double largest_energy = 1e6;
constexpr int deepest = 1000;              ///< halvings of time
constexpr std::size_t most_pieces = 5000;  ///< many more than processes need

/// Where the protocol stands at the time s, from 0 to 1, and how fast it goes: it comes to rest at
/// both ends.
double share_at(double s) { return s * s * (3 - 2 * s); }
double pace_at(double s) { return 6 * s * (1 - s); }

using legendre_list = std::array<double, order>;
legendre_list legendre_at(double u) {
  legendre_list p{1, u};
  for (std::size_t n = 1; n + 1 < order; ++n) {
    const auto k = static_cast<double>(n);
    p[n + 1] = ((2 * k + 1) * u * p[n] - k * p[n - 1]) / (k + 1);
  }
  return p;
}

/// ∫ e^{-γ(to - v)} F(v) dv from 0 to `to` ≤ 1, for polynomials F of degree below 16: in pieces
/// that grow with the distance from `to`, as far as there is something.
template <class Add>
void integrate_decaying(double gamma, double to, Add add) {
  const auto& rule = gauss_legendre<order>();
  constexpr double enough = 64;
  const double end = gamma * to > enough ? enough / gamma : to;
  for (double near = 0; near < end;) {
    const double far = std::min(end, std::max(2 * near, 1 / gamma));
    for (std::size_t j = 0; j < order; ++j) {
      const double distance = near + (far - near) * (1 + rule.node[j]) / 2;
      add(to - distance, (far - near) * rule.weight[j] * std::exp(-gamma * distance));
    }
    near = far;
  }
}

/// How a force f on a piece of time, known at its nodes, is felt at them and, last, at the end:
/// ∫ e^{-γ(v_j - v)} f(v) dv = Σ weight[j][i] f_i, with γ the number of relaxations in the piece.
struct memory {
  explicit memory(double gamma_) : gamma{gamma_} {
    const auto& rule = gauss_legendre<order>();
    std::array<legendre_list, order> basis{};
    for (std::size_t i = 0; i < order; ++i) basis[i] = legendre_at(rule.node[i]);
    for (std::size_t j = 0; j <= order; ++j) {
      legendre_list moment{};
      integrate_decaying(gamma, place(j), [&](double v, double weight_at) {
        const legendre_list p = legendre_at(2 * v - 1);
        for (std::size_t n = 0; n < order; ++n) moment[n] += weight_at * p[n];
      });
      for (std::size_t i = 0; i < order; ++i) {
        for (std::size_t n = 0; n < order; ++n) {
          weight[j][i] +=
              (2 * static_cast<double>(n) + 1) * rule.weight[i] * basis[i][n] * moment[n];
        }
      }
      kept[j] = std::exp(-gamma * place(j));
    }
  }
  /// Where a node is, from 0 to 1.
  static double place(std::size_t j) {
    return j == order ? 1 : (1 + gauss_legendre<order>().node[j]) / 2;
  }

  double gamma;
  std::array<legendre_list, order + 1> weight{};
  std::array<double, order + 1> kept{};
};

/// Energies and their Gibbs law at one time.
struct gibbs_state {
  std::vector<double> energy;
  std::vector<double> log_law;
  std::vector<double> law;
  std::vector<double> law_slope;  ///< d/ds
};

gibbs_state gibbs_at(const energy_landscapes& energies, double s) {
  const std::size_t n = energies.from.size();
  gibbs_state made{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n),
                   std::vector<double>(n)};
  const double share = share_at(s);
  const double pace = pace_at(s);
  for (std::size_t x = 0; x < n; ++x) {
    made.energy[x] = (1 - share) * energies.from[x] + share * energies.to[x];
  }
  const double lowest = *std::min_element(made.energy.begin(), made.energy.end());
  double z = 0;
  for (const double energy : made.energy) z += std::exp(lowest - energy);
  // Relative to the lowest state, which has the most mass: the others' rises do not cancel then.
  const auto lowest_state = static_cast<std::size_t>(
      std::min_element(made.energy.begin(), made.energy.end()) - made.energy.begin());
  const auto rise_of = [&](std::size_t x) {
    return (energies.to[x] - energies.to[lowest_state]) -
           (energies.from[x] - energies.from[lowest_state]);
  };
  double mean_rise = 0;
  for (std::size_t x = 0; x < n; ++x) {
    made.log_law[x] = lowest - made.energy[x] - std::log(z);
    made.law[x] = std::exp(made.log_law[x]);
    mean_rise += made.law[x] * rise_of(x);
  }
  for (std::size_t x = 0; x < n; ++x) {
    made.law_slope[x] = -pace * made.law[x] * (rise_of(x) - mean_rise);
  }
  return made;
}

/// The integrals, and those of the sizes of what they add up.
struct entropy_integrals {
  std::array<double, 3> value{};  ///< system, environment, total
  std::array<double, 3> size{};

  void add(std::size_t which, double term) {
    value[which] += term;
    size[which] += std::fabs(term);
  }
  entropy_integrals& operator+=(const entropy_integrals& other) {
    for (std::size_t k = 0; k < 3; ++k) {
      value[k] += other.value[k];
      size[k] += other.size[k];
    }
    return *this;
  }
};

class relaxation {
 public:
  relaxation(const driven_process& process, std::vector<double> p, const stop_token& stop)
      : process_{process},
        gamma_{process.rate * process.duration},
        start_{std::move(p)},
        off_{start_},
        arrived_(process.states()),
        stop_{stop} {
    require_positive("markov", "rate times duration", gamma_);
    const gibbs_state first = gibbs_at(process.energies, 0);
    for (std::size_t x = 0; x < off_.size(); ++x) off_[x] -= first.law[x];
    double farthest = 1;
    for (const auto* list : {&process.energies.from, &process.energies.to}) {
      for (const double energy : *list) farthest = std::max(farthest, std::fabs(energy));
    }
    // e^-E is known as well as E.
    tolerance_ = 1e-12 + 1e-15 * farthest;
    advance(0, 0);
  }

  [[nodiscard]] const entropy_integrals& entropies() const { return sum_; }
  [[nodiscard]] const std::vector<double>& arrived() const { return arrived_; }
  [[nodiscard]] std::size_t pieces() const { return pieces_; }
  [[nodiscard]] std::vector<double> end() const {
    std::vector<double> p = arrived_;
    for (std::size_t x = 0; x < p.size(); ++x) p[x] += std::exp(-gamma_) * start_[x];
    return p;
  }

 private:
  struct piece {
    std::vector<double> off;      ///< δ at its end
    std::vector<double> arrived;  ///< ∫ Γ e^{-Γ(t-s)} π ds until then
    entropy_integrals entropies;
    double missed;  ///< of π's change, by the integral of its slope
  };

  const memory& memory_of(int level) {
    const auto known = memories_.find(level);
    if (known != memories_.end()) return known->second;
    return memories_.emplace(level, memory{std::ldexp(gamma_, -level)}).first->second;
  }

  [[nodiscard]] piece cross(double from, int level, const std::vector<double>& off,
                            const std::vector<double>& arrived) {
    const memory& felt = memory_of(level);
    const double length = std::ldexp(1.0, -level);
    const std::size_t n = off.size();
    std::vector<gibbs_state> at;
    at.reserve(order);
    for (std::size_t i = 0; i < order; ++i) {
      at.push_back(gibbs_at(process_.energies, from + length * memory::place(i)));
    }
    piece made{std::vector<double>(n), std::vector<double>(n), {}, missed(from, length, at)};
    for (std::size_t x = 0; x < n; ++x) {
      for (std::size_t j = 0; j <= order; ++j) {
        double force = 0;
        double came = 0;
        for (std::size_t i = 0; i < order; ++i) {
          force += felt.weight[j][i] * at[i].law_slope[x];
          came += felt.weight[j][i] * at[i].law[x];
        }
        const double off_here = felt.kept[j] * off[x] - length * force;
        const double arrived_here = felt.kept[j] * arrived[x] + felt.gamma * came;
        if (j == order) {
          made.off[x] = off_here;
          made.arrived[x] = arrived_here;
          continue;
        }
        const double time = from + length * memory::place(j);
        const double p = arrived_here + std::exp(-gamma_ * time) * start_[x];
        const double weight = felt.gamma * gauss_legendre<order>().weight[j];
        add_state(at[j], x, {p, off_here}, weight, made.entropies);
      }
    }
    return made;
  }

  [[nodiscard]] double missed(double from, double length,
                              const std::vector<gibbs_state>& at) const {
    std::vector<double> gap = gibbs_at(process_.energies, from + length).law;
    const std::vector<double> before = gibbs_at(process_.energies, from).law;
    double sum = 0;
    for (std::size_t x = 0; x < gap.size(); ++x) {
      gap[x] -= before[x];
      for (std::size_t i = 0; i < order; ++i) {
        gap[x] -= length * gauss_legendre<order>().weight[i] * at[i].law_slope[x];
      }
      sum += std::fabs(gap[x]);
    }
    return sum;
  }

  /// p, and p - π, which its rounding would blur.
  struct probability {
    double p;
    double off;
  };

  static void add_state(const gibbs_state& now, std::size_t x, const probability& here,
                        double weight, entropy_integrals& sum) {
    if (here.off == 0 || here.p <= 0) return;
    const double relative = here.off / now.law[x];
    const double log_p = std::log(here.p);
    const double gain = std::fabs(relative) < 0.5 ? std::log1p(relative) : log_p - now.log_law[x];
    sum.add(0, weight * here.off * log_p);
    sum.add(1, weight * here.off * now.energy[x]);
    sum.add(2, std::fmax(0, weight * here.off * gain));  // of one sign, but for rounding
  }

  /// A piece that two halves do not better, or its halves.
  void advance(double from, int level) {
    throw_if_stopped(stop_);
    const double half = std::ldexp(1.0, -level - 1);
    const piece whole = cross(from, level, off_, arrived_);
    const piece first = cross(from, level + 1, off_, arrived_);
    piece second = cross(from + half, level + 1, first.off, first.arrived);
    entropy_integrals both = first.entropies;
    both += second.entropies;
    // Two that agree prove nothing where both miss the first relaxation, or a change of π.
    const bool may_miss = (from == 0 && std::ldexp(gamma_, -level) > 1) ||
                          !(first.missed + second.missed <= tolerance_);
    if (level < deepest && (may_miss || !agree(whole, second, both))) {
      advance(from, level + 1);
      advance(from + half, level + 1);
      return;
    }
    if (++pieces_ > most_pieces) {
      throw std::domain_error("markov: the energies move too far, or too fast, to be followed");
    }
    sum_ += both;
    off_ = std::move(second.off);
    arrived_ = std::move(second.arrived);
  }

  [[nodiscard]] bool agree(const piece& whole, const piece& halves,
                           const entropy_integrals& both) const {
    double moved = 0;
    for (std::size_t x = 0; x < off_.size(); ++x) {
      moved += std::fabs(whole.off[x] - halves.off[x]);
    }
    if (!(moved <= tolerance_)) return false;
    // Of the first two much may cancel, and what is left of a slow process is small.
    const std::array<double, 3> floor{1e-15, 1e-15, 1e-32};
    for (std::size_t k = 0; k < 3; ++k) {
      const double difference = std::fabs(whole.entropies.value[k] - both.value[k]);
      if (!(difference <= tolerance_ * both.size[k] + floor[k])) return false;
    }
    return true;
  }

  const driven_process& process_;
  double gamma_;  ///< relaxations in all
  std::vector<double> start_;
  std::vector<double> off_;
  std::vector<double> arrived_;
  stop_token stop_;
  double tolerance_ = 0;
  std::map<int, memory> memories_;
  entropy_integrals sum_;
  std::size_t pieces_ = 0;
};

/// ln q of a state with ln q - kept·ln(kept·q + arrived) = level, at most 0. As
/// gone·v - kept·ln(kept + arrived·e^-v), with v = ln q, which rises with v.
double log_share(const relaxing_channel& channel, double arrived, double level) {
  const auto excess = [&](double v) {
    const double more = std::log1p(arrived * std::exp(-v) - channel.gone);
    return channel.gone * v - channel.kept * more - level;
  };
  if (excess(0) <= 0) return 0;
  double low = -700;  // below, e^v is no share of anything
  double high = 0;
  if (excess(low) > 0) return -infinity;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) return middle;
    (excess(middle) > 0 ? high : low) = middle;
  }
}

}  // namespace

driven_process driven(energy_landscapes energies, double duration, double rate) {
  require_positive("markov", "duration", duration);
  require_positive("markov", "rate", rate);
  require_in_range("markov", "number of states", static_cast<long long>(energies.from.size()), 1,
                   4096);
  if (energies.from.size() != energies.to.size()) {
    throw std::domain_error("markov: " + std::to_string(energies.from.size()) +
                            " energies at first, " + std::to_string(energies.to.size()) +
                            " in the end");
  }
  for (const auto* list : {&energies.from, &energies.to}) {
    for (const double energy : *list) {
      if (std::fabs(energy) <= largest_energy) continue;
      throw std::domain_error("markov: energies must be from -1e6 to 1e6 k_B T, got " +
                              shown(energy));
    }
  }
  return {std::move(energies), duration, rate};
}

driven_process bit_erasure(double duration, double bias, double rate) {
  require_finite("markov", "bias", bias);
  return driven({{0, 0}, {0, bias}}, duration, rate);
}

driven_process register_reset(const std::vector<double>& prepared_for, std::size_t reset_state,
                              double duration, double bias, double rate) {
  require_distribution(prepared_for, prepared_for.size());
  require_in_range("markov", "state", static_cast<long long>(reset_state), 0,
                   static_cast<long long>(prepared_for.size()) - 1);
  require_finite("markov", "bias", bias);
  energy_landscapes energies;
  for (const double p : prepared_for) energies.from.push_back(-std::log(p));
  energies.to.assign(prepared_for.size(), bias);
  energies.to[reset_state] = 0;
  return driven(std::move(energies), duration, rate);
}

markov_process as_markov_process(const driven_process& process) {
  return {process.states(), process.duration, [process](double time) {
            const std::vector<double> law = gibbs_at(process.energies, time / process.duration).law;
            rate_matrix rates{law.size()};
            for (std::size_t from = 0; from < law.size(); ++from) {
              double leaving = 0;
              for (std::size_t to = 0; to < law.size(); ++to) {
                if (to == from) continue;
                rates(to, from) = process.rate * law[to];
                leaving += rates(to, from);
              }
              rates(from, from) = -leaving;
            }
            return rates;
          }};
}

markov_path follow(const driven_process& process, const std::vector<double>& start,
                   const stop_token& stop) {
  require_distribution(start, process.states());
  const relaxation made{process, start, stop};
  const auto& [system, environment, total] = made.entropies().value;
  return {made.end(), nats{system}, nats{environment}, nats{total}, made.pieces()};
}

relaxing_channel channel_of(const driven_process& process, const stop_token& stop) {
  // From its own first Gibbs law on; another start adds e^{-Γt} of what it is off, and that is all.
  const std::vector<double> usual = gibbs_at(process.energies, 0).law;
  const relaxation made{process, usual, stop};
  const double gamma = process.rate * process.duration;
  relaxing_channel channel{std::exp(-gamma), -std::expm1(-gamma), made.arrived(), {}};
  // ∫ Γ e^{-Γt} E dt, for energies that rise by 1
  double risen = 0;
  integrate_decaying(gamma, 1,
                     [&](double v, double weight) { risen += gamma * weight * share_at(1 - v); });
  const auto given_off = [&](std::size_t x) {
    const double from = process.energies.from[x];
    return channel.gone * from + risen * (process.energies.to[x] - from);
  };
  double mean = 0;
  for (std::size_t x = 0; x < usual.size(); ++x) mean += usual[x] * given_off(x);
  for (std::size_t x = 0; x < usual.size(); ++x) {
    channel.flow.push_back(made.entropies().value[1] + given_off(x) - mean);
  }
  return channel;
}

std::vector<double> after(const relaxing_channel& channel, const std::vector<double>& start) {
  std::vector<double> end = channel.arrived;
  for (std::size_t x = 0; x < end.size(); ++x) end[x] += channel.kept * start[x];
  return end;
}

nats production(const relaxing_channel& channel, const std::vector<double>& start) {
  nats flow{0};
  for (std::size_t x = 0; x < start.size(); ++x) flow += nats{start[x] * channel.flow[x]};
  return entropy_of(after(channel, start)) - entropy_of(start) + flow;
}

std::vector<double> optimal_start(const relaxing_channel& channel) {
  const std::size_t n = channel.flow.size();
  std::vector<double> q(n);
  const auto sum_at = [&](double level) {
    double sum = 0;
    for (std::size_t x = 0; x < n; ++x) {
      q[x] = std::exp(log_share(channel, channel.arrived[x], level - channel.flow[x]));
      sum += q[x];
    }
    return sum;
  };
  // At one end no q is above 1/n, at the other none is below 1.
  double low = infinity;
  double high = -low;
  for (std::size_t x = 0; x < n; ++x) {
    const auto level_of = [&](double v) {
      return channel.flow[x] + channel.gone * v -
             channel.kept * std::log1p(channel.arrived[x] * std::exp(-v) - channel.gone);
    };
    low = std::min(low, level_of(-std::log(static_cast<double>(n))));
    high = std::max(high, level_of(0));
  }
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) break;
    (sum_at(middle) > 1 ? high : low) = middle;
  }
  const double sum = sum_at(high);
  for (double& one : q) one /= sum;
  return q;
}

}  // namespace ktln2::mismatch
