#include "ktln2/scaling/optimum.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <map>

namespace ktln2 {
namespace {

/// The most points that a problem may have.
constexpr double most_points = 1e15;

/// A zero of u' between a and b, where it has different signs.
double zero_between(const profit_curve& curve, double a, double b, double at_a, double at_b) {
  if (at_a == 0) return a;
  if (at_b == 0) return b;
  const unsigned digits = curve.kind() == entropy_kind::smooth ? 50 : 32;
  std::uintmax_t most = 100;
  const auto zero = boost::math::tools::toms748_solve(
      [&](double n) { return curve.derivative(n); }, a, b, at_a, at_b,
      boost::math::tools::eps_tolerance<double>(digits), most);
  return (zero.first + zero.second) / 2;
}

/// Feasible sizes are counted in steps: k = n for exact regression, n = kB for SGD.
class search {
 public:
  explicit search(const profit_curve& curve)
      : curve_{curve},
        first_{curve.first() / curve.step()},
        cap_{std::floor(most_points / curve.step())} {}

  [[nodiscard]] double first() const { return first_; }
  [[nodiscard]] double size(double k) const { return k * curve_.step(); }

  /// The profit of a feasible size, computed once.
  double value(double k) {
    const auto known = values_.find(k);
    if (known != values_.end()) return known->second;
    return values_[k] = curve_.profit(size(k));
  }

  /// What rounding may do to the profit.
  double noise(double k) {
    const double data = size(k) * std::fabs(curve_.data_entropy().value());
    return 0x1p-51 * (std::fabs(value(k)) + curve_.bit_price() * data + curve_.pace_cost(size(k)));
  }

  /// Up to rounding, as the tops of large sizes are flat.
  bool is_local_optimum(double k) {
    const double here = value(k) + noise(k);
    return here >= value(k + 1) && (k == first_ || here >= value(k - 1));
  }

  /// Up the hill from k.
  double climb(double k) {
    while (k < cap_ && value(k + 1) > value(k)) ++k;
    while (k > first_ && value(k - 1) > value(k)) --k;
    return k;
  }

  /// From here on nothing can be better than the corner.
  double last() {
    double k = 2 * first_;
    while (k < cap_ && !(curve_.tail_bound(size(k)) < value(first_))) k *= 2;
    return std::min(k, cap_);
  }

  /// From here on the profit only falls, so that there are no more local optima, however poor: all
  /// that better models can still earn is less than half of what the data of one more step cost.
  double end_of_turns(double last) const {
    const double best = revenue(curve_.prices(), curve_.limit_mse());
    const double step_cost = curve_.bit_price() * curve_.data_entropy().value() * curve_.step();
    const auto may_turn = [&](double k) {
      const double pole = curve_.pole();
      return best - revenue(curve_.prices(), curve_.mse(size(k))) > step_cost / 2 ||
             pole >= size(k);
    };
    while (last < cap_ && may_turn(last)) last *= 2;
    return std::min(last, cap_);
  }

  /// Where u' changes from + to -, for smooth entropies; and the pole.
  std::vector<double> relaxed_maxima(double last) const {
    std::vector<double> found;
    const double begin = curve_.first();
    const double end = size(last);
    const double fine = 0.02 / (1 + curve_.prices().wanted.steepness() / 4);
    const double count = std::clamp(std::ceil(std::log(end / begin) / fine), 64.0, 20000.0);
    const double ratio = std::pow(end / begin, 1 / count);
    const double pole = curve_.pole();
    double left = begin;
    double at_left = curve_.derivative(left);
    if (at_left <= 0) found.push_back(begin);
    for (double i = 0; i < count; ++i) {
      const double right = i + 1 == count ? end : left * ratio;
      const double at_right = curve_.derivative(right);
      if (left <= pole && pole <= right) {
        found.push_back(pole);
      } else if (at_left > 0 && at_right <= 0) {
        found.push_back(zero_between(curve_, left, right, at_left, at_right));
      }
      left = right;
      at_left = at_right;
    }
    if (at_left > 0) found.push_back(end);
    return found;
  }

  /// Does the next size earn more? At large sizes the difference drowns in rounding; the derivative
  /// does not.
  bool rises_after(double k) {
    if (const auto known = curve_.surely_rises(size(k), size(k + 1))) return *known;
    if (k < 1000) return value(k) < value(k + 1);
    return curve_.derivative(size(k + 0.5)) > 0;
  }

