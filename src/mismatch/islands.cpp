#include "ktln2/mismatch/islands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/distribution/pair.hpp"
#include "mismatch/environment_constant.hpp"
#include "mismatch/stored_states.hpp"

namespace ktln2::mismatch {
namespace {

/// What the algorithm makes of every input state.
template <class Slope>
stored_algorithm tabulate(const register_formats& formats, int points, const stop_token& stop,
                          const Slope& slope) {
  const format_pair data_formats = formats.data.ideal("islands");
  const float_format& model_format = formats.model.ideal("islands");
  const all_states states{data_formats, points};
  (void)listed_values(model_format);
  stored_algorithm made{data_formats, points, {}, {}, 0};
  std::vector<std::vector<std::uint32_t>> reachable;
  made.output.reserve(states.count());
  reachable.reserve(states.count());
  states.visit([&](const std::vector<data_point>& data) {
    if (made.output.size() % 4096 == 0) throw_if_stopped(stop);
    const register_code code = model_format.encode(model_format.quantize(slope(data)));
    made.output.push_back(static_cast<std::uint32_t>(code));
    reachable.push_back({made.output.back()});
  });
  made.island = islands_of(reachable);
  made.island_count = std::size_t{1} + *std::max_element(made.island.begin(), made.island.end());
  return made;
}

std::vector<double> log_island_weights(const stored_algorithm& algorithm,
                                       const std::vector<double>& log_p) {
  std::vector<log_sum> sums(algorithm.island_count);
  for (std::size_t x = 0; x < log_p.size(); ++x) sums[algorithm.island[x]].add(log_p[x]);
  std::vector<double> weights;
  weights.reserve(sums.size());
  for (const log_sum& sum : sums) weights.push_back(sum.value());
  return weights;
}

/// The state with the same points in ascending order.
std::size_t in_order(std::size_t state, int points, std::size_t digits) {
  std::vector<std::size_t> each(static_cast<std::size_t>(points));
  for (std::size_t& digit : each) {
    digit = state % digits;
    state /= digits;
  }
  std::sort(each.begin(), each.end());
  std::size_t sorted = 0;
  for (std::size_t i = each.size(); i-- > 0;) sorted = sorted * digits + each[i];
  return sorted;
}

/// -p ln p
double entropy_term(double log_p) { return log_p < -745 ? 0 : -std::exp(log_p) * log_p; }

}  // namespace

std::vector<std::uint32_t> islands_of(const std::vector<std::vector<std::uint32_t>>& reachable) {
  // Union-find over the outputs: all that one input can reach hangs together.
  std::uint32_t outputs = 0;
  for (const auto& list : reachable) {
    if (list.empty()) throw std::domain_error("islands: an input that leads nowhere");
    for (const std::uint32_t output : list) outputs = std::max(outputs, output + 1);
  }
  std::vector<std::uint32_t> parent(outputs);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&parent](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const auto& list : reachable) {
    for (const std::uint32_t output : list) parent[root(output)] = root(list.front());
  }
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(outputs, none);
  std::uint32_t next = 0;
  std::vector<std::uint32_t> island;
  island.reserve(reachable.size());
  for (const auto& list : reachable) {
    std::uint32_t& mine = number[root(list.front())];
    if (mine == none) mine = next++;
    island.push_back(mine);
  }
  return island;
}

stored_algorithm stored_regression(const register_formats& formats, int n, const stop_token& stop) {
  return tabulate(formats, n, stop, [](const std::vector<data_point>& data) {
    double xy = 0;
    double xx = 0;
    for (const data_point& point : data) {
      xy += point.x * point.y;
      xx += point.x * point.x;
    }
    return xy / xx;
  });
}

stored_algorithm stored_sgd(const register_formats& formats, const descent& how, double steps,
                            const stop_token& stop) {
  require_valid(linear_model{}, how, steps);
  const double points = steps * how.batch;
  if (points > 20) {
    throw std::domain_error("islands: at most 20 points in all steps, got " + shown(points));
  }
  const auto batch = static_cast<std::size_t>(how.batch);
  const float_format& format = formats.model.ideal("islands");
  const auto stored = [&format](double slope) {
    return format.value(format.quantize(slope)).to_double();
  };
  return tabulate(formats, static_cast<int>(points), stop,
                  [&](const std::vector<data_point>& data) {
                    double slope = stored(how.w0);
                    for (std::size_t first = 0; first < data.size(); first += batch) {
                      double gradient = 0;
                      for (std::size_t i = first; i < first + batch; ++i) {
                        gradient += (slope * data[i].x - data[i].y) * data[i].x;
                      }
                      slope = stored(slope - how.eta / how.batch * gradient);
                    }
                    return slope;
                  });
}

