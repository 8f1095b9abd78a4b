#include "energy.hpp"

#include <fmt/format.h>

namespace ktln2::cli {
namespace {

ask::energy_unit& chosen_unit() {
  static ask::energy_unit unit = ask::energy_unit::joule;
  return unit;
}

}  // namespace

void take_energy_unit(ask::words& asked) {
  const std::vector<std::string> given = asked.take("units");
  if (given.empty()) return;
  chosen_unit() = ask::parse_energy_unit(asked.command + ": --units", given.front());
}

std::string shown_energy(joules energy, kelvin temperature, int digits) {
  const ask::energy_unit unit = chosen_unit();
  return fmt::format("{:.{}g} {}", amount_in(unit, energy, temperature), digits, name_of(unit));
}

std::string energy_entry(joules energy, kelvin temperature, int decimals) {
  return fmt::format("{:.{}e}", amount_in(chosen_unit(), energy, temperature), decimals);
}

std::string energy_heading() {
  const ask::energy_unit unit = chosen_unit();
  return unit == ask::energy_unit::joule ? "joules" : name_of(unit);
}

std::string energy_unit_name() { return name_of(chosen_unit()); }

std::string energy_at(joules energy, kelvin temperature, int digits) {
  return fmt::format("{} at {:.6g} K", shown_energy(energy, temperature, digits),
                     temperature.value());
}

}  // namespace ktln2::cli
