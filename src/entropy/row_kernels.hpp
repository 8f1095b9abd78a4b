#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>

#include "entropy/stretch.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/distribution/normal.hpp"

// The law of Y given that X is in one cell, a row: N(0, 1) smeared by the density of X on the cell.
// Lengths are in units of σ_ξ; the origin of u is where the mean of Y is at the left end of the
// row, and at its right end the mean is at u = smear. Each kernel offers
//     through(u)         P(Y < u | row)
//     cells(b)           a function u ↦ the mean density of Y over the cell of width b around u;
//     for
//                        b ≤ `fine_cell` anywhere, for all b farther than `row_reach` inside the
//                        row

namespace ktln2 {

/// Beyond so many deviations a normal law is over: Φ(-8.5) = 1e-17.
inline constexpr double row_reach = 8.5;
/// Where the cells of Y are not wider, sums over a normal law in them do not feel where its mean
/// falls: exp(-2π²/0.75²) = 6e-16.
inline constexpr double fine_cell = 0.75;
/// The same for the entropy of a law that a row smears. Its density has zeros off the real line, at
/// a height h of 3.89 for a smear of 1.75 and nowhere below 2.58, about which q ln q turns: of it
/// cells of width b leave exp(-2πh/b), 7e-15 and 8e-15, and of that a tenth.
inline double widest_fine_cell(double smear) { return smear <= 1.75 ? fine_cell : 0.5; }

/// The cell of X that a row stands for. All that the law of Y given the row depends on, once both
/// variables are in units of their own deviations.
struct row_cell {
  double left;   ///< end of the cell over σ_x
  double width;  ///< of the cell over σ_x; may be infinite
  double gain;   ///< |w| σ_x/σ_ξ: by how many σ_ξ the mean of Y moves as X moves by σ_x

  [[nodiscard]] double right() const { return left + width; }
  /// By how many σ_ξ the mean of Y moves across the cell: 0 leaves Y given the row normal.
  [[nodiscard]] double smear() const { return gain * width; }
};

/// The mean of a function over a cell of width b is Σ_k coefficient_k f^(2k), coefficient_k =
/// (b/2)^2k/(2k+1)!. Of normal densities, |f^(2k)| < √(2k)!, and nine terms leave 1e-17 at b = ¾.
/// Wider cells lie where f is nearly constant, and powers of b would overflow.
struct cell_mean_series {
  explicit cell_mean_series(double b) {
    double term = 1;
    double bound = 1;
    const std::size_t most = b > fine_cell ? 5 : coefficient.size();
    for (std::size_t k = 0; k < most && bound > 1e-18; ++k) {
      coefficient[size++] = term;
      const auto next = static_cast<double>(2 * k + 2);
      term *= b * b / 4 / (next * (next + 1));
      bound *= b * b / 4 / (next * (next + 1)) * std::sqrt(next * (next - 1));
    }
  }

  std::array<double, 10> coefficient{};
  std::size_t size = 0;
};

/// A narrow row: a mixture of shifted normal laws, one for each node of a Gauss–Legendre rule on
/// the cell.
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

