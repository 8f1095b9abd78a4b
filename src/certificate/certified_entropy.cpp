#include "ktln2/certificate/certified_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "certificate/ball.hpp"
#include "certificate/density.hpp"
#include "certificate/lattice_rule.hpp"
#include "certificate/parameters.hpp"
#include "certificate/positive_cells.hpp"
#include "certificate/uniform_sum.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace certificate {
namespace {

/// Bits for bounds, of which only the size matters.
constexpr slong rough_bits = 64;
/// Nodes of the rule; fewer cells than twice as many are summed one by one.
constexpr int nodes = 32;
constexpr std::uint64_t few_cells = 64;
/// Pieces to be bounded and cells to be evaluated before what is left is only bounded: a few
/// seconds.
constexpr long most_work = 1'000'000;

/// -Σ P ln P over the positive cells, for the law of location + scale·Z. See docs/certificates.md.
template <class Density>
class half_line_sum {
 public:
  half_line_sum(const positive_cells& cells, const Density& density, const lattice_rule& rule,
                const parameters& law, ball share)
      : cells_{cells},
        density_{density},
        rule_{rule},
        location_{law.location},
        scale_{law.scale},
        share_{std::move(share)} {
    sum_levels(0, cells_.levels());
  }

  /// In nats: sum, what rounding leaves open, and the rest: H ∈ sum + [0, left_out] ± truncated.
  [[nodiscard]] const ball& sum() const { return sum_; }
  [[nodiscard]] const ball& left_out() const { return left_out_; }
  [[nodiscard]] const ball& truncated() const { return truncated_; }

 private:
  /// Neighboring cells between two edges, in standard units.
  struct stretch {
    ball left;
    std::optional<ball> right;  ///< none: without end
    ball width;                 ///< of one cell; for the one without end of no meaning
  };

  [[nodiscard]] ball standard(int level, const ball& edge) const {
    return (edge * cells_.unit(level) - location_) / scale_;
  }

  void sum_levels(int first, int last) {
    if (last - first == 1) return sum_level(first);
    const ball count = ball(last - first) * ball::from_integer(cells_.count());
    stretch all{standard(first, cells_.left(first)), {}, {}};
    if (last < cells_.levels()) all.right = standard(last, cells_.left(last));
    if (leave_out(all, count)) return;
    const int middle = first + (last - first) / 2;
    sum_levels(first, middle);
    sum_levels(middle, last);
  }

  void sum_level(int level) {
    const std::uint64_t count = cells_.count();
    const bool endless = cells_.is_highest(level);
    const ball begin = standard(level, cells_.left(level));
    if (count == 1) {
      if (endless) return add_cell({begin, {}, {}});
      const ball end = standard(level + 1, cells_.left(level + 1));
      return add_cell({begin, end, end - begin});
    }
    const ball second = standard(level, cells_.edge(0));
    add_cell({begin, second, second - begin});
    const std::uint64_t regular = count - (endless ? 2 : 1);
    if (regular > 0) sum_piece(level, 0, regular);
    if (endless) add_cell({standard(level, cells_.edge(count - 2)), {}, {}});
  }

  /// The `count` cells to the right of edge m.
  void sum_piece(int level, std::uint64_t m, std::uint64_t count) {
    const stretch piece{standard(level, cells_.edge(m)), standard(level, cells_.edge(m + count)),
                        cells_.width(level) / scale_};
    if (leave_out(piece, ball::from_integer(count))) return;
    if (count < few_cells) {
      for (std::uint64_t i = 0; i < count; ++i) {
        add_cell({piece.left + ball::from_integer(i) * piece.width,
                  piece.left + ball::from_integer(i + 1) * piece.width, piece.width});
      }
      return;
    }
    if (sum_by_rule(piece, count)) return;
    sum_piece(level, m, count / 2);
    sum_piece(level, m + count / 2, count - count / 2);
  }

