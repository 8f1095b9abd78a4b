#include <cmath>

#include "ask/how_many.hpp"
#include "ask/many_cost.hpp"
#include "energy.hpp"
#include "output.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::how_many;
using ask::plain;

std::string many_title(const ask::many_cost_answer& made) {
  const std::size_t d = made.asked.model.w.size();
  const std::string features = how_many(d, "feature");
  if (made.asked.kind == "inference") return "One prediction from " + features;
  if (made.asked.kind == "sgd") return "Stochastic gradient descent with " + features;
  return (made.asked.ridge > 0 ? "Ridge regression with " : "Exact regression with ") + features;
}

std::string road_of(std::string_view how) {
  if (how == "unknown") return "of which no law is known";
  return fmt::format("by {}", how);
}

std::string with_bracket(const joint_bits& of) {
  if (of.low == of.high) return fmt::format("{:.9f} bits", of.value.value.value());
  return fmt::format("{} bits, surely {:.9f} to {:.9f}, {}", with_error(of.value), of.low.value(),
                     of.high.value(), road_of(of.how));
}

std::string bill_text(const ask::many_cost_answer& made) {
  const many_computation& bill = *made.bill;
  const kelvin temperature = made.asked.temperature;
  table rows({"", "registers of", "times", "bits each", "bits", energy_heading()});
  const auto add = [&](const register_group& group, const char* sign) {
    rows.add({sign + group.name, how_many(group.width, "bit"), fmt::format("{}", group.count),
              fmt::format("{:.6f}", group.each.value.value()),
              fmt::format("{:.6f}", group.entropy().value.value()),
              energy_entry(landauer_cost(group.entropy().value, temperature), temperature)});
  };
  for (const register_group& group : bill.priced.device.input()) add(group, "in: ");
  for (const register_group& group : bill.priced.device.output()) add(group, "out: ");
  return "\n" + rows.text() +
         fmt::format(
             "\n  a row holds      {}\n  the model holds  {}\n"
             "  {:.6g} bits are erased for each of {}; {:.3g} % of the input is kept\n",
             with_bracket(bill.row), with_bracket(bill.model), bill.bits_per_parameter().value(),
             how_many(bill.coefficients, "coefficient"), 100 * bill.output_share());
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
  std::string text = fmt::format(
      "\n  the features hold       {} bits\n  the output holds        {} bits\n"
      "  with x not rounded      {} bits erased\n",
      with_error(one.features), with_error(one.output), with_error(one.ideal()));
  if (!one.smooth) return text;
  return text + fmt::format("  by the closed form      {:.9f} bits erased\n", one.smooth->value());
}

}  // namespace

std::string text_of(const ask::many_cost_answer& made) {
  const bounded<bits> erased = made.erased();
  std::string text = fmt::format(
      "{} costs at least {} bits = {}\n", many_title(made), with_error(erased),
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
