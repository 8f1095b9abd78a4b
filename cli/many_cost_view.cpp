#include <cmath>

#include "ask/many_cost.hpp"
#include "energy.hpp"
#include "output.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::plain;

std::string many_title(const ask::many_cost_answer& made) {
  const std::size_t d = made.asked.model.w.size();
  const std::string features = fmt::format("{} feature{}", d, d == 1 ? "" : "s");
  if (made.asked.kind == "inference") return "One prediction from " + features;
  if (made.asked.kind == "sgd") return "Stochastic gradient descent with " + features;
  return (made.asked.ridge > 0 ? "Ridge regression with " : "Exact regression with ") + features;
}

std::string with_bracket(const joint_bits& of) {
  if (of.low == of.high) return fmt::format("{:.9f}", of.value.value.value());
  return fmt::format("{:.9f}, from {:.9f} to {:.9f}, by {}", of.value.value.value(), of.low.value(),
                     of.high.value(), of.how);
}

std::string bill_text(const ask::many_cost_answer& made) {
  const many_computation& bill = *made.bill;
  const kelvin temperature = made.asked.temperature;
  table rows({"", "registers of", "times", "bits each", "bits", energy_heading()});
  const auto add = [&](const register_group& group, const char* sign) {
    rows.add({sign + group.name, fmt::format("{} bits", group.width),
              fmt::format("{}", group.count), fmt::format("{:.6f}", group.each.value.value()),
              fmt::format("{:.6f}", group.entropy().value.value()),
              energy_entry(landauer_cost(group.entropy().value, temperature), temperature)});
  };
  for (const register_group& group : bill.priced.device.input()) add(group, "in: ");
  for (const register_group& group : bill.priced.device.output()) add(group, "out: ");
  return "\n" + rows.text() +
         fmt::format(
             "\n  a row holds      {} bits\n  the model holds  {} bits\n"
             "  {:.6g} bits are erased for each of {}; {:.3g} % of the input is kept\n",
             with_bracket(bill.row), with_bracket(bill.model), bill.bits_per_parameter().value(),
             counted(plain(bill.coefficients), "coefficient"), 100 * bill.output_share());
}

std::string sgd_text(const ask::many_cost_answer& made) {
  if (!made.sgd) return "";
  const ask::many_sgd_state& state = *made.sgd;
  table rows({"coefficient", "truth", "mean", "deviation", "by the process"});
  const std::vector<double>& w = made.asked.model.w;
  const std::size_t shift = state.reached.mean.size() - w.size();
  for (std::size_t j = 0; j < state.reached.mean.size() && j < 12; ++j) {
    const auto deviation = [&](const vector_moments& at) {
      return fmt::format("{:.6g}", std::sqrt(at.covariance(j, j)));
    };
    rows.add({j < shift ? "b" : fmt::format("w{}", j - shift + 1),
              fmt::format("{:.6g}", j < shift ? made.asked.model.b : w[j - shift]),
              fmt::format("{:.6g}", state.reached.mean[j]), deviation(state.reached),
              deviation(state.by_process)});
  }
  return "\n" + rows.text() +
         fmt::format(
             "\n  predictions: {:.6g} more than the noise; it converges below eta = {:.6g}\n",
             state.excess_risk, state.eta_max);
}

std::string prediction_text(const ask::many_cost_answer& made) {
  const many_prediction& one = *made.prediction;
  return fmt::format(
      "\n  the features hold       {:.9f} bits\n  with x not rounded      {:.9f} bits erased\n"
      "  by the closed form      {:.9f} bits erased\n",
      one.features.value.value(), one.ideal.value.value(), one.smooth.value());
}

}  // namespace

std::string text_of(const ask::many_cost_answer& made) {
  const bounded<bits> erased = made.erased();
  std::string text = fmt::format(
      "{} costs at least {:.9f} bits = {}\n", many_title(made), erased.value.value(),
      energy_at(landauer_cost(erased.value, made.asked.temperature), made.asked.temperature));
  return text + (made.bill ? bill_text(made) : prediction_text(made)) + sgd_text(made);
}

table rows_of(const ask::many_cost_answer& made) {
  table rows({"part", "bits", "joules"});
  const auto add = [&](const char* name, bits value) {
    rows.add(
        {name, plain(value.value()), plain(landauer_cost(value, made.asked.temperature).value())});
  };
  const bits erased = made.erased().value;
  const bits input =
      made.bill ? made.bill->priced.device.input_entropy().value : made.prediction->features.value;
  add("input", input);
  add("output", input - erased);
  add("erased", erased);
  return rows;
}

}  // namespace ktln2::cli
