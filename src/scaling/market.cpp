#include "ktln2/scaling/market.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/parse.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

void require_price(const char* name, double value) {
  if (!(value >= 0 && std::isfinite(value))) {
    throw std::domain_error("market: " + std::string(name) + " must be finite and >= 0, got " +
                            shown(value));
  }
}

}  // namespace

demand demand::power(double a) {
  require_positive("demand", "a", a);
  demand made;
  made.a_ = a;
  return made;
}

demand demand::threshold(double at, double a, double most) {
  require_positive("demand", "at", at);
  require_positive("demand", "a", a);
  require_positive("demand", "most", most);
  if (a > 1000) throw std::domain_error("demand: a must be at most 1000, got " + shown(a));
  demand made;
  made.shape_ = shape::threshold;
  made.a_ = a;
  made.at_ = at;
  made.most_ = most;
  return made;
}

demand demand::custom(function of_mse, function slope) {
  if (!of_mse) throw std::domain_error("demand: expected a function");
  demand made;
  made.shape_ = shape::custom;
  made.of_mse_ = std::move(of_mse);
  made.custom_slope_ = std::move(slope);
  return made;
}

double demand::operator()(double mse) const {
  switch (shape_) {
    case shape::power:
      return a_ == 1 ? 1 / mse : std::pow(mse, -a_);
    case shape::threshold:
      return most_ / (1 + std::pow(mse / at_, a_));
    case shape::custom:
      break;
  }
  return of_mse_(mse);
}

double demand::slope(double mse) const {
  if (std::isinf(mse)) return 0;
  switch (shape_) {
    case shape::power:
      return -a_ * (*this)(mse) / mse;
    case shape::threshold: {
      // With r = (MSE/at)^a, -a/MSE · most r/(1+r)², written so that r may overflow.
      const double r = std::pow(mse / at_, a_);
      return -a_ / mse * (most_ / (1 + r)) / (1 + 1 / r);
    }
    case shape::custom:
      break;
  }
  if (custom_slope_) return custom_slope_(mse);
  const double h = 1e-3 * mse;  // the error is that of the fourth power of the step
  const auto difference = [&](double by) { return of_mse_(mse + by) - of_mse_(mse - by); };
  return (8 * difference(h) - difference(2 * h)) / (12 * h);
}

std::optional<demand::range> demand::descent(double low, double high) const {
  if (shape_ == shape::custom) return {};
  const auto [least, most] = std::minmax({-slope(low), -slope(high)});
  if (shape_ == shape::power || a_ <= 1) return range{least, most};
  // It rises up to one place, and falls from there on.
  const double peak = at_ * std::pow((a_ - 1) / (a_ + 1), 1 / a_);
  return range{least, low < peak && peak < high ? -slope(peak) : most};
}

double demand::steepness() const { return shape_ == shape::custom ? 16 : a_; }

demand parse_demand(std::string_view description) {
  const described given = parse_described(description);
  if (given.name == "inverse") {
    fill_settings(given, {});
    return {};
  }
  if (given.name == "power") {
    double a = 2;
    fill_settings(given, {{"a", &a}});
    return demand::power(a);
  }
  if (given.name == "threshold") {
    double at = 1.1;
    double a = 20;
    double most = 1;
    fill_settings(given, {{"at", &at}, {"a", &a}, {"most", &most}});
    return demand::threshold(at, a, most);
  }
  throw std::domain_error("unknown demand '" + given.name +
                          "': expected inverse, power or threshold");
}

void require_valid(const market& prices) {
  require_price("energy price", prices.energy_price);
  require_price("inference price", prices.inference.base);
  require_price("rise of the inference price", prices.inference.rise);
  require_price("memory price", prices.speed.memory_price);
  require_price("time price", prices.speed.time_price);
  require_price("relaxation", prices.speed.relaxation);
  require_positive("market", "temperature", prices.temperature.value());
}

double revenue(const market& prices, double mse) {
  const double d = prices.wanted(mse);
  return (prices.inference.base + prices.inference.rise * d) * d;
}

double revenue_slope(const market& prices, double mse) {
  const double d = prices.wanted(mse);
  return (prices.inference.base + 2 * prices.inference.rise * d) * prices.wanted.slope(mse);
}

std::optional<demand::range> revenue_descent(const market& prices, double low, double high) {
  const std::optional<demand::range> wanted = prices.wanted.descent(low, high);
  if (!wanted) return {};
  const auto factor = [&](double mse) {
    return prices.inference.base + 2 * prices.inference.rise * prices.wanted(mse);
  };
  return demand::range{factor(high) * wanted->least, factor(low) * wanted->most};
}

}  // namespace ktln2
