#pragma once

#include <optional>
#include <utility>

#include "certificate/even_law.hpp"

namespace ktln2::certificate {

// Laws on z > 0, with all that a sum over cells asks of a law (see even_law.hpp). Below 0 there is
// nothing, so that a region is always one of Re z > 0.

/// What of it is above 0; nothing, if nothing is.
std::optional<stretch> part_above_zero(const stretch& cells);

/// The law of |Z|: twice the density above 0, none below.
template <class Density>
class folded_law {
 public:
  static constexpr bool is_even = false;

  explicit folded_law(Density density) : whole_{std::move(density)} {}

  [[nodiscard]] ball mass_bound(const stretch& cells) const {
    const auto above = part_above_zero(cells);
    return above ? min(1.0, whole_.mass_bound(*above).scaled(1)) : ball(0.0);
  }
  [[nodiscard]] std::optional<log_mass> narrow(const ball& center, const ball& width,
                                               const ball& log_width) const {
    if (!(ball(0.0) <= center - width.scaled(-1))) return {};
    std::optional<log_mass> half = whole_.narrow(center, width, log_width);
    if (half) half = log_mass{half->probability.scaled(1), half->logarithm + ln2()};
    return half;
  }
  [[nodiscard]] ball wide(const stretch& cell) const {
    const auto above = part_above_zero(cell);
    return above ? whole_.wide(*above).scaled(1) : ball(0.0);
  }

  [[nodiscard]] bool is_analytic(const region& where) const {
    return ball(0.0) < where.nearest && whole_.is_analytic(where);
  }
  [[nodiscard]] log_range log_density_in(const region& where) const {
    const log_range half = whole_.log_density_in(where);
    return {half.lowest + ln2(), half.highest + ln2(), half.turn};
  }
  [[nodiscard]] ball steepest(const region& where) const { return whole_.steepest(where); }

 private:
  even_law<Density> whole_;
};

/// Z = e^(σN) for a standard normal N: cells are those of N between logarithms.
class lognormal_on_line {
 public:
  static constexpr bool is_even = false;

  explicit lognormal_on_line(double sigma);

  [[nodiscard]] ball mass_bound(const stretch& cells) const;
  [[nodiscard]] std::optional<log_mass> narrow(const ball& center, const ball& width,
                                               const ball& log_width) const;
  [[nodiscard]] ball wide(const stretch& cell) const;
  [[nodiscard]] bool is_analytic(const region& where) const { return ball(0.0) < where.nearest; }
  [[nodiscard]] log_range log_density_in(const region& where) const;
  [[nodiscard]] ball steepest(const region& where) const;

 private:
  /// In units of N, of cells above 0.
  [[nodiscard]] stretch normal_units(const stretch& above) const;

  even_law<normal_density> normal_{normal_density{}};
  ball sigma_;
  ball log_constant_;  ///< -ln(σ√(2π))
};

/// f(z) = z^(k-1) e^-z/Γ(k)
class gamma_on_line {
 public:
  static constexpr bool is_even = false;

  explicit gamma_on_line(double shape);

  [[nodiscard]] ball mass_bound(const stretch& cells) const;
  [[nodiscard]] std::optional<log_mass> narrow(const ball& center, const ball& width,
                                               const ball& log_width) const;
  [[nodiscard]] ball wide(const stretch& cell) const;
  [[nodiscard]] bool is_analytic(const region& where) const { return ball(0.0) < where.nearest; }
  [[nodiscard]] log_range log_density_in(const region& where) const;
  [[nodiscard]] ball steepest(const region& where) const {
    return abs(less_) / where.nearest + ball(1.0);
  }

 private:
  [[nodiscard]] ball log_density(const ball& z) const { return less_ * log(z) - z - log_gamma_; }
  /// |f(z + t)/f(z)| ≤ 4 for all complex t with |t| ≤ 1/(2 rate)
  [[nodiscard]] ball rate(const ball& z) const;
  /// Not below P(Z > z), P(Z < z); none, if there is no simple bound.
  [[nodiscard]] std::optional<ball> bound_above(const ball& z) const;
  [[nodiscard]] ball bound_below(const ball& z) const;
  [[nodiscard]] std::optional<ball> flat_bound(const stretch& above) const;
  [[nodiscard]] ball below(const ball& z) const;
  [[nodiscard]] ball above(const ball& z) const;
  /// P between two points on one side of the mode, of narrow cells from the one outward to the
  /// other; if there is none, to the end.
  enum class direction { down, up };
  [[nodiscard]] ball outward(const ball& from, const std::optional<ball>& to, direction way) const;
  [[nodiscard]] ball wide_by_parts(const stretch& above) const;

  ball shape_;
  ball less_;  ///< k - 1
  ball log_gamma_;
};

/// Two straight lines: from 0 up to z = rise, and from there down to z = length.
class triangle_on_line {
 public:
  static constexpr bool is_even = false;

  triangle_on_line(double low, double mode, double high);

  [[nodiscard]] ball mass_bound(const stretch& cells) const;
  [[nodiscard]] std::optional<log_mass> narrow(const ball& center, const ball& width,
                                               const ball& log_width) const;
  [[nodiscard]] ball wide(const stretch& cell) const;
  [[nodiscard]] bool is_analytic(const region& where) const {
    return is_rising(where) || is_falling(where);
  }
  [[nodiscard]] log_range log_density_in(const region& where) const;
  [[nodiscard]] ball steepest(const region& where) const {
    return ball(1.0) / (is_rising(where) ? where.nearest : length_ - where.farthest);
  }

 private:
  [[nodiscard]] bool is_rising(const region& where) const {
    return ball(0.0) < where.nearest && where.farthest < rise_;
  }
  [[nodiscard]] bool is_falling(const region& where) const {
    return rise_ < where.nearest && where.farthest < length_;
  }
  /// 2d/(length · side) is the density at the distance d from the foot of a side.
  [[nodiscard]] ball density(const ball& from_foot, const ball& side) const {
    return from_foot.scaled(1) / (length_ * side);
  }

  ball rise_;
  ball fall_;
  ball length_;
};

}  // namespace ktln2::certificate
