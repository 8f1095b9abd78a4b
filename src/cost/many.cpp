#include "ktln2/cost/many.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/chain.hpp"
#include "ktln2/entropy/coefficient_entropy.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/row_entropy.hpp"

namespace ktln2 {
namespace {

joint_bits closed_form(double value) {
  return {
      {bits{value}, bits{0x1p-47 * (std::fabs(value) + 1)}}, bits{value}, bits{value}, "smooth"};
}

/// h less E log Δ_s of each register        [eq:first_two_approx]
template <class Marginal>
double smooth_joint(double differential, std::size_t count, Marginal marginal, int p) {
  double sum = differential;
  for (std::size_t j = 0; j < count; ++j) sum += (p - 1) - mean_log_magnitude(marginal(j));
  return sum;
}

double smooth_vector(const storage& where, const normal_vector& z, std::size_t first,
                     std::size_t count) {
  const int p = where.ideal("cost: --entropy smooth").p();
  return smooth_joint(
      0, count, [&](std::size_t j) { return law{z.marginal(first + j)}; }, p);
}

double smooth_row(const register_formats& formats, const normal_row& row) {
  const std::size_t d = row.features();
  return differential_entropy(row.registers()).value() +
         smooth_vector(formats.data.x, row.registers(), 0, d) +
         smooth_vector(formats.data.y, row.registers(), d, 1);
}

register_group rows_group(const register_formats& formats, double d, double n,
                          const bounded<bits>& each) {
  return {"rows (x, y)", n, each, d * formats.data.x.p() + formats.data.y.p(),
          d * formats.data.x.width() + formats.data.y.width()};
}

register_group model_group(const storage& where, double count, const bounded<bits>& each) {
  return {"coefficients", 1, each, count * where.p(), count * where.width()};
}

many_computation priced(const register_formats& formats, double d, double n, joint_bits row,
                        joint_bits model, double count) {
  computation made{cyclic_device{{rows_group(formats, d, n, row.value)},
                                 {model_group(formats.model, count, model.value)}},
                   true};
  return {std::move(made), row, model, count};
}

std::vector<storage> row_registers(const register_formats& formats, std::size_t d) {
  std::vector<storage> where(d, formats.data.x);
  where.push_back(formats.data.y);
  return where;
}

}  // namespace

joint_bits row_bits(const register_formats& formats, const normal_row& row, entropy_kind kind,
                    const stop_token& stop) {
  if (kind == entropy_kind::smooth) return closed_form(smooth_row(formats, row));
  const row_entropies found =
      row_entropy(row_registers(formats, row.features()), row, {}, default_joint_tolerance, stop);
  return {found.joint, found.low, found.high, name_of(found.how)};
}

joint_bits model_bits(const storage& where, const coefficients& model, entropy_kind kind,
                      const stop_token& stop) {
  if (kind == entropy_kind::smooth) {
    return closed_form(smooth_entropy(where.ideal("cost: --entropy smooth").p(), model).value());
  }
  const coefficient_entropies found =
      coefficient_entropy(where, model, default_joint_tolerance, stop);
  return {found.joint, found.low, found.high, name_of(found.how)};
}

joint_bits model_bits(const storage& where, const normal_vector& model, entropy_kind kind,
                      const stop_token& stop) {
  if (kind == entropy_kind::smooth) {
    return closed_form(differential_entropy(model).value() +
                       smooth_vector(where, model, 0, model.size()));
  }
  if (model.size() == 1) {
    const bounded<bits> one = entropy_of(where, model.marginal(0), kind);
    return {one, one.value - one.error, one.value + one.error, "rows"};
  }
  const std::vector<storage> all(model.size(), where);
  const chain_entropy found =
      entropy_by_chain(register_partitions(all), model, default_joint_tolerance, stop);
  return {found.value, found.low, found.high, "chain"};
}

bits many_computation::bits_per_parameter() const {
  return priced.device.erased().value / coefficients;
}

double many_computation::output_share() const {
  return priced.device.output_entropy().value / priced.device.input_entropy().value;
}

many_computation many_regression_cost(const register_formats& formats, const least_squares& task,
                                      entropy_kind kind, const stop_token& stop) {
  const normal_row row{task.model};
  const auto d = static_cast<double>(row.features());
  const double count = d + (task.intercept ? 1 : 0);
  if (task.ridge > 0 && (d > 1 || task.intercept)) {
    const bits most{count * formats.model.width()};
    const joint_bits anything{{most / 2, most / 2}, bits{0}, most, "unknown"};
    return priced(formats, d, task.n, row_bits(formats, row, kind, stop), anything, count);
  }
  return many_regression_cost(formats, row, coefficients{task}, kind, stop);
}

many_computation many_regression_cost(const register_formats& formats, const normal_row& row,
                                      const coefficients& model, entropy_kind kind,
                                      const stop_token& stop) {
  return priced(formats, static_cast<double>(row.features()), model.task().n,
                row_bits(formats, row, kind, stop), model_bits(formats.model, model, kind, stop),
                static_cast<double>(model.size()));
}

many_computation many_regression_cost(const register_formats& formats, const normal_row& row,
                                      double n, const normal_vector& model, entropy_kind kind,
                                      const stop_token& stop) {
  return priced(formats, static_cast<double>(row.features()), n, row_bits(formats, row, kind, stop),
                model_bits(formats.model, model, kind, stop), static_cast<double>(model.size()));
}

many_computation many_sgd_cost(const register_formats& formats, const row_model& model,
                               const vector_descent& how, double steps, entropy_kind kind,
                               const stop_token& stop) {
  const sgd_vector walk{model, how};
  const vector_moments last = walk.after(steps);
  return many_regression_cost(formats, normal_row{model}, steps * how.batch,
                              normal_vector{"sgd", last.mean, last.covariance}, kind, stop);
}

double best_penalty(const row_model& model) {
  const double square = std::inner_product(model.w.begin(), model.w.end(), model.w.begin(), 0.0);
  if (!(square > 0)) throw std::domain_error("ridge: there is no best penalty for w = 0");
  return static_cast<double>(model.w.size()) * model.sigma_xi * model.sigma_xi / square;
}

}  // namespace ktln2
