#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/constants.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/distribution/student_t.hpp"

namespace ktln2 {

template <std::size_t Order, class F>
double integrate_panel(double from, double to, F f) {
  const auto& rule = gauss_legendre<Order>();
  double mean = 0;
  for (std::size_t k = 0; k < Order; ++k) {
    mean += rule.weight[k] * f(from + (to - from) / 2 * (1 + rule.node[k]));
  }
  return (to - from) * mean;
}

/// Beyond it, in either direction, the law has no mass that could matter to an integral of
/// logarithms (or standard units come to the end of double's range).
template <class Kernel>
double reach_of(const Kernel& kernel) {
  int low = 0;
  int high = 1000;  // core·2^high reaches far enough, core·2^(low-1) does not
  while (low < high) {
    const int middle = (low + high) / 2;
    const double z = std::scalbn(kernel.core(), middle);
    const bool enough = kernel.upper(z).probability + kernel.lower(-z).probability <= 1e-26;
    (enough ? high : low) = enough ? middle : middle + 1;
  }
  return std::scalbn(kernel.core(), low);
}

/// ν where P(Z > z) falls like z^-ν, infinite where it falls faster.
template <class Kernel>
double tail_index(const Kernel&) {
  return infinity;
}
inline double tail_index(const standard_student_t& kernel) { return kernel.dof(); }

/// ∫ from z to ∞ of f F, z beyond the reach, where F is linear in ln z:
///     P(Z > z) (F(z) + F'/ν),   F' = dF/d ln z
/// Nothing but for very heavy tails, whose mass beyond double's range cannot be neglected.
template <class Kernel, class F>
double beyond_reach(const Kernel& kernel, double z, F factor) {
  const double mass = std::isinf(z) ? 0 : kernel.upper(std::fabs(z)).probability;
  if (!(mass > 1e-26)) return 0;
  const double here = factor(z, kernel.log_pdf(z));
  constexpr int octaves = 400;  // many: the difference loses no digits
  const double nearer = std::scalbn(z, -octaves);
  const double slope =
      (here - factor(nearer, kernel.log_pdf(nearer))) / (octaves * std::numbers::ln2);
  return mass * (here + slope / tail_index(kernel));
}

/// ∫ from a to b of f(z) F(z) dz, in panels no longer than a quarter of their distance from the
/// center (or of the law's core) that stop where f breaks. F must be smooth but for a point
/// `singular` outside of (a, b), toward which the panels get shorter.
template <std::size_t Order = 16, class Kernel, class F>
double integrate_within_reach(const Kernel& kernel, double a, double b, F factor,
                              double singular = infinity) {
  compensated_sum sum;
  int panels = 0;
  for (double from = a; from < b;) {
    double to = std::min(b, from + std::max(kernel.core(), std::fabs(from)) / 4);
    for (const double z : kernel.breaks()) {
      if (from < z && z < to) to = z;
    }
    if constexpr (requires { kernel.panel_end(from); }) to = std::min(to, kernel.panel_end(from));
    const double gap = std::fabs(singular - from);
    to = std::min(to, from + (from < singular ? gap / 2 : gap));
    to = std::max(to, std::nextafter(from, b));  // next to the singular point, always on
    // A law whose parts are narrower than its last digits would never end.
    constexpr int most_panels = 1 << 15;
    if (++panels > most_panels) to = std::max(to, from + (b - from) / 64);
    sum.add(integrate_panel<Order>(from, to, [&](double z) {
      const double log_f = kernel.log_pdf(z);
      return std::isinf(log_f) ? 0 : std::exp(log_f) * factor(z, log_f);
    }));
    from = to;
  }
  return sum.value();
}

/// The same for any a and b, which may be infinite. Where the law has heavy tails F may grow like a
/// logarithm.
template <class Kernel, class F>
double integrate_law(const Kernel& kernel, double a, double b, F factor,
                     double singular = infinity) {
  const double reach = reach_of(kernel);
  compensated_sum sum;
  sum.add(
      integrate_within_reach(kernel, std::max(a, -reach), std::min(b, reach), factor, singular));
  if (b > reach) {
    sum.add(beyond_reach(kernel, std::max(a, reach), factor) - beyond_reach(kernel, b, factor));
  }
  if (a < -reach) {
    sum.add(beyond_reach(kernel, std::min(b, -reach), factor) - beyond_reach(kernel, a, factor));
  }
  return sum.value();
}

/// The length around s over which f may vary by its own size; hardly any where f has a pole or an
/// end in which all scales meet.
template <class Kernel>
double length_around(const Kernel& kernel, double s) {
  const double usual = std::max(kernel.core(), std::fabs(s));
  if constexpr (requires { kernel.density_bound(s, s); }) {
    constexpr double least = 0x1p-860;
    const double off = 1e-12 * usual;
    return std::clamp(kernel.resolution(s - off, s + off), least, usual);
  } else {
    return usual;
  }
}

/// ∫ from a to b of f(z) (ln|z - s| + c) dz, wherever s stands. In a small hole around the pole f
/// is taken as constant on either side.
template <class Kernel>
double log_distance_integral(const Kernel& kernel, double a, double b, double s, double c = 0) {
  double hole = 1e-9 * length_around(kernel, s);
  for (const double z : kernel.breaks()) {
    if (z != s) hole = std::min(hole, std::fabs(z - s));
  }
  const double left = std::clamp(s - hole, a, b);
  const double right = std::clamp(s + hole, a, b);
  const double pole = std::clamp(s, left, right);
  const auto log_distance = [s, c](double z, double) { return std::log(std::fabs(z - s)) + c; };
  const auto level = [&](double from, double to) {
    const auto primitive = [c](double t) {
      return t == 0 ? 0 : t * (std::log(std::fabs(t)) - 1 + c);
    };
    const double density = std::exp(kernel.log_pdf(from + (to - from) / 2));
    return from < to ? density * (primitive(to - s) - primitive(from - s)) : 0;
  };
  return integrate_law(kernel, a, left, log_distance, s) + level(left, pole) + level(pole, right) +
         integrate_law(kernel, right, b, log_distance, s);
}

/// -∫ f ln f from a to b.
template <class Kernel>
double entropy_integral(const Kernel& kernel, double a, double b) {
  return -integrate_law(kernel, a, b, [](double, double log_f) { return log_f; });
}

}  // namespace ktln2
