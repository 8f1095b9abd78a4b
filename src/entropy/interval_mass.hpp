#pragma once

#include <cmath>
#include <variant>

#include "entropy/stretch.hpp"
#include "ktln2/core/result.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/number_cells.hpp"

namespace ktln2 {

/// The mass of a part of the line, and what rounding may do to it.
inline bounded<double> interval_mass(const law& x, const interval& part) {
  if (!(part.left < part.right)) return exactly(0.0);
  return std::visit(
      [&part](const auto& known) -> bounded<double> {
        const cell_run cell{part.left, part.right, part.right - part.left, 1};
        const stretch where = standard_stretch(known, cell, 0, 1);
        const double mass = mass_of(known, where, cell, 0, 1).probability;
        if (mass == 0) return exactly(0.0);
        const double condition = known.kernel().condition(place_of_mass(known.kernel(), where));
        double error = 0x1p-53 * mass * (16 + 8 * condition);
        if constexpr (requires { known.rounding_error(); }) error += known.rounding_error();
        return {mass, error};
      },
      x);
}

}  // namespace ktln2
