#pragma once

#include <optional>
#include <utility>

#include "certificate/density.hpp"

namespace ktln2::certificate {

/// What is between two points of the line, in standard units: one cell or some neighboring ones.
struct stretch {
  std::optional<ball> left;   ///< none: without end
  std::optional<ball> right;  ///< likewise
  ball width;                 ///< of one cell; of no meaning without end
};

/// P and ln P
struct log_mass {
  ball probability;
  ball logarithm;
};

/// A law whose density is one of density.hpp: even, and falling on both sides of 0. All that a sum
/// over cells asks of a law:
///     mass_bound(s)        not below P(s)
///     narrow(z, h, ln h)   P and ln P of the cell around z with the width h, if it is narrow
///     wide(s)              P of any cell
///     is_analytic(D), log_density_in(D), steepest(D)   as a density has them
template <class Density>
class even_law {
 public:
  static constexpr bool is_even = true;

  explicit even_law(Density density) : density_{std::move(density)} {}

  [[nodiscard]] ball mass_bound(const stretch& cells) const {
    const bool is_above = cells.left && ball(0.0) < *cells.left;
    const bool is_below = cells.right && *cells.right < ball(0.0);
    if (!is_above && !is_below) {
      if (!cells.left || !cells.right) return 1.0;
      return min(1.0, (*cells.right - *cells.left) * exp(density_.log_density(0.0)));
    }
    const ball nearest = is_above ? *cells.left : -*cells.right;
    ball tail = density_.tail_bound(nearest).upper();
    if (!cells.left || !cells.right) return tail;
    const ball flat = ((*cells.right - *cells.left) * exp(density_.log_density(nearest))).upper();
    return tail.is_finite() ? min(tail, flat) : flat;
  }

  /// By the series around the center.
  [[nodiscard]] std::optional<log_mass> narrow(const ball& center, const ball& width,
                                               const ball& log_width) const {
    const auto series = length_of_series([&] { return width * density_.rate(center); });
    if (!series) return {};
    const ball ratio = density_.mean_ratio(center, width, series->terms).widened(series->remainder);
    const ball log_flat = density_.log_density(center) + log_width;
    return log_mass{exp(log_flat) * ratio, log_flat + log(ratio)};
  }

  /// A difference of tails, on the side where they are small.
  [[nodiscard]] ball wide(const stretch& cell) const {
    if (!cell.left && !cell.right) return 1.0;
    if (!cell.right) return upper_tail(*cell.left);
    if (!cell.left) return upper_tail(-*cell.right);
    if (*cell.right < ball(0.0)) return upper_tail(-*cell.right) - upper_tail(-*cell.left);
    return upper_tail(*cell.left) - upper_tail(*cell.right);
  }

  [[nodiscard]] bool is_analytic(const region& where) const { return density_.is_analytic(where); }
  [[nodiscard]] log_range log_density_in(const region& where) const {
    return density_.log_density_in(where);
  }
  [[nodiscard]] ball steepest(const region& where) const { return density_.steepest(where); }

 private:
  /// P(Z > z) for any z
  [[nodiscard]] ball upper_tail(const ball& z) const {
    if (ball(0.0) < z) return density_.tail(z);
    if (z < ball(0.0)) return ball(1.0) - density_.tail(-z);
    return ball(0.5).widened(z * exp(density_.log_density(0.0)));
  }

  Density density_;
};

}  // namespace ktln2::certificate
