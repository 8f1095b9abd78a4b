#include "distribution/gamma_part.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <cmath>

#include "core/constants.hpp"
#include "distribution/cell_average.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

/// From this shape on Stirling's series is as good as double, and 0 far away.
constexpr double peaked_from = 10;

/// ln(1 + u) - u for u > -1.
double log_excess(double u) { return boost::math::log1pmx(u); }

/// Masses added up by their logarithms, all relative to the first.
class log_sum {
 public:
  void add(cell_mass mass) {
    if (mass.log_probability == -infinity) return;
    if (sum_ == 0) first_ = mass.log_probability;
    last_ = std::exp(mass.log_probability - first_);
    sum_ += last_;
  }
  /// Does the last term still count?
  [[nodiscard]] bool is_growing() const { return last_ > 0x1p-64 * sum_; }
  [[nodiscard]] cell_mass value() const {
    if (sum_ == 0) return {0, -infinity};
    return {std::exp(first_) * sum_, first_ + std::log(sum_)};
  }

 private:
  double first_ = 0;
  double last_ = 0;
  double sum_ = 0;
};

}  // namespace

double stirling_rest(double k) {
  if (k < peaked_from) {
    return std::lgamma(k) - ((k - 0.5) * std::log(k) - k + std::log(2 * std::numbers::pi) / 2);
  }
  const double r = 1 / (k * k);
  return (1.0 / 12 -
          r * (1.0 / 360 - r * (1.0 / 1260 -
                                r * (1.0 / 1680 -
                                     r * (1.0 / 1188 - r * (691.0 / 360360 - r * (1.0 / 156))))))) /
         k;
}

double gamma_entropy(double k) {
  if (k < peaked_from) {
    return k + std::lgamma(k) + (1 - k) * boost::math::digamma(k);
  }
  // ψ(k) = ln k - 1/2k - s, and the large terms are gone.
  const double r = 1 / (k * k);
  const double s =
      r *
      (1.0 / 12 -
       r * (1.0 / 120 - r * (1.0 / 252 - r * (1.0 / 240 - r * (1.0 / 132 - r * (691.0 / 32760))))));
  return std::log(2 * std::numbers::pi * k) / 2 + stirling_rest(k) + (k - 1) * (0.5 / k + s);
}

gamma_part::gamma_part(double shape, const wide& scale)
    : law_part{facts_of(shape, scale)},
      shape_{shape},
      scale_{scale},
      peak_{wide(shape) * scale},
      first_{scale.scaled(-10)},
      last_{scale.scaled(6)},
      constant_{is_known_from_peak()
                    ? std::log(shape / (2 * std::numbers::pi)) / 2 - stirling_rest(shape)
                    : -std::lgamma(shape)} {}

bool gamma_part::is_peaked() const { return shape_ >= peaked_from; }

part_facts gamma_part::facts_of(double shape, const wide& scale) {
  const double unit = scale.to_double();
  const bool is_peaked = shape >= peaked_from;
  return {.center = is_peaked ? wide(shape) * scale : scale,
          .core = is_peaked ? wide(std::sqrt(shape)) * scale : scale,
          .mode = shape > 1 ? (wide(shape) - wide(1.0)) * scale : wide(0.0),
          .is_rough = shape <= 2,
          .misplaced = 0,
          .mean = shape * unit,
          .deviation = std::sqrt(shape) * unit,
          .entropy = gamma_entropy(shape) + log(scale)};
}

double gamma_part::log_mass(const wide& x) const {
  if (is_known_from_peak()) {
    const double u = ratio(x - peak_, peak_);
    return constant_ + shape_ * (u > -0.5 ? log_excess(u) : log_quotient(x, peak_) - u);
  }
  return shape_ * log_quotient(x, scale_) - ratio(x, scale_) + constant_;
}

double gamma_part::log_pdf(const wide& x) const {
  if (x < wide(0.0) || x.is_infinite()) return -infinity;
  if (x.is_zero()) {
    return shape_ < 1 ? infinity : shape_ == 1 ? -log(scale_) : -infinity;
  }
  return log_mass(x) - log(x);
}

double gamma_part::log_ratio(const wide& x, const wide& t) const { return change(x, ratio(t, x)); }

/// (k - 1) ln(1 + r) - r x/θ, of which the large terms cancel at the peak.
double gamma_part::change(const wide& x, double r) const {
  if (!is_known_from_peak() || !(std::fabs(r) < 0.5)) {
    return (shape_ - 1) * std::log1p(r) - r * ratio(x, scale_);
  }
  return (shape_ - 1) * log_excess(r) - r * (ratio(x - peak_, scale_) + 1);
}

double gamma_part::log_slope(const wide& x, const wide& length) const {
  if (x <= wide(0.0)) return 0;
  return (shape_ - 1) * ratio(length, x) - ratio(length, scale_);
}

double gamma_part::roundings(const wide& x) const {
  if (x <= wide(0.0) || x.is_infinite()) return 32;
  const double exponent = std::fabs(log_mass(x) - constant_);
  if (is_known_from_peak()) return 32 + 8 * exponent;
  return 32 + 4 * (shape_ * std::fabs(log_quotient(x, scale_)) + ratio(x, scale_) +
                   std::fabs(constant_));
}

wide gamma_part::length_at(const wide& x) const {
  if (x <= wide(0.0)) return infinity;
  if (!is_peaked()) return x;
  return x * wide(std::clamp(std::fabs(ratio(x - peak_, peak_)), 1 / std::sqrt(shape_), 1.0));
}

