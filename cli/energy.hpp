#pragma once

#include <string>

#include "ask/energy.hpp"
#include "ask/words.hpp"

namespace ktln2::cli {

/// Takes --units out of the words: the unit in which text shows energies from then on. There is one
/// for the program, which answers one question. Throws std::domain_error for an unknown one.
void take_energy_unit(ask::words& asked);

/// "1.48563e-16 J", or "35871.6 kT", with so many significant digits.
std::string shown_energy(joules energy, kelvin temperature, int digits = 6);
/// For a column: "1.486e-16".
std::string energy_entry(joules energy, kelvin temperature, int decimals = 3);
/// Above such a column: "joules", or "kT".
std::string energy_heading();
/// "J"
std::string energy_unit_name();
/// "1.5e-16 J at 300 K"
std::string energy_at(joules energy, kelvin temperature, int digits = 6);

}  // namespace ktln2::cli
