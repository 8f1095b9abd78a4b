#include "ktln2/mismatch/variational.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "ktln2/core/check.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/distribution/slope.hpp"
#include "mismatch/environment_constant.hpp"
#include "mismatch/minimize.hpp"

namespace ktln2::mismatch {
namespace {

// Without the tests of whether the closed forms apply: those take far longer than the forms.
// Neighboring values differ by less than their own rounding.
template <class Formats, class Law>
bounded<bits> held(const Formats& formats, const Law& x, entropy_kind kind,
                   const stop_token& stop) {
  throw_if_stopped(stop);
  if constexpr (std::is_same_v<Law, regression_pair>) {
    return entropy_of(formats, x, kind, {.units = 16}, stop);
  } else {
    return entropy_of(formats, x, kind, {.units = 16});
  }
}

/// Neighboring values of a sum of `count` exact entropies differ by less than their error bars say.
double noise_of(double count, entropy_kind kind) {
  return kind == entropy_kind::exact ? 1e-12 * (1 + count) : 1e-14 * (1 + count);
}

}  // namespace

entropy_flow quadratic_flow(double constant, double alpha) {
  require_constant("entropy flow", constant);
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

entropy_production regression_production(const register_formats& formats, double w, double n,
                                         entropy_flow flow, entropy_kind kind,
                                         const stop_token& stop) {
  (void)slope_law({.w = w}, n);  // checks
  return {[=](double sigma_x, double sigma_xi) {
            const linear_model model{w, sigma_x, sigma_xi};
            const law slope = slope_law(model, n);
            return n * held(formats.data, regression_pair{model}, kind, stop) -
                   held(formats.model, slope, kind, stop);
          },
          std::move(flow), noise_of(n, kind)};
}

entropy_production sgd_production(const register_formats& formats, double w, const descent& how,
                                  double steps, sgd_model which, entropy_flow flow,
                                  entropy_kind kind, const stop_token& stop) {
  require_valid({.w = w}, how, steps);
  const double count = steps * how.batch;
  const bounded<bits> start = start_entropy(formats, how, kind).entropy;
  return {[=](double sigma_x, double sigma_xi) {
            const linear_model model{w, sigma_x, sigma_xi};
            return start + count * held(formats.data, regression_pair{model}, kind, stop) -
                   held(formats.model, sgd_law(model, how, steps, which), kind, stop);
          },
          std::move(flow), noise_of(count, kind)};
}

std::vector<bounded<nats>> sgd_step_productions(const register_formats& formats,
                                                const linear_model& model, const descent& how,
                                                double steps, sgd_model which,
                                                const entropy_flow& flow, entropy_kind kind,
                                                const stop_token& stop) {
  require_valid(model, how, steps);
  if (steps > 1e6) {
    throw std::domain_error("sgd steps: at most 1e6 can be listed, got " + shown(steps));
  }
  const bounded<bits> batch = how.batch * held(formats.data, regression_pair{model}, kind, stop);
  const bounded<nats> out = exactly(nats{flow(model.sigma_x, model.sigma_xi) / steps});
  std::vector<bounded<nats>> productions;
  bounded<bits> before = start_entropy(formats, how, kind).entropy;
  for (int k = 1; k <= static_cast<int>(steps); ++k) {
    const bounded<bits> after = held(formats.model, sgd_law(model, how, k, which), kind, stop);
    productions.push_back(out - to_nats(before + batch - after));
    before = after;
  }
  return productions;
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

}  // namespace ktln2::mismatch
