#include "ktln2/format/partition.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

/// The cells of a format, worked out when they are asked for: p64e15 has 65536 blocks.
class format_cells : public cell_source {
 public:
  format_cells(const float_format& format, rounding how, int dropped_bits, bool over_sqrt2 = false)
      : format_{format}, how_{how}, dropped_bits_{dropped_bits}, over_sqrt2_{over_sqrt2} {
    require_in_range("partition", "dropped bits", dropped_bits, 0, format.width());
    if (how != rounding::nearest && how != rounding::toward_zero) {
      throw std::domain_error("partition: the paper's formats round to nearest or toward zero");
    }
    const int mantissa_bits = format.p() - 1;
    const int within_run = dropped_bits < mantissa_bits ? dropped_bits : mantissa_bits;
    points_in_cell_ = std::uint64_t{1} << within_run;
    runs_in_block_ = std::size_t{1} << (dropped_bits - within_run);
  }

  [[nodiscard]] cell_facts facts() const override {
    const lattice_run top = run(format_.run_count() - 1);
    const wide end = top.last + (how_ == rounding::nearest ? top.spacing.scaled(-1) : top.spacing);
    return {.size = format_.size() >> dropped_bits_,
            .block_count = format_.run_count() / runs_in_block_,
            .is_symmetric = true,
            .widens_outward = true,
            .granular = {-end, end}};
  }

  [[nodiscard]] wide block_left(std::size_t block) const override {
    return edge_before_run(block * runs_in_block_);
  }

  [[nodiscard]] std::array<cell_run, 3> block(std::size_t block) const override {
    const wide left = block_left(block);
    const wide right = block_left(block + 1);
    const lattice_run points = run(block * runs_in_block_);
    const std::uint64_t cells = points.count / points_in_cell_;
    if (runs_in_block_ > 1 || cells == 1) {
      return {cell_run{left, right, right - left, 1}, cell_run{}, cell_run{}};
    }
    // All edges inside the run are equally spaced; only its two outer edges, which depend on the
    // neighboring runs, may make the first and the last cell narrower or wider.
    const wide width = wide::from_integer(points_in_cell_) * points.spacing;
    const wide reach = reach_above(points);
    const wide second = points.start + (width - points.spacing + reach);
    const wide last = cells == 2 ? second : points.last - (width - reach);
    const bool first_is_regular = second - width == left;
    const bool last_is_regular = last + width == right;
    cell_run middle{second, last, width, cells - 2};
    if (first_is_regular) middle.left = left, ++middle.count;
    if (last_is_regular) middle.right = right, ++middle.count;
    return {first_is_regular ? cell_run{} : cell_run{left, second, second - left, 1}, middle,
            last_is_regular ? cell_run{} : cell_run{last, right, right - last, 1}};
  }

  [[nodiscard]] std::shared_ptr<const cell_source> over_sqrt2() const override {
    if (format_.exponent_bits() > 0 || over_sqrt2_) return nullptr;
    return std::make_shared<const format_cells>(format_, how_, dropped_bits_, true);
  }

 private:
  [[nodiscard]] lattice_run run(std::size_t index) const {
    if (!over_sqrt2_) return format_.run(index);
    const wide spacing = wide(1.0).scaled(1 - format_.p());
    const wide last = wide(2.0) - spacing;
    const std::uint64_t count = std::uint64_t{1} << (format_.p() - 1);
    return index == 0 ? lattice_run{-last, -1.0, spacing, count}
                      : lattice_run{1.0, last, spacing, count};
  }

  [[nodiscard]] wide edge_before_run(std::size_t index) const {
    if (index == 0) return -infinity;
    if (index == format_.run_count()) return infinity;
    const wide below = run(index - 1).last;
    const wide above = run(index).start;
    if (how_ == rounding::nearest) return midpoint(below, above);
    if (below < wide(0.0) && above > wide(0.0)) return 0.0;
    return above > wide(0.0) ? above : below;
  }

  /// How far a cell reaches above its point, inside the run.
  [[nodiscard]] wide reach_above(const lattice_run& points) const {
    if (how_ == rounding::nearest) return points.spacing.scaled(-1);
    return points.start > wide(0.0) ? points.spacing : wide(0.0);
  }

  float_format format_;
  rounding how_;
  int dropped_bits_;
  bool over_sqrt2_;
  std::size_t runs_in_block_;
  std::uint64_t points_in_cell_;
};

/// Cells that are known run by run: each is a block.
class listed_cells : public cell_source {
 public:
  listed_cells(std::vector<cell_run> runs, const granular_region& granular)
      : runs_{std::move(runs)}, granular_{granular} {
    check();
  }

  [[nodiscard]] cell_facts facts() const override {
    cell_facts facts{.size = 0,
                     .block_count = runs_.size(),
                     .is_symmetric = is_symmetric(),
                     .widens_outward = widens_outward(),
                     .granular = granular_};
    for (const cell_run& run : runs_) facts.size += run.count;
    return facts;
  }
  [[nodiscard]] wide block_left(std::size_t block) const override {
    return block == runs_.size() ? wide(infinity) : runs_[block].left;
  }
  [[nodiscard]] std::array<cell_run, 3> block(std::size_t block) const override {
    return {runs_[block], cell_run{}, cell_run{}};
  }