  [[nodiscard]] double through(double u) const {
    double sum = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      sum += weight_[k] * std::erfc((shift_[k] - u) * (std::numbers::sqrt2 / 2));
    }
    return sum / 2;
  }

  [[nodiscard]] auto cells(double b) const {
    return [this, series = cell_mean_series(b)](double u) {
      double sum = 0;
      for (std::size_t k = 0; k < size_; ++k) sum += weight_[k] * cell_mean(series, u - shift_[k]);
      return sum * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    };
  }

 private:
  /// How much the density of X, or of Y given x, can change along the cell.
  static double roughness(const row_cell& cell) {
    return std::max(cell.smear(), cell.width * (1 + std::fabs(cell.right())));
  }

  /// √(2π) times the mean of φ: φ^(k) = (-1)^k He_k φ.
  static double cell_mean(const cell_mean_series& series, double u) {
    double sum = 1;
    double even = 1;  // He_2k
    double odd = u;   // He_2k+1
    for (std::size_t k = 1; k < series.size; ++k) {
      const auto order = static_cast<double>(2 * k);
      even = u * odd - (order - 1) * even;
      odd = u * even - order * odd;
      sum += series.coefficient[k] * even;
    }
    return sum * std::exp(-u * u / 2);
  }

  template <std::size_t Order>
  void set_up(const row_cell& cell) {
    set_up(cell, gauss_legendre<Order>().node, gauss_legendre<Order>().weight);
  }

  template <std::size_t Order>
  void set_up(const row_cell& cell, const std::array<double, Order>& node,
              const std::array<double, Order>& weight) {
    const standard_normal normal;
    const double center = cell.left + cell.width / 2;
    size_ = Order;
    double total = 0;
    for (std::size_t k = 0; k < Order; ++k) {
      shift_[k] = cell.smear() / 2 * (1 + node[k]);
      weight_[k] = weight[k] * std::exp(normal.log_ratio(center, cell.width / 2 * node[k]));
      total += weight_[k];
    }
    for (std::size_t k = 0; k < Order; ++k) weight_[k] /= total;
  }

  std::size_t size_ = 0;
  std::array<double, 16> shift_{};
  std::array<double, 16> weight_{};
};

/// A row on which ln f does not fall by much, nor within reach of it. With v from the left end of
/// the row on, the density of X is ∝ exp(-λv - v²/(2 gain²)) = Σ c_n vⁿ/n!, λ = z/gain, and
///     ∫₀^∞ density(v) Φ(u - v) dv = Σ c_n I_{n+1}(u),
/// I_n the n-th integral of Φ from -∞ on: n I_n = u I_{n-1} + I_{n-2}, I_0 = Φ, I_{-1} = φ, and
/// I_{n-1} = I_n' goes on below. The row is what begins at its left end less what begins at its
/// right end: the law needs Φ and φ at these two corners, and far inside the row not even those. So
/// that powers of long rows do not overflow, I_n stands for unitⁿ I_n and c_n for c_n/unitⁿ, n ≥ 0.
class corner_row {
 public:
  static bool suits(const row_cell& cell) { return cell.smear() >= 0.5 && variation(cell) <= 0.7; }

  explicit corner_row(const row_cell& cell)
      : smear_{cell.smear()}, unit_{1 / (cell.smear() + row_reach)} {
    // |c_n uⁿ/n!| ≤ variationⁿ/n!
    double term = 1;
    for (order_ = 1; order_ + 1 < most && term > 1e-17; ++order_) {
      term *= variation(cell) / static_cast<double>(order_);
    }
    const double step = 1 / (cell.gain * unit_);
    fill(left_, cell.left, step, 1);
    const double fall = std::exp(-cell.width * (cell.left + cell.width / 2));
    fill(right_, cell.right(), step, fall);
    double mass = 0;
    double power = 1;
    for (std::size_t n = 0; n < order_; ++n) {
      power *= unit_ * smear_ * reciprocal(n + 1);
      mass += left_[n] * power;
    }
    mass_ = mass / unit_;
  }

  [[nodiscard]] double through(double u) const {
    if (u <= -row_reach) return 0;
    if (u >= smear_ + row_reach) return 1;
    return (corner_sum(left_, u) - corner_sum(right_, u - smear_)) / (unit_ * mass_);
  }

  [[nodiscard]] auto cells(double b) const {
    const cell_mean_series series(b);
    return [this, left = averaged(left_, series), right = averaged(right_, series)](double u) {
      return (value(left, u) - value(right, u - smear_)) / mass_;
    };
  }

 private:
  static constexpr std::size_t most = 18;
  static constexpr std::size_t below = 18;  ///< derivatives of Φ that cells of Y can need

