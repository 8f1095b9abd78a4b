#include "ktln2/mismatch/markov.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"
#include "stiff_solver.hpp"

namespace ktln2::mismatch {
namespace {

/// What the solver cannot tell from an empty state: a trial step may even leave the simplex. Less
/// than this adds nothing to an entropy.
constexpr double nothing = 1e-20;
double safe_log(double p) { return std::log(std::max(p, nothing)); }

/// ln(W_ab/W_ba), 0 where there are no jumps.
double log_bias(const rate_matrix& rates, std::size_t a, std::size_t b) {
  return rates(a, b) > 0 ? std::log(rates(a, b) / rates(b, a)) : 0;
}

void require_process(const markov_process& process, double tolerance) {
  require_positive("markov", "duration", process.duration);
  require_in_range("markov", "number of states", static_cast<long long>(process.states), 1, 4096);
  if (!(tolerance >= 1e-13 && tolerance <= 1e-3)) {
    throw std::domain_error("markov: tolerance must be from 1e-13 to 1e-3, got " +
                            shown(tolerance));
  }
}

/// Where the accumulated entropies stand behind the probabilities.
enum accumulator : std::size_t { system = 0, environment = 1, total = 2 };

/// The probabilities, followed by ΔS_sys, ΔS_env and ΔS_tot; or by ΔS_env alone, which is linear in
/// p and allows empty states.
class master_equation {
 public:
  master_equation(const markov_process& process, bool only_flow)
      : process_{process},
        n_{process.states},
        size_{n_ + (only_flow ? 1U : 3U)},
        only_flow_{only_flow} {}

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] rate_matrix rates(double t) const {
    rate_matrix now = process_.rates(t);
    if (now.states() != n_) {
      throw std::domain_error("rates: " + std::to_string(now.states()) + " states, expected " +
                              std::to_string(n_));
    }
    require_valid(now);
    return now;
  }

  void rate(const double* p, const rate_matrix& w, double* out) const {
    std::fill(out, out + size_, 0.0);
    double env = 0;
    double tot = 0;
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const double current = w(a, b) * p[b] - w(b, a) * p[a];
        out[a] += current;
        out[b] -= current;
        const double bias = log_bias(w, a, b);
        env += current * bias;
        if (!only_flow_) tot += current * (bias + safe_log(p[b]) - safe_log(p[a]));
      }
    }
    if (only_flow_) {
      out[n_] = env;
      return;
    }
    for (std::size_t a = 0; a < n_; ++a) out[n_ + system] -= out[a] * safe_log(p[a]);
    out[n_ + environment] = env;
    out[n_ + total] = tot;
  }

  void jacobian(const double* p, double t, double* dfdx, double* dfdt) const {
    const rate_matrix w = rates(t);
    std::fill(dfdx, dfdx + size_ * size_, 0.0);
    std::vector<double> slope(size_);
    rate(p, w, slope.data());
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = 0; b < n_; ++b) dfdx[a * size_ + b] = w(a, b);
    }
    for (std::size_t b = 0; b < n_; ++b) {
      double env = 0;
      double sys = 0;
      for (std::size_t a = 0; a < n_; ++a) {
        if (a != b) env += w(a, b) * log_bias(w, a, b);
        if (!only_flow_) sys -= w(a, b) * safe_log(p[a]);
      }
      if (only_flow_) {
        dfdx[n_ * size_ + b] = env;
        continue;
      }
      sys -= slope[b] / std::max(p[b], nothing);
      dfdx[(n_ + system) * size_ + b] = sys;
      dfdx[(n_ + environment) * size_ + b] = env;
      dfdx[(n_ + total) * size_ + b] = sys + env;
    }
    // ∂f/∂t by a difference that stays within the process
    const double little = 1e-5 * process_.duration;
    const double before = std::max(t - little, 0.0);
    const double behind = std::min(t + little, process_.duration);
    std::vector<double> earlier(size_);
    rate(p, rates(before), earlier.data());
    rate(p, rates(behind), dfdt);
    for (std::size_t i = 0; i < size_; ++i) dfdt[i] = (dfdt[i] - earlier[i]) / (behind - before);
  }

  std::size_t solve(std::vector<double>& x, double tolerance) const {
    // A step solves linear equations: so many of them take some ten seconds.
    const double most_steps = std::fmin(3e5, 1e3 + 3e10 / std::pow(static_cast<double>(size_), 3));
    int steps = 0;
    const stiff_system system_of_equations{
        [this](const double* p, double t, double* out) { rate(p, rates(t), out); },
        [&](const double* p, double t, double* dfdx, double* dfdt) {
          if (++steps > most_steps) throw std::runtime_error("markov: the solver makes no headway");
          jacobian(p, t, dfdx, dfdt);
        }};
    return solve_stiff(system_of_equations, x, 0, process_.duration, {1e-2 * tolerance, tolerance});
  }

 private:
  const markov_process& process_;
  std::size_t n_;
  std::size_t size_;
  bool only_flow_;
};