 private:
  [[noreturn]] static void refuse(const char* what) {
    throw std::domain_error("partition: " + std::string(what));
  }

  void check() const {
    if (runs_.empty() || runs_.front().left != wide(-infinity) ||
        runs_.back().right != wide(infinity)) {
      refuse("the cells must reach from -infinity to infinity");
    }
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const cell_run& run = runs_[i];
      if (i > 0 && runs_[i - 1].right != run.left) refuse("there must be no gap between the runs");
      if (run.count == 0 || !(run.left < run.right)) refuse("no run may be empty");
      const wide length = run.right - run.left;
      if (length.is_infinite()) {
        const bool outermost = (!run.left.is_infinite() || i == 0) &&
                               (!run.right.is_infinite() || i + 1 == runs_.size());
        if (!outermost || run.count != 1) refuse("only the outermost cells may be unbounded");
      } else if (!(abs(wide::from_integer(run.count) * run.width - length) <= length.scaled(-90))) {
        refuse("a run must be as wide as its cells together");
      }
    }
  }

  [[nodiscard]] bool is_symmetric() const {
    for (std::size_t i = 0; i < runs_.size() - i; ++i) {
      const cell_run& low = runs_[i];
      const cell_run& high = runs_[runs_.size() - 1 - i];
      if (low.left != -high.right || low.right != -high.left || low.count != high.count) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool widens_outward() const {
    for (std::size_t i = 1; i < runs_.size(); ++i) {
      const bool is_above = runs_[i].left >= wide(0.0);
      const bool is_below = runs_[i - 1].right <= wide(0.0);
      if (is_above && runs_[i].width < runs_[i - 1].width) return false;
      if (is_below && !is_above && runs_[i - 1].width < runs_[i].width) return false;
    }
    return true;
  }

  std::vector<cell_run> runs_;
  granular_region granular_;
};

/// Exact for powers of two.
double log2_of(register_code size) {
  int shift = 0;
  while (size % 2 == 0) size /= 2, ++shift;
  return size == 1 ? shift : std::log2(static_cast<double>(size)) + shift;
}

}  // namespace

partition::partition(std::shared_ptr<const cell_source> source)
    : source_{std::move(source)}, facts_{source_->facts()}, log2_size_{log2_of(facts_.size)} {}

partition::partition(const float_format& format, rounding how, int dropped_bits)
    : partition(std::make_shared<const format_cells>(format, how, dropped_bits)) {}

partition::partition(std::vector<cell_run> runs, const granular_region& granular)
    : partition(std::make_shared<const listed_cells>(std::move(runs), granular)) {}

cell_run partition::cell_of(const wide& point, int side) const {
  if (std::isnan(point.high())) throw std::domain_error("cell_of: x must be a number, got nan");
  const double x = point.high();  // has its sign
  if (x < 0 && is_symmetric()) {  // the mirror image, to the last bit
    const cell_run mirrored = cell_of(-point, -side);
    return {-mirrored.right, -mirrored.left, mirrored.width, 1};
  }
  // An edge at a negative x belongs to the cell below it, if nothing else is said.
  const bool is_above = side == 0 ? !(x < 0) : side > 0;
  const auto begins_by = [&](const wide& edge) { return is_above ? edge <= point : edge < point; };
  std::size_t low = 0;
  std::size_t high = block_count();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (begins_by(block_left(middle)) ? low : high) = middle;
  }
  for (const cell_run& run : block(low)) {
    if (run.count == 0 || (begins_by(run.right) && !run.right.is_infinite())) continue;
    std::uint64_t first = 0;
    std::uint64_t end = run.count;
    // Where it should be, as a first try; where that is off by a cell or two the search goes on.
    if (end > 1 && !run.left.is_infinite()) {
      const double guess = ratio(point - run.left, run.width);
      const auto last = static_cast<double>(end - 1);
      const auto near = static_cast<std::uint64_t>(std::clamp(guess, 0.0, std::min(last, 0x1p63)));
      if (near > 0 && near < end && begins_by(run.edge(near))) first = near;
      if (first + 1 < end && !begins_by(run.edge(first + 1))) end = first + 1;
    }
    while (end - first > 1) {
      const std::uint64_t middle = first + (end - first) / 2;
      (begins_by(run.edge(middle)) ? first : end) = middle;
    }
    return {run.edge(first), run.edge(first + 1), run.width, 1};
  }
  throw std::logic_error("partition: the cells do not cover the line");
}

double bin_size(const partition& cells, double x) {
  const cell_run cell = cells.cell_of(x);
  if (!cell.left.is_infinite() && !cell.right.is_infinite()) {
    const double width = cell.width.to_double();
    if (width > 0) return width;
    throw std::domain_error("bin_size: the cell at " + shown(x) + " is narrower than any double");
  }
  const auto& [first, last] = cells.granular();
  if (wide(x) < first || wide(x) > last) return infinity;
  const wide left = cell.left.is_infinite() ? first : cell.left;
  const wide right = cell.right.is_infinite() ? last : cell.right;
  return (right - left).to_double();
}

}  // namespace ktln2