  /// The mass M ≤ m < N/e in N cells adds at least 0 and at most M ln(N/M) ≤ m ln(N/m).
  bool leave_out(const stretch& cells, const ball& count) {
    const working_precision rough{rough_bits};
    ++work_;
    const ball mass = mass_bound(cells);
    ball most = count / exp(1.0);  // whatever the mass
    if (mass < most) most = mass.upper() * log(count / mass.upper());
    if (arb_is_zero(mass.raw()) != 0) most = 0.0;
    if (!(most < share_) && work_ < most_work) return false;
    left_out_ += most.upper();
    return true;
  }

  /// Not below the probability of the cells.
  [[nodiscard]] ball mass_bound(const stretch& cells) const {
    const bool to_the_right = ball(0.0) < cells.left;
    if (!to_the_right && !(cells.right && *cells.right < ball(0.0))) {
      if (!cells.right) return 1.0;
      return min(1.0, (*cells.right - cells.left) * exp(density_.log_density(0.0)));
    }
    const ball nearest = to_the_right ? cells.left : -*cells.right;
    ball tail = density_.tail_bound(nearest).upper();
    if (!cells.right) return tail;
    const ball flat = ((*cells.right - cells.left) * exp(density_.log_density(nearest))).upper();
    return tail.is_finite() ? min(tail, flat) : flat;
  }

  /// P and ln P
  struct cell_mass {
    ball probability;
    ball logarithm;
  };

  /// By the series around the center, if the cell is narrow.
  [[nodiscard]] std::optional<cell_mass> narrow_mass(const ball& center, const ball& width,
                                                     const ball& log_width) const {
    double q = 0;
    {
      const working_precision rough{rough_bits};
      q = (width * density_.rate(center)).upper_double();
    }
    if (!(q <= 0.25)) return {};
    // Two terms more for each q² until 4q^terms is below the working precision.
    const double gain = -std::log2(std::fmax(q, 0x1p-500));
    const int terms = 2 + 2 * static_cast<int>(static_cast<double>(ball::precision()) / gain / 2);
    const ball ratio =
        density_.mean_ratio(center, width, terms).widened(series_remainder(q, terms));
    const ball log_flat = density_.log_density(center) + log_width;
    return cell_mass{exp(log_flat) * ratio, log_flat + log(ratio)};
  }

  /// P(Z > z) for any z
  [[nodiscard]] ball upper_tail(const ball& z) const {
    if (ball(0.0) < z) return density_.tail(z);
    if (z < ball(0.0)) return ball(1.0) - density_.tail(-z);
    return ball(0.5).widened(z * exp(density_.log_density(0.0)));
  }

  [[nodiscard]] ball wide_mass(const stretch& cell) const {
    if (!cell.right) return upper_tail(cell.left);
    if (*cell.right < ball(0.0)) return upper_tail(-*cell.right) - upper_tail(-cell.left);
    return upper_tail(cell.left) - upper_tail(*cell.right);
  }

  void add_cell(const stretch& cell) {
    if (leave_out(cell, 1.0)) return;
    if (cell.right) {
      const ball center = cell.left + cell.width.scaled(-1);
      if (const auto narrow = narrow_mass(center, cell.width, log(cell.width))) {
        sum_ -= narrow->probability * narrow->logarithm;
        return;
      }
    }
    sum_ += surprise(wide_mass(cell));
  }

  /// The sum over the piece by the rule, if the bound on its error is small enough.
  bool sum_by_rule(const stretch& piece, std::uint64_t count) {
    const ball center = (piece.left + *piece.right).scaled(-1);
    const ball half = (*piece.right - piece.left).scaled(-1);
    const std::optional<ball> error = rule_error(center, half, piece.width, count);
    if (!error) return false;
    const ball log_width = log(piece.width);
    const std::vector<ball> weights = rule_.weights(count);
    ball mean;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const ball z = center + half * rule_.nodes()[k];
      if (const auto narrow = narrow_mass(z, piece.width, log_width)) {
        mean -= weights[k] * narrow->probability * narrow->logarithm;
      } else {
        const ball reach = piece.width.scaled(-1);
        mean += weights[k] * surprise(wide_mass({z - reach, z + reach, piece.width}));
      }
    }
    work_ += rule_.size();
    sum_ += ball::from_integer(count) * mean;
    truncated_ += error->upper();
    return true;
  }

