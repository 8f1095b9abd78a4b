#include "ktln2/mismatch/variational.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "ktln2/core/check.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "ktln2/mismatch/minimize.hpp"

namespace ktln2 {
namespace {

constexpr bits rounding(bits value) {
  return bits{16 * 0x1p-53 * (value.value() < 0 ? 1 - value.value() : 1 + value.value())};
}

// The same entropies as in cost/, without the tests of whether they apply: those take far longer
// than the closed forms themselves.
bounded<bits> data_entropy(const format_pair& formats, const regression_pair& pair,
                           entropy_kind kind) {
  if (kind == entropy_kind::exact) return joint_entropy(formats, pair).joint;
  const bits value = smooth_joint_entropy(formats.x.p(), formats.y.p(), pair);
  return {value, rounding(value)};
}

bounded<bits> model_entropy(const float_format& format, const law& model, entropy_kind kind) {
  if (kind == entropy_kind::exact) return exact_entropy(format, model);
  const auto offset = smooth_entropy_offset(format.p(), model);
  const bits value = offset ? *offset : smooth_entropy(format.p(), model);
  return {value, rounding(value)};
}

bounded<bits> times(double count, const bounded<bits>& each) {
  return {count * each.value, count * each.error, each.how};
}

/// Neighboring values of a sum of `count` exact entropies differ by less than their error bars say.
double noise_of(double count, entropy_kind kind) {
  return kind == entropy_kind::exact ? 1e-12 * (1 + count) : 1e-14 * (1 + count);
}

}  // namespace

entropy_flow quadratic_flow(double constant, double alpha) {
  require_finite("entropy flow", "constant", constant);
  require_finite("entropy flow", "alpha", alpha);
  return [=](double sigma_x, double sigma_xi) {
    return constant + alpha * (sigma_x * sigma_x + sigma_xi * sigma_xi);
  };
}

bounded<nats> entropy_production::operator()(double sigma_x, double sigma_xi) const {
  const double out = flow(sigma_x, sigma_xi);
  if (!std::isfinite(out)) {
    throw std::domain_error("entropy flow: not finite at sigma_x = " + shown(sigma_x) +
                            ", sigma_xi = " + shown(sigma_xi));
  }
  const bounded<nats> inside = to_nats(erased(sigma_x, sigma_xi));
  return {nats{out} - inside.value, inside.error + nats{0x1p-51 * std::fabs(out)}, inside.how};
}

entropy_production regression_production(const register_formats& formats, const regression& problem,
                                         entropy_flow flow, entropy_kind kind) {
  (void)slope_law(problem);  // checks n and w
  return {
      [=](double sigma_x, double sigma_xi) {
        const law slope = slope_law({problem.n, problem.w, sigma_x, sigma_xi});
        const bounded<bits> data = data_entropy(formats.data, {problem.w, sigma_x, sigma_xi}, kind);
        return times(problem.n, data) - model_entropy(formats.model, slope, kind);
      },
      std::move(flow), noise_of(problem.n, kind)};
}

entropy_production sgd_production(const register_formats& formats, const sgd_problem& problem,
                                  sgd_model model, entropy_flow flow, entropy_kind kind) {
  require_valid(problem);
  const double count = problem.steps * problem.batch;
  return {
      [=](double sigma_x, double sigma_xi) {
        sgd_problem here = problem;
        here.sigma_x = sigma_x;
        here.sigma_xi = sigma_xi;
        const bounded<bits> data = data_entropy(formats.data, {here.w, sigma_x, sigma_xi}, kind);
        return times(count, data) - model_entropy(formats.model, sgd_law(here, model), kind);
      },
      std::move(flow), noise_of(count, kind)};
}

std::vector<bounded<nats>> sgd_step_productions(const register_formats& formats,
                                                const sgd_problem& problem, sgd_model model,
                                                const entropy_flow& flow, entropy_kind kind) {
  require_valid(problem);
  if (problem.steps > 1e6) {
    throw std::domain_error("sgd steps: at most 1e6 can be listed, got " + shown(problem.steps));
  }
  const bounded<bits> batch =
      times(problem.batch,
            data_entropy(formats.data, {problem.w, problem.sigma_x, problem.sigma_xi}, kind));
  const nats out{flow(problem.sigma_x, problem.sigma_xi) / problem.steps};
  std::vector<bounded<nats>> steps;
  bounded<bits> before{bits{0}, bits{0}, evidence::proved};  // the first model is known
  sgd_problem so_far = problem;
  for (int k = 1; k <= static_cast<int>(problem.steps); ++k) {
    so_far.steps = k;
    const bounded<bits> after = model_entropy(formats.model, sgd_law(so_far, model), kind);
    const bounded<nats> lost = to_nats(before + batch - after);
    steps.push_back({out - lost.value, lost.error, lost.how});
    before = after;
  }
  return steps;
}

void require_valid(const variational_bounds& bounds) {
  require_positive("bounds", "lower bound of sigma_x", bounds.sigma_x_low);
  require_positive("bounds", "upper bound of sigma_x", bounds.sigma_x_high);
  require_positive("bounds", "lower bound of sigma_xi", bounds.sigma_xi_low);
  require_positive("bounds", "upper bound of sigma_xi", bounds.sigma_xi_high);
  const auto require_ordered = [](const char* name, double low, double high) {
    if (low <= high) return;
    throw std::domain_error(std::string("bounds: no ") + name + " lies between " + shown(low) +
                            " and " + shown(high));
  };
  require_ordered("sigma_x", bounds.sigma_x_low, bounds.sigma_x_high);
  require_ordered("sigma_xi", bounds.sigma_xi_low, bounds.sigma_xi_high);
}

std::vector<variational_optimum> variational_optima(const entropy_production& production,
                                                    const variational_bounds& bounds,
                                                    const variational_search& how) {
  require_valid(bounds);
  const box logs{{std::log(bounds.sigma_x_low), std::log(bounds.sigma_xi_low)},
                 {std::log(bounds.sigma_x_high), std::log(bounds.sigma_xi_high)}};
  // exp(log(x)) need not be x, and a bound is a bound
  const auto deviation = [](double log_sigma, double log_low, double low, double log_high,
                            double high) {
    if (log_sigma == log_low) return low;
    if (log_sigma == log_high) return high;
    return std::exp(log_sigma);
  };
  const auto sigma_x = [&](double u) {
    return deviation(u, logs.low.x, bounds.sigma_x_low, logs.high.x, bounds.sigma_x_high);
  };
  const auto sigma_xi = [&](double v) {
    return deviation(v, logs.low.y, bounds.sigma_xi_low, logs.high.y, bounds.sigma_xi_high);
  };
  minimum_search search{.grid = how.grid, .noise = production.noise, .step = how.step};
  for (const variational_optimum& start : how.starts) {
    search.starts.push_back({std::log(start.sigma_x), std::log(start.sigma_xi)});
  }
  const auto found = local_minima(
      [&](double u, double v) { return production(sigma_x(u), sigma_xi(v)).value.value(); }, logs,
      search);
  std::vector<variational_optimum> optima;
  optima.reserve(found.size());
  for (const local_minimum& one : found) {
    const double x = sigma_x(one.x);
    const double xi = sigma_xi(one.y);
    bounded<nats> value = production(x, xi);
    value.error += nats{production.noise};
    optima.push_back({x, xi, value, one.x_at_bound, one.y_at_bound});
  }
  return optima;
}

std::vector<variational_optimum> lowest(const std::vector<variational_optimum>& optima) {
  std::vector<variational_optimum> best;
  for (const variational_optimum& one : optima) {
    if (overlap(one.production, optima.front().production)) best.push_back(one);
  }
  return best;
}

bounded<nats> variational_mismatch(const entropy_production& production, double sigma_x,
                                   double sigma_xi, const variational_optimum& optimum) {
  return production(sigma_x, sigma_xi) - optimum.production;
}

std::vector<landscape_point> production_landscape(const entropy_production& production,
                                                  const variational_bounds& bounds, int count) {
  require_valid(bounds);
  require_in_range("landscape", "count", count, 2, 1000);
  const auto between = [count](double low, double high, int i) {
    return i == count - 1 ? high : low + (high - low) * i / (count - 1);
  };
  std::vector<landscape_point> points;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      const double x = between(bounds.sigma_x_low, bounds.sigma_x_high, i);
      const double xi = between(bounds.sigma_xi_low, bounds.sigma_xi_high, j);
      points.push_back({x, xi, production(x, xi).value});
    }
  }
  return points;
}

}  // namespace ktln2
