#include "ktln2/format/partition.hpp"

#include <limits>
#include <stdexcept>

#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

partition::partition(const float_format& format, rounding how, int dropped_bits)
    : format_{format}, how_{how}, dropped_bits_{dropped_bits} {
  require_in_range("partition", "dropped bits", dropped_bits, 0, format.width());
  const int mantissa_bits = format.p() - 1;
  const int within_run = dropped_bits < mantissa_bits ? dropped_bits : mantissa_bits;
  points_in_cell_ = std::uint64_t{1} << within_run;
  runs_in_block_ = std::size_t{1} << (dropped_bits - within_run);
}

std::size_t partition::block_count() const { return format_.run_count() / runs_in_block_; }

wide partition::edge_before_run(std::size_t run) const {
  if (run == 0) return -infinity;
  if (run == format_.run_count()) return infinity;
  const wide below = format_.run(run - 1).last;
  const wide above = format_.run(run).start;
  if (how_ == rounding::nearest) return midpoint(below, above);
  if (below < wide(0.0) && above > wide(0.0)) return 0.0;
  return above > wide(0.0) ? above : below;
}

wide partition::reach_above(const lattice_run& run) const {
  if (how_ == rounding::nearest) return run.spacing.scaled(-1);
  return run.start > wide(0.0) ? run.spacing : wide(0.0);
}

wide partition::block_left(std::size_t block) const {
  return edge_before_run(block * runs_in_block_);
}

wide partition::block_right(std::size_t block) const {
  return edge_before_run((block + 1) * runs_in_block_);
}

std::array<cell_run, 3> partition::block(std::size_t block) const {
  const wide left = block_left(block);
  const wide right = block_right(block);
  const lattice_run run = format_.run(block * runs_in_block_);
  const std::uint64_t cells = run.count / points_in_cell_;
  if (runs_in_block_ > 1 || cells == 1) {
    return {cell_run{left, right, right - left, 1}, cell_run{}, cell_run{}};
  }
  // All edges inside the run are equally spaced; only its two outer edges, which depend on the
  // neighboring runs, may make the first and the last cell narrower or wider.
  const wide width = wide::from_integer(points_in_cell_) * run.spacing;
  const wide reach = reach_above(run);
  const wide second = run.start + (width - run.spacing + reach);
  const wide last = cells == 2 ? second : run.last - (width - reach);
  const bool first_is_regular = second - width == left;
  const bool last_is_regular = last + width == right;
  cell_run middle{second, last, width, cells - 2};
  if (first_is_regular) middle.left = left, ++middle.count;
  if (last_is_regular) middle.right = right, ++middle.count;
  return {first_is_regular ? cell_run{} : cell_run{left, second, second - left, 1}, middle,
          last_is_regular ? cell_run{} : cell_run{last, right, right - last, 1}};
}

cell_run partition::cell_of(double x) const {
  if (x != x) throw std::domain_error("cell_of: x must be a number, got nan");
  if (x < 0) {  // an edge belongs to the cell away from zero: the mirror image
    const cell_run mirrored = cell_of(-x);
    return {-mirrored.right, -mirrored.left, mirrored.width, 1};
  }
  const wide point = x;
  std::size_t low = 0;
  std::size_t high = block_count();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (block_left(middle) <= point ? low : high) = middle;
  }
  for (const cell_run& run : block(low)) {
    if (run.count == 0 || point > run.right || (point == run.right && !run.right.is_infinite())) {
      continue;
    }
    std::uint64_t first = 0;
    std::uint64_t end = run.count;
    while (end - first > 1) {
      const std::uint64_t middle = first + (end - first) / 2;
      (run.edge(middle) <= point ? first : end) = middle;
    }
    return {run.edge(first), run.edge(first + 1), run.width, 1};
  }
  throw std::logic_error("partition: the cells do not cover the line");
}

double bin_size(const float_format& format, double x, rounding how) {
  const cell_run cell = partition(format, how).cell_of(x);
  const bool bounded_below = !cell.left.is_infinite();
  const bool bounded_above = !cell.right.is_infinite();
  if (bounded_below && bounded_above) {
    const double width = cell.width.to_double();
    if (width > 0) return width;
    throw std::domain_error("bin_size: the cell at " + shown(x) + " is narrower than any double");
  }
  const lattice_run top = format.run(format.run_count() - 1);
  const wide end = top.last + (how == rounding::nearest ? top.spacing.scaled(-1) : top.spacing);
  if (abs(wide(x)) > end) return infinity;
  const wide inner = bounded_below ? cell.left : -cell.right;  // the mirror image, if negative
  return (end - inner).to_double();
}

}  // namespace ktln2
