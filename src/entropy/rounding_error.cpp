#include "ktln2/entropy/rounding_error.hpp"

#include <cmath>
#include <functional>

#include "entropy/error_sum.hpp"

namespace ktln2 {
namespace {

/// What a number is stored as; nothing for NaN.
using stored_value = std::function<std::optional<wide>(double)>;

/// Both errors of the atoms.
two_errors of_atoms(const std::vector<law_atom>& atoms, const stored_value& value_of) {
  two_errors sum;
  for (const law_atom& one : atoms) {
    const wide value = value_of(one.at).value_or(wide(infinity));
    const double off = value.is_infinite() ? infinity : std::fabs((value - one.at).to_double());
    sum.square += one.mass * off * off;
    if (off > 0) sum.relative += one.mass * std::min(1.0, off / std::fabs(one.at));
  }
  return sum;
}

/// Squares in units of the law's as those of X. Nothing where a double is too small or too large.
std::optional<bounded<double>> in_units(double unit, const bounded<double>& squares) {
  const bounded<double> made = unit * unit * squares;
  const bool is_right = squares.value == 0 || std::isnormal(made.value);
  if (!is_right || !std::isfinite(made.value) || !std::isfinite(made.error)) return {};
  return made;
}

template <class Law>
rounding_errors both_sides(const Law& x, const magnitude_line& below, const magnitude_line& above,
                           const stored_value& value_of) {
  error_sum sum{x};
  sum.add_side(below, true);
  sum.add_side(above, false);
  two_errors atoms;
  if constexpr (std::is_same_v<Law, compound_law>) atoms = of_atoms(x.atoms(), value_of);
  // Mass that an inexact density has misplaced may be where errors are much larger.
  const double misplaced = 64 * (table_error(x.kernel()) + x.rounding_error());
  const double roundoff = 0x1p-45;
  rounding_errors made;
  const double relative = sum.relative() + atoms.relative;
  made.relative = {relative, sum.error().relative + (misplaced + roundoff) * relative,
                   evidence::estimated};
  if (!std::isfinite(x.kernel().deviation()) || sum.overflowing() > 0) return made;
  const double error = sum.error().square + (64 * misplaced + roundoff) * sum.square();
  made.mean_square = in_units(x.scale(), {sum.square(), error, evidence::estimated});
  if (!made.mean_square) return made;
  if (std::isinf(atoms.square)) return {std::nullopt, made.relative};
  *made.mean_square += bounded<double>{atoms.square, roundoff * atoms.square};
  return made;
}

}  // namespace

rounding_errors rounding_errors_of(const float_format& format, const law& x) {
  const magnitude_line line = line_of(format);
  const auto value_of = [&](double at) { return format.value(format.quantize(at)); };
  return std::visit([&](const auto& known) { return both_sides(known, line, line, value_of); }, x);
}

rounding_errors rounding_errors_of(const number_format& format, overflow beyond, const law& x) {
  const storing rule{rounding::nearest_even, beyond};
  format.require(rule);
  const magnitude_line below = line_of(format, beyond, true);
  const magnitude_line above = line_of(format, beyond, false);
  const auto value_of = [&](double at) { return format.value(format.quantize(at, rule)); };
  return std::visit([&](const auto& known) { return both_sides(known, below, above, value_of); },
                    x);
}

}  // namespace ktln2
