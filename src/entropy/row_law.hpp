#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

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

/// The cell of X that a row stands for. All that the law of Y given the row depends on, once both
/// variables are in units of their own deviations.
struct row_cell {
  double z;      ///< the center of the cell over σ_x
  double width;  ///< of the cell over σ_x
  double gain;   ///< |w| σ_x/σ_ξ: by how many σ_ξ the mean of Y moves as X moves by σ_x

  /// By how many σ_ξ the mean of Y moves across the cell: 0 leaves Y given the row normal.
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

/// N(0, 1) smeared by a cell of X that is wide, or unbounded. By Bayes the density of Y given the
/// row is that of Y times the probability of the row given Y: two normal distribution functions.
/// Within a few σ_ξ of the row's ends a cell of Y is integrated; farther inside the ends do not
/// matter, and its mass is that under the marginal law of Y.
class wide_row {
 public:
  /// X between z_left and z_right, in standard units. The origin of u is where X = origin.
  wide_row(double z_left, double z_right, double origin, double gain)
      : mean_{gain * origin},
        deviation_{std::hypot(1, gain)},
        left_{gain * (z_left - origin)},
        right_{gain * (z_right - origin)},
        log_mass_{(std::isinf(z_right) ? normal_.upper(z_left) : normal_.between(z_left, z_right))
                      .log_probability},
        share_{gain / deviation_} {
    if (right_ - left_ > 2 * reach) {
      breaks_ = {left_ - reach, left_, left_ + reach, right_ - reach, right_, right_ + reach};
      break_count_ = std::isinf(right_) ? 3 : 6;
    }
  }

  /// Beyond it X has no mass that could matter beside what lies just above z ≥ 0.
  static double end_of_mass(double z) { return z + 40 / (z + 4); }

  [[nodiscard]] cell_mass cell(double u, double h) const {
    if (is_inside(u - h / 2, u + h / 2)) {
      return given_row(normal_.cell((mean_ + u) / deviation_, h / deviation_));
    }
    if (h > 2) return between(u - h / 2, u + h / 2);
    if (h <= 0.05) return logged(integral<4>(u, h));
    return logged(h <= 0.5 ? integral<8>(u, h) : integral<16>(u, h));
  }
  [[nodiscard]] cell_mass lower(double u) const { return between(-infinity, u); }
  [[nodiscard]] cell_mass upper(double u) const { return between(u, infinity); }
  [[nodiscard]] cell_mass between(double a, double b) const {
    const double inner_left = std::min(left_ + reach, right_ + reach);
    const double inner_right = std::max(right_ - reach, inner_left);
    double sum = panels(std::max(a, left_ - reach), std::min(b, inner_left));
    if (a < inner_right && b > inner_left && inner_left < inner_right) {
      const double from = std::max(a, inner_left);
      const double to = std::min(b, inner_right);
      const stretch inner{(mean_ + from) / deviation_, (mean_ + to) / deviation_,
                          (to - from) / deviation_, 1};
      sum += given_row(mass_of(normal_, inner)).probability;
    }
    sum += panels(std::max(a, inner_right), std::min(b, right_ + reach));
    return logged(sum);
  }
  [[nodiscard]] auto cells(double h) const {
    return [this, h](double u) { return cell(u, h); };
  }

  [[nodiscard]] double condition(double u) const {
    // Well inside the row the density varies only as that of Y does.
    const double outside = std::max({0.0, left_ - u, u - right_});
    const double slope = is_inside(u, u) ? std::fabs(mean_ + u) / (deviation_ * deviation_) : 1;
    return std::fabs(u) * (outside + slope);
  }
  [[nodiscard]] double core() const { return 1; }
  [[nodiscard]] std::span<const double> breaks() const { return {breaks_.data(), break_count_}; }
  [[nodiscard]] bool is_symmetric() const { return false; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double reach = 9;  // Φ(-9) = 1e-19

  static cell_mass logged(double mass) { return {mass, std::log(mass)}; }

  [[nodiscard]] bool is_inside(double a, double b) const {
    return a >= left_ + reach && b <= right_ - reach;
  }

  /// A mass under the law of Y, over that of the row.
  [[nodiscard]] cell_mass given_row(cell_mass marginal) const {
    const double log_mass = marginal.log_probability - log_mass_;
    return {std::exp(log_mass), log_mass};
  }
  [[nodiscard]] double density(double u) const {
    // Given Y, gain·z has the mean share²·(mean + u) and the deviation share; its distance from the
    // ends of the row, without cancellation for a strong signal and for a weak one.
    const double lag = (mean_ + u) / (deviation_ * deviation_);
    const double lead = share_ * share_ * u - mean_ / (deviation_ * deviation_);
    const bool is_strong = share_ > 0.5;
    double low = (is_strong ? left_ - u + lag : left_ - lead) / share_;
    double high = (is_strong ? right_ - u + lag : right_ - lead) / share_;
    if (low + high < 0) low = -std::exchange(high, -low);
    const double row = (std::erfc(low * half_root) - std::erfc(high * half_root)) / 2;
    const double y = (mean_ + u) / deviation_;
    return row * std::exp(normal_.log_pdf(y) - log_mass_) / deviation_;
  }

  template <std::size_t Order>
  [[nodiscard]] double integral(double u, double h) const {
    const auto& rule = gauss_legendre<Order>();
    double mean = 0;
    for (std::size_t k = 0; k < Order; ++k) {
      mean += rule.weight[k] * density(u + h / 2 * rule.node[k]);
    }
    return mean * h;
  }

  [[nodiscard]] double panels(double from, double to) const {
    if (!(from < to)) return 0;
    const double count = std::ceil((to - from) / 2);
    const double step = (to - from) / count;
    double sum = 0;
    for (double k = 0; k < count; ++k) sum += integral<16>(from + (k + 0.5) * step, step);
    return sum;
  }

  static constexpr double half_root = std::numbers::sqrt2 / 2;

  standard_normal normal_;
  double mean_;       ///< of Y where X = origin, in units of σ_ξ
  double deviation_;  ///< of Y, in units of σ_ξ
  double left_;       ///< where the mean of Y is at the ends of the row
  double right_;
  double log_mass_;
  double share_;  ///< gain/deviation
  std::array<double, 6> breaks_{};
  std::size_t break_count_ = 0;
};

/// The ends of a wide cell are sharp however far they are from its center.
inline double resolution(const wide_row& kernel, const stretch&) { return kernel.core(); }

}  // namespace ktln2
