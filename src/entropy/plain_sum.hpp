#pragma once

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "entropy/stretch.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/entropy/atoms.hpp"
#include "ktln2/format/number_cells.hpp"

namespace ktln2 {

/// The mass of a part of the line, and what rounding may do to it.
template <class Law>
bounded<double> mass_in(const Law& x, const interval& part) {
  if (!(part.left < part.right)) return exactly(0.0);
  const cell_run cell{part.left, part.right, part.right - part.left, 1};
  const stretch where = standard_stretch(x, cell, 0, 1);
  const double mass = mass_of(x, where, cell, 0, 1).probability;
  const double condition = x.kernel().condition(place_of_mass(x.kernel(), where));
  double error = 0x1p-53 * mass * (32 - std::log(mass) + 16 * condition);
  if (mass == 0) error = 0;
  if constexpr (requires { x.rounding_error(); }) error += x.rounding_error();
  return {mass, error};
}

/// Of a law made of parts, without its atoms.
inline bounded<double> mass_of_parts(const compound_law& x, const interval& part) {
  if (!(part.left < part.right)) return exactly(0.0);
  double mass = 0;
  double error = 0;
  for (const weighted_part& one : x.parts()) {
    const double own = one(one.part->between(part.left, part.right)).probability;
    if (own == 0) continue;
    const wide place = std::clamp(one.part->facts().center, part.left, part.right);
    mass += own;
    error += 0x1p-53 * own * (32 - std::log(own) + 2 * one.part->roundings(place));
  }
  return {mass, error + table_error(x.kernel())};
}

inline bounded<double> mass_in(const compound_law& x, const interval& part) {
  const double atoms = atom_mass(x.atoms(), part.left, part.right);
  return mass_of_parts(x, part) + bounded<double>{atoms, 0x1p-49 * atoms};
}

inline bounded<double> mass_in(const law& x, const interval& part) {
  return std::visit([&part](const auto& known) { return mass_in(known, part); }, x);
}

/// -Σ P ln P with its bar, term by term.
class plain_sum {
 public:
  void add(const bounded<double>& mass) {
    if (mass.value > 0) sum_.add(-mass.value * std::log(mass.value));
    mass_.add(mass.value);
    if (mass.error > 0) error_ += mass.error * (1 - std::log(std::max(mass.error, mass.value)));
  }
  /// Among `count` terms any mass that is lacking or too much may stand anywhere.
  [[nodiscard]] bounded<bits> entropy(double count) const {
    const double lost = std::fabs(mass_.value() - 1);
    const double lost_error = lost == 0 ? 0 : lost * (1 + std::log(count) - std::log(lost));
    const double nats = sum_.value();
    return {bits{nats * bits_per_nat}, bits{(error_ + lost_error + 0x1p-50 * nats) * bits_per_nat},
            evidence::estimated};
  }
  /// Of these terms alone.
  [[nodiscard]] bounded<bits> part() const {
    const double nats = sum_.value();
    return {bits{nats * bits_per_nat}, bits{(error_ + 0x1p-50 * std::fabs(nats)) * bits_per_nat},
            evidence::estimated};
  }

 private:
  compensated_sum sum_;
  compensated_sum mass_;
  double error_ = 0;
};

}  // namespace ktln2
