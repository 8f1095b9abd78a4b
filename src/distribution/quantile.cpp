#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>
#include <stdexcept>

#include "core/constants.hpp"
#include "ktln2/distribution/location_scale.hpp"

namespace ktln2::detail {
namespace {

/// Beyond it a logarithm counts as this one: a root finder wants finite numbers.
constexpr double least_log = -1e4;

}  // namespace

void require_probability(double q) {
  if (!(q >= 0 && q <= 1)) {
    throw std::domain_error("quantile: the probability must be from 0 to 1, got " + shown(q));
  }
}

double solve(const quantile_problem& problem, double q) {
  if (q == 0) return -infinity;
  if (q == 1) return infinity;
  // On the smaller one of the two tails, where q says most.
  const bool is_low = q <= 0.5;
  const double wanted = is_low ? std::log(q) : std::log1p(-q);
  const auto excess = [&](double z) {
    const double tail = is_low ? problem.log_lower(z) : -problem.log_upper(z);
    const double goal = is_low ? wanted : -wanted;
    return std::clamp(tail - goal, least_log, -least_log);
  };
  const double side = excess(problem.start) < 0 ? 1 : -1;
  double near = problem.start;
  double far = near;
  for (double step = problem.step; excess(far) * side < 0 || far == near; step *= 2) {
    near = far;
    far = problem.start + side * step;
    if (std::isinf(far)) return far;
  }
  const double low = std::min(near, far);
  const double high = std::max(near, far);
  const double at_low = excess(low);
  const double at_high = excess(high);
  if (at_low >= 0) return low;
  if (at_high <= 0) return high;
  std::uintmax_t steps = 2000;
  const auto [left, right] = boost::math::tools::toms748_solve(
      excess, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(53), steps);
  return std::fabs(excess(left)) < std::fabs(excess(right)) ? left : right;
}

}  // namespace ktln2::detail
