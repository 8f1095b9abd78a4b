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
  standard_tabulated kernel;
  sgd_accuracy accuracy;
  double tail_index;
};

namespace {

constexpr double largest_batch = 1e6;
/// The variance of a truncated Pareto tail says something about the density from this κ on.
constexpr double tail_with_variance = 6;

/// In total variation. An error of one step is felt until the law forgets it, 1/a steps later.
double estimated_error(const sgd_evolution& made, const sgd_accuracy& accuracy,
                       const sgd_problem& problem, double a) {
  const double memory = std::min(problem.steps, 1 / a) + 1;
  const double rounding = 0x1p-53 * 16 * std::sqrt(memory);
  const double variance = std::isnan(accuracy.variance_error) ? 0 : accuracy.variance_error;
  return rounding + made.mass_defect + std::fabs(variance) + made.step_error * memory;
}

}  // namespace

sgd_exact::sgd_exact(const parts& made)
    : location_scale{made.location, made.scale, made.kernel},
      accuracy_{made.accuracy},
      tail_index_{made.tail_index} {}

sgd_exact::sgd_exact(const sgd_problem& problem)
    : sgd_exact([&]() -> parts {
        const sgd_moments moments = exact_moments(problem);
        if (problem.batch > largest_batch) {
          throw std::domain_error("sgd: the exact law takes batches of at most " +
                                  shown(largest_batch) + ", got " + shown(problem.batch));
        }
        // Only two combinations matter: a = ησ_x² and φσ_x/σ_ξ.
        const double a = problem.eta * problem.sigma_x * problem.sigma_x;
        const double unit = problem.sigma_xi / problem.sigma_x;
        const double start = (problem.w0 - problem.w) / unit;
        require_finite("sgd", "(w0 - w) sigma_x/sigma_xi", start);
        const sgd_evolution made = evolve_sgd(a, problem.batch, problem.steps, start);

        // Around its start while the law is singular there, around its mean later.
        const bool at_start = made.singular && std::fabs(made.center) < 6 * made.scale;
        const double center = at_start ? 0 : made.center;
        const double base = made.singular ? problem.w0 : problem.w;
        const double location = base + center * unit;
        const double scale = made.scale * unit;
        require_positive("sgd", "scale", scale);

        tabulated_values values;
        for (const double edge : made.law.edges) {
          values.edges.push_back((edge - center) / made.scale);
        }
        for (const double f : made.law.density) values.density.push_back(f * made.scale);
        if (made.singular) values.breaks.push_back(-center / made.scale);
        values.core = at_start ? std::min(1.0, made.singular_length / made.scale) : 1;
        values.mean = (moments.mean - location) / scale;
        values.deviation = moments.deviation / scale;
        const bool has_variance = made.tail_index >= tail_with_variance || problem.steps <= 2;
        const sgd_accuracy accuracy{
            made.mass_defect,
            has_variance ? made.variance_error : std::numeric_limits<double>::quiet_NaN(),
            made.step_error};
        values.error = estimated_error(made, accuracy, problem, a);
        if (!(values.error < 0.01)) {
          throw std::domain_error(
              "sgd: the exact law is beyond the table's resolution here (error " +
              shown(values.error) + "); law=moments is close for small eta");
        }
        return {location, scale, standard_tabulated{values}, accuracy, made.tail_index};
      }()) {}

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
