#include "ktln2/entropy/joint_approximations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "entropy/law_integrals.hpp"
#include "entropy/stretch.hpp"
#include "ktln2/core/check.hpp"
#include "ktln2/entropy/bounds.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {
namespace {

constexpr standard_normal standard;

/// P(X outside 𝕌)
double outside(const float_format& format, const normal& x) {
  return 2 * standard.upper(x.standard(format.granular_edge())).probability;
}

double outside(const format_pair& formats, const regression_pair& pair) {
  return outside(formats.x, pair.x()) + outside(formats.y, pair.y());
}

/// The formulas below are the paper's, for means of 0.
void require_centered(const regression_pair& pair) {
  if (pair.is_centered()) return;
  throw std::domain_error("approximations: a pair must have mu_x = b = 0, got mu_x = " +
                          shown(pair.mu_x()) + ", b = " + shown(pair.b()));
}

/// ln Δ(x), the outermost cells ending with 𝕌.
double log_width(const partition& cells, double x) {
  const cell_run cell = cells.cell_of(x);
  return log(cell.right.is_infinite() ? cells.granular().right - cell.left : cell.width);
}

/// ln Δ_s(x)
double log_smooth_width(int p, double x) {
  return std::log(std::fabs(x)) + (0.5 - p) * std::numbers::ln2;
}

enum class width { of_cells, smooth };

/// Integrals over x in 𝕌 of the density of X, in one half of the plane: panels that end where the
/// widths of X's cells change and that are short against X and, near the edge of Y's 𝕌, against the
/// noise.
class half_plane {
 public:
  half_plane(const float_format& x_format, const float_format& y_format,
             const regression_pair& pair)
      : p_{x_format.p()},
        cells_{x_format},
        pair_{pair},
        y_edge_{ratio(y_format.granular_edge(), pair.sigma_xi())} {
    const double end = std::min(far, ratio(x_format.granular_edge(), pair.sigma_x()));
    const auto add = [&](double z) {
      if (near < z && z < end) edges_.push_back(z);
    };
    edges_ = {near, end};
    for (double z = near; z < 1; z *= 2) add(z);
    for (double z = 0.5; z < far; z += 0.5) add(z);
    for (std::size_t block = cells_.block_count() / 2; block < cells_.block_count(); ++block) {
      const double left = ratio(cells_.block_left(block), pair.sigma_x());
      if (left > end) break;
      if (ratio(cells_.block_right(block), pair.sigma_x()) < near) continue;
      for (const cell_run& run : cells_.block(block)) {
        if (run.count > 0) add(ratio(run.left, pair.sigma_x()));
      }
    }
    for (int k = -6; k <= 6; ++k) add((y_edge_ + 1.5 * k) / pair.gain());
    std::sort(edges_.begin(), edges_.end());
  }

  /// ∫ over x in 𝕌, y in 𝕌 of f(x, y) F(x, z, P(y in 𝕌 | x)), in both halves together.
  template <class F>
  [[nodiscard]] double integral(F function) const {
    compensated_sum sum;
    for (std::size_t i = 0; i + 1 < edges_.size(); ++i) {
      const double middle = (edges_[i] + edges_[i + 1]) / 2 * pair_.sigma_x();
      sum.add(integrate_panel<16>(edges_[i], edges_[i + 1], [&](double z) {
        return std::exp(standard.log_pdf(z)) * function(z, middle);
      }));
    }
    return 2 * sum.value();
  }

  /// P(y in 𝕌 | x)
  [[nodiscard]] double inside(double z) const {
    const double mean = pair_.gain() * z;
    return standard.between(-y_edge_ - mean, y_edge_ - mean).probability;
  }

  /// ∫_𝕌² f ln Δ(x)
  [[nodiscard]] double log_widths(width which) const {
    return integral([&](double z, double middle) {
      const double x = z * pair_.sigma_x();
      return inside(z) *
             (which == width::smooth ? log_smooth_width(p_, x) : log_width(cells_, middle));
    });
  }

