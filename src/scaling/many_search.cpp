#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/scaling/many_profit.hpp"
#include "scaling/many_training.hpp"

namespace ktln2 {

/// Sizes are counted in steps: k = n but for SGD, n = kB.
class many_search {
 public:
  many_search(const many_profit& curve, const stop_token& stop)
      : curve_{curve}, stop_{stop}, step_{curve.step()} {}

  /// The best of the sizes from `first` to `last`, or to where nothing more can win.
  void search(double first, double last) {
    const double settled = std::max(first, std::ceil(curve_.trained_->settled() / step_));
    for (double k = first; k < std::min(settled, last + 1); ++k) look_at(k);
    if (settled > last) return;
    look_at(settled);
    double end = std::min(last, 2 * settled);
    for (; end < last && may_win_from(end); end = std::min(last, 2 * end)) look_at(end);
    branch(settled, end);
  }

  [[nodiscard]] double best() const { return best_; }
  [[nodiscard]] double best_value() const { return value_; }
  [[nodiscard]] bool is_exhaustive() const { return looked_ < most_looks; }

 private:
  static constexpr int most_looks = 2'000'000;

  [[nodiscard]] double size(double k) const { return k * step_; }

  void look_at(double k) {
    if (++looked_ % 256 == 0) throw_if_stopped(stop_);
    const double here = curve_.profit(size(k));
    if (here > value_) {
      value_ = here;
      best_ = k;
    }
  }

  /// Can a size from k on earn more? No register holds more than its bits.
  [[nodiscard]] bool may_win_from(double k) const {
    const double most = std::max(curve_.earned(curve_.mse(size(k))), curve_.earned(limit_mse()));
    const double held = coefficients() * curve_.formats_.model.width();
    const double least = size(k) * curve_.row_.value.value() - held;
    return most - curve_.bit_price_ * least > value_;
  }

  [[nodiscard]] double limit_mse() const {
    const double noise = curve_.what_.sigma_xi * curve_.what_.sigma_xi;
    return noise * curve_.trained_->limit_error();
  }
  [[nodiscard]] double coefficients() const {
    if (!curve_.what_.counts_output) return 0;
    return curve_.what_.features + (curve_.what_.intercept ? 1 : 0);
  }

  struct interval {
    double a;
    double b;
  };

  void branch(double first, double last) {
    std::vector<interval> open{{first, last}};
    while (!open.empty() && looked_ < most_looks) {
      const interval now = open.back();
      open.pop_back();
      if (!settles(now)) split(now, open);
    }
  }

  /// Is it known what is best in an interval, or that nothing in it is?
  bool settles(const interval& now) {
    if (now.b - now.a <= 8) {
      for (double k = now.a; k <= now.b; ++k) look_at(k);
      return true;
    }
    switch (direction(now)) {
      case 1:
        look_at(now.b);
        return true;
      case -1:
        look_at(now.a);
        return true;
      default:
        break;
    }
    const double most = upper_bound(now);
    return most <= value_ + 0x1p-50 * std::fabs(value_);
  }

  void split(const interval& now, std::vector<interval>& open) {
    const double middle = std::floor(std::sqrt(now.a) * std::sqrt(now.b));
    const double at = std::clamp(middle, now.a + 1, now.b - 1);
    look_at(at);
    // The half with more to hope for comes first.
    const interval left{now.a, at};
    const interval right{at, now.b};
    const bool is_left = upper_bound(left) > upper_bound(right);
    open.push_back(is_left ? right : left);
    open.push_back(is_left ? left : right);
  }

  /// The error is monotone, and what is earned convex in the demand: the ends say the most.
  [[nodiscard]] double upper_bound(const interval& now) const {
    const double a = size(now.a);
    const double b = size(now.b);
    const double most = std::max(curve_.earned(curve_.mse(a)), curve_.earned(curve_.mse(b)));
    const double kept = curve_.trained_->entropy_bound(a, b, curve_.formats_.model.p());
    return most - curve_.bit_price_ * (a * curve_.row_.value.value() - kept);
  }

  /// 1 where the profit surely rises all the way, -1 where it surely falls, 0 where it is not
  /// known.
  [[nodiscard]] int direction(const interval& now) const {
    const double a = size(now.a);
    const double b = size(now.b);
    const auto slopes = curve_.trained_->slopes_between(a, b);
    if (!slopes) return 0;
    market net = curve_.prices_;
    if (curve_.terms_.count_inference) {
      net.inference.base -= curve_.bit_price_ * curve_.inference_.value();
    }
    if (net.inference.base < 0) return 0;
    const auto descent = revenue_descent(net, curve_.mse(b), curve_.mse(a));
    if (!descent) return 0;
    const double noise = curve_.what_.sigma_xi * curve_.what_.sigma_xi;
    const double row = curve_.row_.value.value();
    constexpr double rounding = 0x1p-46;
    const double least = noise * slopes->error.low * descent->least * (1 - rounding) -
                         curve_.bit_price_ * (row - slopes->entropy.low) * (1 + rounding);
    const double most = noise * slopes->error.high * descent->most * (1 + rounding) -
                        curve_.bit_price_ * (row - slopes->entropy.high) * (1 - rounding);
    if (least >= 0) return 1;
    return most <= 0 ? -1 : 0;
  }

