#include "distribution/sgd_tail.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

constexpr double largest_tail_index = 60;

/// E g(S), S a χ² variable with B degrees of freedom divided by B.
template <class F>
double mean_over_squares(double batch, double singular, F g) {
  // S = u², in panels that stop at the singular point of g and get shorter toward it
  const double spread = std::sqrt(0.5 / batch);
  const double low = std::max(0.0, 1 - 9 * spread);
  const double high = 1 + 13 * spread;
  const double log_constant =
      std::numbers::ln2 + batch / 2 * std::log(batch / 2) - std::lgamma(batch / 2);
  constexpr std::size_t nodes = 16;
  const auto& rule = gauss_legendre<nodes>();
  double sum = 0;
  for (double from = low; from < high;) {
    double to = std::min(high, from + spread);
    const double gap = std::fabs(singular - from);
    if (gap > 1e-12) to = std::min(to, from + (from < singular ? gap / 2 : gap));
    if (from < singular && singular - from <= 1e-12) to = singular + 1e-12;
    for (std::size_t j = 0; j < nodes; ++j) {
      const double u = from + (to - from) / 2 * (1 + rule.node[j]);
      const double log_f = log_constant + (batch - 1) * std::log(u) - batch / 2 * u * u;
      sum += rule.weight[j] * (to - from) * std::exp(log_f) * g(u * u);
    }
    from = to;
  }
  return sum;
}

}  // namespace

double sgd_absolute_moment(double eta, double batch, double q) {
  return mean_over_squares(batch, std::sqrt(1 / eta),
                           [&](double s) { return std::pow(std::fabs(1 - eta * s), q); });
}

double sgd_tail_index(double eta, double batch) {
  const auto grows = [&](double q) { return sgd_absolute_moment(eta, batch, q) > 1; };
  if (!grows(largest_tail_index)) return largest_tail_index;
  double low = 1e-3;
  double high = largest_tail_index;
  if (grows(low)) return 0;
  while (high - low > 1e-6 * high) {
    const double middle = (low + high) / 2;
    (grows(middle) ? high : low) = middle;
  }
  return low;
}

}  // namespace ktln2