island_machine::island_machine(stored_algorithm algorithm, const settings& set)
    : algorithm_{std::move(algorithm)}, set_{set} {
  require_finite("islands", "w", set.w);
  require_finite("islands", "alpha", set.alpha);
  require_constant("islands", set.constant);
  const all_states states{algorithm_.data, algorithm_.points};
  states.visit([&](const std::vector<data_point>& data) {
    double squares = 0;
    for (const data_point& point : data) {
      const double noise = point.y - set.w * point.x;
      squares += point.x * point.x + noise * noise;
    }
    flow_.push_back(set.constant + set.alpha * squares / algorithm_.points);
  });
  std::vector<double> minus_flow;
  minus_flow.reserve(flow_.size());
  for (const double s : flow_) minus_flow.push_back(-s);
  log_z_ = log_island_weights(algorithm_, minus_flow);
}

double island_machine::least_constant() const {
  return set_.constant + *std::max_element(log_z_.begin(), log_z_.end());
}

std::vector<double> island_machine::log_digits(double sigma_x, double sigma_xi) const {
  return likely_log_pair_table(algorithm_.data, regression_pair{set_.w, sigma_x, sigma_xi});
}

std::vector<double> island_machine::all_log_digits(double sigma_x, double sigma_xi) const {
  return log_pair_table(algorithm_.data, regression_pair{set_.w, sigma_x, sigma_xi});
}

std::size_t island_machine::digit_count() const {
  return static_cast<std::size_t>(algorithm_.data.x.size()) *
         static_cast<std::size_t>(algorithm_.data.y.size());
}

std::vector<double> island_machine::log_member(double sigma_x, double sigma_xi) const {
  const std::vector<double> digit = log_digits(sigma_x, sigma_xi);
  std::vector<double> log_p{0};
  for (int point = 0; point < algorithm_.points; ++point) {
    std::vector<double> longer;
    longer.reserve(log_p.size() * digit.size());
    for (const double next : digit) {
      for (const double before : log_p) longer.push_back(before + next);
    }
    log_p = std::move(longer);
  }
  return log_p;
}

island_account account(const island_machine& machine, const std::vector<double>& log_p) {
  const stored_algorithm& algorithm = machine.algorithm();
  if (log_p.size() != machine.state_count()) {
    throw std::domain_error("islands: " + std::to_string(log_p.size()) + " probabilities for " +
                            std::to_string(machine.state_count()) + " states");
  }
  // ΔS_tot from the entropies before and after; what comes after goes by outputs, not by islands.
  compensated_sum production;
  std::vector<log_sum> after(std::size_t{1} +
                             *std::max_element(algorithm.output.begin(), algorithm.output.end()));
  for (std::size_t x = 0; x < log_p.size(); ++x) {
    after[algorithm.output[x]].add(log_p[x]);
    production.add(std::exp(log_p[x]) * machine.flow()[x] - entropy_term(log_p[x]));
  }
  for (const log_sum& output : after) production.add(entropy_term(output.value()));

  const std::vector<double> weight = log_island_weights(algorithm, log_p);
  compensated_sum mismatch;
  for (std::size_t x = 0; x < log_p.size(); ++x) {
    if (log_p[x] == -infinity) continue;
    const std::uint32_t c = algorithm.island[x];
    const double log_q = -machine.flow()[x] - machine.log_z()[c];
    mismatch.add(std::exp(log_p[x]) * (log_p[x] - weight[c] - log_q));
  }
  compensated_sum residual;
  for (std::size_t c = 0; c < weight.size(); ++c) {
    residual.add(-std::exp(weight[c]) * machine.log_z()[c]);
  }
  const double best = -*std::max_element(machine.log_z().begin(), machine.log_z().end());
  return {nats{production.value()}, nats{mismatch.value()}, nats{residual.value()},
          nats{production.value() - best}};
}

variational_family::variational_family(island_machine machine, const variational_bounds& bounds,
                                       const variational_search& how, const stop_token& stop)
    : machine_{std::move(machine)}, bounds_{bounds}, how_{how}, stop_{stop} {
  classify();
  const entropy_production production{
      [](double, double) {
        return bounded<bits>{bits{0}, bits{0}};
      },  // all of it in the flow
      [this](double sigma_x, double sigma_xi) {
        member here = inside_islands(sigma_x, sigma_xi);
        compensated_sum sum;
        for (std::size_t c = 0; c < here.weight.size(); ++c) {
          sum.add(here.weight[c] * here.production[c]);
        }
        lattice_.push_back({sigma_x, sigma_xi, std::move(here.production)});
        return sum.value();
      }};
  optima_ = variational_optima(production, bounds, how);
}

