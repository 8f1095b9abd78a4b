#pragma once

#include <cmath>
#include <concepts>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>

#include "ktln2/core/check.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/core/wide.hpp"
#include "ktln2/distribution/origin.hpp"

namespace ktln2 {

/// The probability of a cell and its natural logarithm, which lives on where the first underflows.
struct cell_mass {
  double probability;
  double log_probability;
};

/// With the logarithm of the probability as it is: right where it does not underflow.
inline cell_mass with_log(double probability) { return {probability, std::log(probability)}; }

/// A law in standard units, the `Kernel` of a location_scale. The compiler checks that it offers
///     log_pdf(z)
///     upper(z), lower(z)     P(Z > z) and P(Z < z), each with its logarithm
///     cell(z, h)             P(z - h/2 < Z < z + h/2), likewise; right also where h is tiny
///     between(a, b)          P(a < Z < b), likewise; right also where b is huge
///     cells(h)               a function z ↦ cell(z, h), set up once for many cells of one width
///     log_ratio(z, t)        ln f(z+t) - ln f(z), without cancellation
///     log_slope(z)           d ln f/dz
///     condition(z)           |z · d ln f/dz|: how much a relative error of z moves ln f
///     core()                 the width around 0 within which f may vary by its own size
///     breaks()               where f is not smooth
///     has_jumps()            is f not even continuous there?
///     is_symmetric()         f(-z) = f(z)?
///     mode()                 f falls off (or stays level) from here on both sides
///     entropy()              h(Z) in nats
///     mean()                 NaN where it does not exist
///     deviation()            infinite where the second moment is
/// Besides, it may offer
///     table_error()          how far f is off, in total variation, if it is not in closed form
///     tail_index()           the ν of a density that falls like |z|^-(ν+1): from |z| = 2^200 on
///                            it does so to the last bit, f(2^k z) = 2^(-(ν+1)k) f(z)
///     quantile(q)            where P(Z < z) = q, for 0 < q < 1, if that is in closed form
///     resolution(a, b)       how quickly f may vary between a and b, if max(|z|, core()) does not
///                            tell
///     panel_end(z)           up to where Gauss–Legendre quadrature from z on may go, likewise
template <class Kernel>
concept standard_law = std::copyable<Kernel> && requires(const Kernel& kernel, double z, double h) {
  { kernel.log_pdf(z) } -> std::same_as<double>;
  { kernel.upper(z) } -> std::same_as<cell_mass>;
  { kernel.lower(z) } -> std::same_as<cell_mass>;
  { kernel.cell(z, h) } -> std::same_as<cell_mass>;
  { kernel.between(z, h) } -> std::same_as<cell_mass>;
  { kernel.cells(h)(z) } -> std::same_as<cell_mass>;
  { kernel.log_ratio(z, h) } -> std::same_as<double>;
  { kernel.log_slope(z) } -> std::same_as<double>;
  { kernel.condition(z) } -> std::same_as<double>;
  { kernel.core() } -> std::same_as<double>;
  { *std::begin(kernel.breaks()) } -> std::convertible_to<double>;
  { kernel.has_jumps() } -> std::same_as<bool>;
  { kernel.is_symmetric() } -> std::same_as<bool>;
  { kernel.mode() } -> std::same_as<double>;
  { kernel.entropy() } -> std::same_as<double>;
  { kernel.mean() } -> std::same_as<double>;
  { kernel.deviation() } -> std::same_as<double>;
};

/// The law of location + scale·Z, where Z has the standard law `Kernel`. Location and scale are
/// kept to more bits than a double has: they may have been computed, and the edges of a register
/// with E = 0 are irrational.
template <standard_law Kernel>
class location_scale {
 public:
  [[nodiscard]] double location() const { return location_.to_double(); }
  [[nodiscard]] double scale() const { return scale_.to_double(); }
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }
  /// Where x stands in standard units, and how long a length is: to within two ulps, however close
  /// x is to the location; 0 or ±infinity beyond double's range.
  [[nodiscard]] double standard(const wide& x) const { return ratio(from_location(x), scale_); }
  [[nodiscard]] double standard_length(const wide& length) const { return ratio(length, scale_); }
  /// x in standard units, with an exponent that does not overflow.
  [[nodiscard]] wide wide_standard(const wide& x) const { return from_location(x) / scale_; }

  /// What stands at z in standard units.
  [[nodiscard]] wide from_standard(double z) const {
    return location_ + (location_rest_ + scale_ * wide(z));
  }

  /// The law of X/√2, of which 200 bits are known.
  [[nodiscard]] location_scale over_sqrt2() const;
  /// With a scale 2^k times as large.
  [[nodiscard]] location_scale zoomed(int k) const {
    location_scale result = *this;
    result.scale_ = scale_.scaled(k);
    return result;
  }

  /// What the law was made of, if location and scale had to be rounded; else nullptr.
  [[nodiscard]] const law_origin* origin() const { return origin_.get(); }
  /// How far that rounding may have moved it, in total variation.
  [[nodiscard]] double rounding_error() const { return rounding_error_; }

 protected:
  /// For the laws, which check their parameters.
  location_scale(const wide& location, const wide& scale, Kernel kernel = {})
      : location_{location}, scale_{scale}, kernel_{std::move(kernel)} {}

