#include "ktln2/scaling/profit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "scaling/training_curve.hpp"

namespace ktln2 {
namespace {

double checked_error(double stored_error) {
  if (!(stored_error >= 0 && std::isfinite(stored_error))) {
    throw std::domain_error("scaling: stored error must be finite and >= 0, got " +
                            shown(stored_error));
  }
  return stored_error;
}

double price_of_a_bit(const market& prices) {
  require_valid(prices);
  return prices.energy_price * landauer_cost(bits{1}, prices.temperature).value();
}

/// What the register of the start holds.
bits start_of(const register_formats& formats, const training& what, entropy_kind kind) {
  const auto* sgd = std::get_if<sgd_training>(&what);
  return sgd == nullptr ? bits{0} : start_entropy(formats, sgd->how, kind).entropy.value;
}

}  // namespace

profit_curve::profit_curve(market prices, const register_formats& formats, const training& what,
                           entropy_kind kind, double stored_error, const stop_token& stop)
    : prices_{std::move(prices)},
      kind_{kind},
      model_format_{formats.model},
      bit_price_{price_of_a_bit(prices_)},
      point_width_{1.0 * (formats.data.x.width() + formats.data.y.width())},
      trained_{std::visit(
          [&](const auto& one) { return curve_of(one, checked_error(stored_error)); }, what)},
      data_{entropy_of(formats.data, model_of(what), kind, {}, stop).value},
      start_{start_of(formats, what, kind)},
      stop_{stop} {}

training profit_curve::what() const { return trained_->what(); }
double profit_curve::first() const { return trained_->first(); }
double profit_curve::step() const { return trained_->step(); }
bool profit_curve::is_relaxed() const { return trained_->is_relaxed(); }
profit_curve profit_curve::relaxed() const { return retrained(trained_->relaxed(), kind_); }

profit_curve profit_curve::retrained(std::shared_ptr<const training_curve> trained,
                                     entropy_kind kind) const {
  profit_curve changed = *this;
  changed.trained_ = std::move(trained);
  changed.kind_ = kind;
  return changed;
}

double profit_curve::mse(double n) const { return trained_->mse(n); }
law profit_curve::law_at(double n) const { return trained_->law_at(n); }
std::optional<ou_check> profit_curve::check_at(double n) const { return trained_->check_at(n); }

bits profit_curve::model_entropy(double n) const {
  throw_if_stopped(stop_);
  if (kind_ == entropy_kind::smooth && is_relaxed()) {
    return bits{trained_->smooth_entropy_at(n, model_format_.p())};
  }
  const double k = n / step();
  if (!is_relaxed() && k != std::floor(k)) return bits{undefined};
  return entropy_of(model_format_, law_at(n), kind_).value;
}

double profit_curve::entropy_slope(double n) const {
  if (!is_relaxed()) return undefined;
  const double h = 1e-3 * n;
  const auto difference = [&](double by) {
    return (model_entropy(n + by) - model_entropy(n - by)).value();
  };
  return (8 * difference(h) - difference(2 * h)) / (12 * h);
}

double profit_curve::rent(double n) const {
  const bool is_regression = std::holds_alternative<regression_training>(what());
  const double held = (is_regression ? n : step()) * point_width_ + model_format_.width();
  return prices_.speed.memory_price * held + prices_.speed.time_price;
}

double profit_curve::pace_cost(double n, double erased_bits) const {
  if (prices_.speed.relaxation == 0 || !(erased_bits > 0)) return 0;
  const double haste = bit_price_ * bits_per_nat * prices_.speed.relaxation * erased_bits;
  return 2 * std::sqrt(haste) * std::sqrt(rent(n));
}

double profit_curve::pace_cost(double n) const {
  if (prices_.speed.relaxation == 0) return 0;
  return pace_cost(n, (start_ + n * data_ - model_entropy(n)).value());
}

double profit_curve::pace_cost_slope(double n, double entropy_slope) const {
  if (prices_.speed.relaxation == 0) return 0;
  const double erased = (start_ + n * data_ - model_entropy(n)).value();
  const double cost = pace_cost(n, erased);
  if (cost == 0) return 0;
  const bool is_regression = std::holds_alternative<regression_training>(what());
  const double rent_slope = is_regression ? prices_.speed.memory_price * point_width_ : 0;
  return cost / 2 * ((data_.value() - entropy_slope) / erased + rent_slope / rent(n));
}

double profit_curve::profit(double n) const {
  const double earned = revenue(prices_, mse(n));
  if (bit_price_ == 0) return earned;
  const double erased = (start_ + n * data_ - model_entropy(n)).value();
  return earned - bit_price_ * erased - pace_cost(n, erased);
}

double profit_curve::derivative(double n) const {
  if (kind_ == entropy_kind::smooth && is_relaxed()) {
    // For a step, and then for each of its points.
    const training_curve::step_slopes slope = trained_->slopes_at(n);
    const double earned = std::isinf(slope.mse) ? 0
                                                : revenue_slope(prices_, slope.mse) * slope.scale *
                                                      slope.square_error;
    if (bit_price_ == 0) return earned / step();
    return (earned - bit_price_ * (step() * data_.value() - slope.entropy)) / step() -
           pace_cost_slope(n, slope.entropy / step());
  }
  const double error = mse(n);
  const double earned =
      std::isinf(error) ? 0 : revenue_slope(prices_, error) * trained_->mse_slope(n);
  if (bit_price_ == 0) return earned;
  const double model_slope = entropy_slope(n);
  return earned - bit_price_ * (data_.value() - model_slope) - pace_cost_slope(n, model_slope);
}

profit_point profit_curve::at(double n) const {
  require_positive("scaling", "n", n);
  trained_->require_size(n);
  profit_point point{};
  point.n = n;
  point.mse = mse(n);
  point.demand = prices_.wanted(point.mse);
  point.revenue = revenue(prices_, point.mse);
  point.model_entropy = model_entropy(n);
  point.energy = landauer_cost(start_ + n * data_ - point.model_entropy, prices_.temperature);
  const double paced = pace_cost(n, (start_ + n * data_ - point.model_entropy).value());
  if (paced > 0) {
    point.excess = joules{paced / 2 / prices_.energy_price};
    point.rent = paced / 2;
    point.duration = point.rent / rent(n);
  } else if (prices_.speed.relaxation > 0 && bit_price_ > 0) {
    point.duration = infinity;
  }
  point.profit = bit_price_ == 0
                     ? point.revenue
                     : point.revenue - prices_.energy_price * point.energy.value() - paced;
  point.derivative = derivative(n);
  return point;
}

double profit_curve::entropy_bound(double a, double b) const {
  if (kind_ == entropy_kind::exact) return model_format_.width();
  return trained_->smooth_entropy_bound(a, b, model_format_.p());
}

double profit_curve::upper_bound(double a, double b) const {
  const double earned = std::max(revenue(prices_, mse(a)), revenue(prices_, mse(b)));
  if (bit_price_ == 0) return earned;
  const double data = (data_.value() >= 0 ? a : b) * data_.value();
  const double erased = start_.value() + data - entropy_bound(a, b);
  return earned - bit_price_ * erased - pace_cost(a, erased);
}

bits profit_curve::entropy_slope_bound(double n) const {
  // Reeb and Wolf (2015): the variance of ln P is at most ln²(K - 1)/4 + 1 for K values.
  const double half_log_size = model_format_.width() * std::numbers::ln2 / 2;
  const double variance = half_log_size * half_log_size + 1;
  return bits{std::sqrt(trained_->information(n) * variance) * bits_per_nat};
}

std::optional<bool> profit_curve::surely_rises(double a, double b) const {
  if (prices_.speed.relaxation > 0) return {};
  const double most_moved = entropy_slope_bound(a).value();
  if (kind_ == entropy_kind::smooth || !std::isfinite(most_moved)) return {};
  const std::optional<demand::range> descent = revenue_descent(prices_, mse(b), mse(a));
  if (!descent) return {};
  constexpr double rounding = 0x1p-48;
  const double most_earned = -trained_->mse_slope(a) * descent->most * (1 + rounding);
  const double least_earned = -trained_->mse_slope(b) * descent->least * (1 - rounding);
  const double data = data_.value();
  if (least_earned > bit_price_ * (data + most_moved) * (1 + rounding)) return true;
  if (most_earned < bit_price_ * (data - most_moved) * (1 - rounding)) return false;
  return {};
}

double profit_curve::tail_bound(double n) const {
  const double earned = std::max(revenue(prices_, mse(n)), revenue(prices_, limit_mse()));
  if (bit_price_ == 0) return earned;
  const double erased = start_.value() + n * data_.value() - entropy_bound(n, 2 * n);
  return earned - bit_price_ * erased - pace_cost(n, erased);
}

double profit_curve::limit_mse() const { return trained_->limit_mse(); }

double profit_curve::model_growth() const {
  return kind_ == entropy_kind::exact ? 0 : trained_->smooth_growth();
}

double profit_curve::pole() const {
  return kind_ == entropy_kind::exact ? undefined : trained_->pole();
}

sgd_profit_curve::sgd_profit_curve(market prices, const register_formats& formats,
                                   const sgd_training& what, entropy_kind kind, double stored_error,
                                   const stop_token& stop)
    : profit_curve{std::move(prices), formats, what, kind, stored_error, stop} {}

sgd_training sgd_profit_curve::what() const { return std::get<sgd_training>(profit_curve::what()); }

sgd_profit_curve sgd_profit_curve::with(const sgd_training& what) const {
  return sgd_profit_curve{retrained(curve_of(what, trained().stored_error()), kind())};
}

sgd_profit_curve sgd_profit_curve::with(double eta, double batch) const {
  sgd_training changed = what();
  changed.how.eta = eta;
  changed.how.batch = batch;
  return with(changed);
}

sgd_profit_curve sgd_profit_curve::with(sgd_model which) const {
  sgd_training changed = what();
  changed.law = which;
  return with(changed);
}

sgd_profit_curve sgd_profit_curve::with_smooth_model() const {
  return sgd_profit_curve{retrained(trained().relaxed(), entropy_kind::smooth)};
}

}  // namespace ktln2
