#pragma once

#include <cmath>
#include <concepts>
#include <numbers>

#include "ktln2/distribution/location_scale.hpp"

namespace ktln2 {

/// A symmetric law with tails so heavy that they matter beyond double's range. There its density is
/// a pure power, C|z|^-(ν+1): in units 2^k times as large it looks the same, but for a factor.
template <class Kernel>
concept heavy_tailed = requires(const Kernel& kernel) {
  { kernel.tail_index() } -> std::same_as<double>;
};

/// |z| up to 2^near_exponent is left as it is; what lies farther out is brought to about
/// 2^home_exponent. From there on the density is a pure power.
inline constexpr int near_exponent = 900;
inline constexpr int home_exponent = 500;

/// The factor 2^(-νk) that a mass has in units that are 2^k times as large, and its logarithm.
struct tail_weight {
  double factor = 1;
  double log_factor = 0;

  template <class Kernel>
  static tail_weight of(const Kernel& kernel, int k) {
    const double binary = -kernel.tail_index() * k;
    return {std::exp2(binary), binary * std::numbers::ln2};
  }
  cell_mass operator()(cell_mass mass) const {
    return {mass.probability * factor, mass.log_probability + log_factor};
  }
};

/// P(Z > z) for z ≥ 0 of any size.
template <heavy_tailed Kernel>
cell_mass far_upper(const Kernel& kernel, const wide& z) {
  if (z.is_infinite() || z.exponent() < near_exponent) return kernel.upper(z.to_double());
  const int k = z.exponent() - home_exponent;
  return tail_weight::of(kernel, k)(kernel.upper(z.scaled(-k).to_double()));
}

/// P(a < Z < b), wherever a and b are.
template <heavy_tailed Kernel>
cell_mass far_between(const Kernel& kernel, const wide& a, const wide& b) {
  if (a + b < wide(0.0)) return far_between(kernel, -b, -a);
  const cell_mass above = far_upper(kernel, b);
  if (a <= wide(0.0)) {
    const cell_mass below = far_upper(kernel, -a);
    const double outside = below.probability + above.probability;
    if (outside < 0.5) return {1 - outside, std::log1p(-outside)};
    return with_log((0.5 - below.probability) + (0.5 - above.probability));
  }
  const cell_mass beyond = far_upper(kernel, a);
  if (b.is_infinite()) return beyond;
  const int k = a.exponent() - home_exponent;
  if (k > 0 && b.exponent() - k < near_exponent) {
    return tail_weight::of(kernel,
                           k)(kernel.between(a.scaled(-k).to_double(), b.scaled(-k).to_double()));
  }
  // The ratio of the two tails: (b/a)^-ν far out.
  const double log_ratio = k > 0 ? -kernel.tail_index() * (log(b) - log(a))
                                 : above.log_probability - beyond.log_probability;
  const double share = -std::expm1(log_ratio);
  return {beyond.probability * share, beyond.log_probability + std::log(share)};
}

}  // namespace ktln2
