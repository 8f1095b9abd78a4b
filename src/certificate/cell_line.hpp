#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "certificate/ball.hpp"

namespace ktln2::certificate {

/// Neighboring cells of one width that fill what is between two edges. One without end is alone.
struct line_run {
  std::optional<ball> left;   ///< none: without end
  std::optional<ball> right;  ///< likewise
  ball width;                 ///< of one cell; of no meaning without end
  std::uint64_t count = 0;

  /// Left edge of cell m, where the run has ends.
  [[nodiscard]] ball edge(std::uint64_t m) const { return *left + ball::from_integer(m) * width; }
};

/// Where some cells, which share one code, begin and end.
using joined_cells = std::vector<std::pair<std::optional<ball>, std::optional<ball>>>;

/// The real line cut into cells, which come in blocks, in ascending order.
class cell_line {
 public:
  cell_line() = default;
  cell_line(const cell_line&) = delete;
  cell_line(cell_line&&) = delete;
  cell_line& operator=(const cell_line&) = delete;
  cell_line& operator=(cell_line&&) = delete;
  virtual ~cell_line() = default;

  [[nodiscard]] virtual std::size_t blocks() const = 0;
  /// Where a block begins; the first one without end.
  [[nodiscard]] virtual std::optional<ball> left(std::size_t block) const = 0;
  [[nodiscard]] std::optional<ball> right(std::size_t block) const {
    return block + 1 == blocks() ? std::nullopt : left(block + 1);
  }
  [[nodiscard]] virtual std::vector<line_run> runs(std::size_t block) const = 0;
  /// Not below the number of cells in the blocks first … last - 1.
  [[nodiscard]] virtual ball most_cells(std::size_t first, std::size_t last) const = 0;
  /// Is the first half of the blocks the mirror image of the second?
  [[nodiscard]] virtual bool is_symmetric() const = 0;
};

}  // namespace ktln2::certificate
