#include "ktln2/cost/computations.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "ktln2/core/check.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint_approximations.hpp"

namespace ktln2 {
namespace {

/// An entropy, and whether it may be trusted.
struct priced {
  bounded<bits> entropy;
  bool applies = true;
};

/// A closed form is a few operations away from its definition.
priced closed_form(bits value, bool applies) {
  return {{value, bits{64 * 0x1p-53 * (std::fabs(value.value()) + 1)}, evidence::estimated},
          applies};
}

bool applies(const std::vector<approximation>& all, std::string_view label) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const approximation& one) { return one.label == label; });
  return found != all.end() && found->applies();
}

priced entropy_of(const float_format& format, const law& x, entropy_kind kind) {
  if (kind == entropy_kind::exact) return {exact_entropy(format, x)};
  const auto all = entropy_approximations(format, x);
  if (const auto offset = smooth_entropy_offset(format.p(), x)) {
    return closed_form(*offset, applies(all, "eq:three_approxes"));
  }
  return closed_form(smooth_entropy(format.p(), x), applies(all, "eq:first_two_approx"));
}

priced entropy_of(const format_pair& formats, const regression_pair& pair, entropy_kind kind) {
  if (kind == entropy_kind::exact) return {joint_entropy(formats, pair).joint};
  return closed_form(smooth_joint_entropy(formats.x.p(), formats.y.p(), pair),
                     applies(entropy_approximations(formats, pair), "eq:approx_joint_ent_SNR"));
}

register_group points(const format_pair& formats, double count, const bounded<bits>& each) {
  return {"data points (x, y)", count, each, static_cast<double>(formats.x.p() + formats.y.p()),
          static_cast<double>(formats.x.width() + formats.y.width())};
}

register_group one_register(std::string name, const float_format& format,
                            const bounded<bits>& entropy, double count = 1) {
  return {std::move(name), count, entropy, static_cast<double>(format.p()),
          static_cast<double>(format.width())};
}

}  // namespace

register_formats one_format(const float_format& format) { return {{format, format}, format}; }

computation regression_cost(const register_formats& formats, const regression& problem,
                            entropy_kind kind) {
  const law slope = slope_law(problem);
  const priced data =
      entropy_of(formats.data, {problem.w, problem.sigma_x, problem.sigma_xi}, kind);
  const priced model = entropy_of(formats.model, slope, kind);
  return {cyclic_device{{points(formats.data, problem.n, data.entropy)},
                        {one_register("slope", formats.model, model.entropy)}},
          data.applies && model.applies};
}

computation sgd_cost(const register_formats& formats, const sgd_problem& problem, sgd_model model,
                     entropy_kind kind) {
  const law last = sgd_law(problem, model);
  const priced data =
      entropy_of(formats.data, {problem.w, problem.sigma_x, problem.sigma_xi}, kind);
  const priced after = entropy_of(formats.model, last, kind);
  return {cyclic_device{{points(formats.data, problem.steps * problem.batch, data.entropy)},
                        {one_register("slope", formats.model, after.entropy)}},
          data.applies && after.applies};
}

computation sgd_step_cost(const register_formats& formats, const sgd_problem& problem,
                          sgd_model model, entropy_kind kind) {
  const law last = sgd_law(problem, model);
  const priced data =
      entropy_of(formats.data, {problem.w, problem.sigma_x, problem.sigma_xi}, kind);
  const priced after = entropy_of(formats.model, last, kind);
  sgd_problem earlier = problem;
  earlier.steps = problem.steps - 1;
  const bool is_first = earlier.steps < 1;
  const priced before = is_first ? priced{{bits{0}, bits{0}, evidence::proved}}
                                 : entropy_of(formats.model, sgd_law(earlier, model), kind);
  return {cyclic_device{{one_register("slope before", formats.model, before.entropy),
                         points(formats.data, problem.batch, data.entropy)},
                        {one_register("slope after", formats.model, after.entropy)}},
          data.applies && before.applies && after.applies};
}

computation average_cost(const float_format& data, const float_format& result,
                         const averaging& problem, entropy_kind kind) {
  const double n = problem.n;
  if (!(n >= 1 && n <= 1e15 && n == std::floor(n))) {
    throw std::domain_error("average: n must be a whole number from 1 to 1e15, got " + shown(n));
  }
  require_finite("average", "mu", problem.mu);
  require_positive("average", "sigma", problem.sigma);
  const double mean = problem.sum ? n * problem.mu : problem.mu;
  const double deviation =
      problem.sum ? problem.sigma * std::sqrt(n) : problem.sigma / std::sqrt(n);
  require_finite("average", "mean of the result", mean);
  require_positive("average", "deviation of the result", deviation);
  const priced in = entropy_of(data, normal{problem.mu, problem.sigma}, kind);
  const priced out = entropy_of(result, normal{mean, deviation}, kind);
  return {cyclic_device{{one_register("numbers", data, in.entropy, n)},
                        {one_register(problem.sum ? "sum" : "mean", result, out.entropy)}},
          in.applies && out.applies};
}

}  // namespace ktln2