  /// A law made of something else. `moved`: by how much the location may be off.
  void set_origin(const law_origin& origin, const wide& moved) {
    origin_ = std::make_shared<const law_origin>(origin);
    // A shift by t scales moves at most the mass t max f; the scale is off by less than 2^-90.
    const double shift = standard_length(abs(moved)) * std::exp(kernel_.log_pdf(kernel_.mode()));
    rounding_error_ = std::fmin(1.0, shift) + 0x1p-90;
  }

 private:
  [[nodiscard]] wide from_location(const wide& x) const {
    return location_.is_zero() ? x : x - location_ - location_rest_;
  }

  wide location_;
  wide location_rest_;  ///< what location_ lacks: 0, but in units of √2
  wide scale_;
  double rounding_error_ = 0;
  std::shared_ptr<const law_origin> origin_;
  Kernel kernel_;
};

template <standard_law Kernel>
location_scale<Kernel> location_scale<Kernel>::over_sqrt2() const {
  // 1/√2 in four doubles: the products with a double are exact.
  const wide digits[] = {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55, 0x1.57d3e3adec175p-109,
                         0x1.2775099da2f59p-165};
  location_scale result = *this;
  result.scale_ = scale_ * (digits[0] + digits[1]);
  // Each sum is nearly the location, and exact but for its last bit; what it lacks is exact.
  const wide first = location_ * digits[0];
  const wide second = location_ * digits[1];
  result.location_ = first + second;
  result.location_rest_ =
      ((first - result.location_) + second) + (location_ * digits[2] + location_ * digits[3]);
  return result;
}

/// How far a kernel's density is off, in total variation: 0 but for tabulated laws.
template <class Kernel>
double table_error(const Kernel& kernel) {
  if constexpr (requires { kernel.table_error(); }) {
    return kernel.table_error();
  } else {
    return 0;
  }
}

template <class Kernel>
double log_pdf(const location_scale<Kernel>& law, double x) {
  return law.kernel().log_pdf(law.standard(x)) - std::log(law.scale());
}

template <class Kernel>
double pdf(const location_scale<Kernel>& law, double x) {
  const double log_f = law.kernel().log_pdf(law.standard(x));
  // Far out f(z) underflows where f(z)/scale does not.
  return log_f > -700 ? std::exp(log_f) / law.scale() : std::exp(log_f - std::log(law.scale()));
}

template <class Kernel>
double cdf(const location_scale<Kernel>& law, double x) {
  return law.kernel().lower(law.standard(x)).probability;
}

/// 1 - cdf, accurate where it is small.
template <class Kernel>
double ccdf(const location_scale<Kernel>& law, double x) {
  return law.kernel().upper(law.standard(x)).probability;
}

namespace detail {

/// Where a distribution function reaches q, from the logarithms of its two tails.
struct quantile_problem {
  std::function<double(double)> log_lower;
  std::function<double(double)> log_upper;
  double start;  ///< somewhere in the middle
  double step;   ///< of the size of the law
};
double solve(const quantile_problem& problem, double q);

void require_probability(double q);

template <class Kernel>
double standard_quantile(const Kernel& kernel, double q) {
  if constexpr (requires { kernel.quantile(q); }) {
    return kernel.quantile(q);
  } else {
    return solve(
        {[&](double z) { return kernel.lower(z).log_probability; },
         [&](double z) { return kernel.upper(z).log_probability; }, kernel.mode(), kernel.core()},
        q);
  }
}

template <class Kernel>
cell_mass cell_of(const location_scale<Kernel>& law, double center, double width) {
  require_positive("cell", "width", width);
  const double h = law.standard_length(width);
  if (!std::isinf(h)) return law.kernel().cell(law.standard(center), h);
  // Center and width may both be beyond double's range in standard units: look at the edges.
  const wide half = wide(width).scaled(-1);
  const double a = law.standard(wide(center) - half);
  const double b = law.standard(wide(center) + half);
  if (a == b) return {0, -std::numeric_limits<double>::infinity()};
  return law.kernel().between(a, b);
}

}  // namespace detail

/// The x with P(X < x) = q; for q = 0 and q = 1 where the law begins and ends, or ±infinity. As
/// good as cdf and ccdf are: a few ulps of x where they are accurate to a few. Throws
/// std::domain_error unless 0 ≤ q ≤ 1.
template <class Kernel>
double quantile(const location_scale<Kernel>& law, double q) {
  detail::require_probability(q);
  return law.location() + law.scale() * detail::standard_quantile(law.kernel(), q);
}

/// The probability of [center - width/2, center + width/2], to a few ulps times (1 + z²).
template <class Kernel>
double cell_probability(const location_scale<Kernel>& law, double center, double width) {
  return detail::cell_of(law, center, width).probability;
}

/// Its natural logarithm, to a few ulps, also where the probability itself underflows.
template <class Kernel>
double log_cell_probability(const location_scale<Kernel>& law, double center, double width) {
  return detail::cell_of(law, center, width).log_probability;
}

/// h(X) = h(Z) + log scale
template <class Kernel>
differential_bits differential_entropy(const location_scale<Kernel>& law) {
  return differential_bits{law.kernel().entropy() / std::numbers::ln2 + std::log2(law.scale())};
}

/// NaN where the mean does not exist.
template <class Kernel>
double mean(const location_scale<Kernel>& law) {
  return law.location() + law.scale() * law.kernel().mean();
}

template <class Kernel>
double deviation(const location_scale<Kernel>& law) {
  return law.scale() * law.kernel().deviation();
}

}  // namespace ktln2
