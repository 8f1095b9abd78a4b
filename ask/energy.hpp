#pragma once

#include <string>
#include <string_view>

#include "ask/report.hpp"
#include "ktln2/core/units.hpp"

namespace ktln2::ask {

/// What energies can be shown in.
enum class energy_unit { joule, zeptojoule, electronvolt, kbt };

/// "J", "zJ", "eV" or "kT"; capitals do not matter, but that of a prefix. Throws std::domain_error
/// that begins with `where` for any other.
energy_unit parse_energy_unit(const std::string& where, std::string_view name);
const char* name_of(energy_unit unit);
/// How many of the unit it is; kT is the thermal energy at this temperature.
double amount_in(energy_unit unit, joules energy, kelvin temperature);

/// "0.4pJ", "0.4 pJ", "2.5eV", "100kT" or, in joules, "4e-13"; capitals as above. Throws
/// std::domain_error that begins with `where` for what is no energy, and for one that is not > 0
/// and finite.
joules parse_energy(const std::string& where, std::string_view text, kelvin temperature);

/// The fields temperature and joules: what erasing so much costs.
void add_energy(report& made, bits erased, kelvin temperature);

}  // namespace ktln2::ask
