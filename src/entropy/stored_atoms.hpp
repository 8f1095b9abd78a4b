#pragma once

#include <cstdint>

#include "ktln2/entropy/number_entropy.hpp"

/// How a register that leaves nothing to chance stores the numbers that have a probability of their
/// own.
namespace ktln2 {

/// The law, its atoms on the side of a cell's edge where they are stored: a tie goes to the even
/// code, or wherever the rule sends it.
law with_stored_atoms(const stored_variable& stored);

/// P(X = at) if nothing but this number is stored as its code, so that no cell stands for it: an
/// even one where all between them is rounded to odd ones, the zero of a posit, and +0 where all
/// above it is rounded up. Otherwise 0.
bounded<double> mass_alone(const stored_variable& stored, double at);

/// What H gains over that of the cells because such codes are codes of their own. The law is as
/// with_stored_atoms() makes it.
bounded<bits> gain_of_lone_codes(const stored_variable& stored, const law& x);

/// None for most laws.
const std::vector<law_atom>& atoms_of(const law& x);
/// A part of the line without its atoms.
bounded<double> mass_of_parts(const law& x, const interval& part);

}  // namespace ktln2
