#include "ktln2/mismatch/logical_states.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ktln2/core/quadrature.hpp"
#include "mismatch/stored_states.hpp"

namespace ktln2::mismatch {
namespace {

/// ln Z of every output, over all starts that lead there.
std::vector<double> log_z_by_output(const island_machine& machine,
                                    const std::vector<other_start>& others) {
  std::vector<log_sum> sums;
  const auto add = [&](const stored_algorithm& leads, double count) {
    const auto most = *std::max_element(leads.output.begin(), leads.output.end());
    if (most >= sums.size()) sums.resize(std::size_t{1} + most);
    const double log_count = std::log(count);
    for (std::size_t x = 0; x < leads.output.size(); ++x) {
      sums[leads.output[x]].add(log_count - machine.flow()[x]);
    }
  };
  add(machine.algorithm(), 1);
  for (const other_start& one : others) add(one.leads, one.count);
  std::vector<double> log_z;
  log_z.reserve(sums.size());
  for (const log_sum& sum : sums) log_z.push_back(sum.value());
  return log_z;
}

}  // namespace

std::vector<other_start> other_starts_of_regression(const stored_algorithm& usual,
                                                    const float_format& model) {
  return {{usual, static_cast<double>(model.size()) - 1}};
}

std::vector<other_start> other_starts_of_sgd(const register_formats& formats, const descent& how,
                                             double steps, const stop_token& stop) {
  const float_format& format = formats.model.ideal("islands");
  const std::vector<double> values = listed_values(format);
  const double usual = format.value(format.quantize(how.w0)).to_double();
  std::vector<other_start> others;
  for (const double w0 : values) {
    if (w0 == usual) continue;
    descent from = how;
    from.w0 = w0;
    others.push_back({stored_sgd(formats, from, steps, stop)});
    constexpr std::size_t most = std::size_t{1} << 22;
    if (others.back().leads.output.size() * values.size() > most) {
      throw std::domain_error("islands: more than 2^22 logical states");
    }
  }
  return others;
}

logical_account over_logical_states(const island_machine& machine, const std::vector<double>& log_p,
                                    const std::vector<other_start>& others) {
  const island_account usual = account(machine, log_p);
  const std::vector<double> log_z = log_z_by_output(machine, others);
  const std::vector<std::uint32_t>& output = machine.algorithm().output;
  std::vector<log_sum> weights(log_z.size());
  for (std::size_t x = 0; x < log_p.size(); ++x) weights[output[x]].add(log_p[x]);
  compensated_sum residual;
  for (std::size_t to = 0; to < log_z.size(); ++to) {
    const double weight = std::exp(weights[to].value());
    if (weight > 0) residual.add(-weight * log_z[to]);
  }
  compensated_sum mismatch;
  for (std::size_t x = 0; x < log_p.size(); ++x) {
    if (log_p[x] == -infinity) continue;
    const double inside = log_p[x] - weights[output[x]].value();
    mismatch.add(std::exp(log_p[x]) * (inside + machine.flow()[x] + log_z[output[x]]));
  }
  const double largest = *std::max_element(log_z.begin(), log_z.end());
  double starts = 1;
  for (const other_start& one : others) starts += one.count;
  return {static_cast<std::size_t>(static_cast<double>(log_p.size()) * starts),
          machine.constant() + largest,
          {usual.production, nats{mismatch.value()}, nats{residual.value()},
           usual.production + nats{largest}}};
}

}  // namespace ktln2::mismatch
