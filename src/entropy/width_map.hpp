#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// How wide the cells of a partition are along the line, in units of `scale`, between -reach and
/// reach. Cells much smaller than the scale, near zero, count as one stretch of mixed widths.
class width_map {
 public:
  width_map(const partition& cells, double scale, double reach) {
    const std::size_t half = cells.block_count() / 2;
    std::size_t first = half;
    std::size_t last = cells.block_count();
    while (first + 1 < last) {  // the first block that does not end below an eighth of the scale
      const std::size_t middle = first + (last - first - 1) / 2;
      if (ratio(cells.block_right(middle), scale) > 0.125) {
        last = middle + 1;
      } else {
        first = middle + 1;
      }
    }
    for (std::size_t block = first; block < cells.block_count(); ++block) {
      if (ratio(cells.block_left(block), scale) > reach) break;
      for (const cell_run& run : cells.block(block)) {
        if (run.count == 0) continue;
        segments_.push_back(
            {ratio(run.left, scale), ratio(run.right, scale), ratio(run.width, scale), false});
      }
    }
    segments_.back().right = infinity;
    const double center = segments_.front().left;
    if (center > 0) {
      segments_.insert(segments_.begin(), {0, center, segments_.front().width, true});
    }
    std::vector<segment> all(segments_.rbegin(), segments_.rend());
    for (segment& mirrored : all) {
      mirrored = {-mirrored.right, -mirrored.left, mirrored.width, mirrored.mixed};
    }
    all.insert(all.end(), segments_.begin(), segments_.end());
    segments_ = std::move(all);
  }

  struct view {
    bool level;      ///< all cells are equally wide
    bool same_cell;  ///< there is only one
    double widest;   ///< of the bounded ones
  };

  [[nodiscard]] view between(double from, double to) const {
    const std::size_t first = segment_of(from);
    const std::size_t last = segment_of(to);
    double widest = 0;
    for (std::size_t i = first; i <= last; ++i) {
      if (!std::isinf(segments_[i].width)) widest = std::max(widest, segments_[i].width);
    }
    const segment& here = segments_[first];
    const bool level = first == last && !here.mixed;
    const auto index = [&](double u) { return std::floor((u - here.left) / here.width); };
    const bool same = level && (std::isinf(here.width) || index(from) == index(to));
    return {level, same, widest};
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

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  struct segment {
    double left;
    double right;
    double width;
    bool mixed;
  };

  [[nodiscard]] std::size_t segment_of(double u) const {
    const auto after =
        std::upper_bound(segments_.begin(), segments_.end(), u,
                         [](double point, const segment& s) { return point < s.left; });
    return after == segments_.begin() ? 0 : static_cast<std::size_t>(after - segments_.begin()) - 1;
  }

  std::vector<segment> segments_;
};

}  // namespace ktln2
