#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "ktln2/core/check.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/core/wide.hpp"

namespace ktln2 {

/// The probability of a cell and its natural logarithm, which lives on where the first underflows.
struct cell_mass {
  double probability;
  double log_probability;
};

/// The law of location + scale·Z, where Z has the standard law `Kernel`. A kernel offers, in
/// standard units,
///     log_pdf(z)
///     upper(z), lower(z)     P(Z > z) and P(Z < z), each with its logarithm
///     cell(z, h)             P(z - h/2 < Z < z + h/2), likewise; right also where h is tiny
///     between(a, b)          P(a < Z < b), likewise; right also where b is huge
///     cells(h)               a function z ↦ cell(z, h), set up once for many cells of one width
///     log_ratio(z, t)        ln f(z+t) - ln f(z), without cancellation
///     condition(z)           |z · d ln f/dz|: how much a relative error of z moves ln f
///     core()                 the width around 0 within which f may vary by its own size
///     breaks()               where f is not smooth
///     is_symmetric()         f(-z) = f(z)?
///     entropy()              h(Z) in nats
///     mean(), deviation()    NaN where undefined
template <class Kernel>
class location_scale {
 public:
  location_scale(double location, double scale, Kernel kernel = {})
      : location_{location}, scale_{scale}, kernel_{kernel} {}

  [[nodiscard]] double location() const { return location_; }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }
  [[nodiscard]] double standard(const wide& x) const { return standardize(x, location_, scale_); }

 private:
  double location_;
  double scale_;
  Kernel kernel_;
};

template <class Kernel>
double log_pdf(const location_scale<Kernel>& law, double x) {
  return law.kernel().log_pdf(law.standard(x)) - std::log(law.scale());
}

template <class Kernel>
double pdf(const location_scale<Kernel>& law, double x) {
  return std::exp(law.kernel().log_pdf(law.standard(x))) / law.scale();
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

/// The probability of [center - width/2, center + width/2], to a few ulps times (1 + z²).
template <class Kernel>
double cell_probability(const location_scale<Kernel>& law, double center, double width) {
  require_positive("cell", "width", width);
  return law.kernel().cell(law.standard(center), ratio(width, law.scale())).probability;
}

/// Its natural logarithm, to a few ulps, also where the probability itself underflows.
template <class Kernel>
double log_cell_probability(const location_scale<Kernel>& law, double center, double width) {
  require_positive("cell", "width", width);
  return law.kernel().cell(law.standard(center), ratio(width, law.scale())).log_probability;
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
