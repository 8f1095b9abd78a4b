#include "ktln2/entropy/exact.hpp"

#include "entropy/cell_sum.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {

bounded<bits> exact_entropy(const partition& cells, const law& x, bits tolerance) {
  require_positive("entropy", "tolerance", tolerance.value());
  const double nats = tolerance.value() * std::numbers::ln2;
  return std::visit([&](const auto& known) { return cell_sum(cells, known, nats).compute(); }, x);
}

}  // namespace ktln2