void variational_family::classify() {
  const stored_algorithm& algorithm = machine_.algorithm();
  const std::size_t digits = machine_.digit_count();
  std::map<std::pair<std::size_t, std::uint32_t>, state_class> found;
  for (std::size_t x = 0; x < machine_.state_count(); ++x) {
    if (x % 4096 == 0) throw_if_stopped(stop_);
    const std::size_t sorted = in_order(x, algorithm.points, digits);
    state_class& one = found[{sorted, algorithm.island[x]}];
    one.state = sorted;
    one.island = algorithm.island[x];
    ++one.count;
  }
  for (auto& [key, one] : found) {
    one.log_count = std::log(one.count);
    classes_.push_back(one);
  }
}

variational_family::member variational_family::inside_islands(double sigma_x,
                                                              double sigma_xi) const {
  throw_if_stopped(stop_);
  member likely = inside_islands(machine_.log_digits(sigma_x, sigma_xi));
  // Where an island has likely states, the others of it are nothing.
  constexpr double enough = least_likely / 2;
  const double least = *std::min_element(likely.weight.begin(), likely.weight.end());
  if (least < enough) likely = inside_islands(machine_.all_log_digits(sigma_x, sigma_xi));
  for (double& one : likely.weight) one = std::exp(one);
  return likely;
}

variational_family::member variational_family::inside_islands(
    const std::vector<double>& digit) const {
  const int points = machine_.algorithm().points;
  std::vector<double> log_p(classes_.size());
  std::vector<log_sum> sums(machine_.algorithm().island_count);
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    std::size_t left = classes_[i].state;
    for (int point = 0; point < points; ++point) {
      log_p[i] += digit[left % digit.size()];
      left /= digit.size();
    }
    sums[classes_[i].island].add(log_p[i] + classes_[i].log_count);
  }
  member made{std::vector<double>(sums.size()), {}};
  made.weight.reserve(sums.size());
  for (const log_sum& sum : sums) made.weight.push_back(sum.value());
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (log_p[i] == -infinity) continue;
    const state_class& one = classes_[i];
    const double inside = log_p[i] - made.weight[one.island];
    made.production[one.island] +=
        one.count * std::exp(inside) * (inside + machine_.flow()[one.state]);
  }
  return made;
}

member_bounds variational_family::bounds_of(double sigma_x, double sigma_xi, bool refine) const {
  const member own = inside_islands(sigma_x, sigma_xi);
  const auto production_of = [&own](const std::vector<double>& inside) {
    compensated_sum sum;
    for (std::size_t c = 0; c < own.weight.size(); ++c) sum.add(own.weight[c] * inside[c]);
    return sum.value();
  };
  // p itself is one of the r_θ.
  const double at_home = production_of(own.production);
  double least = at_home;
  double best_x = sigma_x;
  double best_xi = sigma_xi;
  for (const looked_at& other : lattice_) {
    const double there = production_of(other.production);
    if (there < least) {
      least = there;
      best_x = other.sigma_x;
      best_xi = other.sigma_xi;
    }
  }
  if (refine) {
    const entropy_production mixed{
        [](double, double) {
          return bounded<bits>{bits{0}, bits{0}};
        },
        [&](double x, double xi) { return production_of(inside_islands(x, xi).production); }};
    const auto inside = [](double sigma, double low, double high) {
      return std::clamp(sigma, low, high);
    };
    variational_search near = how_;
    near.grid = 2;
    near.starts = {{inside(best_x, bounds_.sigma_x_low, bounds_.sigma_x_high),
                    inside(best_xi, bounds_.sigma_xi_low, bounds_.sigma_xi_high),
                    {nats{0}, nats{0}},
                    false,
                    false}};
    const variational_optimum found = variational_optima(mixed, bounds_, near).front();
    if (found.production.value.value() < least) {
      least = found.production.value.value();
      best_x = found.sigma_x;
      best_xi = found.sigma_xi;
    }
  }
  const island_account accounted = account(machine_, machine_.log_member(sigma_x, sigma_xi));
  return {accounted, accounted.production - optima_.front().production.value, nats{at_home - least},
          best_x, best_xi};
}

}  // namespace ktln2::mismatch
