#include "ktln2/mismatch/sgd_steps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"
#include "mismatch/environment_constant.hpp"
#include "mismatch/stored_states.hpp"

namespace ktln2::mismatch {
namespace {

double p_log_p(double p) { return p > 0 ? p * std::log(p) : 0; }

int checked_batch(const descent& how) {
  if (how.batch > 20) {
    throw std::domain_error("islands: at most 20 points in a step, got " + shown(how.batch));
  }
  return static_cast<int>(how.batch);
}

std::size_t checked_steps(double steps) {
  constexpr double most = 1000;
  if (steps > most) {
    throw std::domain_error("islands: at most 1000 steps one by one, got " + shown(steps));
  }
  return static_cast<std::size_t>(steps);
}

/// A number from `low` to `high`, evenly in the logarithm.
double between(double low, double high, int i, int count) {
  if (i == 0) return low;
  if (i == count - 1) return high;
  return low * std::pow(high / low, static_cast<double>(i) / (count - 1));
}

}  // namespace

/// What data of some deviations do: the law of ŵ before each step and after the last, and what one
/// step does to it.
struct stepwise_sgd::member {
  std::vector<std::vector<double>> model;  ///< P(ŵ_k = m), k = 0 … τ
  std::vector<double> leads;               ///< P(next | m) at m · models + next
  std::vector<double> inside;  ///< Σ P(b) (ln P(b) + s(b)) over the batches that lead there
  double batch = 0;            ///< the same over all batches
};

stepwise_sgd::stepwise_sgd(const register_formats& formats, const descent& how, double steps,
                           const island_machine::settings& set, const stop_token& stop)
    : formats_{formats},
      set_{set},
      batch_{checked_batch(how)},
      steps_{checked_steps(steps)},
      stop_{stop} {
  require_valid(linear_model{}, how, steps);
  require_finite("islands", "w", set.w);
  require_finite("islands", "alpha", set.alpha);
  require_constant("islands", set.constant);
  const float_format& model_format = formats.model.ideal("islands");
  const std::vector<double> values = listed_values(model_format);
  models_ = values.size();
  const all_states batches{formats.data.ideal("islands"), batch_};
  if (models_ * batches.count() > (std::size_t{1} << 20)) {
    throw std::domain_error("islands: a step on batches of " + std::to_string(batch_) +
                            " has more than 2^20 states");
  }
  const auto stored = [&](double slope) {
    const double value = model_format.value(model_format.quantize(slope)).to_double();
    return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) -
                                    values.begin());
  };
  start_ = stored(how.w0);
  for (const double slope : values) {
    throw_if_stopped(stop);
    batches.visit([&](const std::vector<data_point>& data) {
      double gradient = 0;
      for (const data_point& point : data) gradient += (slope * point.x - point.y) * point.x;
      next_.push_back(static_cast<std::uint32_t>(stored(slope - how.eta / how.batch * gradient)));
    });
  }
  batches.visit([&](const std::vector<data_point>& data) {
    double squares = 0;
    for (const data_point& point : data) {
      const double noise = point.y - set.w * point.x;
      squares += point.x * point.x + noise * noise;
    }
    flow_.push_back((set.constant + set.alpha * squares / batch_) / steps);
  });
  std::vector<log_sum> sums(models_);
  for (std::size_t i = 0; i < next_.size(); ++i) sums[next_[i]].add(-flow_[i % flow_.size()]);
  for (const log_sum& sum : sums) log_z_.push_back(sum.value());
}

std::size_t stepwise_sgd::island_count() const {
  return static_cast<std::size_t>(
      std::count_if(log_z_.begin(), log_z_.end(), [](double log_z) { return log_z > -infinity; }));
}

double stepwise_sgd::least_constant() const {
  const double most = *std::max_element(log_z_.begin(), log_z_.end());
  return set_.constant + static_cast<double>(steps_) * most;
}

