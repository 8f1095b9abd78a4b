#include "ask/stored_density.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ktln2::ask {
namespace {

struct view {
  double left;
  double right;

  [[nodiscard]] double width() const { return right - left; }
  /// Can doubles tell the points of a picture apart?
  [[nodiscard]] bool is_usable() const {
    const double size = std::max(std::fabs(left), std::fabs(right));
    return std::isfinite(width()) && width() > 64 * std::numeric_limits<double>::epsilon() * size &&
           width() > 1e-290;
  }
};

/// Where most of the law is. A long tail is cut before it makes a spike of all the rest.
view bulk_of(const law& x) {
  constexpr double tail = 0.0005;
  const double middle = quantile(x, 0.5);
  const double low = middle - 4 * (middle - quantile(x, 0.05));
  const double high = middle + 4 * (quantile(x, 0.95) - middle);
  return {std::max(quantile(x, tail), low), std::min(quantile(x, 1 - tail), high)};
}

/// Are its numbers positive and so different in size that octaves show them better?
bool wants_octaves(const law& x) {
  const double low = quantile(x, 0.05);
  return low > 0 && quantile(x, 0.95) / low > 300;
}

/// The bulk, or the cell around it where that is not much wider.
view view_of(const law& x, const partition& cells) {
  constexpr double widest = 60;
  const view bulk = bulk_of(x);
  const cell_run around = cells.cell_of(quantile(x, 0.5));
  const view cell{around.left.to_double(), around.right.to_double()};
  const bool is_inside = cell.left <= bulk.left && bulk.right <= cell.right;
  const bool is_seen = bulk.width() > 0 && cell.width() <= widest * bulk.width();
  if (cell.is_usable() && is_inside && (is_seen || !bulk.is_usable())) {
    return {cell.left - 0.1 * cell.width(), cell.right + 0.1 * cell.width()};
  }
  return {bulk.left - 0.04 * bulk.width(), bulk.right + 0.04 * bulk.width()};
}

/// Evenly from `left` to `right`, or with equal ratios.
void add_points(std::vector<double>& points, const view& of, int count, bool is_log) {
  for (int i = 0; i <= count; ++i) {
    const double share = static_cast<double>(i) / count;
    points.push_back(is_log ? of.left * std::pow(of.right / of.left, share)
                            : of.left + share * of.width());
  }
}

std::vector<stored_density::step> steps_of(const law& x, const stored_density& seen) {
  const view all{seen.left, seen.right};
  const view bulk = bulk_of(x);
  std::vector<double> points;
  add_points(points, all, seen.has_atoms ? 48 : 120, seen.is_log);
  const bool wants_more = bulk.is_usable() && !seen.is_log && !seen.has_atoms;
  if (wants_more) add_points(points, bulk, 120, false);
  std::sort(points.begin(), points.end());
  std::vector<stored_density::step> steps;
  const double least = std::max(all.width() * 1e-6, 16 * std::numeric_limits<double>::epsilon() *
                                                        std::max(-all.left, all.right));
  for (double left = points.front(); const double right : points) {
    if (right - left < (seen.is_log ? 1e-6 * left : std::min(least, bulk.width() / 500))) continue;
    const double width = right - left;
    steps.push_back({left, right, cell_probability(x, left + width / 2, width) / width});
    left = right;
  }
  return steps;
}

double probability_of(const law& x, const wide& left, const wide& right) {
  const double from = left.to_double();
  const double to = right.to_double();
  if (std::isinf(from)) return std::isinf(to) ? 1 : cdf(x, to);
  if (std::isinf(to)) return ccdf(x, from);
  return cell_probability(x, (left + (right - left) * wide(0.5)).to_double(),
                          (right - left).to_double());
}

/// Goes through the cells in view.
class cell_walk {
 public:
  cell_walk(const law& x, const partition& cells, const stored_value& value, stored_density& seen)
      : x_{x}, cells_{cells}, value_{value}, seen_{seen} {}

