#include "ask/streaming.hpp"

#include "ktln2/cost/device.hpp"
#include "ktln2/distribution/slope.hpp"
#include "ktln2/entropy/exact.hpp"

namespace ktln2::ask {
namespace {

json step_list(const streaming_cost& found) {
  json list = json::array();
  const std::vector<bounded<bits>> steps = found.steps();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    json one{{"bits", number(steps[i].value.value())}, {"error", number(steps[i].error.value())}};
    if (i < found.held.size()) one["held"] = number(found.held[i].value.value());
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

streaming_question read_streaming(const words& asked) {
  const reader given{asked};
  return {given.format("format"), read_model(given), given.number("n"), read_temperature(given)};
}

streaming_answer solve(const streaming_question& asked, const stop_token& stop) {
  const bounded<bits> ideal = exact_entropy(asked.format, slope_law(asked.model, asked.n));
  const bool is_small = can_be_enumerated(asked.format, asked.n);
  return {asked,
          is_small ? streamed_regression(asked.format, asked.model, asked.n, stop)
                   : smooth_streamed_regression(asked.format, asked.model, asked.n, stop),
          is_small, ideal};
}

std::vector<streaming_answer::entry> streaming_answer::entries() const {
  return {{"shared_data", "x and y of all points", found.n * found.shared_data},
          {"shared_steps", "the points and the sums that took them in", found.shared_steps},
          {"shared_sums", "the two sums, in the end", found.shared_sums},
          {"shared_slope", "the sums and the slope", found.slope}};
}

bounded<joules> streaming_answer::joules_of(const bounded<bits>& erased) const {
  return {landauer_cost(erased.value, asked.temperature),
          landauer_cost(erased.error, asked.temperature), erased.how};
}

std::vector<std::string> streaming_answer::warnings() const {
  if (found.applies) return {};
  return {
      "the formula for the sums does not apply: the noise is narrower than a few cells of Σxy, or "
      "sums leave the range of the format"};
}

report streaming_answer::report() const {
  ask::report made{"cost"};
  made.add("kind", json("streaming"));
  made.add("format", json(asked.format.name()));
  made.add("n", asked.n);
  made.add_all(shown(asked.model));
  made.add("temperature", asked.temperature.value());
  made.add("method", json(is_enumerated ? "all states" : "smooth sums"));
  const auto headline = [&made](const std::string& name, const bounded<bits>& what) {
    made.headline(name, what.value.value());
    made.headline(name + "_error", what.error.value());
  };
  made.headline("bits", found.least().value.value());
  made.headline("error", found.least().error.value());
  made.headline("joules", joules_of(found.least()).value.value());
  headline("separately_bits", found.separately());
  headline("modularity_bits", found.modularity());
  made.add("input_bits", (found.n * found.data).value.value());
  made.add("output_bits", found.slope.value.value());
  made.add("ideal_output_bits", ideal_slope.value.value());
  for (const entry& one : entries()) {
    made.add(one.key, one.amount.value.value());
    made.add(std::string(one.key) + "_error", one.amount.error.value());
  }
  if (is_enumerated) made.add_lazy("steps", [this] { return step_list(found); });
  made.add("applies", json(found.applies));
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
