#include "ktln2/entropy/enumeration.hpp"

#include <stdexcept>

#include "entropy/stretch.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/core/quadrature.hpp"

namespace ktln2 {
bounded<bits> enumerated_entropy(const partition& cells, const law& x) {
  if (cells.log2_size() > 28) {
    throw std::domain_error("enumerated_entropy: 2^" + shown(cells.log2_size()) +
                            " cells are too many, expected at most 2^28");
  }
  compensated_sum sum;
  double misplaced = 0;
  std::visit(
      [&](const auto& known) {
        misplaced = table_error(known.kernel());
        for (std::size_t block = 0; block < cells.block_count(); ++block) {
          for (const cell_run& run : cells.block(block)) {
            for (std::uint64_t k = 0; k < run.count; ++k) {
              const double p = mass_of(known, run, k, 1).probability;
              if (p > 0) sum.add(-p * std::log2(p));
            }
          }
        }
      },
      x);
  // Each P is good to a few ulps times the law's condition, which is large only where P is not.
  constexpr double ulps = 32;
  const double error = ulps * 0x1p-53 * (sum.value() + 1);
  const double table =
      misplaced == 0 ? 0 : misplaced * (2 + cells.log2_size() - std::log2(misplaced));
  return {bits{sum.value()}, bits{error + table}, evidence::estimated};
}

}  // namespace ktln2
