#include "ktln2/cost/computations.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "ktln2/core/check.hpp"
#include "ktln2/distribution/slope.hpp"

namespace ktln2 {
namespace {

register_group points(const storage_pair& formats, double count, const bounded<bits>& each) {
  return {"data points (x, y)", count, each, static_cast<double>(formats.x.p() + formats.y.p()),
          static_cast<double>(formats.x.width() + formats.y.width())};
}

register_group one_register(std::string name, const storage& format, const bounded<bits>& entropy,
                            double count = 1) {
  return {std::move(name), count, entropy, static_cast<double>(format.p()),
          static_cast<double>(format.width())};
}

}  // namespace

register_formats one_format(const storage& format) { return {{format, format}, format}; }

computation regression_cost(const register_formats& formats, const linear_model& model, double n,
                            entropy_kind kind, const stop_token& stop) {
  return regression_cost(formats, model, n, slope_law(model, n), kind, stop);
}

computation regression_cost(const register_formats& formats, const linear_model& model, double n,
                            const law& slope, entropy_kind kind, const stop_token& stop) {
  const judged_entropy data = judged_entropy_of(formats.data, regression_pair{model}, kind, stop);
  const judged_entropy found = judged_entropy_of(formats.model, slope, kind);
  return {cyclic_device{{points(formats.data, n, data.entropy)},
                        {one_register("slope", formats.model, found.entropy)}},
          data.applies && found.applies};
}

judged_entropy start_entropy(const register_formats& formats, const descent& how,
                             entropy_kind kind) {
  if (!how.has_random_start()) return {exactly(bits{0})};
  return judged_entropy_of(formats.model, law{sgd_start_law(how)}, kind);
}

computation sgd_cost(const register_formats& formats, const linear_model& model, const descent& how,
                     double steps, sgd_model which, entropy_kind kind) {
  return sgd_cost(formats, model, how, steps, sgd_law(model, how, steps, which), kind);
}

computation sgd_cost(const register_formats& formats, const linear_model& model, const descent& how,
                     double steps, const law& last, entropy_kind kind, const stop_token& stop) {
  require_valid(model, how, steps);
  const judged_entropy data = judged_entropy_of(formats.data, regression_pair{model}, kind, stop);
  const judged_entropy after = judged_entropy_of(formats.model, last, kind);
  const judged_entropy start = start_entropy(formats, how, kind);
  std::vector<register_group> input{points(formats.data, steps * how.batch, data.entropy)};
  if (how.has_random_start()) {
    input.push_back(one_register("start", formats.model, start.entropy));
  }
  return {cyclic_device{input, {one_register("slope", formats.model, after.entropy)}},
          data.applies && start.applies && after.applies};
}

computation sgd_step_cost(const register_formats& formats, const linear_model& model,
                          const descent& how, double steps, sgd_model which, entropy_kind kind) {
  const law after = sgd_law(model, how, steps, which);
  if (steps == 1) return sgd_step_cost(formats, model, how, std::nullopt, after, kind);
  return sgd_step_cost(formats, model, how, sgd_law(model, how, steps - 1, which), after, kind);
}

computation sgd_step_cost(const register_formats& formats, const linear_model& model,
                          const descent& how, const std::optional<law>& before, const law& after,
                          entropy_kind kind) {
  require_valid(model, how);
  const judged_entropy data = judged_entropy_of(formats.data, regression_pair{model}, kind);
  const judged_entropy next = judged_entropy_of(formats.model, after, kind);
  const judged_entropy known =
      before ? judged_entropy_of(formats.model, *before, kind) : start_entropy(formats, how, kind);
  return {cyclic_device{{one_register("slope before", formats.model, known.entropy),
                         points(formats.data, how.batch, data.entropy)},
                        {one_register("slope after", formats.model, next.entropy)}},
          data.applies && known.applies && next.applies};
}

normal average_law(const averaging& what, double n) {
  if (!(n >= 1 && n <= 1e15 && n == std::floor(n))) {
    throw std::domain_error("average: n must be a whole number from 1 to 1e15, got " + shown(n));
  }
  require_finite("average", "mu", what.mu);
  require_positive("average", "sigma", what.sigma);
  const double mean = what.sum ? n * what.mu : what.mu;
  const double deviation = what.sum ? what.sigma * std::sqrt(n) : what.sigma / std::sqrt(n);
  require_finite("average", "mean of the result", mean);
  require_positive("average", "deviation of the result", deviation);
  return {mean, deviation};
}

computation average_cost(const storage& data, const storage& result, const averaging& what,
                         double n, entropy_kind kind) {
  const law average = average_law(what, n);
  return average_cost(data, result, normal{what.mu, what.sigma}, average, n,
                      what.sum ? total_of::sum : total_of::mean, kind);
}

computation average_cost(const storage& data, const storage& result, const law& one,
                         const law& total, double n, total_of what, entropy_kind kind) {
  const judged_entropy in = judged_entropy_of(data, one, kind);
  const judged_entropy out = judged_entropy_of(result, total, kind);
  const char* const name = what == total_of::sum ? "sum" : "mean";
  return {cyclic_device{{one_register("numbers", data, in.entropy, n)},
                        {one_register(name, result, out.entropy)}},
          in.applies && out.applies};
}

std::optional<normal> central_limit(const law& total) {
  const double center = mean(total);
  const double spread = deviation(total);
  if (!std::isfinite(center) || !std::isfinite(spread)) return {};
  return normal{center, spread};
}

}  // namespace ktln2
