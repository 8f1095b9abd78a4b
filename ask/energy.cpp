#include "ask/energy.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/named.hpp"
#include "core/nearest.hpp"
#include "core/parse.hpp"

namespace ktln2::ask {
namespace {

/// The charge of an electron in coulomb, exact by definition, and so a volt's worth of it in
/// joules.
constexpr double electron_charge = 1.602176634e-19;

struct named_unit {
  std::string name;
  double size;  ///< in joules; 0 for kT
};

const std::vector<named_unit>& energy_units() {
  static const std::vector<named_unit> all{
      {"J", 1},      {"mJ", 1e-3},  {"uJ", 1e-6},  {"µJ", 1e-6},  {"nJ", 1e-9},
      {"pJ", 1e-12}, {"fJ", 1e-15}, {"aJ", 1e-18}, {"zJ", 1e-21}, {"eV", electron_charge},
      {"kT", 0}};
  return all;
}

/// Is it what was typed? Capitals do not matter, but those of a prefix: 1 MJ is not 1 mJ.
bool is_unit(std::string_view name, std::string_view typed) {
  const bool has_prefix = name.size() > 1 && name.ends_with('J');
  if (has_prefix && !typed.starts_with(name.substr(0, name.size() - 1))) return false;
  return in_small_letters(name) == in_small_letters(typed);
}

double size_of(const named_unit& unit, kelvin temperature) {
  return unit.size > 0 ? unit.size : boltzmann_constant.value() * temperature.value();
}

}  // namespace

energy_unit parse_energy_unit(const std::string& where, std::string_view name) {
  for (const energy_unit unit :
       {energy_unit::joule, energy_unit::zeptojoule, energy_unit::electronvolt, energy_unit::kbt}) {
    if (is_unit(name_of(unit), name)) return unit;
  }
  throw std::domain_error(where + " must be J, zJ, eV or kT, got '" + std::string(name) + "'");
}

const char* name_of(energy_unit unit) {
  switch (unit) {
    case energy_unit::joule:
      return "J";
    case energy_unit::zeptojoule:
      return "zJ";
    case energy_unit::electronvolt:
      return "eV";
    case energy_unit::kbt:
      break;
  }
  return "kT";
}

double amount_in(energy_unit unit, joules energy, kelvin temperature) {
  return energy.value() / size_of(*find_named(energy_units(), name_of(unit)), temperature);
}

joules parse_energy(const std::string& where, std::string_view text, kelvin temperature) {
  // The number ends where its last digit or point is; 1e-13J has its e among them.
  const std::size_t end = text.find_last_of("0123456789.") + 1;  // 0 if there is none
  const std::string_view number = text.substr(0, end);
  std::string_view unit = text.substr(end);
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.empty()) unit = "J";
  const auto known =
      std::find_if(energy_units().begin(), energy_units().end(),
                   [unit](const named_unit& one) { return is_unit(one.name, unit); });
  if (known == energy_units().end() || number.empty()) {
    throw std::domain_error(where + ": expected an energy such as 0.4pJ or 4e-13 (in " +
                            listed(names_of(energy_units())) + "), got '" + std::string(text) +
                            "'");
  }
  const double energy = parse_number(where, std::string(number)) * size_of(*known, temperature);
  if (energy > 0 && std::isfinite(energy)) return joules{energy};
  throw std::domain_error(where + " must be > 0 and within range, got '" + std::string(text) + "'");
}

void add_energy(report& made, bits erased, kelvin temperature) {
  made.add("temperature", temperature.value());
  made.add("joules", landauer_cost(erased, temperature).value());
}

}  // namespace ktln2::ask
