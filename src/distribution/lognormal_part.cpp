#include "distribution/lognormal_part.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"

namespace ktln2 {
namespace {

/// ln 2 as a sum of three doubles.
constexpr double ln2_parts[] = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56,
                                0x1.7b57a079a1934p-111};

}  // namespace

wide exp_of(double x) {
  const double k = std::nearbyint(x / std::numbers::ln2);
  // In [-0.35, 0.35], then 2^10 times as small: fourteen terms of the series are enough.
  constexpr int halvings = 10;
  wide reduced = x;
  for (const double part : ln2_parts) reduced = reduced - wide(k) * wide(part);
  const wide small = reduced.scaled(-halvings);
  wide less_one = 0.0;  // e^small - 1, which keeps its digits when it is squared
  for (int n = 14; n >= 1; --n) less_one = small * (wide(1.0) + less_one) / wide(n);
  for (int i = 0; i < halvings; ++i) less_one = less_one * (wide(2.0) + less_one);
  return (wide(1.0) + less_one).scaled(static_cast<int>(k));
}

lognormal_part::lognormal_part(const wide& median, double sigma)
    : law_part{facts_of(median, sigma)}, median_{median}, sigma_{sigma} {}

part_facts lognormal_part::facts_of(const wide& median, double sigma) {
  const double mean = std::exp(log(median) + sigma * sigma / 2);
  return {.center = median,
          .core = median * wide(std::fmin(1, sigma)),
          .mode = sigma < 26 ? median * wide(std::exp(-sigma * sigma)) : wide(0.0),
          .is_rough = false,
          // The median is known to 2^-95, in units of which the law is σ wide.
          .misplaced = 0x1p-94 / sigma,
          .mean = mean,
          .deviation = mean * std::sqrt(std::expm1(sigma * sigma)),
          .entropy = log(median) + standard_normal{}.entropy() + std::log(sigma)};
}

cell_mass lognormal_part::between(const wide& a, const wide& b) const {
  if (b <= wide(0.0)) return {0, -infinity};
  const bool begins = a <= wide(0.0);
  if (begins && b.is_infinite()) return {1, 0};
  if (begins) return kernel_.lower(log_off(b) / sigma_);
  if (b.is_infinite()) return kernel_.upper(log_off(a) / sigma_);
  if (b - a < a * wide(std::fmin(sigma_, 1) / 4)) return narrow(midpoint(a, b), b - a);
  return kernel_.between(log_off(a) / sigma_, log_off(b) / sigma_);
}

cell_mass lognormal_part::cell(const wide& center, const wide& width) const {
  const wide half = width.scaled(-1);
  const bool is_narrow = center > wide(0.0) && ratio(half, center) < std::fmin(sigma_, 1) / 2;
  return is_narrow ? narrow(center, width) : between(center - half, center + half);
}

cell_mass lognormal_part::narrow(const wide& center, const wide& width) const {
  const double r = ratio(width.scaled(-1), center);
  // From ln(c(1 - r)) to ln(c(1 + r)): 2 artanh r long, around ln c + ½ ln(1 - r²)
  const double z = (log_off(center) + std::log1p(-r * r) / 2) / sigma_;
  return kernel_.cell(z, 2 * std::atanh(r) / sigma_);
}

double lognormal_part::log_pdf(const wide& x) const {
  if (x <= wide(0.0)) return -infinity;
  return kernel_.log_pdf(log_off(x) / sigma_) - std::log(sigma_) - log(x);
}

double lognormal_part::log_ratio(const wide& x, const wide& t) const {
  const double step = std::log1p(ratio(t, x));
  return kernel_.log_ratio(log_off(x) / sigma_, step / sigma_) - step;
}

double lognormal_part::log_slope(const wide& x, const wide& length) const {
  if (x <= wide(0.0)) return 0;
  return -(1 + log_off(x) / sigma_ / sigma_) * ratio(length, x);
}

double lognormal_part::roundings(const wide& x) const {
  if (x <= wide(0.0)) return 24;
  const double z = log_off(x) / sigma_;
  return 24 + 12 * z * z;
}

wide lognormal_part::length_at(const wide& x) const {
  if (x <= wide(0.0)) return infinity;
  return x * wide(std::clamp(std::fabs(log_off(x)), std::fmin(sigma_, 1), 1.0));
}

}  // namespace ktln2