std::vector<double> gibbs(const std::vector<double>& energies) {
  const double lowest_energy = *std::min_element(energies.begin(), energies.end());
  std::vector<double> p;
  double z = 0;
  for (const double energy : energies) {
    p.push_back(std::exp(lowest_energy - energy));
    z += p.back();
  }
  for (double& one : p) one /= z;
  return p;
}

}  // namespace

void require_valid(const rate_matrix& rates) {
  for (std::size_t from = 0; from < rates.states(); ++from) {
    double sum = 0;
    double size = 0;
    for (std::size_t to = 0; to < rates.states(); ++to) {
      const double rate = rates(to, from);
      const bool is_rate = std::isfinite(rate) && (to == from || rate >= 0);
      if (!is_rate) {
        throw std::domain_error("rates: the rate from state " + std::to_string(from) + " to " +
                                std::to_string(to) + " must be finite and >= 0, got " +
                                shown(rate));
      }
      if (to != from && rate > 0 && !(rates(from, to) > 0)) {
        throw std::domain_error("rates: state " + std::to_string(from) + " leads to " +
                                std::to_string(to) + ", but there is no way back");
      }
      sum += rate;
      size += std::fabs(rate);
    }
    const double rounding = static_cast<double>(rates.states() + 4) * 0x1p-52 * size;
    if (std::fabs(sum) > rounding) {
      throw std::domain_error("rates: column " + std::to_string(from) + " must sum to 0, got " +
                              shown(sum));
    }
  }
}

void require_distribution(const std::vector<double>& p, std::size_t states) {
  if (p.size() != states) {
    throw std::domain_error("markov: " + std::to_string(p.size()) + " probabilities for " +
                            std::to_string(states) + " states");
  }
  double sum = 0;
  for (const double one : p) {
    require_positive("markov", "probability", one);
    sum += one;
  }
  if (!(std::fabs(sum - 1) < 1e-9)) {
    throw std::domain_error("markov: the probabilities must add up to 1, got " + shown(sum));
  }
}

markov_path follow(const markov_process& process, const std::vector<double>& start,
                   double tolerance) {
  require_process(process, tolerance);
  require_distribution(start, process.states);
  const master_equation equation{process, false};
  std::vector<double> x = start;
  x.resize(equation.size(), 1);  // from 1, for tolerances relative to the size of an entropy
  const std::size_t steps = equation.solve(x, tolerance);
  const double* const entropies = x.data() + process.states;
  return {{x.begin(), x.begin() + static_cast<std::ptrdiff_t>(process.states)},
          nats{entropies[system] - 1},
          nats{entropies[environment] - 1},
          nats{entropies[total] - 1},
          steps};
}

markov_channel channel_of(const markov_process& process, double tolerance) {
  require_process(process, tolerance);
  const master_equation equation{process, true};
  markov_channel made;
  for (std::size_t from = 0; from < process.states; ++from) {
    std::vector<double> x(equation.size(), 0);
    x[from] = 1;
    x.back() = 1;
    equation.solve(x, tolerance);
    made.flow.push_back(x.back() - 1);
    x.pop_back();
    made.transition.push_back(std::move(x));
  }
  return made;
}

std::vector<double> after(const markov_channel& channel, const std::vector<double>& start) {
  require_distribution(start, channel.flow.size());
  std::vector<double> end(start.size());
  for (std::size_t from = 0; from < start.size(); ++from) {
    for (std::size_t to = 0; to < end.size(); ++to) {
      end[to] += channel.transition[from][to] * start[from];
    }
  }
  return end;
}

nats production(const markov_channel& channel, const std::vector<double>& start) {
  nats flow{0};
  for (std::size_t from = 0; from < start.size(); ++from) {
    flow += nats{start[from] * channel.flow[from]};
  }
  return entropy_of(after(channel, start)) - entropy_of(start) + flow;
}

std::vector<double> optimal_start(const markov_channel& channel) {
  std::vector<double> energy = channel.flow;
  std::vector<double> q = gibbs(energy);
  constexpr int most = 100000;
  for (int iteration = 0; iteration < most; ++iteration) {
    // For a given end r, Σ p (s + ln p) - Σ (πp) ln r is least at p ∝ exp(-s + Σ π ln r).
    const std::vector<double> end = after(channel, q);
    for (std::size_t from = 0; from < q.size(); ++from) {
      energy[from] = channel.flow[from];
      for (std::size_t to = 0; to < end.size(); ++to) {
        energy[from] -= channel.transition[from][to] * safe_log(end[to]);
      }
    }
    std::vector<double> next = gibbs(energy);
    double change = 0;
    for (std::size_t i = 0; i < q.size(); ++i) change += std::fabs(next[i] - q[i]);
    q = std::move(next);
    if (change < 1e-15 * static_cast<double>(q.size())) break;
  }
  return q;
}

nats divergence(const std::vector<double>& p, const std::vector<double>& q) {
  compensated_sum sum;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] > 0) sum.add(p[i] * std::log(p[i] / q[i]));
  }
  return nats{sum.value()};
}

nats entropy_of(const std::vector<double>& p) {
  compensated_sum sum;
  for (const double one : p) {
    if (one > 0) sum.add(-one * std::log(one));
  }
  return nats{sum.value()};
}

}  // namespace ktln2::mismatch
