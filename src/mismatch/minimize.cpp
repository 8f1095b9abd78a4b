#include "mismatch/minimize.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2::mismatch {
namespace {

/// Along one axis, from f at -3h … 3h.
double slope_of(const std::array<double, 7>& f, double h) {
  return (f[6] - f[0] - 9 * (f[5] - f[1]) + 45 * (f[4] - f[2])) / (60 * h);
}
double curvature_of(const std::array<double, 7>& f, double h) {
  return (2 * (f[6] + f[0]) - 27 * (f[5] + f[1]) + 270 * (f[4] + f[2]) - 490 * f[3]) /
         (180 * h * h);
}

/// The second derivatives, 0 along an axis at whose bound they were taken.
struct curvatures {
  double xx = 0;
  double yy = 0;
  double xy = 0;
};

class search {
 public:
  search(const std::function<double(double, double)>& f, const box& inside, minimum_search how)
      : f_{f}, box_{inside}, how_{std::move(how)} {}

  std::vector<local_minimum> run() {
    std::vector<local_minimum> found;
    for (const plane_point& given : how_.starts) {
      const plane_point start = into_box(given);
      const auto polished = newton(start);
      add(found, polished ? *polished : settle(start));
    }
    for (const plane_point& low : lattice_lows()) {
      if (!leads_to_one_of(found, low)) add(found, settle(low));
    }
    std::sort(found.begin(), found.end(), [](const local_minimum& a, const local_minimum& b) {
      return std::pair(a.value, std::pair(a.x, a.y)) < std::pair(b.value, std::pair(b.x, b.y));
    });
    return found;
  }

 private:
  /// Steps of the pattern search, as halvings of the lattice's spacing: first and last.
  struct halvings {
    int from;
    int to;
  };
  static constexpr halvings coarse_steps{1, 3};
  static constexpr halvings fine_steps{3, 26};

  double at(const plane_point& p) {
    const auto key = std::pair(p.x, p.y);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    const double value = f_(p.x, p.y);
    if (std::isnan(value)) {
      throw std::domain_error("minimum: the function is undefined at (" + shown(p.x) + ", " +
                              shown(p.y) + ")");
    }
    known_.emplace(key, value);
    return value;
  }

  [[nodiscard]] double lattice(double low, double high, int i) const {
    if (i == 0) return low;
    if (i == how_.grid - 1) return high;
    return low + (high - low) * i / (how_.grid - 1);
  }
  [[nodiscard]] plane_point lattice(int i, int j) const {
    return {lattice(box_.low.x, box_.high.x, i), lattice(box_.low.y, box_.high.y, j)};
  }
  [[nodiscard]] plane_point spacing() const {
    return {(box_.high.x - box_.low.x) / (how_.grid - 1),
            (box_.high.y - box_.low.y) / (how_.grid - 1)};
  }
  [[nodiscard]] plane_point into_box(const plane_point& p) const {
    return {std::clamp(p.x, box_.low.x, box_.high.x), std::clamp(p.y, box_.low.y, box_.high.y)};
  }
  [[nodiscard]] bool x_at_bound(const plane_point& p) const {
    return p.x == box_.low.x || p.x == box_.high.x;
  }
  [[nodiscard]] bool y_at_bound(const plane_point& p) const {
    return p.y == box_.low.y || p.y == box_.high.y;
  }

  /// The minimum next to a point.
  plane_point settle(const plane_point& start) {
    const plane_point near = descend(start, coarse_steps);
    const auto polished = newton(near);
    return polished ? *polished : descend(near, fine_steps);
  }

