#include "ktln2/cost/internal_bill.hpp"

#include "ktln2/distribution/normal.hpp"
#include "ktln2/distribution/pair.hpp"
#include "ktln2/distribution/slope.hpp"

namespace ktln2 {
namespace {

bounded<bits> excess_of(const std::vector<internal_group>& groups) {
  bounded<bits> sum = exactly(bits{0});
  for (const internal_group& group : groups) sum += group.count * group.each.excess;
  return sum;
}

bits reset_of(const std::vector<internal_group>& groups) {
  bits sum{0};
  for (const internal_group& group : groups) sum += group.count * group.each.reset;
  return sum;
}

internal_group internal_points(const internal_tables& of, const linear_model& model, double count,
                               const stop_token& stop) {
  const regression_pair pair{model};
  return {"data points (x, y)", count, of.x.of(pair.x(), stop) + of.y.of(pair.y(), stop)};
}

internal_mean internal_start(const internal_table& of, const descent& how, const stop_token& stop) {
  return how.has_random_start() ? of.of(sgd_start_law(how), stop) : of.of_point(how.w0);
}

}  // namespace

bounded<bits> internal_bill::loaded() const {
  return exactly(reset_of(input) + reset_of(output)) + excess_of(input);
}

bounded<bits> internal_bill::computed() const {
  return exactly(reset_of(input) + reset_of(output)) + excess_of(output);
}

internal_entropies internal_bill::above_reset() const {
  return {excess_of(input), excess_of(output)};
}

internal_bill regression_internal(const internal_tables& of, const linear_model& model, double n,
                                  const stop_token& stop) {
  return {{internal_points(of, model, n, stop)},
          {{"slope", 1, of.model.of(slope_law(model, n), stop)}}};
}

internal_bill sgd_internal(const internal_tables& of, const linear_model& model, const descent& how,
                           double steps, const law& last, const stop_token& stop) {
  return {{internal_points(of, model, steps * how.batch, stop),
           {"start", 1, internal_start(of.model, how, stop)}},
          {{"slope", 1, of.model.of(last, stop)}}};
}

internal_bill sgd_step_internal(const internal_tables& of, const linear_model& model,
                                const descent& how, const std::optional<law>& before,
                                const law& after, const stop_token& stop) {
  const internal_mean first =
      before ? of.model.of(*before, stop) : internal_start(of.model, how, stop);
  return {{{"slope before", 1, first}, internal_points(of, model, how.batch, stop)},
          {{"slope after", 1, of.model.of(after, stop)}}};
}

internal_bill average_internal(const internal_table& data, const internal_table& result,
                               const law& one, const law& total, double n, total_of what,
                               const stop_token& stop) {
  return {{{"numbers", n, data.of(one, stop)}},
          {{what == total_of::sum ? "sum" : "mean", 1, result.of(total, stop)}}};
}

internal_bill inference_internal(const internal_table& of, double slope, double sigma_x,
                                 const stop_token& stop) {
  return {{{"x", 1, of.of(normal{0, sigma_x}, stop)}},
          {{"prediction", 1, of.of_product(slope, sigma_x, stop)}}};
}

}  // namespace ktln2
