#include "ktln2/entropy/joint_approximations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "entropy/law_integrals.hpp"
#include "ktln2/entropy/bounds.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {
namespace {

constexpr double bits_per_nat = 1 / std::numbers::ln2;
constexpr standard_normal standard;

/// P(X outside 𝕌)
double outside(const float_format& format, const normal& x) {
  return 2 * standard.upper(x.standard(format.granular_edge())).probability;
}

double outside(const format_pair& formats, const regression_pair& pair) {
  return outside(formats.x, pair.x()) + outside(formats.y, pair.y());
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
    for (const cell_run& run : cells.block(block)) {
      if (run.count == 0 || run.left.is_infinite() || run.right.is_infinite()) continue;
      const double left = x.standard(run.left);
      const double right = x.standard(run.right);
      const double h = ratio(run.width, x.scale());
      if (std::min(std::fabs(left), std::fabs(right)) > 39) continue;
      sum.add(std::pow(h, power) * standard.between(left, right).probability);
    }
  }
  return sum.value();
}

/// Δ(x) ≤ first + growth·|x|, in units of σ.
struct width_envelope {
  double first;
  double growth;
};

width_envelope envelope(const float_format& format, double sigma) {
  const cell_run zero = partition{format}.cell_of(0);
  const double first = ratio(zero.width, sigma);
  return {first, format.exponent_bits() == 0 ? 0 : std::scalbn(1.0, 1 - format.p())};
}

}  // namespace

bits cell_width_entropy(const format_pair& formats, const regression_pair& pair) {
  return granular_entropy(formats, pair, width::of_cells);
}

bits smooth_entropy_granular(const format_pair& formats, const regression_pair& pair) {
  return granular_entropy(formats, pair, width::smooth);
}

bits smooth_joint_entropy(int p_x, int p_y, const regression_pair& pair) {
  return smooth_entropy_zero_mean(p_x) + smooth_entropy_zero_mean(p_y) - mutual_information(pair);
}

bits zero_cells_error(const format_pair& formats, const regression_pair& pair) {
  return zero_cells_error(formats.x, pair.x()) + zero_cells_error(formats.y, pair.y());
}

bits zero_cells_error_bound(const format_pair& formats, const regression_pair& pair) {
  return zero_cells_error_bound(formats.x, pair.x()) + zero_cells_error_bound(formats.y, pair.y());
}

bits smoothing_bound(const format_pair& formats, const regression_pair& pair) {
  return bits{1} + zero_cells_error(formats, pair);
}

bits divergence_leading_order(const format_pair& formats, const regression_pair& pair) {
  // Given x, ∂_x ln f has mean square x²/σ_x⁴ + w²/σ_ξ²; and likewise for y, names exchanged.
  const auto one = [](const float_format& format, const normal& x, double gain) {
    const double share = gain * gain / 24 * mean_width_to(2, format, x);
    return *divergence_leading_order(format, x) + bits{share * bits_per_nat};
  };
  return one(formats.x, pair.x(), pair.gain()) + one(formats.y, pair.y(), pair.gain());
}

bits divergence_bound(const format_pair& formats, const regression_pair& pair) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double gain = pair.gain();
  const width_envelope x = envelope(formats.x, pair.sigma_x());
  const width_envelope y = envelope(formats.y, pair.sigma_xi());
  // The exponent below must not outgrow the Gaussian, nor come near it.
  const double growth = gain * (x.first + x.growth) + y.first + y.growth * (1 + gain);
  if (!(growth + x.first + x.growth < 0.25)) return bits{infinity};
  const auto panels = [](double from, double to, auto f) {
    double sum = 0;
    for (double left = from; left < to; ++left) sum += integrate_panel<8>(left, left + 1, f);
    return sum;
  };
  // z = x/σ_x and u = ξ/σ_ξ, both standard normal; c, a, b are widths in units of σ_x, of σ_ξ/|w|
  // and of σ_ξ.
  const double energy = panels(0, 10, [&](double z) {
    return panels(-10, 10, [&](double u) {
      const double c = x.first + x.growth * z;
      const double a = gain * c;
      const double b = y.first + y.growth * std::fabs(gain * z + u);
      const double slope_x = c * z + a * std::fabs(u);
      const double slope_y = b * std::fabs(u);
      const double variation = slope_x + slope_y + (c * c + (a + b) * (a + b)) / 2;
      return (slope_x * slope_x + slope_y * slope_y) *
             std::exp(standard.log_pdf(z) + standard.log_pdf(u) + variation);
    });
  });
  return bits{2 * energy / (std::numbers::pi * std::numbers::pi) * bits_per_nat};
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

approximation smooth_approximation(const format_pair& formats, const regression_pair& pair) {
  return {"eq:approx_joint_ent_SNR",
          smooth_joint_entropy(formats.x.p(), formats.y.p(), pair),
          standing::theorem_backed,
          "every pair",
          {{"D(f||g)", divergence_leading_order(formats, pair).value(), 0.01},
           {"P(outside U)", outside(formats, pair), 1e-6},
           {"eps0", zero_cells_error(formats, pair).value(), 0.01}}};
}

std::vector<approximation> entropy_approximations(const format_pair& formats,
                                                  const regression_pair& pair) {
  const approximation smooth = smooth_approximation(formats, pair);
  const requirement& fine = smooth.requirements[0];
  const requirement& inside = smooth.requirements[1];
  const requirement& off_zero = smooth.requirements[2];
  return {{"eq:diff_approx",
           cell_width_entropy(formats, pair),
           standing::asymptotic,
           "every pair",
           {fine, inside}},
          {"eq:Ht_s_U",
           smooth_entropy_granular(formats, pair),
           standing::theorem_backed,
           "every pair",
           {fine, inside, off_zero}},
          {"eq:first_two_approx",
           smooth.value,
           standing::theorem_backed,
           "every pair",
           {fine, inside, off_zero}},
          smooth};
}

}  // namespace ktln2