  /// Does the function fall all the way from a point to a minimum nearby?
  bool leads_to_one_of(const std::vector<local_minimum>& found, const plane_point& from) {
    return std::any_of(found.begin(), found.end(), [&](const local_minimum& one) {
      const bool is_near = std::fabs(one.x - from.x) <= 1.5 * spacing().x &&
                           std::fabs(one.y - from.y) <= 1.5 * spacing().y;
      if (!is_near || !(one.value < at(from) - how_.noise)) return false;
      double before = at(from);
      for (const double share : {0.25, 0.5, 0.75, 1.0}) {
        const double next =
            at(into_box({std::lerp(from.x, one.x, share), std::lerp(from.y, one.y, share)}));
        if (next > before + how_.noise) return false;
        before = next;
      }
      return true;
    });
  }

  /// The points of the lattice with no lower neighbor.
  std::vector<plane_point> lattice_lows() {
    std::vector<plane_point> points;
    const int n = how_.grid;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (is_low(i, j)) points.push_back(lattice(i, j));
      }
    }
    return points;
  }

  bool is_low(int i, int j) {
    const double here = at(lattice(i, j));
    for (int k = std::max(i - 1, 0); k <= std::min(i + 1, how_.grid - 1); ++k) {
      for (int l = std::max(j - 1, 0); l <= std::min(j + 1, how_.grid - 1); ++l) {
        if (at(lattice(k, l)) < here - how_.noise) return false;
      }
    }
    return true;
  }

  plane_point descend(plane_point here, const halvings& steps) {
    for (int halving = steps.from; halving <= steps.to; ++halving) {
      const plane_point step{std::ldexp(spacing().x, -halving), std::ldexp(spacing().y, -halving)};
      while (true) {
        plane_point best = here;
        for (int i = -1; i <= 1; ++i) {
          for (int j = -1; j <= 1; ++j) {
            const plane_point next = into_box({here.x + i * step.x, here.y + j * step.y});
            if (at(next) < at(best)) best = next;
          }
        }
        if (!(at(best) < at(here) - how_.noise)) break;
        here = best;
      }
    }
    return here;
  }

  /// The step of the differences: small enough to stay inside, or 0 where there is no room.
  [[nodiscard]] double room(double value, double low, double high) const {
    const double h = std::min({how_.step, (value - low) / 3, (high - value) / 3});
    return h < how_.step / 8 ? 0 : h;
  }

  /// Is a coordinate at its bound although the function falls away from there?
  bool falls_inwards(const plane_point& here) {
    const auto is_lower = [&](double dx, double dy) {
      return at(into_box({here.x + dx, here.y + dy})) < at(here) - how_.noise;
    };
    const auto falls_after = [&](double little) {
      return (x_at_bound(here) && (is_lower(-little, 0) || is_lower(little, 0))) ||
             (y_at_bound(here) && (is_lower(0, -little) || is_lower(0, little)));
    };
    return falls_after(how_.step / 64) || falls_after(how_.step / 4096);
  }

  std::optional<plane_point> newton(plane_point here) {
    const double start = at(here);
    const double trust = 2 * std::max(spacing().x, spacing().y);
    constexpr int most = 12;
    curvatures kept;  // while the steps are short
    bool is_kept = false;
    for (int iteration = 0; iteration < most; ++iteration) {
      const bool fixed_x = x_at_bound(here);
      const bool fixed_y = y_at_bound(here);
      const double hx = fixed_x ? 0 : room(here.x, box_.low.x, box_.high.x);
      const double hy = fixed_y ? 0 : room(here.y, box_.low.y, box_.high.y);
      if ((!fixed_x && hx == 0) || (!fixed_y && hy == 0)) return {};
      if (falls_inwards(here)) return {};
      if (!is_kept) kept = curvatures_at(here, hx, hy);
      const plane_point move = newton_step(slope_at(here, hx, hy), kept);
      if (!std::isfinite(move.x + move.y) || std::hypot(move.x, move.y) > trust) return {};
      const plane_point next = into_box({here.x + move.x, here.y + move.y});
      const double gone = std::hypot(next.x - here.x, next.y - here.y);
      here = next;
      is_kept = gone <= how_.step && x_at_bound(here) == fixed_x && y_at_bound(here) == fixed_y;
      if (gone < 1e-13 + how_.noise / how_.step) break;
    }
    if (!(at(here) <= start + how_.noise)) return {};
    return here;
  }

  /// f at -3h … 3h along an axis.
  std::array<double, 7> values_along(const plane_point& here, double hx, double hy) {
    std::array<double, 7> values{};
    for (int i = 0; i < 7; ++i) {
      values.at(static_cast<std::size_t>(i)) = at({here.x + (i - 3) * hx, here.y + (i - 3) * hy});
    }
    return values;
  }

  /// 0 along an axis without a step, here and below.
  plane_point slope_at(const plane_point& here, double hx, double hy) {
    return {hx > 0 ? slope_of(values_along(here, hx, 0), hx) : 0,
            hy > 0 ? slope_of(values_along(here, 0, hy), hy) : 0};
  }

  curvatures curvatures_at(const plane_point& here, double hx, double hy) {
    curvatures made;
    if (hx > 0) made.xx = curvature_of(values_along(here, hx, 0), hx);
    if (hy > 0) made.yy = curvature_of(values_along(here, 0, hy), hy);
    if (hx > 0 && hy > 0) {
      made.xy = (at({here.x + hx, here.y + hy}) - at({here.x + hx, here.y - hy}) -
                 at({here.x - hx, here.y + hy}) + at({here.x - hx, here.y - hy})) /
                (4 * hx * hy);
    }
    return made;
  }

  /// Minus slope over curvature, in the directions in which the function does curve upwards.
  static plane_point newton_step(const plane_point& slope, const curvatures& curved) {
    // The eigenvectors of [[xx, xy], [xy, yy]].
    const double angle = std::atan2(2 * curved.xy, curved.xx - curved.yy) / 2;
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    const double mean = (curved.xx + curved.yy) / 2;
    const double half = std::hypot((curved.xx - curved.yy) / 2, curved.xy);
    const double flat = 1e-5 * (std::fabs(mean) + half);
    const auto along_eigenvector = [&](double curvature, double ex, double ey) {
      if (std::fabs(curvature) <= flat) return plane_point{0, 0};
      const double length = curvature > 0 ? -(ex * slope.x + ey * slope.y) / curvature : infinity;
      return plane_point{ex * length, ey * length};
    };
    const plane_point first = along_eigenvector(mean + half, c, s);
    const plane_point second = along_eigenvector(mean - half, -s, c);
    return {first.x + second.x, first.y + second.y};
  }

  void add(std::vector<local_minimum>& found, const plane_point& p) {
    const plane_point near{1e-3 * spacing().x + 1e-9, 1e-3 * spacing().y + 1e-9};
    const double value = at(p);
    for (local_minimum& other : found) {
      if (std::fabs(other.x - p.x) > near.x || std::fabs(other.y - p.y) > near.y) continue;
      if (value < other.value) other = {p.x, p.y, value, x_at_bound(p), y_at_bound(p)};
      return;
    }
    found.push_back({p.x, p.y, value, x_at_bound(p), y_at_bound(p)});
  }

  const std::function<double(double, double)>& f_;
  box box_;
  minimum_search how_;
  std::map<std::pair<double, double>, double> known_;
};

}  // namespace

std::vector<local_minimum> local_minima(const std::function<double(double, double)>& f,
                                        const box& inside, const minimum_search& how) {
  for (const double edge : {inside.low.x, inside.low.y, inside.high.x, inside.high.y}) {
    require_finite("minimum", "bound", edge);
  }
  if (inside.low.x > inside.high.x || inside.low.y > inside.high.y) {
    throw std::domain_error("minimum: the bounds are empty");
  }
  require_in_range("minimum", "grid", how.grid, 2, 1000);
  require_positive("minimum", "step", how.step);
  return search{f, inside, how}.run();
}

}  // namespace ktln2::mismatch
