#include "paper/claims/claim_market.hpp"

namespace ktln2::paper {

market prices_at(double energy_price, inference_price inference) {
  return {.energy_price = energy_price,
          .inference = inference,
          .wanted = {},
          .temperature = kelvin{4e-21 / boltzmann_constant.value()}};
}

profit_curve regression_at(double energy_price, entropy_kind kind) {
  return {prices_at(energy_price), one_format({24, 8}), regression_training{{.w = 2}}, kind};
}

sgd_profit_curve sgd_at(double energy_price, const sgd_setting& set) {
  const sgd_training what{
      {.w = set.w}, {.eta = set.eta, .batch = set.batch, .w0 = 1}, sgd_model::ou};
  return {prices_at(energy_price), one_format({24, 8}), what, entropy_kind::smooth};
}

double best_n(const profit_curve& curve) { return find_best_size(curve).best.value().n; }

}  // namespace ktln2::paper