  /// ∫_𝕌² f ln f, f(x, y) = f_X(x) f(y | x)
  [[nodiscard]] double log_density() const {
    const double scales = std::log(pair_.sigma_x()) + std::log(pair_.sigma_xi());
    return integral([&](double z, double) {
      const double a = -y_edge_ - pair_.gain() * z;
      const double b = y_edge_ - pair_.gain() * z;
      const auto edge_term = [](double u) {
        return std::isinf(u) ? 0 : u * std::exp(standard.log_pdf(u));
      };
      // ∫ u² φ from a to b
      const double square = inside(z) - edge_term(b) + edge_term(a);
      return inside(z) * (standard.log_pdf(z) + standard.log_pdf(0) - scales) - square / 2;
    });
  }

 private:
  static constexpr double near = 1e-24;  ///< below it, in units of σ_x, X has no mass that matters
  static constexpr double far = 38;

  int p_;
  partition cells_;
  regression_pair pair_;
  double y_edge_;
  std::vector<double> edges_;
};

/// Approximations 1 and 2 on 𝕌². Without clipping the one for the pair is that for X and that for Y
/// less what the continuous variables share.
bits granular_entropy(const format_pair& formats, const regression_pair& pair, width which) {
  require_centered(pair);
  if (outside(formats, pair) < 1e-18 || pair.w() == 0) {
    const auto one = [&](const float_format& format, const normal& x) {
      return which == width::smooth ? smooth_entropy_granular(format, x)
                                    : cell_width_entropy(format, x);
    };
    if (outside(formats, pair) < 1e-18) {
      return one(formats.x, pair.x()) + one(formats.y, pair.y()) - mutual_information(pair);
    }
    // Independent: each restricted to 𝕌, and weighted with the other's mass there.
    return (1 - outside(formats.y, pair.y())) * one(formats.x, pair.x()) +
           (1 - outside(formats.x, pair.x())) * one(formats.y, pair.y());
  }
  const half_plane by_x{formats.x, formats.y, pair};
  const half_plane by_y{formats.y, formats.x, pair.exchanged()};
  return bits{-(by_x.log_density() + by_x.log_widths(which) + by_y.log_widths(which)) *
              bits_per_nat};
}

/// E[Δ(X)^power]/σ_x^power, for X in the bounded cells.
double mean_width_to(int power, const float_format& format, const normal& x) {
  const partition cells{format};
  compensated_sum sum;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& each : cells.block(block)) {
      if (each.count == 0) continue;
      const cell_run run = granular_part(cells, each);
      const double left = x.standard(run.left);
      const double right = x.standard(run.right);
      const double h = ratio(run.width, x.scale());
      if (left > 39 || right < -39) continue;
      sum.add(std::pow(h, power) * standard.between(left, right).probability);
    }
  }
  return sum.value();
}

}  // namespace

bits cell_width_entropy(const format_pair& formats, const regression_pair& pair) {
  return granular_entropy(formats, pair, width::of_cells);
}

bits smooth_entropy_granular(const format_pair& formats, const regression_pair& pair) {
  return granular_entropy(formats, pair, width::smooth);
}

bits smooth_joint_entropy(int p_x, int p_y, const regression_pair& pair) {
  require_centered(pair);
  return smooth_entropy_zero_mean(p_x) + smooth_entropy_zero_mean(p_y) - mutual_information(pair);
}

bits zero_cells_error(const format_pair& formats, const regression_pair& pair) {
  require_centered(pair);
  return zero_cells_error(formats.x, pair.x()) + zero_cells_error(formats.y, pair.y());
}

bits zero_cells_error_bound(const format_pair& formats, const regression_pair& pair) {
  require_centered(pair);
  return zero_cells_error_bound(formats.x, pair.x()) + zero_cells_error_bound(formats.y, pair.y());
}

bits smoothing_bound(const format_pair& formats, const regression_pair& pair) {
  return bits{1} + zero_cells_error(formats, pair);
}

bits divergence_leading_order(const format_pair& formats, const regression_pair& pair) {
  require_centered(pair);
  // Given x, ∂_x ln f has mean square x²/σ_x⁴ + w²/σ_ξ²; and likewise for y, names exchanged.
  const auto one = [](const float_format& format, const normal& x, double gain) {
    const double share = gain * gain / 24 * mean_width_to(2, format, x);
    return *divergence_leading_order(format, x) + bits{share * bits_per_nat};
  };
  return one(formats.x, pair.x(), pair.gain()) + one(formats.y, pair.y(), pair.gain());
}

