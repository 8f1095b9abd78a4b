#pragma once

#include <cmath>
#include <concepts>
#include <functional>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

#include "ktln2/core/check.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/core/wide.hpp"

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

/// The law of location + scale·Z, where Z has the standard law `Kernel`.
template <standard_law Kernel>
class location_scale {
 public:
  [[nodiscard]] double location() const { return location_; }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }
  [[nodiscard]] double standard(const wide& x) const { return standardize(x, location_, scale_); }

 protected:
  /// For the laws, which check their parameters.
  location_scale(double location, double scale, Kernel kernel = {})
      : location_{location}, scale_{scale}, kernel_{std::move(kernel)} {}

 private:
  double location_;
  double scale_;
  Kernel kernel_;
};

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
  const double h = ratio(width, law.scale());
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
