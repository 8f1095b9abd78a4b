#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// Neighboring cells that are equally wide; or, with width 0, cells of any widths that are all so
/// fine that they can be taken for points. All but the edges in units of `scale`.
struct cell_segment {
  wide left_edge;
  wide right_edge;
  double left;
  double right;
  double width;
  std::uint64_t count;
  wide cell_width;

  [[nodiscard]] bool is_points() const { return width == 0; }
  [[nodiscard]] bool is_unbounded() const { return std::isinf(width); }
};

/// The cells of a symmetric partition, one of which may lie around 0, along the line, in units of
/// `scale`, between -reach and reach; what lies beyond may be taken for one unbounded cell. Cells
/// no wider than `fine` count as points.
class width_map {
 public:
  width_map(const partition& cells, double scale, double reach, double fine) {
    const std::size_t half = cells.block_count() / 2;
    std::size_t first = half;
    std::size_t last = cells.block_count();
    while (first + 1 < last) {  // the first block that does not end within `fine`
      const std::size_t middle = first + (last - first - 1) / 2;
      if (ratio(cells.block_right(middle), scale) > fine) {
        last = middle + 1;
      } else {
        first = middle + 1;
      }
    }
    const wide start = cells.block_left(first);
    if (!start.is_zero() && first > half) add_points(wide(0.0), start, scale);
    for (std::size_t block = first; block < cells.block_count(); ++block) {
      if (ratio(cells.block_left(block), scale) > reach) break;
      for (cell_run run : cells.block(block)) {
        if (run.count == 0 || !(wide(0.0) < run.right)) continue;
        if (run.left < wide(0.0)) {  // the other half of it comes with the mirror image
          run.left = wide(0.0);
          is_around_zero_ = true;
        }
        const double width = ratio(run.width, scale);
        if (!run.right.is_infinite() && width <= fine) {
          add_points(run.left, run.right, scale);
        } else {
          segments_.push_back({run.left, run.right, ratio(run.left, scale), ratio(run.right, scale),
                               run.right.is_infinite() ? infinity : width, run.count, run.width});
        }
      }
    }
    mirror();
  }

  /// As many cells as one could want, all of the same width, with an edge at 0.
  static width_map uniform(const wide& cell_width, double width) {
    constexpr std::uint64_t half = std::uint64_t{1} << 60U;
    const wide end = wide::from_integer(half) * cell_width;
    width_map made;
    made.segments_ = {{-end, end, -infinity, infinity, width, 2 * half, cell_width}};
    return made;
  }

  [[nodiscard]] const std::vector<cell_segment>& segments() const { return segments_; }

  struct view {
    bool level;         ///< all cells are equally wide, or points
    bool same_cell;     ///< there is only one
    double widest;      ///< of the bounded ones
    std::size_t first;  ///< segment
  };

  [[nodiscard]] view between(double from, double to) const {
    const view found = view_of(segment_of(from), segment_of(to));
    const cell_segment& here = segments_[found.first];
    const double edge = std::isinf(here.left) ? here.right : here.left;
    const auto index = [&](double u) { return std::floor((u - edge) / here.width); };
    return with_same_cell(found, [&] { return index(from) == index(to); });
  }
  /// The same of places, which may be so far from 0 that a double in units of the scale would not
  /// tell them from each other.
  [[nodiscard]] view between(const wide& from, const wide& to) const {
    const view found = view_of(segment_of(from), segment_of(to));
    const cell_segment& here = segments_[found.first];
    return with_same_cell(found, [&] {
      const bool is_first = here.left_edge.is_infinite();
      const wide edge = is_first ? here.right_edge : here.left_edge;
      const double index = std::floor(ratio(from - edge, here.cell_width));
      const wide left = edge + wide(index) * here.cell_width;
      return !(from < left) && to < left + here.cell_width;
    });
  }

  /// Where to cut [from, to] so that one part has no change of widths within `margin`: a point well
  /// inside, or NaN if there is none.
  [[nodiscard]] double cut(double from, double to, double margin) const {
    const double distance = margin + 0.25;  // so that rounding leaves the margin clear
    const auto is_inside = [&](double u) { return from + 0.5 < u && u < to - 0.5; };
    for (std::size_t i = segment_of(from - margin) + 1; i < segments_.size(); ++i) {
      const double before = segments_[i].left - distance;
      while (i + 1 < segments_.size() &&
             segments_[i + 1].left - segments_[i].left <= 2 * distance + 1) {
        ++i;
      }
      const double after = segments_[i].left + distance;
      if (is_inside(before)) return before;
      if (is_inside(after)) return after;
      if (before > to) break;
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  [[nodiscard]] std::size_t segment_of(double u) const {
    return last_that(u, [](double point, const cell_segment& s) { return point < s.left; });
  }
  [[nodiscard]] std::size_t segment_of(const wide& u) const {
    return last_that(u,
                     [](const wide& point, const cell_segment& s) { return point < s.left_edge; });
  }

 private:
  width_map() = default;

  template <class Point, class Begins>
  [[nodiscard]] std::size_t last_that(const Point& u, const Begins& begins_after) const {
    const auto after = std::upper_bound(segments_.begin(), segments_.end(), u, begins_after);
    return after == segments_.begin() ? 0 : static_cast<std::size_t>(after - segments_.begin()) - 1;
  }

  [[nodiscard]] view view_of(std::size_t first, std::size_t last) const {
    double widest = 0;
    for (std::size_t i = first; i <= last; ++i) {
      if (!std::isinf(segments_[i].width)) widest = std::max(widest, segments_[i].width);
    }
    return {first == last, false, widest, first};
  }
  template <class IsSame>
  [[nodiscard]] view with_same_cell(view found, const IsSame& is_same) const {
    const cell_segment& here = segments_[found.first];
    found.same_cell = found.level && !here.is_points() && (std::isinf(here.width) || is_same());
    return found;
  }

  void add_points(const wide& left, const wide& right, double scale) {
    if (!segments_.empty() && segments_.back().is_points()) {
      segments_.back().right_edge = right;
      segments_.back().right = ratio(right, scale);
    } else {
      segments_.push_back({left, right, ratio(left, scale), ratio(right, scale), 0, 0, wide(0.0)});
    }
  }

  void mirror() {
    segments_.back().right = infinity;
    if (segments_.back().is_points()) segments_.back().right_edge = wide(infinity);
    std::vector<cell_segment> all;
    std::transform(segments_.rbegin(), segments_.rend(), std::back_inserter(all),
                   [](const cell_segment& s) -> cell_segment {
                     return {-s.right_edge, -s.left_edge, -s.right,    -s.left,
                             s.width,       s.count,      s.cell_width};
                   });
    if (is_around_zero_ || (all.back().is_points() && segments_.front().is_points())) {
      all.back().right_edge = segments_.front().right_edge;
      all.back().right = segments_.front().right;
      all.insert(all.end(), segments_.begin() + 1, segments_.end());
    } else {
      all.insert(all.end(), segments_.begin(), segments_.end());
    }
    segments_ = std::move(all);
  }

  std::vector<cell_segment> segments_;
  bool is_around_zero_ = false;  ///< is 0 no edge of the first segment?
};

}  // namespace ktln2
