#include "entropy/cell_moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/constants.hpp"
#include "entropy/cell_functional.hpp"
#include "entropy/stretch.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

constexpr standard_normal unit_normal;

/// ∫ f, ∫ f t and ∫ f t² over t = z - c, all over f(c).
struct moments_about {
  double mass = 0;
  double first = 0;
  double second = 0;

  template <std::size_t Order>
  void add(double c, double from, double to) {
    const auto& rule = gauss_legendre<Order>();
    for (std::size_t k = 0; k < Order; ++k) {
      const double t = (from - c) + (to - from) / 2 * (1 + rule.node[k]);
      const double weight = (to - from) * rule.weight[k] * std::exp(unit_normal.log_ratio(c, t));
      mass += weight;
      first += weight * t;
      second += weight * t * t;
    }
  }
  [[nodiscard]] double variance() const {
    const double mean = first / mass;
    return std::max(0.0, second / mass - mean * mean);
  }
};

/// Var(Z | left < Z < right) of a standard normal Z.
double variance_between(double left, double right) {
  moments_about made;
  const double width = right - left;
  if (std::isfinite(width) && width <= 0.5 && width * std::fabs(left + width / 2) <= 1) {
    made.add<8>(left + width / 2, left, right);
    return made.variance();
  }
  // From where f is largest outward, in panels over which it does not fall by much.
  const double c = std::clamp(0.0, left, right);
  const auto walk = [&](double end, double sign) {
    double z = c;
    while (z != end && unit_normal.log_ratio(c, z - c) > -50) {
      double next = z + sign / (1 + std::fabs(z));
      if (sign * (next - end) > 0) next = end;
      made.add<16>(c, std::min(z, next), std::max(z, next));
      z = next;
    }
  };
  walk(right, 1);
  walk(left, -1);
  return made.variance();
}

/// P(run) and ∫ z² over it. By parts the latter is P + aφ(a) - bφ(b): what cancels of it belongs to
/// cells next to zero, whose width is small as well.
struct run_moments {
  double mass;
  double square;
};
run_moments moments_of(const normal& z, const cell_run& run) {
  const stretch all = standard_stretch(z, run, 0, run.count);
  const double mass = mass_of(z, all, run, 0, run.count).probability;
  const auto edge = [](double at) {
    return std::fabs(at) < 1e3 ? at * std::exp(unit_normal.log_pdf(at)) : 0;
  };
  const double far = all.farthest();
  return {mass, std::clamp(mass + edge(all.left) - edge(all.right), 0.0, far * far * mass)};
}

}  // namespace

cell_moments cell_moments_of(const partition& cells, const normal& z) {
  cell_moments made;
  const double unit = z.scale() * z.scale();
  compensated_sum log_width;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      if (run.count == 0) continue;
      const run_moments here = moments_of(z, run);
      if (!(here.mass > 0)) continue;
      if (run.left.is_infinite() || run.right.is_infinite()) {
        const double left = z.standard(run.left);
        const double right = z.standard(run.right);
        made.clipped += here.mass;
        made.variance += unit * here.mass * variance_between(left, right);
        continue;
      }
      const double width = ratio(run.width, z.scale());
      log_width.add(here.mass * log(run.width));
      made.absolute_log_width += here.mass * std::fabs(log(run.width));
      made.width_square += unit * here.mass * width * width;
      made.scored_width += unit * here.square * width * width;
    }
  }
  const auto in_cell = [&](const stretch& cell, const wide& /*width*/) {
    return mass_of(unit_normal, cell).probability * variance_between(cell.left, cell.right);
  };
  const cell_functional<normal, decltype(in_cell)> variances(cells, z, in_cell);
  made.variance += unit * (variances.value() + variances.error());
  made.log_width = log_width.value();
  return made;
}

}  // namespace ktln2
