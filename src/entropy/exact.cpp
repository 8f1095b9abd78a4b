#include "ktln2/entropy/exact.hpp"

#include <stdexcept>

#include "entropy/cell_sum.hpp"
#include "entropy/part_sum.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

/// Errors that are allowed piece by piece may add up to more than the tolerance: then with less.
template <class MakeSum>
bounded<bits> within_tolerance(bits tolerance, const MakeSum& make_sum) {
  constexpr double least = 1e-14;
  for (double nats = tolerance.value() * std::numbers::ln2;; nats /= 64) {
    auto sum = make_sum(nats);
    const bounded<bits> result = sum.compute();
    const bool may_gain = sum.chosen_error() > result.error.value() / 4 && nats > least;
    if (result.error <= tolerance || !may_gain) return result;
  }
}

template <class Kernel>
bounded<bits> entropy_of(const partition& cells, const location_scale<Kernel>& x, bits tolerance) {
  if (const auto rational = cells.over_sqrt2()) {
    const location_scale<Kernel> turned = x.over_sqrt2();
    return within_tolerance(tolerance,
                            [&](double nats) { return cell_sum(*rational, turned, nats); });
  }
  return within_tolerance(tolerance, [&](double nats) { return cell_sum(cells, x, nats); });
}

bounded<bits> entropy_of(const partition& cells, const compound_law& x, bits tolerance) {
  const auto rational = cells.over_sqrt2();
  const partition& seen = rational ? *rational : cells;
  const std::vector<weighted_part> parts = rational ? x.parts_over_sqrt2() : x.parts();
  const std::vector<atom_cell> atoms = cells_with_atoms(seen, x.atoms(), rational.has_value());
  return within_tolerance(tolerance, [&](double nats) {
    return part_sum(seen, parts, atoms, table_error(x.kernel()), nats);
  });
}

}  // namespace

bounded<bits> exact_entropy(const partition& cells, const law& x, bits tolerance) {
  if (!(tolerance > bits{0} && tolerance <= bits{1})) {
    throw std::domain_error("entropy: tolerance must be > 0 and at most 1 bit, got " +
                            shown(tolerance.value()));
  }
  if (cells.size() == 1) return {bits{0}, bits{0}, evidence::proved};
  return std::visit([&](const auto& known) { return entropy_of(cells, known, tolerance); }, x);
}

}  // namespace ktln2
