#include "entropy/stored_atoms.hpp"

#include <algorithm>
#include <cmath>

#include "entropy/plain_sum.hpp"

namespace ktln2 {
namespace {

bounded<double> as_mass(double mass) { return {mass, 0x1p-49 * mass, evidence::estimated}; }

bool is_alone(const stored_variable& stored, double at) {
  const number_format& format = stored.format;
  const rounding how = stored.rule.how;
  if (at == 0 && format.kind() == number_format::family::posit) return true;
  const bool has_two = format.fields().zero == float_description::zeros::signed_zero;
  if (at == 0 && how == rounding::up) return has_two;
  if (how != rounding::to_odd) return false;
  const std::uint64_t code = format.quantize(at, stored.rule);
  if (format.value(code) != wide(at) || code % 2 != 0) return false;
  // What is too large is stored as the largest, if that is how the register saturates.
  if (stored.rule.beyond != overflow::saturate) return true;
  const std::uint64_t last = format.largest(true);
  return wide(at) != format.max() && wide(at) != -format.run_of(last).value(last);
}

/// On which side of an edge a number is stored that stands on it.
int side_of(const stored_variable& stored, double at) {
  const number_format& format = stored.format;
  const std::optional<wide> value = format.value(format.quantize(at, stored.rule));
  // Too large: away from zero. 0 itself is no number where nothing below it is one.
  if (!value || value->is_infinite()) return at == 0 ? -1 : 0;
  if (*value != wide(at)) return *value > wide(at) ? 1 : -1;
  const rounding how = stored.rule.how;
  const bool is_complement = format.kind() == number_format::family::twos_complement;
  if (how == rounding::to_odd && is_complement && at < 0) {
    // With the odd code above it, but for the lowest.
    const std::uint64_t last = format.largest(true);
    return wide(at) == -format.run_of(last).value(last) ? -1 : 1;
  }
  if (at == 0) {
    if (how == rounding::to_odd) return is_alone(stored, at) ? 1 : -1;
    const bool has_two = format.fields().zero == float_description::zeros::signed_zero;
    return how == rounding::up && !has_two ? -1 : 1;
  }
  // A number of the format is one end of its own cell.
  if (how == rounding::up) return -1;
  return how == rounding::down ? 1 : 0;
}

/// A cell, and the masses in it that are codes of their own.
class cell_with_lone_codes {
 public:
  cell_with_lone_codes(const partition& cells, const law_atom& first)
      : cell_{cells.cell_of(first.at, first.side)} {}

  [[nodiscard]] bool holds(const partition& cells, const law_atom& one) const {
    const wide at = one.at;
    if (cell_.left < at && at < cell_.right) return true;
    return cells.cell_of(at, one.side).left == cell_.left;
  }
  void add(const law_atom& one, bool alone) {
    (alone ? lone_ : other_) += one.mass;
    if (alone) apart_.add(as_mass(one.mass));
  }
  [[nodiscard]] bounded<bits> gain(const law& x) {
    if (lone_ == 0) return exactly(bits{0});
    const bounded<double> rest = mass_of_parts(x, {cell_.left, cell_.right}) + as_mass(other_);
    apart_.add(rest);
    plain_sum together;
    together.add(rest + as_mass(lone_));
    return apart_.part() - together.part();
  }

 private:
  cell_run cell_;
  double lone_ = 0;
  double other_ = 0;
  plain_sum apart_;
};

}  // namespace

const std::vector<law_atom>& atoms_of(const law& x) {
  static const std::vector<law_atom> none;
  const auto* const compound = std::get_if<compound_law>(&x);
  return compound == nullptr ? none : compound->atoms();
}

law with_stored_atoms(const stored_variable& stored) {
  if (!has_atoms(stored.x) || stored.rule.by_chance) return stored.x;
  return std::get<compound_law>(stored.x).with_sides(
      [&](double at) { return side_of(stored, at); });
}

bounded<double> mass_alone(const stored_variable& stored, double at) {
  for (const law_atom& one : atoms_of(stored.x)) {
    if (one.at == at && is_alone(stored, at)) return as_mass(one.mass);
  }
  return exactly(0.0);
}

bounded<bits> gain_of_lone_codes(const stored_variable& stored, const law& x) {
  const std::vector<law_atom>& atoms = atoms_of(x);
  const bool has_some = std::any_of(atoms.begin(), atoms.end(),
                                    [&](const law_atom& one) { return is_alone(stored, one.at); });
  bounded<bits> gain = exactly(bits{0});
  if (!has_some) return gain;
  const partition cells = cells_of(stored.format, stored.rule).cells;
  std::optional<cell_with_lone_codes> here;
  for (const law_atom& one : atoms) {
    if (!here || !here->holds(cells, one)) {
      if (here) gain += here->gain(x);
      here.emplace(cells, one);
    }
    here->add(one, is_alone(stored, one.at));
  }
  return gain + here->gain(x);
}

bounded<double> mass_of_parts(const law& x, const interval& part) {
  const auto* const compound = std::get_if<compound_law>(&x);
  return compound == nullptr ? mass_in(x, part) : mass_of_parts(*compound, part);
}

}  // namespace ktln2