  const many_profit& curve_;
  const stop_token& stop_;
  double step_;
  double best_ = 0;
  double value_ = -infinity;
  int looked_ = 0;
};

namespace {

constexpr double most_rows = 1e15;

struct found_size {
  double n;
  double profit;
  bool is_exhaustive;
};

struct stretch_of_sizes {
  double first;
  double last;  ///< in steps
};

found_size best_of(const many_profit& curve, const stretch_of_sizes& where,
                   const stop_token& stop) {
  many_search found{curve, stop};
  found.search(where.first, where.last);
  const double n = found.best() * curve.step();
  if (n > most_rows / 2) {
    throw std::domain_error("scaling: the best size is beyond 1e15 rows, at an energy price of " +
                            shown(curve.prices().energy_price));
  }
  return {n, found.best_value(), found.is_exhaustive()};
}

stretch_of_sizes all_sizes(const many_profit& curve) {
  return {1, std::floor(most_rows / curve.step())};
}

/// The sizes of each phase that there is.
std::vector<stretch_of_sizes> phases(const many_profit& curve) {
  const stretch_of_sizes all = all_sizes(curve);
  const double few = std::floor(curve.what().features / curve.step());  // steps up to d rows
  std::vector<stretch_of_sizes> list;
  double next = 1;
  if (curve.step() == 1 && curve.what().features > 1) {
    list.push_back({1, 1});
    next = 2;
  }
  if (few >= next) {
    list.push_back({next, few});
    next = few + 1;
  }
  list.push_back({next, all.last});
  return list;
}

/// Above which price of energy no size of a stretch pays. u(ρ) = max_n (R - ρE) is convex and
/// falls: Newton's steps from below reach its zero, each time at another n, and then stop.
double critical_price(const many_profit& curve, const stretch_of_sizes& where,
                      const stop_token& stop) {
  const double base = curve.baseline_profit();
  double price = curve.prices().energy_price;
  const auto best_at = [&](double p) { return best_of(curve.at_energy_price(p), where, stop); };
  found_size best = best_at(price);
  for (int i = 0; i < 60 && !(best.profit > base); ++i) {
    // A size that earns more than the baseline says how far down to go; else a tenth is tried.
    const double guess = curve.critical_price(best.n);
    price = guess > 0 && guess < price ? guess * (1 - 1e-9) : price / 10;
    best = best_at(price);
  }
  if (!(best.profit > base)) return 0;
  for (int i = 0; i < 100; ++i) {
    const double next = curve.critical_price(best.n);
    if (!(next > price * (1 + 1e-15)) || std::isinf(next)) return next;
    price = next;
    const found_size other = best_at(price);
    if (other.n == best.n) return next;
    best = other;
  }
  return price;
}

/// From a size on to neighbors that earn more with what the model's registers hold. Gains that are
/// within the error bars are none.
struct stored_size {
  profit_point point;
  bounded<bits> model;
};
std::optional<stored_size> climb(const many_profit& curve, double n, const stop_token& stop) {
  const auto at = [&](double size) -> std::optional<stored_size> {
    throw_if_stopped(stop);
    const auto model = size > curve.what().features ? curve.stored_model(size, stop) : std::nullopt;
    if (!model) return {};
    return stored_size{curve.stored_at(size, *model), *model};
  };
  std::optional<stored_size> best = at(n);
  constexpr int most_steps = 100;
  for (const double step : {1.0, -1.0}) {
    for (int k = 0; best && k < most_steps; ++k) {
      const std::optional<stored_size> next = at(best->point.n + step);
      if (!next) break;
      const double unsure =
          curve.bit_price() * (best->model.error.value() + next->model.error.value());
      if (!(next->point.profit - best->point.profit > unsure)) break;
      best = next;
    }
  }
  return best;
}

/// Does the formula for the relaxed size hold?
bool is_simple(const many_profit& curve) {
  const many_problem& what = curve.what();
  return what.method == many_method::least_squares && !what.intercept &&
         curve.prices().inference.rise == 0 && curve.prices().wanted(2.0) == 0.5 &&
         curve.prices().wanted(4.0) == 0.25;
}

}  // namespace

profit_point find_best_point(const many_profit& curve, const stop_token& stop) {
  return curve.at(best_of(curve, all_sizes(curve), stop).n);
}

many_best find_best_size(const many_profit& curve, const stop_token& stop) {
  many_best made;
  double most = -infinity;
  for (const stretch_of_sizes& where : phases(curve)) {
    const found_size found = best_of(curve, where, stop);
    many_candidate one;
    one.phase = phase_of(found.n, curve.what().features);
    one.point = curve.at(found.n);
    const std::optional<stored_size> stored = climb(curve, found.n, stop);
    if (stored) one.point = stored->point;
    one.critical_price = critical_price(curve, where, stop);
    made.critical_price = std::max(made.critical_price, one.critical_price);
    made.is_exhaustive = made.is_exhaustive && found.is_exhaustive;
    if (one.point.profit > most) {
      most = one.point.profit;
      made.best = one.point;
      made.model = stored ? std::optional{stored->model} : std::nullopt;
      made.phase = one.phase;
    }
    made.candidates.push_back(one);
  }
  if (!(most > curve.baseline_profit())) made.phase = many_phase::none;
  if (is_simple(curve)) {
    const many_problem& what = curve.what();
    const double noise = what.sigma_xi * what.sigma_xi * (1 + what.added_noise);
    const double price =
        curve.prices().inference.base - curve.bit_price() * curve.inference().value();
    made.relaxed = relaxed_many_size(price / noise, what.features,
                                     curve.bit_price() * curve.row_entropy().value.value());
  }
  return made;
}

}  // namespace ktln2
