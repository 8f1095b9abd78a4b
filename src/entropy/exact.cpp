#include "ktln2/entropy/exact.hpp"

#include <stdexcept>

#include "entropy/cell_sum.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {

bounded<bits> exact_entropy(const partition& cells, const law& x, bits tolerance) {
  if (!(tolerance > bits{0} && tolerance <= bits{1})) {
    throw std::domain_error("entropy: tolerance must be > 0 and at most 1 bit, got " +
                            shown(tolerance.value()));
  }
  if (cells.size() == 1) return {bits{0}, bits{0}, evidence::proved};
  const double nats = tolerance.value() * std::numbers::ln2;
  return std::visit([&](const auto& known) { return cell_sum(cells, known, nats).compute(); }, x);
}

}  // namespace ktln2