bits divergence_bound(const format_pair& formats, const regression_pair& pair) {
  return divergence_bound_ratio * divergence_leading_order(formats, pair);
}

bounded<bits> joint_entropy_by_identity(const format_pair& formats, const regression_pair& pair) {
  const bits widths = cell_width_entropy(formats, pair);
  const bits divergence = divergence_leading_order(formats, pair);
  // For a normal density and cells of width h, D = h²/24 - h⁴/576 …. With cells of different widths
  // it is the mean of h⁴ that matters, not the square of that of h²: the cells next to zero may be
  // wide and rare. The score has 3 times the square of its mean square for a fourth moment.
  const auto fourth = [&](const float_format& format, const normal& x) {
    const double scores = 9 + pair.snr();  // z² + gain², for all z that matter here
    return 3 * scores * scores * mean_width_to(4, format, x);
  };
  const double next = (fourth(formats.x, pair.x()) + fourth(formats.y, pair.y())) / 50;
  const double clipped = outside(formats, pair);
  const int size = 4 + std::max(formats.x.width(), formats.y.width());
  const double clipping = clipped > 0 ? clipped * (size - std::log2(clipped)) : 0;
  const double rounding = 1024 * 0x1p-53 * (std::fabs(widths.value()) + 16);
  return {widths + divergence, bits{next * bits_per_nat + clipping + rounding},
          evidence::estimated};
}

namespace {

/// What all approximations for two registers are judged by, as for one.
class pair_ladder {
 public:
  pair_ladder(const format_pair& formats, const regression_pair& pair)
      : formats_{formats}, pair_{pair}, first_{cell_width_entropy(formats, pair)} {
    const bits divergence = divergence_bound(formats, pair);
    const double clipped = outside(formats, pair);
    // The mass outside of 𝕌² is in rows and columns of at most 4·2^width cells.
    const int width = std::max(formats.x.width(), formats.y.width());
    first_at_most_ = divergence + clipping_bound(clipped, width + 2);
    first_needs_ = {{"D(f||g)", divergence.value(), 0.01}, {"P(outside U)", clipped, 1e-6}};
    smooth_needs_ = first_needs_;
    smooth_needs_.push_back({"eps0", zero_cells_error(formats, pair).value(), 0.01});
  }

  [[nodiscard]] approximation of_cells() const {
    return made("eq:diff_approx", first_, standing::asymptotic, first_needs_);
  }
  [[nodiscard]] approximation granular() const {
    return made("eq:Ht_s_U", smooth_entropy_granular(formats_, pair_), standing::theorem_backed,
                smooth_needs_);
  }
  [[nodiscard]] approximation on_the_plane(std::string_view label) const {
    return made(label, smooth_joint_entropy(formats_.x.p(), formats_.y.p(), pair_),
                standing::theorem_backed, smooth_needs_);
  }

 private:
  [[nodiscard]] approximation made(std::string_view label, bits value, standing status,
                                   std::vector<requirement> needs) const {
    const double h = differential_entropy(pair_).value();
    const double moved = std::fabs((value - first_).value());
    const double rounding = 1024 * 0x1p-53 * (std::fabs(value.value()) + 2 * std::fabs(h) + 128);
    const bits at_most = std::min(first_at_most_ + bits{moved + rounding},
                                  capacity_bound(value, formats_.x.width() + formats_.y.width()));
    return {label, value, status, "every pair", std::move(needs), at_most};
  }

  const format_pair& formats_;
  const regression_pair& pair_;
  bits first_;
  bits first_at_most_;
  std::vector<requirement> first_needs_;
  std::vector<requirement> smooth_needs_;
};

}  // namespace

approximation smooth_approximation(const format_pair& formats, const regression_pair& pair) {
  return pair_ladder{formats, pair}.on_the_plane("eq:approx_joint_ent_SNR");
}

std::vector<approximation> entropy_approximations(const format_pair& formats,
                                                  const regression_pair& pair) {
  const pair_ladder ladder{formats, pair};
  return {ladder.of_cells(), ladder.granular(), ladder.on_the_plane("eq:first_two_approx"),
          ladder.on_the_plane("eq:approx_joint_ent_SNR")};
}

}  // namespace ktln2
