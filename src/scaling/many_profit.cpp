#include "ktln2/scaling/many_profit.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/cost/many.hpp"
#include "ktln2/scaling/many_entropy.hpp"
#include "scaling/many_training.hpp"

namespace ktln2 {
namespace {

double price_of_bit(const market& prices) {
  require_valid(prices);
  const pace& speed = prices.speed;
  if (speed.relaxation != 0 || speed.memory_price != 0 || speed.time_price != 0) {
    throw std::domain_error("scaling: a market in which time costs is for one feature only");
  }
  return prices.energy_price * landauer_cost(bits{1}, prices.temperature).value();
}

/// H(Y | X) where X is not rounded: that of a pair whose X is on a register so fine that it does
/// not matter, as y depends on the features by the one number w·x.
bounded<bits> target_given_features(const storage& where, double gain, double sigma_xi) {
  if (gain == 0) return entropy_of(where, normal{0, sigma_xi}, entropy_kind::exact);
  const storage fine{float_format{50, 11}};
  const double spread = gain * sigma_xi;
  return entropy_of(storage_pair{fine, where}, regression_pair{{1, spread, sigma_xi}},
                    entropy_kind::exact) -
         entropy_of(fine, normal{0, spread}, entropy_kind::exact);
}

bits inference_of(const register_formats& formats, const many_problem& what, entropy_kind kind) {
  const normal feature{0, what.how.sigma_x};
  const double gain = std::sqrt(what.snr) * what.sigma_xi;
  const bits in = what.features * entropy_of(formats.data.x, feature, kind).value;
  if (gain == 0) return in;
  return in - entropy_of(formats.data.y, normal{0, gain}, kind).value;
}

}  // namespace

bounded<bits> many_row_entropy(const storage_pair& where, const many_problem& what,
                               entropy_kind kind) {
  if (what.row) return *what.row;
  if (kind == entropy_kind::smooth) {
    const int x = where.x.ideal("scaling: --entropy smooth").p();
    const int y = where.y.ideal("scaling: --entropy smooth").p();
    const bits value = smooth_row_entropy(x, y, what.features, what.snr);
    return {value, bits{0x1p-47 * (value.value() + 1)}};
  }
  return what.features * entropy_of(where.x, normal{0, what.how.sigma_x}, kind) +
         target_given_features(where.y, std::sqrt(what.snr), what.sigma_xi);
}

many_profit::many_profit(market prices, const register_formats& formats, const many_problem& what,
                         entropy_kind kind, const many_terms& terms)
    : prices_{std::move(prices)},
      formats_{formats},
      what_{what},
      kind_{kind},
      terms_{terms},
      bit_price_{price_of_bit(prices_)},
      trained_{training_of(what)},
      row_{many_row_entropy(formats.data, what, kind)} {
  if (what_.method == many_method::ridge) what_.counts_output = false;
  if (terms_.count_inference) inference_ = inference_of(formats, what, kind);
}

double many_profit::step() const { return trained_->step(); }

double many_profit::mse(double n) const {
  return what_.sigma_xi * what_.sigma_xi * trained_->error(n);
}

bits many_profit::model_entropy(double n) const {
  return bits{trained_->entropy(n, formats_.model.p())};
}

double many_profit::output_share(double n) const {
  return model_entropy(n).value() / (n * row_.value.value());
}

double many_profit::earned(double mse) const {
  const double gross = revenue(prices_, mse);
  if (!terms_.count_inference) return gross;
  return gross - bit_price_ * inference_.value() * prices_.wanted(mse);
}

double many_profit::erased(double n) const {
  return n * row_.value.value() - model_entropy(n).value();
}

double many_profit::baseline_profit() const {
  if (terms_.against == baseline::zero) return 0;
  return revenue(prices_, what_.sigma_xi * what_.sigma_xi * (1 + what_.snr));
}

double many_profit::profit(double n) const { return earned(mse(n)) - bit_price_ * erased(n); }

profit_point many_profit::at(double n) const {
  const double steps = n / step();
  if (!(steps >= 1 && steps == std::floor(steps) && n <= 1e15)) {
    throw std::domain_error("scaling: n must be a multiple of " + shown(step()) +
                            " and at most 1e15, got " + shown(n));
  }
  profit_point point{};
  point.n = n;
  point.mse = mse(n);
  point.demand = prices_.wanted(point.mse);
  point.revenue = earned(point.mse);
  point.model_entropy = model_entropy(n);
  point.energy = landauer_cost(bits{erased(n)}, prices_.temperature);
  point.profit = profit(n);
  point.derivative = undefined;
  return point;
}

std::optional<bounded<bits>> many_profit::stored_model(double n, const stop_token& stop) const {
  const double least = what_.features + (what_.intercept ? 1 : 0);
  const bool is_known = kind_ == entropy_kind::exact && what_.counts_output && !what_.row &&
                        what_.method == many_method::least_squares && what_.added_noise == 0 &&
                        what_.features <= 300 && n >= least;
  if (!is_known) return {};
  const auto d = static_cast<std::size_t>(what_.features);
  const double sigma_x = what_.how.sigma_x;
  row_model model;
  model.w.assign(d, std::sqrt(what_.snr / what_.features) * what_.sigma_xi / sigma_x);
  model.mu.assign(d, 0);
  model.covariance = equally_correlated(std::vector<double>(d, sigma_x), 0);
  model.sigma_xi = what_.sigma_xi;
  return model_bits(formats_.model, coefficients{{model, n, what_.intercept, 0}}, kind_, stop)
      .value;
}

profit_point many_profit::stored_at(double n, const bounded<bits>& model) const {
  profit_point point = at(n);
  const bits more = model.value - point.model_entropy;
  point.model_entropy = model.value;
  point.energy = point.energy - landauer_cost(more, prices_.temperature);
  point.profit += bit_price_ * more.value();
  return point;
}

profit_point many_profit::best_known_at(double n, const stop_token& stop) const {
  const auto model = n > what_.features ? stored_model(n, stop) : std::nullopt;
  return model ? stored_at(n, *model) : at(n);
}

double many_profit::critical_price(double n) const {
  const double gained = revenue(prices_, mse(n)) - baseline_profit();
  const bits paid{erased(n) + inference_.value() * prices_.wanted(mse(n))};
  return gained / landauer_cost(paid, prices_.temperature).value();
}

many_profit many_profit::at_energy_price(double price) const {
  many_profit changed = *this;
  changed.prices_.energy_price = price;
  changed.bit_price_ = price_of_bit(changed.prices_);
  return changed;
}

many_profit many_profit::with(const many_problem& what) const {
  many_profit changed = *this;
  changed.what_ = what;
  changed.trained_ = training_of(what);
  return changed;
}

const char* name_of(many_phase phase) {
  switch (phase) {
    case many_phase::none:
      break;
    case many_phase::one:
      return "one";
    case many_phase::under:
      return "under";
    case many_phase::over:
      return "over";
  }
  return "none";
}

many_phase phase_of(double n, double features) {
  if (n == 1 && features > 1) return many_phase::one;
  return n > features ? many_phase::over : many_phase::under;
}

double relaxed_many_size(double value, double features, double row_price) {
  return 1 + std::sqrt(value * features / row_price);
}

}  // namespace ktln2