  /// A bound below the share on how far the rule is off, from a bound on F = -P ln P in a Bernstein
  /// ellipse; none, if no ellipse gives one.
  [[nodiscard]] std::optional<ball> rule_error(const ball& center, const ball& half,
                                               const ball& width, std::uint64_t count) const {
    const working_precision rough{rough_bits};
    for (const double rho : {5.0, 8.0, 3.5, 14.0, 2.5, 30.0, 2.0}) {
      const ball inverse = ball(1.0) / ball(rho);
      const ball reach = half * (ball(rho) + inverse).scaled(-1);
      const ball height = half * (ball(rho) - inverse).scaled(-1);
      const region ellipse{max((abs(center) - reach).lower(), 0.0), (abs(center) + reach).upper(),
                           height.upper()};
      const std::optional<ball> size = size_of_terms(ellipse, width);
      if (!size) continue;
      const ball error = ball::from_integer(count) * *size * rule_.error_factor(rho);
      if (error < share_) return error;
    }
    return {};
  }

  /// A bound on |P ln P| for all centers of cells in the region; none, if P may vanish there.
  [[nodiscard]] std::optional<ball> size_of_terms(const region& where, const ball& width) const {
    const region around = where.widened(width.scaled(-1).upper());
    if (!density_.is_analytic(around)) return {};
    // P = h f(z) A(z), where A is the mean of f(z + t)/f(z) = e^g, |g| ≤ G: |A - 1| ≤ e^G - 1.
    const ball g = (density_.steepest(around) * width).scaled(-1).upper();
    if (!(g < ball(0.5))) return {};
    const ball growth = exp(g);
    const log_range range = density_.log_density_in(where);
    const ball log_width = log(width);
    const ball logarithm = max(abs(range.lowest + log_width), abs(range.highest + log_width)) +
                           range.turn - log(ball(2.0) - growth);
    return width * exp(range.highest) * growth * logarithm;
  }

  const positive_cells& cells_;
  const Density& density_;
  const lattice_rule& rule_;
  ball location_;
  ball scale_;
  ball share_;
  ball sum_;
  ball left_out_;
  ball truncated_;
  long work_ = 0;
};

struct enclosure {
  ball nats;
  ball rounding;  ///< what of the radius a higher precision would shrink
};

template <class Density>
enclosure entropy_in_nats(const positive_cells& cells, const Density& density,
                          const parameters& law, const ball& share) {
  const lattice_rule rule{nodes};
  const bool is_even = arb_is_zero(law.location.raw()) != 0;
  enclosure result;
  // The cells are symmetric, and the law of -X is that of X around -location.
  for (const ball& side : {law.location, -law.location}) {
    const half_line_sum<Density> half{cells, density, rule, {side, law.scale}, share};
    ball all = half.sum() + half.left_out().scaled(-1);
    all = all.widened(half.left_out().scaled(-1)).widened(half.truncated());
    const long copies = is_even ? 1 : 0;
    result.nats += all.scaled(copies);
    result.rounding += half.sum().radius().scaled(copies);
    if (is_even) break;
  }
  return result;
}

/// A double and a bound on its distance from everything in the ball. Nothing is known worse than
/// by 0 ≤ H ≤ the number of bits.
bounded<bits> rounded_outward(const ball& h, int width) {
  const double half = 0.5 * width;
  const double value = h.is_finite() ? h.middle() : half;
  const double error = abs(h - ball(value)).upper_double();
  if (!(error <= half)) return {bits{half}, bits{half}, evidence::proved};
  return {bits{value}, bits{error}, evidence::proved};
}

/// Which bits of which code, and how well they are to be known.
struct question {
  const float_format& format;
  bits tolerance;
  int dropped_bits = 0;
};

/// By how many bits a location is larger than the scale.
template <class Kernel>
slong bits_above_scale(double location, const location_scale<Kernel>& x) {
  return location == 0 ? 0 : std::max(0, std::ilogb(location) - std::ilogb(x.scale()));
}

