#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/constants.hpp"
#include "entropy/cell_moments.hpp"
#include "ktln2/entropy/row_entropy.hpp"

namespace ktln2 {

vector_identity entropy_by_identity(const std::vector<partition>& cells, const normal_vector& z) {
  if (cells.size() != z.size()) throw std::domain_error("identity: one register for each variable");
  const std::vector<double> precision = z.precisions();
  double log_width = 0;
  double absolute = 0;
  double divergence = 0;
  double clipped = 0;
  double fineness = 0;  // the square of the cells' width over what is left of a variable
  for (std::size_t j = 0; j < z.size(); ++j) {
    const cell_moments here = cell_moments_of(cells[j], z.marginal(j));
    const double variance = z.deviation(j) * z.deviation(j);
    // Given all others Z_j varies no more than alone; rounding may say so.
    const double rest = std::max(0.0, precision[j] - 1 / variance);
    divergence += here.scored_width / variance / 24 + rest * here.width_square / 24;
    fineness += precision[j] * here.width_square;
    log_width += here.log_width;
    absolute += here.absolute_log_width;
    clipped += here.clipped;
  }
  const double h = differential_entropy(z).value();
  const auto size = static_cast<double>(z.size());
  double log_cells = 0;
  for (const partition& one : cells) log_cells += one.log2_size();
  const double clipping = clipped > 0 ? clipped * (log_cells + 4 * size - std::log2(clipped)) : 0;
  const double rounding =
      64 * 0x1p-53 * (std::fabs(h) + absolute + 4 * size) + rounding_of(z).value();
  const double next = divergence * std::min(1.0, fineness);
  const double value = h + bits_per_nat * (divergence - log_width);
  return {h,
          bits_per_nat * log_width,
          bits_per_nat * divergence,
          {bits{value}, bits{bits_per_nat * next + clipping + rounding}, evidence::estimated}};
}

}  // namespace ktln2
