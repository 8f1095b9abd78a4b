#include "ktln2/entropy/enumeration.hpp"

#include <stdexcept>

#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
namespace {

template <class Law>
double probability(const Law& x, const cell_run& run, std::uint64_t k) {
  const double left = x.standard(run.edge(k));
  const double right = x.standard(run.edge(k + 1));
  if (left == right) return 0;
  if (run.left.is_infinite() || std::isinf(left)) return x.kernel().lower(right).probability;
  if (run.right.is_infinite() || std::isinf(right)) return x.kernel().upper(left).probability;
  const double width = ratio(run.width, x.scale());
  return x.kernel().cell(left + width / 2, width).probability;
}

}  // namespace

bounded<bits> enumerated_entropy(const partition& cells, const law& x) {
  if (cells.log2_size() > 28) {
    throw std::domain_error("enumerated_entropy: 2^" + std::to_string(cells.log2_size()) +
                            " cells are too many, expected at most 2^28");
  }
  compensated_sum sum;
  std::visit(
      [&](const auto& known) {
        for (std::size_t block = 0; block < cells.block_count(); ++block) {
          for (const cell_run& run : cells.block(block)) {
            for (std::uint64_t k = 0; k < run.count; ++k) {
              const double p = probability(known, run, k);
              if (p > 0) sum.add(-p * std::log2(p));
            }
          }
        }
      },
      x);
  // Each P is good to a few ulps times the law's condition, which is large only where P is not.
  constexpr double ulps = 32;
  return {bits{sum.value()}, bits{ulps * 0x1p-53 * (sum.value() + 1)}, evidence::estimated};
}

}  // namespace ktln2
