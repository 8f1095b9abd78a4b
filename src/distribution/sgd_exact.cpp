#include "ktln2/distribution/sgd_exact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "distribution/sgd_evolution.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {

struct sgd_exact::parts {
  double location;
  double scale;
  tabulated_values values;
  sgd_accuracy accuracy;
  double tail_index;
};

namespace {

constexpr double largest_batch = 1e6;
/// The variance of a truncated Pareto tail, and waves across its long panels, say something about
/// the density from this κ on.
constexpr double tail_with_checks = 6;
/// A table as good as this is good enough, a worse one than that is not worth having.
constexpr double good_error = 1e-9;
constexpr double worst_error = 1e-2;

/// The problem in units in which σ_x = σ_ξ = 1: only two combinations of its parameters matter.
struct reduced {
  explicit reduced(const sgd_problem& problem)
      : rate{problem.eta * problem.sigma_x * problem.sigma_x},
        unit{problem.sigma_xi / problem.sigma_x},
        start{(problem.w0 - problem.w) / unit} {
    require_finite("sgd", "(w0 - w) sigma_x/sigma_xi", start);
  }
  double rate;
  double unit;
  double start;
};

/// ½ ∫ |f - g| of a law on two meshes.
double difference(const standard_tabulated& f, const standard_tabulated& g,
                  const std::vector<double>& edges) {
  const auto& rule = gauss_legendre<16>();
  double sum = 0;
  for (std::size_t p = 0; p + 1 < edges.size(); ++p) {
    const double half = (edges[p + 1] - edges[p]) / 2;
    for (std::size_t j = 0; j < 16; ++j) {
      const double z = edges[p] + half * (1 + rule.node[j]);
      sum += half * rule.weight[j] * std::fabs(std::exp(f.log_pdf(z)) - std::exp(g.log_pdf(z)));
    }
  }
  return sum;
}

}  // namespace

/// One table, with an error estimated from what is known in closed form: the mass, the variance and
/// the characteristic function of a step. An error of one step is felt until the law forgets it,
/// about 1/a steps later.
sgd_exact::parts sgd_exact::tabulate(const sgd_problem& problem, double panels) {
  const reduced standard{problem};
  const sgd_moments moments = exact_moments(problem);
  const sgd_evolution made =
      evolve_sgd(standard.rate, problem.batch, problem.steps, standard.start, {panels});
  // Around its start while the law is singular there, around its mean later.
  const bool at_start = made.singular && std::fabs(made.center) < 2 * made.scale;
  const double center = at_start ? 0 : made.center;
  const double location = (made.singular ? problem.w0 : problem.w) + center * standard.unit;
  const double scale = made.scale * standard.unit;
  require_positive("sgd", "scale", scale);

  tabulated_values values;
  for (const double edge : made.law.edges) values.edges.push_back((edge - center) / made.scale);
  for (const double f : made.law.density) values.density.push_back(f * made.scale);
  if (made.singular) values.breaks.push_back(-center / made.scale);
  values.has_jumps = problem.batch * problem.steps == 1;  // a logarithmic peak
  values.core = at_start ? std::min(1.0, made.singular_length / made.scale) : 1;
  values.mean = (moments.mean - location) / scale;
  values.deviation = moments.deviation / scale;

  sgd_accuracy accuracy{made.mass_defect, made.variance_error, made.step_error};
  const double memory = std::min(problem.steps, 1 / standard.rate) + 1;
  values.error = 0x1p-53 * 16 * std::sqrt(memory) + made.mass_defect;
  if (made.tail_index >= tail_with_checks || problem.steps <= 2) {
    values.error += std::fabs(accuracy.variance_error) + accuracy.step_error * memory;
  } else {
    accuracy.variance_error = std::numeric_limits<double>::quiet_NaN();
    accuracy.step_error = std::numeric_limits<double>::quiet_NaN();
  }
  return {location, scale, values, accuracy, made.tail_index};
}

sgd_exact::parts sgd_exact::make(const sgd_problem& problem) {
  require_valid(problem);
  if (problem.batch > largest_batch) {
    throw std::domain_error("sgd: the exact law takes batches of at most " + shown(largest_batch) +
                            ", got " + shown(problem.batch));
  }
  parts best = tabulate(problem, 1);
  if (std::isnan(best.accuracy.step_error)) {
    const parts coarse = best;
    best = tabulate(problem, 1.4);
    best.values.error += difference(standard_tabulated{best.values},
                                    standard_tabulated{coarse.values}, best.values.edges);
  }
  for (const double panels : {1.5, 2.0}) {
    if (best.values.error < good_error || std::isnan(best.accuracy.step_error)) break;
    const parts finer = tabulate(problem, panels);
    if (!(finer.values.error > best.values.error)) best = finer;
  }
  if (!(best.values.error < worst_error)) {
    throw std::domain_error("sgd: the exact law is not within reach here (its error would be " +
                            shown(best.values.error) +
                            "); law=moments is near it where eta is small");
  }
  return best;
}

sgd_exact::sgd_exact(const parts& made)
    : location_scale{made.location, made.scale, standard_tabulated{made.values}},
      accuracy_{made.accuracy},
      tail_index_{made.tail_index} {}

sgd_exact::sgd_exact(const sgd_problem& problem) : sgd_exact(make(problem)) {}

double total_variation(const sgd_exact& exact, const normal& other) {
  // Between the points where the densities cross, |f - g| integrates to |F - G|.
  const auto difference = [&](double x) { return log_pdf(exact, x) - log_pdf(other, x); };
  const auto gap = [&](double x) {
    const double upper = ccdf(exact, x) - ccdf(other, x);
    const double lower = cdf(other, x) - cdf(exact, x);
    return x > other.location() ? upper : lower;
  };
  std::vector<double> points;
  for (const auto& [center, width] :
       {std::pair{exact.location(), exact.scale()}, std::pair{other.location(), other.scale()}}) {
    for (int k = -480; k <= 480; ++k) points.push_back(center + width * k / 40);
  }
  std::sort(points.begin(), points.end());
  double sum = 0;
  double last_gap = 0;  // F - G at the last crossing
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    double low = points[i];
    double high = points[i + 1];
    const bool sign = difference(low) > 0;
    if (low == high || sign == (difference(high) > 0)) continue;
    for (int step = 0; step < 60; ++step) {
      const double middle = low + (high - low) / 2;
      ((difference(middle) > 0) == sign ? low : high) = middle;
    }
    const double here = gap(low);
    sum += std::fabs(here - last_gap);
    last_gap = here;
  }
  return (sum + std::fabs(last_gap)) / 2;
}

sgd_ou_gap compare_with_ou(const sgd_problem& problem) {
  const sgd_exact exact{problem};
  const normal process = sgd_ou_law(problem);
  const sgd_moments moments = exact_moments(problem);
  const differential_bits h = differential_entropy(exact);
  return {moments.deviation / process.scale(),
          (moments.mean - process.location()) / moments.deviation, total_variation(exact, process),
          h - differential_entropy(process), differential_entropy(sgd_moments_law(problem)) - h};
}

}  // namespace ktln2
