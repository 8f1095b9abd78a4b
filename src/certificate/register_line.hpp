#pragma once

#include "certificate/cell_line.hpp"
#include "ktln2/format/number_cells.hpp"

namespace ktln2::certificate {

/// The number itself; nothing for an infinite one.
std::optional<ball> exact_ball(const wide& x);

/// The cells of any partition whose edges are dyadic numbers that `wide` holds. Nothing of them is
/// taken on trust that can be looked at: that a run is as wide as its cells together and that
/// neighbors meet is checked, without rounding, wherever cells are looked at. Throws
/// std::domain_error where it is not so.
class register_line : public cell_line {
 public:
  explicit register_line(partition cells) : cells_{std::move(cells)} {}

  [[nodiscard]] std::size_t blocks() const override { return cells_.block_count(); }
  [[nodiscard]] std::optional<ball> left(std::size_t block) const override;
  [[nodiscard]] std::vector<line_run> runs(std::size_t block) const override;
  /// Every cell has a code; only a NaN may have several cells, of which there are at most three.
  [[nodiscard]] ball most_cells(std::size_t first, std::size_t last) const override;
  [[nodiscard]] bool is_symmetric() const override { return false; }

 private:
  partition cells_;
};

}  // namespace ktln2::certificate