cell_mass gamma_part::cell(const wide& center, const wide& width) const {
  const wide half = width.scaled(-1);
  const double r = center > wide(0.0) ? ratio(half, center) : 1;
  // ln f changes by (k - 1) ln(1 + t/c) - t/θ at c + t.
  const bool from_peak = is_known_from_peak();
  const double steepness = from_peak ? std::fabs(ratio(center - peak_, scale_)) + 1
                                     : std::fabs(shape_ - 1) + ratio(center, scale_);
  const double fall = r * steepness;
  // Besides, it bends: k r² is the square of the width over the law's own.
  const double bend = r * r * shape_;
  if (!(r < 0.25 && fall < 2 && bend < 2)) return between(center - half, center + half);
  const auto mean = [&]<std::size_t Order>(const mean_rule<Order>& rule) {
    double sum = 0;
    for (std::size_t i = 0; i < Order; ++i) {
      sum += rule.weight[i] * std::exp(change(center, r * rule.node[i]));
    }
    return sum;
  };
  const bool is_tiny = fall < 0.05 && bend < 0.01 && r < 0.02;
  const double average = is_tiny ? mean(gauss_legendre<8>()) : mean(gauss_legendre<16>());
  const double log_flat = log_mass(center) + std::log(2 * r);
  return {std::exp(log_mass(center)) * (2 * r) * average, log_flat + std::log(average)};
}

wide gamma_part::next_point(const wide& x, const wide& to) const {
  const bool is_upward = to > x;
  const double steepness =
      is_peaked() ? std::fabs(ratio(x - peak_, scale_)) + 1 : shape_ + ratio(x, scale_) + 1;
  const double share = std::fmin(0.25, std::fmin(2 / steepness, 1 / std::sqrt(shape_ + 1)));
  const wide next = x + x * wide(is_upward ? share : -share);
  return is_upward ? std::min(next, to) : std::max(next, to);
}

cell_mass gamma_part::one_side(const wide& near, const wide& far) const {
  // So far out that a double holds nothing of it: its size is enough.
  const double log_near = near.is_infinite() || near.is_zero() ? -infinity : log_mass(near);
  if (is_peaked() && log_near < -2000) {
    const double steepness = std::fabs(ratio(near - peak_, scale_)) + 1;
    return {0, log_near - std::log(steepness)};
  }
  log_sum sum;
  wide x = near;
  while (x != far) {
    const wide next = next_point(x, far);
    if (next != far && !is_peaked() && far > near && x >= last_) {
      sum.add(tail_difference(above(x), above(far)));
      break;
    }
    if (next != far && !is_peaked() && far < near && x <= first_) {
      sum.add(power_law(far, x));
      break;
    }
    sum.add(cell(midpoint(x, next), abs(next - x)));
    // Beyond the peak each term is well below the one before.
    if (is_peaked() && !sum.is_growing()) break;
    x = next;
  }
  return sum.value();
}

/// P(X < b), next to 0: y^k/Γ(k+1) (1 - ky/(k+1) + …)
cell_mass gamma_part::below(const wide& b) const {
  const double log_p =
      shape_ * log_quotient(b, scale_) - std::lgamma(shape_ + 1) + log_series(ratio(b, scale_));
  return {std::exp(log_p), log_p};
}

/// Of the parenthesis, for small y.
double gamma_part::log_series(double y) const {
  double term = 1;
  double rest = 0;
  for (int n = 1; n <= 8; ++n) {
    term *= -y / n;
    rest += term * shape_ / (shape_ + n);
  }
  return std::log1p(rest);
}

cell_mass gamma_part::power_law(const wide& a, const wide& b) const {
  const cell_mass all = below(b);
  if (a <= wide(0.0)) return all;
  // (a/b)^k times the quotient of the two series
  const double bend = log_series(ratio(a, scale_)) - log_series(ratio(b, scale_));
  const double left = -std::expm1(shape_ * log_quotient(a, b) + bend);
  return {all.probability * left, all.log_probability + std::log(left)};
}

/// P(X > a), far out: y^(k-1) e^-y/Γ(k) (1 + (k-1)/y + (k-1)(k-2)/y² + …)
cell_mass gamma_part::above(const wide& a) const {
  if (a.is_infinite()) return {0, -infinity};
  const double y = ratio(a, scale_);
  if (std::isinf(y)) return {0, -infinity};
  double term = 1;
  double sum = 1;
  for (int n = 1; n <= 60; ++n) {
    const double next = term * (shape_ - n) / y;
    if (!(std::fabs(next) < std::fabs(term))) break;
    term = next;
    sum += term;
    if (std::fabs(term) < 1e-19) break;
  }
  const double log_p = log_mass(a) - std::log(y) + std::log(sum);
  return {std::exp(log_p), log_p};
}

cell_mass gamma_part::between(const wide& a, const wide& b) const {
  if (b <= wide(0.0)) return {0, -infinity};
  const wide low = std::max(a, wide(0.0));
  const wide& center = facts().center;
  if (low >= center) return one_side(low, b);
  if (b <= center) return one_side(b, low);
  const cell_mass below_a = low.is_zero() ? cell_mass{0, -infinity} : one_side(low, 0.0);
  const cell_mass above_b = b.is_infinite() ? cell_mass{0, -infinity} : one_side(b, infinity);
  const double outside = below_a.probability + above_b.probability;
  if (outside < 0.5) return {1 - outside, std::log1p(-outside)};
  log_sum sum;
  sum.add(one_side(center, low));
  sum.add(one_side(center, b));
  return sum.value();
}

}  // namespace ktln2
