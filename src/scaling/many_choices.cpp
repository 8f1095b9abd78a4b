#include "ktln2/scaling/many_choices.hpp"

#include <algorithm>
#include <boost/math/special_functions/zeta.hpp>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>
#include <map>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/scaling/many_error.hpp"

namespace ktln2 {
namespace {

many_problem with_descent(const many_profit& curve, double eta, double batch) {
  many_problem changed = curve.what();
  changed.how.eta = eta;
  changed.how.batch = batch;
  return changed;
}

double highest_rate(const many_profit& curve, double batch) {
  const many_problem& what = curve.what();
  return largest_learning_rate(batch, what.features, what.how.sigma_x);
}

/// Features one after the other, the strongest first; what is not yet taken is noise.
class strongest_features {
 public:
  strongest_features(const many_profit& all, double decay) : all_{all}, decay_{decay} {
    require_positive("scaling", "decay", decay);
    first_ = all.what().snr / boost::math::zeta(1 + decay);
  }

  [[nodiscard]] double count() const { return count_; }
  void take_next() { taken_ += first_ * std::pow(++count_, -(1 + decay_)); }
  [[nodiscard]] many_profit curve() const {
    const double left = 1 + std::max(0.0, all_.what().snr - taken_);
    many_problem some = all_.what();
    some.features = count_;
    some.sigma_xi *= std::sqrt(left);
    some.snr = taken_ / left;
    some.counts_output = false;
    return {all_.prices(), all_.formats(), some, all_.kind(), all_.terms()};
  }

 private:
  const many_profit& all_;
  double decay_;
  double first_ = 0;  ///< the part of the SNR that the strongest has
  double count_ = 0;
  double taken_ = 0;
};

}  // namespace

std::vector<many_precision> many_sizes_by_precision(const many_profit& curve,
                                                    const stop_token& stop) {
  const int exponent_bits = curve.formats().data.x.ideal("scaling: --optimize p").exponent_bits();
  std::vector<many_precision> all;
  double best = -infinity;
  int best_p = 0;
  for (int p = 1; p <= 64 && p < best_p + 6; ++p) {
    many_problem rounded = curve.what();
    rounded.added_noise = rounded.snr * rounding_noise(p);
    const many_profit here{curve.prices(), one_format(float_format{p, exponent_bits}), rounded,
                           curve.kind(), curve.terms()};
    all.push_back({p, find_best_point(here, stop)});
    if (all.back().point.profit > best) {
      best = all.back().point.profit;
      best_p = p;
    }
  }
  return all;
}

many_profit with_features(const many_profit& curve, double decay, double features) {
  strongest_features chosen{curve, decay};
  while (chosen.count() < features) chosen.take_next();
  return chosen.curve();
}

std::vector<many_features> many_sizes_by_features(const many_profit& curve, double decay,
                                                  double most, const stop_token& stop) {
  strongest_features chosen{curve, decay};
  std::vector<many_features> all;
  double best = -infinity;
  double best_at = 0;
  // One step past a maximum may be rounding to whole sizes; far past it is not.
  while (chosen.count() < most && chosen.count() < 2 * best_at + 8) {
    chosen.take_next();
    all.push_back({chosen.count(), find_best_point(chosen.curve(), stop)});
    if (all.back().point.profit > best) {
      best = all.back().point.profit;
      best_at = chosen.count();
    }
  }
  return all;
}

many_sgd_choice best_many_learning_rate(const many_profit& curve, const stop_token& stop) {
  const double batch = curve.what().how.batch;
  const double high = std::log(highest_rate(curve, batch) * (1 - 1e-6));
  const double low = high - 6 * std::log(10.0);
  const auto best_with = [&](double log_eta) {
    return find_best_point(curve.with(with_descent(curve, std::exp(log_eta), batch)), stop);
  };
  constexpr int count = 60;
  const double step = (high - low) / count;
  int best = 0;
  double most = -infinity;
  for (int i = 0; i <= count; ++i) {
    const double here = best_with(low + i * step).profit;
    if (here > most) {
      most = here;
      best = i;
    }
  }
  std::uintmax_t turns = 40;
  const auto found = boost::math::tools::brent_find_minima(
      [&](double x) { return -best_with(x).profit; }, low + std::max(0, best - 1) * step,
      low + std::min(count, best + 1) * step, 26, turns);
  const double log_eta = -found.second > most ? found.first : low + best * step;
  return {std::exp(log_eta), batch, best_with(log_eta)};
}

many_sgd_choice best_many_batch(const many_profit& curve, const stop_token& stop) {
  const double eta = curve.what().how.eta;
  std::map<double, profit_point> known;
  const auto best_with = [&](double batch) -> const profit_point& {
    const auto found = known.find(batch);
    if (found != known.end()) return found->second;
    return known[batch] = find_best_point(curve.with(with_descent(curve, eta, batch)), stop);
  };
  // Batches below this one are too small for the learning rate.
  double first = 1;
  while (first < 1e12 && eta >= highest_rate(curve, first)) ++first;
  double best = first;
  double past = first;
  for (double batch = first; batch <= 1e9; batch = std::max(batch + 1, std::floor(batch * 1.1))) {
    if (best_with(batch).profit > best_with(best).profit) best = batch;
    past = batch;
    // One step of so many rows costs more than the best earns.
    const double row = curve.bit_price() * curve.row_entropy().value.value();
    if (batch > 16 * best && row * batch > std::fabs(best_with(best).profit)) break;
  }
  const double low = std::max(first, std::floor(best / 1.1) - 1);
  const double high = std::min(past, std::ceil(best * 1.1) + 1);
  for (double batch = low; batch <= high; batch += std::max(1.0, std::floor((high - low) / 256))) {
    if (best_with(batch).profit > best_with(best).profit) best = batch;
  }
  return {eta, best, best_with(best)};
}

}  // namespace ktln2