  using coefficients = std::array<double, most>;
  /// Σ coefficient_n I_n, from I_{-below} on.
  struct combination {
    std::array<double, below + most> coefficient{};
    std::size_t first = below;
  };

  static double variation(const row_cell& cell) {
    return (std::fabs(cell.right()) + 4) / cell.gain * (cell.smear() + row_reach);
  }

  /// From d/dz of the density at z, in steps of so many σ_x: He_n.
  void fill(coefficients& c, double z, double step, double factor) const {
    c[0] = factor;
    c[1] = -z * step * factor;
    for (std::size_t n = 1; n + 1 < order_; ++n) {
      c[n + 1] = -step * (z * c[n] + static_cast<double>(n) * step * c[n - 1]);
    }
  }

  /// Φ and φ, or their limits.
  struct corner {
    double below;
    double density;
  };
  static corner corner_at(double u) {
    if (u > row_reach) return {1, 0};
    return {std::erfc(-u * (std::numbers::sqrt2 / 2)) / 2,
            std::exp(-u * u / 2) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2)};
  }

  /// Σ c_n I_{n+1}(u)
  [[nodiscard]] double corner_sum(const coefficients& c, double u) const {
    if (u < -row_reach) return 0;
    auto [now, density] = corner_at(u);
    double before = density;
    double sum = 0;
    for (std::size_t n = 0; n < order_; ++n) {
      const double next = unit_ * (u * now + before) * reciprocal(n + 1);
      before = unit_ * now;
      now = next;
      sum += c[n] * now;
    }
    return sum;
  }

  /// Means over cells: Σ_k coefficient_k I_{n-2k} in place of I_n.
  [[nodiscard]] combination averaged(const coefficients& c, const cell_mean_series& series) const {
    combination made;
    double scale = 1;  // unit^2k
    for (std::size_t k = 0; k < series.size && 2 * k < below; ++k) {
      double power = 1;  // unitⁿ, for derivatives of Φ
      for (std::size_t n = 0; n < order_; ++n) {
        const double factor = n < 2 * k ? power : scale;
        made.coefficient[below + n - 2 * k] += series.coefficient[k] * factor * c[n];
        power *= unit_;
      }
      made.first = below - 2 * k;
      scale *= unit_ * unit_;
    }
    return made;
  }

  [[nodiscard]] double value(const combination& c, double u) const {
    if (u < -row_reach) return 0;
    const auto [phi_integral, density] = corner_at(u);
    double sum = c.coefficient[below] * phi_integral;
    double before = density;
    double now = phi_integral;
    for (std::size_t n = 1; n < order_; ++n) {
      const double next = unit_ * (u * now + before) * reciprocal(n);
      before = unit_ * now;
      now = next;
      sum += c.coefficient[below + n] * now;
    }
    if (density == 0) return sum;
    // I_{-1-k} = (-1)^k He_k φ
    double derivative = density;
    double derivative_before = 0;
    for (std::size_t m = 1; m <= below - c.first; ++m) {
      sum += c.coefficient[below - m] * derivative;
      const double next = -u * derivative - static_cast<double>(m - 1) * derivative_before;
      derivative_before = derivative;
      derivative = next;
    }
    return sum;
  }

  static double reciprocal(std::size_t n) {
    static constexpr std::array<double, most + 1> table = [] {
      std::array<double, most + 1> made{};
      for (std::size_t k = 1; k <= most; ++k) made[k] = 1.0 / static_cast<double>(k);
      return made;
    }();
    return table[n];
  }

  double smear_;
  double unit_;
  double mass_ = 0;  ///< ∫ density
  std::size_t order_ = 0;
  coefficients left_{};
  coefficients right_{};
};

