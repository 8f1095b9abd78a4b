#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/constants.hpp"
#include "ktln2/distribution/custom_law.hpp"
#include "ktln2/distribution/far_tail.hpp"
#include "ktln2/distribution/location_scale.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// Some neighboring, equally wide cells in the standard units of a law.
struct stretch {
  double left;
  double right;
  double width;  ///< of one cell
  std::uint64_t count;

  [[nodiscard]] double length() const { return static_cast<double>(count) * width; }
  [[nodiscard]] double center() const { return left + length() / 2; }
  /// Well inside double's range, where the arithmetic of quadrature does not overflow.
  [[nodiscard]] bool is_bounded() const { return farthest() < 0x1p1000; }
  /// Distance from the law's center to the nearest and to the farthest point.
  [[nodiscard]] double nearest() const {
    return left < 0 && right > 0 ? 0 : std::min(std::fabs(left), std::fabs(right));
  }
  [[nodiscard]] double farthest() const { return std::max(std::fabs(left), std::fabs(right)); }
  [[nodiscard]] bool holds(double z) const { return left < z && z < right; }
};

/// Where an edge stands, in standard units. Of the edges that leave double's range only those at
/// infinity are infinite.
template <class Law>
double standard_edge(const Law& x, const wide& edge) {
  const double z = x.standard(edge);
  constexpr double largest = std::numeric_limits<double>::max();
  return edge.is_infinite() ? z : std::clamp(z, -largest, largest);
}

template <class Law>
double standard_length(const Law& x, const wide& length) {
  if constexpr (requires { x.standard_length(length); }) {
    return x.standard_length(length);
  } else {
    return ratio(length, x.scale());
  }
}

/// Cells first … first + count - 1 of a run.
template <class Law>
stretch standard_stretch(const Law& x, const cell_run& run, std::uint64_t first,
                         std::uint64_t count) {
  return {standard_edge(x, run.edge(first)), standard_edge(x, run.edge(first + count)),
          standard_length(x, run.width), count};
}

/// A run as far as it lies in 𝕌: the outermost cells end there.
inline cell_run granular_part(const partition& cells, cell_run run) {
  const bool is_outermost = run.left.is_infinite() || run.right.is_infinite();
  if (!is_outermost || run.count == 0) return run;
  if (run.left.is_infinite()) run.left = cells.granular().left;
  if (run.right.is_infinite()) run.right = cells.granular().right;
  run.width = run.right - run.left;
  return run;
}

/// The length over which the law's density may vary by its own size, somewhere in the stretch.
template <class Kernel>
double resolution(const Kernel& kernel, const stretch& s) {
  if constexpr (requires { kernel.resolution(s.left, s.right); }) {
    return kernel.resolution(s.left, s.right);
  } else {
    return std::max(s.nearest(), kernel.core());
  }
}

/// Where a cell has its mass, as the law's condition sees it: at its near end, and if it holds the
/// center there, whatever its size.
template <class Kernel>
double place_of_mass(const Kernel& kernel, const stretch& cell) {
  const double distance = cell.nearest() == 0 ? kernel.core() : cell.nearest();
  // The two sides of a law of one's own may be very different.
  return std::is_same_v<Kernel, standard_custom> && cell.right < 0 ? -distance : distance;
}

/// A finite edge that stands, or may stand, beyond double's range.
inline bool is_beyond(double z) { return std::fabs(z) >= 0x1p1000 && !std::isinf(z); }

/// The mass of a stretch. Edges fix a wide one, center and length a narrow one.
template <class Kernel>
cell_mass mass_of(const Kernel& kernel, const stretch& s) {
  // Beyond double's range edges fall together. Cells too narrow for doubles to tell their edges
  // apart are not empty.
  if (s.left == s.right && !s.is_bounded()) return {0, -infinity};
  if (std::isinf(s.left) && std::isinf(s.right)) return {1, 0};
  if (std::isinf(s.left)) return kernel.lower(s.right);
  if (std::isinf(s.right)) return kernel.upper(s.left);
  const bool is_wide = s.length() > s.farthest() / 16 || !s.is_bounded();  // a center may overflow
  return is_wide ? kernel.between(s.left, s.right) : kernel.cell(s.center(), s.length());
}

/// The mass of a stretch, also where it leaves double's range: only then is it asked for its edges,
/// as a pair.
template <class Law, class Edges>
cell_mass mass_between(const Law& x, const stretch& s, const Edges& edges) {
  if constexpr (heavy_tailed<std::decay_t<decltype(x.kernel())>>) {
    if (is_beyond(s.left) || is_beyond(s.right)) {
      const auto [left, right] = edges();
      return far_between(x.kernel(), x.wide_standard(left), x.wide_standard(right));
    }
  }
  return mass_of(x.kernel(), s);
}

/// The mass of cells first … first + count - 1 of a run, which stand at `s`.
template <class Law>
cell_mass mass_of(const Law& x, const stretch& s, const cell_run& run, std::uint64_t first,
                  std::uint64_t count) {
  return mass_between(x, s, [&] { return std::pair{run.edge(first), run.edge(first + count)}; });
}
template <class Law>
cell_mass mass_of(const Law& x, const cell_run& run, std::uint64_t first, std::uint64_t count) {
  return mass_of(x, standard_stretch(x, run, first, count), run, first, count);
}

}  // namespace ktln2
