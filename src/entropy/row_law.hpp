#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "entropy/stretch.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/core/wide.hpp"
#include "ktln2/distribution/normal.hpp"

namespace ktln2 {

/// The law of Y given that X is in one cell, as the entropy engine wants it: a location with more
/// digits than a double has (a cell of Y may be narrower than one ulp of wX), the scale σ_ξ, and a
/// kernel for (Y - location)/σ_ξ.
template <class Kernel>
class row_law {
 public:
  row_law(const wide& location, double scale, const Kernel& kernel)
      : location_{location}, scale_{scale}, kernel_{kernel} {}

  [[nodiscard]] double location() const { return location_.to_double(); }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }
  [[nodiscard]] double standard(const wide& y) const { return ratio(y - location_, scale_); }

 private:
  wide location_;
  double scale_;
  Kernel kernel_;
};

/// A cell of X in standard units, and what it is to Y: X = center moves by one cell width as the
/// mean of Y moves by `smear` = |w|·width/σ_ξ.
struct row_cell {
  double z;      ///< center / σ_x
  double width;  ///< width / σ_x
  double gain;   ///< |w| σ_x / σ_ξ

  [[nodiscard]] double smear() const { return gain * width; }
};

/// N(0, 1) smeared by a narrow cell: a mixture of shifted normal laws, one for each node of a
/// Gauss–Legendre rule on the cell.
class narrow_row {
 public:
  /// Is the rule of order 16 exact to rounding?
  static bool suits(const row_cell& cell) { return roughness(cell) <= 4; }

  explicit narrow_row(const row_cell& cell) {
    // The rule errs by about 0.004 c⁴, 1e-7 c⁸, 1e-18 c¹⁶ of the density, c = u·smear/2 at u
    // deviations from the center.
    constexpr double node = 0.57735026918962576451;  // 1/√3
    if (roughness(cell) < 1e-8) {
      set_up(cell, std::array{0.0}, std::array{1.0});
    } else if (roughness(cell) < 1e-3) {
      set_up(cell, std::array{-node, node}, std::array{0.5, 0.5});
    } else if (roughness(cell) < 0.1) {
      set_up<4>(cell);
    } else if (roughness(cell) < 1.5) {
      set_up<8>(cell);
    } else {
      set_up<16>(cell);
    }
  }

  [[nodiscard]] cell_mass cell(double u, double h) const {
    return mixed([&](double s) { return normal_.cell(u - s, h); });
  }
  [[nodiscard]] cell_mass between(double a, double b) const {
    return mixed([&](double s) { return normal_.between(a - s, b - s); });
  }
  [[nodiscard]] cell_mass lower(double u) const {
    return mixed([&](double s) { return normal_.lower(u - s); });
  }
  [[nodiscard]] cell_mass upper(double u) const {
    return mixed([&](double s) { return normal_.upper(u - s); });
  }
  [[nodiscard]] auto cells(double h) const {
    return [this, cell_at = normal_.cells(h)](double u) {
      return mixed([&](double s) { return cell_at(u - s); });
    };
  }

  [[nodiscard]] double condition(double u) const { return u * u; }
  [[nodiscard]] double core() const { return 1; }
  [[nodiscard]] std::array<double, 0> breaks() const { return {}; }
  [[nodiscard]] bool is_symmetric() const { return false; }

 private:
  /// How much the density of X, or of Y given x, can change along the cell.
  static double roughness(const row_cell& cell) {
    return std::max(cell.smear(), cell.width * (1 + std::fabs(cell.z)));
  }

  template <std::size_t Order>
  void set_up(const row_cell& cell) {
    set_up(cell, gauss_legendre<Order>().node, gauss_legendre<Order>().weight);
  }

  template <std::size_t Order>
  void set_up(const row_cell& cell, const std::array<double, Order>& node,
              const std::array<double, Order>& weight) {
    size_ = Order;
    double total = 0;
    for (std::size_t k = 0; k < Order; ++k) {
      shift_[k] = cell.smear() / 2 * node[k];
      weight_[k] = weight[k] * std::exp(normal_.log_ratio(cell.z, cell.width / 2 * node[k]));
      total += weight_[k];
    }
    for (std::size_t k = 0; k < Order; ++k) weight_[k] /= total;
  }

  template <class MassAt>
  [[nodiscard]] cell_mass mixed(MassAt mass_at) const {
    double sum = 0;
    for (std::size_t k = 0; k < size_; ++k) sum += weight_[k] * mass_at(shift_[k]).probability;
    return {sum, std::log(sum)};
  }

  standard_normal normal_;
  std::size_t size_ = 0;
  std::array<double, 16> shift_{};
  std::array<double, 16> weight_{};
};

/// N(0, 1) smeared by a cell that is wide against σ_ξ/|w|, or unbounded. The mass of a cell of Y is
/// an integral over x of a function that steps up at one edge and down at the other, within a few
/// σ_ξ; between the steps it is the mass of X.
class wide_row {
 public:
  /// X between z_left and z_right, in standard units; s = gain·(z - origin).
  wide_row(double z_left, double z_right, double origin, double gain)
      : gain_{gain},
        total_{std::hypot(1, gain)},
        origin_{origin},
        log_mass_{(std::isinf(z_right) ? normal_.upper(z_left) : normal_.between(z_left, z_right))
                      .log_probability},
        left_{gain * (z_left - origin)},
        right_{gain * (std::min(z_right, end_of_mass(z_left)) - origin)} {
    if (right_ - left_ > 2 * reach) {
      breaks_ = {left_ - reach, left_, left_ + reach, right_ - reach, right_, right_ + reach};
      break_count_ = breaks_.size();
    }
  }