template <class Kernel, class MakeDensity>
bounded<bits> certify(const question& asked, const location_scale<Kernel>& x, slong cancelled,
                      const MakeDensity& make_density) {
  constexpr slong least_bits = 128;
  constexpr slong most_bits = 1024;
  constexpr double least_goal = 0x1p-54;  // bits; hardly an entropy as a double is so exact
  // Edges are irrational with E = 0, locations where they were computed: they lose bits when the
  // one is taken off the other.
  if (asked.format.exponent_bits() == 0) cancelled += bits_above_scale(4, x);
  if (x.origin() != nullptr) cancelled += bits_above_scale(x.location(), x);
  for (slong precision = least_bits;; precision *= 2) {
    const working_precision working{precision + cancelled};
    const ball goal = ball(std::fmax(asked.tolerance.value(), least_goal)) * ln2();
    const enclosure h = entropy_in_nats(positive_cells{asked.format, asked.dropped_bits},
                                        make_density(), parameters_of(x), goal.scaled(-12).lower());
    const bool rounding_matters = !(h.rounding < max(goal, h.nats.radius()).scaled(-2));
    if (precision >= most_bits || !rounding_matters) {
      return rounded_outward(h.nats / ln2(), asked.format.width() - asked.dropped_bits);
    }
  }
}

bounded<bits> certify(const question& asked, const normal& x) {
  return certify(asked, x, 0, [] { return normal_density{}; });
}

bounded<bits> certify(const question& asked, const student_t& x) {
  const double dof = x.kernel().dof();
  const slong cancelled = std::clamp(std::ilogb(dof) - 32, 0, 28);
  return certify(asked, x, cancelled, [dof] { return student_density{dof}; });
}

bounded<bits> certify(const question& asked, const laplace& x) {
  return certify(asked, x, 0, [] { return laplace_density{}; });
}

bounded<bits> certify(const question& asked, const logistic& x) {
  return certify(asked, x, 0, [] { return logistic_density{}; });
}

/// The edges of E ≥ 1 are exact with the least precision, those of E = 0 are told apart from the
/// ends with some more.
bounded<bits> certify(const question& asked, const uniform& x) {
  for (slong precision = 256; precision <= 4096; precision *= 2) {
    const working_precision working{precision};
    const positive_cells cells{asked.format, asked.dropped_bits};
    const std::optional<ball> above = uniform_sum(cells, x.low(), x.high());
    const std::optional<ball> below = uniform_sum(cells, -x.high(), -x.low());
    if (above && below) {
      return rounded_outward((*above + *below) / ln2(), asked.format.width() - asked.dropped_bits);
    }
  }
  throw std::logic_error("certificate: a uniform law ends too close to an edge");
}

[[noreturn]] bounded<bits> refuse_to_certify(const char* which) {
  throw std::domain_error(std::string("certificate: ") + which +
                          " law has none: it is known by a table or by functions of its own");
}
bounded<bits> certify(const question& /*asked*/, const sgd_exact& /*x*/) {
  refuse_to_certify("the exact SGD");
}
bounded<bits> certify(const question& /*asked*/, const custom_law& /*x*/) {
  refuse_to_certify("a custom");
}

/// The cells are symmetric and 0 is an edge: H(X) = 1 + H(|X|) for a symmetric X.
bounded<bits> certify(const question& asked, const compound_law& x) {
  if (!x.as_folded()) {
    throw std::domain_error("certificate: " + x.name() +
                            " has none, expected normal, student, slope, uniform, laplace, "
                            "logistic, exponential, halfnormal or sgd");
  }
  bounded<bits> made =
      std::visit([&](const auto& whole) { return certify(asked, whole); }, *x.as_folded());
  const double less = made.value.value() - 1;
  made.error += bits{0x1p-53 * (std::fabs(less) + 1)};
  made.value = bits{less};
  return made;
}

}  // namespace
}  // namespace certificate

bounded<bits> certified_entropy(const float_format& format, const law& x, bits tolerance,
                                int dropped_bits) {
  require_in_range("certificate", "dropped bits", dropped_bits, 0, format.width() - 1);
  if (!(tolerance > bits{0} && tolerance <= bits{1})) {
    throw std::domain_error("certificate: the tolerance must be > 0 and at most 1, got " +
                            shown(tolerance.value()));
  }
  const certificate::question asked{format, tolerance, dropped_bits};
  return std::visit([&](const auto& known) { return certificate::certify(asked, known); }, x);
}

}  // namespace ktln2
