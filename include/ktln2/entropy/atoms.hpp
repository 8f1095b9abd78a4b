#pragma once

#include <vector>

#include "ktln2/distribution/compound_law.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// A cell that holds an atom, or several, and their mass.
struct atom_cell {
  wide left;
  wide right;
  double mass = 0;
};

/// The cells that hold atoms, ascending. An atom on an edge is where it says; if it says nothing,
/// as the paper's quantizer stores it: away from zero, and 0 itself, of which the paper's formats
/// have none, as the smallest positive value [eq:sem_fp]. The cells may be those of the law over
/// √2.
std::vector<atom_cell> cells_with_atoms(const partition& cells, const std::vector<law_atom>& atoms,
                                        bool is_over_sqrt2 = false);

/// The mass of the atoms between two edges, those on an edge by the same rule.
double atom_mass(const std::vector<law_atom>& atoms, const wide& left, const wide& right);

}  // namespace ktln2