  void run(const stop_token& stop) {
    for (std::size_t i = 0; i < cells_.block_count(); ++i) {
      if (i % 1024 == 0) throw_if_stopped(stop);
      if (!is_in_view(cells_.block_left(i), cells_.block_right(i))) continue;
      for (const cell_run& one : cells_.block(i)) {
        if (one.count > 0 && is_in_view(one.left, one.right)) take(one);
      }
    }
    if (are_too_many_) seen_.cells.clear();
  }

 private:
  static constexpr std::size_t most_cells = 600;

  [[nodiscard]] bool is_in_view(const wide& left, const wide& right) const {
    return left < wide(seen_.right) && wide(seen_.left) < right;
  }

  /// Where an outermost cell is made to end: with the granular region, or else as wide as its
  /// neighbor.
  [[nodiscard]] interval bounded_ends(const wide& left, const wide& right) const {
    interval ends{std::max(left, cells_.granular().left), std::min(right, cells_.granular().right)};
    if (ends.left < ends.right) return ends;
    const bool is_lowest = std::isinf(left.to_double());
    const cell_run next = is_lowest ? cells_.cell_of(right, 1) : cells_.cell_of(left, -1);
    const wide width = next.right - next.left;
    return is_lowest ? interval{right - width, right} : interval{left, left + width};
  }

  void take(const cell_run& one) {
    const auto [left, right] = bounded_ends(one.left, one.right);
    add_band(left, right, one.count == 1 ? right - left : one.width);
    if (are_too_many_) return;
    // In doubles: a run may have 2^63 cells.
    const double width = one.width.to_double();
    const auto place = [&](double edge) { return (wide(edge) - one.left).to_double() / width; };
    const double from = one.count == 1 ? 0 : std::max(0.0, std::floor(place(seen_.left)));
    const double to = one.count == 1
                          ? 1
                          : std::min(static_cast<double>(one.count), std::ceil(place(seen_.right)));
    if (!(to - from + static_cast<double>(seen_.cells.size()) <= most_cells)) {
      are_too_many_ = true;
      return;
    }
    for (auto k = static_cast<std::uint64_t>(from); k < static_cast<std::uint64_t>(to); ++k) {
      add_cell(one.edge(k), one.edge(k + 1));
    }
  }

  void add_cell(const wide& left, const wide& right) {
    const auto [from, to] = bounded_ends(left, right);
    const auto stored = value_((from + (to - from) * wide(0.5)).to_double());
    seen_.cells.push_back({from.to_double(), to.to_double(),
                           stored ? std::optional{stored->to_double()} : std::nullopt,
                           probability_of(x_, left, right)});
  }

  void add_band(const wide& left, const wide& right, const wide& width) {
    const double from = std::max(left.to_double(), seen_.left);
    const double to = std::min(right.to_double(), seen_.right);
    const bool is_seen = seen_.is_log ? from < to : to - from > 0.001 * (seen_.right - seen_.left);
    if (!is_seen) return;
    const double each = width.to_double();
    // Zero may have half a cell on each side, too narrow to be seen.
    const double gap = 0.002 * (seen_.right - seen_.left);
    if (!seen_.bands.empty() && seen_.bands.back().width == each &&
        from - seen_.bands.back().right <= (seen_.is_log ? 0 : gap)) {
      seen_.bands.back().right = to;
    } else {
      seen_.bands.push_back({from, to, each});
    }
  }

  const law& x_;
  const partition& cells_;
  const stored_value& value_;
  stored_density& seen_;
  bool are_too_many_ = false;
};

}  // namespace

stored_density stored_density_of(const law& x, const partition& cells, const stored_value& value,
                                 const stop_token& stop) {
  stored_density seen;
  seen.is_log = wants_octaves(x);
  seen.has_atoms = has_atoms(x);
  const view all = seen.is_log ? view{quantile(x, 0.0005), quantile(x, 0.9995)} : view_of(x, cells);
  if (!all.is_usable()) return {};
  seen.left = all.left;
  seen.right = all.right;
  seen.steps = steps_of(x, seen);
  cell_walk{x, cells, value, seen}.run(stop);
  return seen;
}

}  // namespace ktln2::ask
