#include "ktln2/entropy/exact.hpp"

#include <stdexcept>

#include "entropy/cell_sum.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

/// Errors that are allowed piece by piece may add up to more than the tolerance: then with less.
template <class Kernel>
bounded<bits> within_tolerance(const partition& cells, const location_scale<Kernel>& x,
                               bits tolerance) {
  constexpr double least = 1e-14;
  for (double nats = tolerance.value() * std::numbers::ln2;; nats /= 64) {
    cell_sum sum(cells, x, nats);
    const bounded<bits> result = sum.compute();
    const bool may_gain = sum.chosen_error() > result.error.value() / 4 && nats > least;
    if (result.error <= tolerance || !may_gain) return result;
  }
}

template <class Kernel>
bounded<bits> entropy_of(const partition& cells, const location_scale<Kernel>& x, bits tolerance) {
  const auto rational = cells.over_sqrt2();
  return rational ? within_tolerance(*rational, x.over_sqrt2(), tolerance)
                  : within_tolerance(cells, x, tolerance);
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