  /// Beyond it X has no mass that could matter beside what lies just above z ≥ 0.
  static double end_of_mass(double z) { return z + 40 / (z + 4); }

  [[nodiscard]] cell_mass cell(double u, double h) const {
    return mass_around(u, -h / 2, h / 2, [&](double r) { return normal_.cell(r, h); });
  }
  [[nodiscard]] cell_mass between(double a, double b) const {
    const double h = b - a;
    if (std::fabs(a) < std::fabs(b)) {  // distances from the nearer edge
      return mass_around(a, 0, h, [&](double r) { return normal_.between(r, r + h); });
    }
    return mass_around(b, -h, 0, [&](double r) { return normal_.between(r - h, r); });
  }
  [[nodiscard]] cell_mass lower(double u) const {
    return mass_around(u, -infinity, 0, [&](double r) { return normal_.lower(r); });
  }
  [[nodiscard]] cell_mass upper(double u) const {
    return mass_around(u, 0, infinity, [&](double r) { return normal_.upper(r); });
  }
  [[nodiscard]] auto cells(double h) const {
    return [this, h, cell_at = normal_.cells(h)](double u) {
      return mass_around(u, -h / 2, h / 2, cell_at);
    };
  }

  [[nodiscard]] double condition(double u) const {
    // Well inside the cell the density varies only as that of X does.
    const bool is_inside = u - left_ > reach && right_ - u > reach;
    const double outside = std::max({0.0, left_ - u, u - right_});
    return std::fabs(u) * (is_inside ? std::fabs(z_at(u)) / gain_ : outside + 1);
  }
  [[nodiscard]] double core() const { return 1; }
  [[nodiscard]] std::span<const double> breaks() const { return {breaks_.data(), break_count_}; }
  [[nodiscard]] bool is_symmetric() const { return false; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double reach = 9;  // Φ(-9) = 1e-19

  /// The mass of the cell of Y from u + low to u + high: an integral over r = u - s of the density
  /// of X times mass_at(r), which is 0 beyond the reach of the cell and 1 within it. The distance r
  /// is small where it matters; s, which only the density of X sees, may be large.
  template <class MassAt>
  [[nodiscard]] cell_mass mass_around(double u, double low, double high, MassAt mass_at) const {
    const double first = u - right_;
    const double last = u - left_;
    if (first <= -high - reach && -low + reach <= last) {
      // So far inside that the ends of the cell of X do not matter: as if X were anywhere.
      const double center = (gain_ * origin_ + u + (low + high) / 2) / total_;
      const double log_mass =
          normal_.cell(center, (high - low) / total_).log_probability - log_mass_;
      return {std::exp(log_mass), log_mass};
    }
    const double from = std::clamp(-high - reach, first, last);
    const double to = std::clamp(-low + reach, first, last);
    const double plateau_from = std::clamp(-high + reach, from, to);
    const double plateau_to = std::clamp(-low - reach, from, to);
    double sum = 0;
    if (plateau_from < plateau_to) {
      const double center = z_at(u - (plateau_from + plateau_to) / 2);
      const double width = (plateau_to - plateau_from) / gain_;
      const double log_share = normal_.cell(center, width).log_probability - log_mass_;
      sum = integral(u, from, plateau_from, mass_at) + std::exp(log_share) +
            integral(u, plateau_to, to, mass_at);
    } else {
      sum = integral(u, from, to, mass_at);
    }
    return {sum, std::log(sum)};
  }

  template <class MassAt>
  [[nodiscard]] double integral(double u, double from, double to, MassAt mass_at) const {
    if (!(from < to)) return 0;
    // Short against the steps of mass_at and against the decay of the density.
    const double farthest = std::max(std::fabs(z_at(u - from)), std::fabs(z_at(u - to)));
    const double length = std::min(4.0, gain_ * 2 / (1 + farthest));
    const bool is_whole = from == u - right_ && to == u - left_;
    const double range = is_whole ? right_ - left_ : to - from;  // even where it is below ulps of u
    const double panels = std::ceil(range / length);
    const double step = range / panels;
    const double s_from = from == u - right_ ? right_ : u - from;
    const auto& rule = gauss_legendre<16>();
    double sum = 0;
    for (double k = 0; k < panels; ++k) {
      for (std::size_t i = 0; i < 16; ++i) {
        const double offset = step * (k + (1 + rule.node[i]) / 2);
        const double density = std::exp(normal_.log_pdf(z_at(s_from - offset)) - log_mass_);
        sum += rule.weight[i] * density * mass_at(from + offset).probability;
      }
    }
    return sum * step / gain_;
  }

  [[nodiscard]] double z_at(double s) const { return origin_ + s / gain_; }

  standard_normal normal_;
  double gain_;
  double total_;  ///< deviation of Y in units of σ_ξ
  double origin_;
  double log_mass_;
  double left_;
  double right_;
  std::array<double, 6> breaks_{};
  std::size_t break_count_ = 0;
};

/// The ends of a wide cell are sharp however far they are from its center.
inline double resolution(const wide_row& kernel, const stretch&) { return kernel.core(); }

}  // namespace ktln2