  /// Local optima on a grid of all small and some large sizes, each made exact: for entropies
  /// without a closed form.
  std::vector<double> sampled_optima(double last) {
    std::vector<double> grid;
    for (double k = first_; k <= last && k < first_ + 48; ++k) grid.push_back(k);
    while (grid.back() < last) {
      grid.push_back(std::min(last, std::ceil(grid.back() * 1.06)));
    }
    std::vector<double> found;
    bool rises = rises_after(first_);
    if (!rises) found.push_back(first_);
    for (std::size_t i = 1; i < grid.size(); ++i) {
      const bool rose = rises;
      rises = rises_after(grid[i]);
      if (!rose || rises) continue;
      double low = grid[i - 1] + 1;
      double high = grid[i];
      while (low < high) {
        const double middle = std::floor((low + high) / 2);
        if (rises_after(middle)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      found.push_back(low);
    }
    if (rises) found.push_back(last);
    return found;
  }

  /// Anything that earns more than k, from the first size to the last: intervals whose upper bound
  /// is below the best are dropped; of those over which the profit only rises or only falls one end
  /// is looked at; the others are halved.
  double improve(double k, double last, bool& is_exhaustive) {
    struct interval {
      double low;
      double high;
    };
    const int most_intervals = 2'000'000;
    const int most_values = curve_.kind() == entropy_kind::smooth ? most_intervals : 20'000;
    int intervals = 0;
    int values = 0;
    double best = k;
    std::vector<interval> left{{first_, last}};
    while (!left.empty()) {
      const interval here = left.back();
      left.pop_back();
      const double enough = value(best) + noise(best);
      if (curve_.upper_bound(size(here.low), size(here.high)) <= enough) continue;
      if (++intervals > most_intervals || values > most_values) {
        is_exhaustive = false;
        return best;
      }
      const std::optional<bool> rises = curve_.surely_rises(size(here.low), size(here.high));
      if (here.low == here.high || rises) {
        ++values;
        const double end = rises.value_or(false) ? here.high : here.low;
        if (value(end) > enough) best = end;  // by more than rounding: tops are flat
        continue;
      }
      const double middle = std::floor(here.high > 4 * here.low ? std::sqrt(here.low * here.high)
                                                                : (here.low + here.high) / 2);
      left.push_back({here.low, middle});
      left.push_back({middle + 1, here.high});
    }
    return best;
  }

 private:
  const profit_curve& curve_;
  double first_;
  double cap_;
  std::map<double, double> values_;
};

/// Does the profit rise for ever?
bool rises_for_ever(const profit_curve& curve) {
  if (curve.bit_price() > 0) return !(curve.data_entropy().value() > curve.model_growth());
  return revenue(curve.prices(), curve.limit_mse()) >
         revenue(curve.prices(), curve.mse(curve.first()));
}

local_optimum describe(const profit_curve& curve, double n, std::optional<double> relaxed) {
  return {curve.at(n), relaxed, n == curve.first(), false, curve.check_at(n)};
}

/// The local optimum of the relaxed curve near a feasible one.
std::optional<double> relaxed_near(const profit_curve& curve, double n) {
  if (!curve.is_relaxed()) return {};
  const double low = std::max(curve.first(), n - curve.step());
  const double high = n + curve.step();
  const double at_low = curve.derivative(low);
  const double at_high = curve.derivative(high);
  if (low == n && at_low <= 0) return n;
  if (!(at_low >= 0 && at_high <= 0)) return {};
  return zero_between(curve, low, high, at_low, at_high);
}

/// By the exact law of SGD: what is best by its moments, and uphill from there.
std::vector<double> climbed(const profit_curve& curve, search& sizes) {
  std::vector<double> found;
  for (const local_optimum& one : find_best_size(curve.relaxed()).optima) {
    found.push_back(sizes.climb(one.point.n / curve.step()));
  }
  return found;
}

}  // namespace

best_size find_best_size(const profit_curve& curve) {
  if (rises_for_ever(curve)) return {.place = best_place::infinity};

  search sizes{curve};
  const double last = curve.bit_price() > 0 ? sizes.last() : 2 * sizes.first();
  const double turns = curve.bit_price() > 0 ? sizes.end_of_turns(last) : last;
  const bool is_exact_law = !curve.is_relaxed();
  bool is_exhaustive = !is_exact_law;
  std::map<double, std::optional<double>> found;  // feasible size, in steps, and its relaxed one
  best_size result{};

  if (curve.kind() == entropy_kind::smooth && !is_exact_law) {
    const double pole = curve.pole();
    for (const double n : sizes.relaxed_maxima(turns)) {
      const double k = std::max(sizes.first(), std::floor(n / curve.step()));
      const double candidate = sizes.value(k + 1) > sizes.value(k) ? k + 1 : k;
      if (sizes.is_local_optimum(candidate)) {
        found[candidate] = n == pole ? std::nullopt : std::optional(n);
      }
      const bool is_better = !result.relaxed || curve.profit(n) > curve.profit(*result.relaxed);
      if (n != pole && is_better) result.relaxed = n;
    }
    if (sizes.is_local_optimum(sizes.first())) found.try_emplace(sizes.first());
  } else {
    for (const double k : is_exact_law ? climbed(curve, sizes) : sizes.sampled_optima(turns)) {
      found.try_emplace(k);
    }
  }
  double best = sizes.first();
  for (const auto& one : found) {
    if (sizes.value(one.first) > sizes.value(best)) best = one.first;
  }
  if (!is_exact_law) best = sizes.improve(best, last, is_exhaustive);
  found.try_emplace(best);
  if (sizes.size(best + 1) > most_points) return {.place = best_place::beyond};

  const double pole = curve.pole();
  for (auto& [k, relaxed] : found) {
    const double n = sizes.size(k);
    const bool is_beside_pole = std::fabs(n - pole) < curve.step();
    if (!relaxed && !is_beside_pole) relaxed = relaxed_near(curve, n);
    result.optima.push_back(describe(curve, n, relaxed));
    result.optima.back().is_global = k == best;
  }
  const auto global = std::find_if(result.optima.begin(), result.optima.end(),
                                   [](const local_optimum& one) { return one.is_global; });
  result.place = global->is_corner ? best_place::corner : best_place::interior;
  result.best = global->point;
  if (!result.relaxed) {
    for (const local_optimum& one : result.optima) {
      const bool is_better = one.relaxed && (!result.relaxed || curve.profit(*one.relaxed) >
                                                                    curve.profit(*result.relaxed));
      if (is_better) result.relaxed = one.relaxed;
    }
  }
  if (result.relaxed) {
    const double k = std::floor(*result.relaxed / curve.step());
    const double rounded = sizes.value(k + 1) > sizes.value(k) ? k + 1 : k;
    result.rounded = sizes.size(rounded);
  }
  result.is_exhaustive = is_exhaustive;
  return result;
}

}  // namespace ktln2
