#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "ktln2/core/quadrature.hpp"

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
  double z = kernel.core();
  while (z < 0x1p1000 && kernel.upper(z).probability + kernel.lower(-z).probability > 1e-26) z *= 2;
  return z;
}

/// ∫ from a to b of f(z) F(z) dz, in panels no longer than a quarter of their distance from the
/// center (or of the law's core) that stop where f breaks. F must be smooth but for a point
/// `singular` outside of (a, b), toward which the panels get shorter; where the law has heavy tails
/// F may grow like a logarithm. a and b may be infinite.
template <class Kernel, class F>
double integrate_law(const Kernel& kernel, double a, double b, F factor,
                     double singular = std::numeric_limits<double>::infinity()) {
  const double reach = reach_of(kernel);
  const double end = std::min(b, reach);
  compensated_sum sum;
  for (double from = std::max(a, -reach); from < end;) {
    double to = std::min(end, from + std::max(kernel.core(), std::fabs(from)) / 4);
    for (const double z : kernel.breaks()) {
      if (from < z && z < to) to = z;
    }
    const double gap = std::fabs(singular - from);
    to = std::min(to, from + (from < singular ? gap / 2 : gap));
    sum.add(integrate_panel<16>(from, to, [&](double z) {
      const double log_f = kernel.log_pdf(z);
      return std::isinf(log_f) ? 0 : std::exp(log_f) * factor(z, log_f);
    }));
    from = to;
  }
  return sum.value();
}

/// -∫ f ln f from a to b.
template <class Kernel>
double entropy_integral(const Kernel& kernel, double a, double b) {
  return -integrate_law(kernel, a, b, [](double, double log_f) { return log_f; });
}

}  // namespace ktln2