/// A row that is wide, or unbounded. By Bayes the density of Y given the row is that of Y times the
/// probability of the row given Y: two normal distribution functions. Within reach of the row's
/// ends a cell of Y is integrated; farther inside the ends do not matter, and its mass is that
/// under the marginal law of Y.
class wide_row {
 public:
  explicit wide_row(const row_cell& cell)
      : mean_{cell.gain * cell.left},
        deviation_{std::hypot(1, cell.gain)},
        right_{cell.smear()},
        log_mass_{(std::isinf(cell.width) ? normal_.upper(cell.left)
                                          : normal_.between(cell.left, cell.right()))
                      .log_probability},
        share_{cell.gain / deviation_} {}

  /// Beyond it X has no mass that could matter beside what lies just above z ≥ 0.
  static double end_of_mass(double z) { return z + 40 / (z + 4); }

  [[nodiscard]] double through(double u) const {
    const double inner_left = std::min(row_reach, right_ + row_reach);
    const double inner_right = std::max(right_ - row_reach, inner_left);
    double sum = panels(-row_reach, std::min(u, inner_left));
    if (u > inner_left && inner_left < inner_right) {
      const double to = std::min(u, inner_right);
      const stretch inner{(mean_ + inner_left) / deviation_, (mean_ + to) / deviation_,
                          (to - inner_left) / deviation_, 1};
      sum += given_row(mass_of(normal_, inner));
    }
    return sum + panels(inner_right, std::min(u, right_ + row_reach));
  }

  [[nodiscard]] auto cells(double b) const {
    return [this, b](double u) {
      if (u - b / 2 >= row_reach && u + b / 2 <= right_ - row_reach) {
        return b < 1e-8 * deviation_
                   ? density(u)
                   : given_row(normal_.cell((mean_ + u) / deviation_, b / deviation_)) / b;
      }
      if (b <= 0.05) return integral<4>(u, b);
      return b <= 0.5 ? integral<8>(u, b) : integral<16>(u, b);
    };
  }

 private:
  /// A mass under the law of Y, over that of the row.
  [[nodiscard]] double given_row(cell_mass marginal) const {
    return std::exp(marginal.log_probability - log_mass_);
  }

  [[nodiscard]] double density(double u) const {
    // Given Y, gain·z has the mean share²·(mean + u) and the deviation share; its distance from the
    // ends of the row, without cancellation for a strong signal and for a weak one.
    const double lag = (mean_ + u) / (deviation_ * deviation_);
    const double lead = share_ * share_ * u - mean_ / (deviation_ * deviation_);
    const bool is_strong = share_ > 0.5;
    double low = (is_strong ? -u + lag : -lead) / share_;
    double high = (is_strong ? right_ - u + lag : right_ - lead) / share_;
    if (low + high < 0) low = -std::exchange(high, -low);
    const double row = (std::erfc(low * half_root) - std::erfc(high * half_root)) / 2;
    const double y = (mean_ + u) / deviation_;
    return row * std::exp(normal_.log_pdf(y) - log_mass_) / deviation_;
  }

  /// The mean density over a cell.
  template <std::size_t Order>
  [[nodiscard]] double integral(double u, double h) const {
    const auto& rule = gauss_legendre<Order>();
    double mean = 0;
    for (std::size_t k = 0; k < Order; ++k) {
      mean += rule.weight[k] * density(u + h / 2 * rule.node[k]);
    }
    return mean;
  }

  [[nodiscard]] double panels(double from, double to) const {
    if (!(from < to)) return 0;
    const double count = std::ceil((to - from) / 2);
    const double step = (to - from) / count;
    double sum = 0;
    for (double k = 0; k < count; ++k) sum += step * integral<16>(from + (k + 0.5) * step, step);
    return sum;
  }

  static constexpr double half_root = std::numbers::sqrt2 / 2;

  standard_normal normal_;
  double mean_;       ///< of Y at the left end of the row, in units of σ_ξ
  double deviation_;  ///< of Y, in units of σ_ξ
  double right_;      ///< where the mean of Y is at the right end
  double log_mass_;
  double share_;  ///< gain/deviation
};

}  // namespace ktln2
