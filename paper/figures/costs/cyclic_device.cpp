#include "ktln2/cost/computations.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> protocol(const parameters& given, const effort& /*work*/) {
  const register_formats formats = one_format({given.integer("p"), given.integer("E")});
  const cyclic_device device =
      regression_cost(formats,
                      {given.number("w"), given.number("sigma_x"), given.number("sigma_xi")},
                      given.number("n"))
          .device;
  const double price = device.cost(kelvin{given.number("temperature")}).value.value();
  table steps({{"step", "", "as the paper counts them"},
               {"what", "", "what happens"},
               {"input", "", "registers of the data"},
               {"intermediary", "", "registers of what lies between"},
               {"output", "", "register of the result"},
               {"entropy", "bits", "that the registers hold then"},
               {"change", "bits", "since the step before"},
               {"cost", "J", "least energy of getting there"}});
  const char* const names[] = {"0", "1", "F-1", "F"};
  double before = 0;
  std::size_t i = 0;
  for (const device_step& step : device.protocol()) {
    const double entropy = step.entropy.value.value();
    steps.add({names[i++], std::string(step.name), std::string(step.input),
               std::string(step.intermediary), std::string(step.output), entropy, entropy - before,
               step.is_free ? 0.0 : price});
    before = entropy;
  }
  return {steps};
}

}  // namespace

figure cyclic_device_table() {
  return {.label = "tab:cyclic_device",
          .settings =
              parameters({{"n", {10}, origin::chosen, "an example"},
                          {"w", {1}, origin::chosen, "an example"},
                          {"sigma_x", {1}, origin::chosen, "an example"},
                          {"sigma_xi", {1}, origin::chosen, "an example"},
                          {"p", {24}, origin::chosen, "single precision"},
                          {"E", {8}, origin::chosen, "single precision"},
                          {"temperature", {300}, origin::chosen, "room temperature, in kelvin"}}),
          .cost = 0.02,
          .compute = protocol};
}

}  // namespace ktln2::paper