stepwise_sgd::member stepwise_sgd::member_of(double sigma_x, double sigma_xi) const {
  throw_if_stopped(stop_);
  const std::vector<double> digit = likely_log_pair_table(
      formats_.data.ideal("islands"), regression_pair{set_.w, sigma_x, sigma_xi});
  member made{{}, std::vector<double>(models_ * models_), std::vector<double>(models_ * models_)};
  std::vector<double> p;
  std::vector<double> cost;
  compensated_sum all;
  for (std::size_t b = 0; b < flow_.size(); ++b) {
    double log_p = 0;
    std::size_t left = b;
    for (int point = 0; point < batch_; ++point) {
      log_p += digit[left % digit.size()];
      left /= digit.size();
    }
    p.push_back(std::exp(log_p));
    cost.push_back(p.back() > 0 ? p.back() * (log_p + flow_[b]) : 0);
    all.add(cost.back());
  }
  made.batch = all.value();
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const std::size_t to = i / flow_.size() * models_ + next_[i];
    made.leads[to] += p[i % flow_.size()];
    made.inside[to] += cost[i % flow_.size()];
  }
  std::vector<double> here(models_);
  here[start_] = 1;
  made.model.push_back(here);
  for (std::size_t k = 0; k < steps_; ++k) {
    std::vector<double> after(models_);
    for (std::size_t m = 0; m < models_; ++m) {
      if (here[m] == 0) continue;
      for (std::size_t to = 0; to < models_; ++to)
        after[to] += here[m] * made.leads[m * models_ + to];
    }
    here = after;
    made.model.push_back(std::move(after));
  }
  return made;
}

std::vector<double> stepwise_sgd::step_productions(const member& one) const {
  const auto minus_entropy = [](const std::vector<double>& law) {
    compensated_sum sum;
    for (const double p : law) sum.add(p_log_p(p));
    return sum.value();
  };
  std::vector<double> all;
  for (std::size_t k = 0; k < steps_; ++k) {
    all.push_back(minus_entropy(one.model[k]) + one.batch - minus_entropy(one.model[k + 1]));
  }
  return all;
}

nats stepwise_sgd::production(double sigma_x, double sigma_xi) const {
  const std::vector<double> steps = step_productions(member_of(sigma_x, sigma_xi));
  return nats{std::accumulate(steps.begin(), steps.end(), 0.0)};
}

/// ΔS_tot of one step with a member's laws inside the islands, and these weights of the islands.
/// Infinite where the member never comes to one that has weight.
double stepwise_sgd::with_weights(const member& one, std::size_t step,
                                  const std::vector<double>& weights) const {
  const std::vector<double>& before = one.model[step];
  const std::vector<double>& after = one.model[step + 1];
  compensated_sum sum;
  for (std::size_t to = 0; to < models_; ++to) {
    constexpr double no_weight = 1e-280;
    if (weights[to] < no_weight) continue;
    if (after[to] < no_weight) return infinity;
    double inside = 0;
    for (std::size_t m = 0; m < models_; ++m) {
      inside += p_log_p(before[m]) * one.leads[m * models_ + to] +
                before[m] * one.inside[m * models_ + to];
    }
    sum.add(weights[to] * (inside / after[to] - std::log(after[to])));
  }
  return sum.value();
}

std::vector<step_account> stepwise_sgd::accounts(double sigma_x, double sigma_xi,
                                                 const variational_optimum& best,
                                                 const variational_bounds& bounds, int grid) const {
  require_valid(bounds);
  require_in_range("islands", "grid", grid, 2, 100);
  const member own = member_of(sigma_x, sigma_xi);
  const std::vector<double> productions = step_productions(own);
  const std::vector<double> at_best = step_productions(member_of(best.sigma_x, best.sigma_xi));
  std::vector<double> least(steps_);
  for (std::size_t k = 0; k < steps_; ++k) least[k] = with_weights(own, k, own.model[k + 1]);
  for (int i = 0; i < grid * grid; ++i) {
    const member other =
        member_of(between(bounds.sigma_x_low, bounds.sigma_x_high, i / grid, grid),
                  between(bounds.sigma_xi_low, bounds.sigma_xi_high, i % grid, grid));
    for (std::size_t k = 0; k < steps_; ++k) {
      least[k] = std::min(least[k], with_weights(other, k, own.model[k + 1]));
    }
  }
  std::vector<step_account> all;
  for (std::size_t k = 0; k < steps_; ++k) {
    compensated_sum residual;
    for (std::size_t to = 0; to < models_; ++to) {
      const double weight = own.model[k + 1][to];
      if (weight > 0) residual.add(-weight * log_z_[to]);
    }
    const double at_home = with_weights(own, k, own.model[k + 1]);
    all.push_back({nats{productions[k]}, nats{at_home - residual.value()}, nats{residual.value()},
                   nats{productions[k] - at_best[k]}, nats{at_home - least[k]}});
  }
  return all;
}

step_account sum_of(const std::vector<step_account>& steps) {
  step_account sum{nats{0}, nats{0}, nats{0}, nats{0}, nats{0}};
  for (const step_account& one : steps) {
    sum.production += one.production;
    sum.mismatch += one.mismatch;
    sum.residual += one.residual;
    sum.paper += one.paper;
    sum.corrected += one.corrected;
  }
  return sum;
}

}  // namespace ktln2::mismatch
