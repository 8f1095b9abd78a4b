#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "core/constants.hpp"
#include "entropy/plain_sum.hpp"

namespace ktln2 {

/// Where chance sends what lies between two neighboring magnitudes, and what it adds.
struct gap_split {
  bounded<double> near = exactly(0.0);   ///< the mass that goes toward zero
  bounded<double> far = exactly(0.0);    ///< and away from it
  bounded<double> noise = exactly(0.0);  ///< ∫ f h, with h the entropy of the choice, in nats
};

/// A choice with the probabilities p and 1 - p, in nats.
inline double choice_entropy(double p) {
  const double q = 1 - p;
  return p > 0 && q > 0 ? -p * std::log(p) - q * std::log1p(-p) : 0;
}

/// The entropy h of the ideal choice on [0, 1], projected on polynomials of degrees below the order
/// of a Gauss rule, at its nodes. With them the rule is right for h times any such polynomial, for
/// all that h is not smooth at 0 and 1.
template <std::size_t Order>
const std::array<double, Order>& projected_choice() {
  static const std::array<double, Order> made = [] {
    // ∫ ln t P_n(2t - 1) dt
    const auto of_log = [](std::size_t n) {
      const auto k = static_cast<double>(n);
      return n == 0 ? -1.0 : (n % 2 == 0 ? -1 : 1) / (k * (k + 1));
    };
    std::array<double, Order> values{};
    for (std::size_t j = 0; j < Order; ++j) {
      const double x = gauss_legendre<Order>().node[j];
      double before = 0;
      double legendre = 1;
      for (std::size_t n = 0; n < Order; ++n) {
        const auto k = static_cast<double>(n);
        if (n % 2 == 0) {
          // -∫ t ln t P_n, twice, as t = (1 + x)/2 and x P_n is of P_(n+1) and P_(n-1).
          const double of_neighbors =
              ((k + 1) * of_log(n + 1) + (n == 0 ? 0 : k * of_log(n - 1))) / (2 * k + 1);
          values[j] -= (2 * k + 1) * (of_log(n) + of_neighbors) * legendre;
        }
        const double next = ((2 * k + 1) * x * legendre - k * before) / (k + 1);
        before = legendre;
        legendre = next;
      }
    }
    return values;
  }();
  return made;
}

/// Splits gaps between neighboring numbers under a law with a density.
template <class Law>
class density_splitter {
 public:
  /// A gap with no more mass than `negligible` only widens the bar. It is well above the smallest
  /// doubles, which have too few digits to converge with.
  density_splitter(const Law& x, const chance& how, double negligible = 1e-280)
      : x_{x}, kernel_{x.kernel()}, how_{how}, negligible_{negligible} {}

  /// Between the magnitudes `near` and near + width, on one side of zero.
  [[nodiscard]] gap_split operator()(const wide& near, const wide& width, bool negative) const {
    const wide far = near + width;
    const cell_run gap{negative ? -far : near, negative ? -near : far, width, 1};
    totals sum;
    sum.mass = mass_in(x_, {gap.left, gap.right}).value;
    if (!(sum.mass > negligible_)) return lost(sum.mass);
    if (how_.kind == chance::variant::ideal) {
      split_ideally(gap, sum);
    } else {
      split_in_steps(gap, negative, sum);
    }
    gap_split made{{sum.left.value(), sum.error},
                   {sum.right.value(), sum.error},
                   {sum.noise.value(), sum.error}};
    if (negative) std::swap(made.near, made.far);
    return made;
  }

 private:
  struct totals {
    double mass = 0;  ///< of the whole gap
    compensated_sum left;
    compensated_sum right;
    compensated_sum noise;
    double error = 0;
    int panels = 0;

    /// So little of the gap only widens the bar.
    [[nodiscard]] bool may_neglect(double part) const { return !(part > 0x1p-70 * mass); }
  };
  /// A part of the gap: about `center`, in standard units, and the fraction there, from the left.
  struct panel {
    double center;
    double half;
    double fraction;
    double half_fraction;
  };
  struct integrals {
    double left = 0;
    double right = 0;
    double noise = 0;

    void add(double weight, double up, double entropy) {
      left += weight * (1 - up);
      right += weight * up;
      noise += weight * entropy;
    }
    [[nodiscard]] double distance(const integrals& other) const {
      return std::max({std::fabs(left - other.left), std::fabs(right - other.right),
                       std::fabs(noise - other.noise)});
    }
  };

  static gap_split lost(double mass) { return {{0, mass}, {0, mass}, {0, mass}}; }

  /// What rounding may do to a mass, relatively: as that of any cell.
  [[nodiscard]] double rounding(double left, double right, double log_size) const {
    const double condition = std::max(kernel_.condition(left), kernel_.condition(right));
    return 0x1p-53 * (32 + std::fabs(log_size) + 16 * condition);
  }

  static void take(totals& sum, const integrals& part, double error) {
    sum.left.add(part.left);
    sum.right.add(part.right);
    sum.noise.add(part.noise);
    sum.error += error;
  }
  /// It is somewhere on either side.
  static void take_unresolved(totals& sum, double mass) {
    take(sum, {mass / 2, mass / 2, mass / 2}, mass / 2);
  }

  [[nodiscard]] bool is_smooth(const stretch& part) const {
    for (const double z : kernel_.breaks()) {
      if (part.holds(z)) return false;
    }
    return part.right - part.left <= 2 * resolution(kernel_, part);
  }

  // The ideal rule: Gauss quadrature of the density times the fraction, on panels.

  void split_ideally(const cell_run& gap, totals& sum) const {
    const stretch whole = standard_stretch(x_, gap, 0, 1);
    std::vector<double> cuts{0};
    for (const double z : kernel_.breaks()) cuts.push_back(z);
    std::erase_if(cuts, [&whole](double z) { return !whole.holds(z); });
    if (cuts.empty()) {
      const bool is_narrow = whole.width <= whole.farthest() / 16;
      const double center = whole.left / 2 + whole.right / 2;
      const double half = is_narrow ? whole.width / 2 : whole.right / 2 - whole.left / 2;
      return add_panel({center, half, 0.5, 0.5}, sum, 0);
    }
    std::sort(cuts.begin(), cuts.end());
    // The parts are as long as the places of their ends, which are rounded, say.
    const auto moved = [this](double z, double at) {
      return 0x1p-51 * std::fabs(z) * std::exp(kernel_.log_pdf(at));
    };
    sum.error += moved(whole.left, whole.left) + moved(whole.right, whole.right);
    for (const double z : cuts) sum.error += moved(z, kernel_.mode());
    const wide from = x_.wide_standard(gap.left);
    const wide length = x_.wide_standard(gap.right) - from;
    double left = whole.left;
    double fraction = 0;
    const auto add_up_to = [&](double right, double next) {
      add_panel({left / 2 + right / 2, right / 2 - left / 2, (fraction + next) / 2,
                 (next - fraction) / 2},
                sum, 1);
      left = right;
      fraction = next;
    };
    for (const double z : cuts) {
      if (z > left) add_up_to(z, ratio(wide(z) - from, length));
    }
    add_up_to(whole.right, 1);
  }

  void add_panel(const panel& p, totals& sum, int depth) const {
    const stretch part{p.center - p.half, p.center + p.half, 2 * p.half, 1};
    const double mass = mass_of(kernel_, part).probability;
    if (sum.may_neglect(mass) || part.nearest() > 0x1p990) return take_unresolved(sum, mass);
    // Beside a jump rounding may leave a little mass where there is no density.
    const double log_density = kernel_.log_pdf(p.center);
    if (std::isinf(log_density) && is_smooth(part)) return take_unresolved(sum, mass);
    constexpr int most_halvings = 1200;
    constexpr int most_panels = 20000;  // what has not converged by then is left to the bar
    const bool is_last = depth >= most_halvings || ++sum.panels > most_panels;
    const bool must_halve = !is_smooth(part) && !is_last;
    if (!must_halve) {
      const bool is_whole = depth == 0;
      const integrals low = by_rule<8>(p, is_whole);
      const integrals high = by_rule<16>(p, is_whole);
      const double error = low.distance(high);
      const double floor = mass * rounding(part.left, part.right, log_density);
      if (error <= std::max(0x1p-53 * sum.mass, floor) || is_last) {
        return take(sum, high, error + floor);
      }
    }
    const double half = p.half / 2;
    const double fraction = p.half_fraction / 2;
    add_panel({p.center - half, half, p.fraction - fraction, fraction}, sum, depth + 1);
    add_panel({p.center + half, half, p.fraction + fraction, fraction}, sum, depth + 1);
  }

  template <std::size_t Order>
  [[nodiscard]] integrals by_rule(const panel& p, bool is_whole) const {
    const auto& rule = gauss_legendre<Order>();
    integrals sum;
    for (std::size_t j = 0; j < Order; ++j) {
      const double f = std::exp(kernel_.log_pdf(p.center + p.half * rule.node[j]));
      const double up = p.fraction + p.half_fraction * rule.node[j];
      sum.add(2 * p.half * rule.weight[j] * f, up,
              is_whole ? projected_choice<Order>()[j] : choice_entropy(up));
    }
    return sum;
  }

  // With N random bits the probability has 2^N steps: a sum over cells.

  /// Steps of equal width, from the left, where the probability of going to the right is
  /// first_up + k·rise.
  struct staircase {
    cell_run steps;
    double first_up = 0;
    double rise = 0;

    [[nodiscard]] double up(double k) const { return first_up + k * rise; }
  };

  void split_in_steps(const cell_run& gap, bool negative, totals& sum) const {
    const auto count = how_.outcomes();
    const wide step = gap.width.scaled(-how_.random_bits);
    const double rise = 1 / static_cast<double>(count);
    if (how_.kind == chance::variant::a) {
      // The step next to zero never goes away from it.
      return add_steps({{gap.left, gap.right, step, count}, negative ? rise : 0, rise}, 0, count,
                       sum);
    }
    const wide half = step.scaled(-1);
    const wide first = gap.left + half;
    const wide last = gap.right - half;
    add_steps({{gap.left, first, half, 1}, 0, 0}, 0, 1, sum);
    add_steps({{first, last, step, count - 1}, rise, rise}, 0, count - 1, sum);
    add_steps({{last, gap.right, half, 1}, 1, 0}, 0, 1, sum);
  }

  void add_steps(const staircase& stairs, std::uint64_t first, std::uint64_t count,
                 totals& sum) const {
    const stretch piece = standard_stretch(x_, stairs.steps, first, count);
    const cell_mass mass = mass_of(x_, piece, stairs.steps, first, count);
    if (sum.may_neglect(mass.probability)) return take_unresolved(sum, mass.probability);
    if (count == 1) return add_step(stairs, first, piece, mass, sum);
    if (piece.is_bounded()) {
      if (count <= 128 && piece.farthest() <= 64) return add_each(stairs, first, piece, sum);
      if (count > 128 && is_smooth(piece) && add_by_quadrature(stairs, first, piece, mass, sum)) {
        return;
      }
    }
    add_steps(stairs, first, count / 2, sum);
    add_steps(stairs, first + count / 2, count - count / 2, sum);
  }

  void add_step(const staircase& stairs, std::uint64_t k, const stretch& cell,
                const cell_mass& mass, totals& sum) const {
    if (mass.probability == 0) return;
    const double up = stairs.up(static_cast<double>(k));
    integrals part;
    part.add(mass.probability, up, choice_entropy(up));
    const double place = place_of_mass(kernel_, cell);
    take(sum, part, mass.probability * rounding(place, place, mass.log_probability));
  }

  void add_each(const staircase& stairs, std::uint64_t first, const stretch& piece,
                totals& sum) const {
    const auto cell_at = kernel_.cells(piece.width);
    for (std::uint64_t k = 0; k < piece.count; ++k) {
      const double z = piece.left + (static_cast<double>(k) + 0.5) * piece.width;
      const stretch cell{z - piece.width / 2, z + piece.width / 2, piece.width, 1};
      const bool holds_break = !is_smooth(cell);
      add_step(stairs, first + k, cell,
               holds_break ? mass_of(x_, stairs.steps, first + k, 1) : cell_at(z), sum);
    }
  }

  bool add_by_quadrature(const staircase& stairs, std::uint64_t first, const stretch& piece,
                         const cell_mass& mass, totals& sum) const {
    const integrals low = by_gram_rule<8>(stairs, first, piece);
    const integrals high = by_gram_rule<16>(stairs, first, piece);
    const double error = low.distance(high);
    const double floor = mass.probability * rounding(piece.left, piece.right, mass.log_probability);
    if (!(error <= std::max(0x1p-53 * sum.mass, floor))) return false;
    take(sum, high, error + floor);
    return true;
  }

  template <std::size_t Order>
  [[nodiscard]] integrals by_gram_rule(const staircase& stairs, std::uint64_t first,
                                       const stretch& piece) const {
    const auto count = static_cast<double>(piece.count);
    const auto rule = gram_rule<Order>(count);
    const auto cell_at = kernel_.cells(piece.width);
    integrals sum;
    for (std::size_t j = 0; j < Order; ++j) {
      const double k = static_cast<double>(first) + (rule.node[j] + 1) / 2 * count - 0.5;
      const double up = stairs.up(k);
      sum.add(count * rule.weight[j] *
                  cell_at(piece.center() + piece.length() / 2 * rule.node[j]).probability,
              up, choice_entropy(up));
    }
    return sum;
  }

  const Law& x_;
  decltype(std::declval<Law>().kernel()) kernel_;
  chance how_;
  double negligible_;
};

/// The probability that a fraction of the way between two neighbors is rounded away from zero.
inline double chance_of(const chance& how, double fraction) {
  if (how.kind == chance::variant::ideal) return fraction;
  const auto outcomes = static_cast<double>(how.outcomes());
  const double steps = outcomes * fraction;
  switch (how.kind) {
    case chance::variant::a:
      return std::floor(steps) / outcomes;
    case chance::variant::b:
      return std::floor(steps + 0.5) / outcomes;
    default:
      return std::nearbyint(steps) / outcomes;  // the even one of two
  }
}

/// The mass of the magnitudes from `from` up to but not `to`, on one side of zero; zero itself is
/// on the side above.
template <class Law>
bounded<double> mass_on_side(const Law& x, bool negative, const wide& from, const wide& to) {
  return mass_in(x, negative ? interval{-to, -from} : interval{from, to});
}

/// Calls function(atom, magnitude) for the atoms there.
template <class F>
void for_atoms_on_side(const compound_law& x, bool negative, const wide& from, const wide& to,
                       const F& function) {
  for (const law_atom& one : x.atoms()) {
    const wide magnitude = std::fabs(one.at);
    if ((one.at < 0) == negative && from <= magnitude && magnitude < to) function(one, magnitude);
  }
}

inline bounded<double> mass_on_side(const compound_law& x, bool negative, const wide& from,
                                    const wide& to) {
  bounded<double> mass = mass_of_parts(x, negative ? interval{-to, -from} : interval{from, to});
  for_atoms_on_side(x, negative, from, to, [&mass](const law_atom& one, const wide&) {
    mass += bounded<double>{one.mass, 0x1p-50 * one.mass};
  });
  return mass;
}

/// The same for a law made of parts, each seen in units of its own, and of atoms.
class part_splitter {
 public:
  part_splitter(const compound_law& x, const chance& how, double negligible = 1e-280)
      : x_{x}, how_{how}, negligible_{negligible} {
    for (const weighted_part& one : x.parts()) {
      const cell_mass all = one(one.part->between(-infinity, infinity));
      if (all.probability == 0) continue;
      compound_law alone{x.name(), {.parts = {{one.part, one.log_weight - all.log_probability}}}};
      if (!alone.is_within_double()) {
        throw std::domain_error("entropy: " + x.name() +
                                ": this law is too wide for stochastic rounding");
      }
      parts_.push_back({std::move(alone), all.probability});
    }
  }

  [[nodiscard]] gap_split operator()(const wide& near, const wide& width, bool negative) const {
    gap_split sum;
    const auto add = [](bounded<double>& to, const bounded<double>& what, double weight) {
      to += bounded<double>{weight * what.value, weight * what.error};
    };
    const wide far = near + width;
    for (const part_alone& one : parts_) {
      const gap_split own =
          density_splitter{one.law, how_, negligible_ / one.mass}(near, width, negative);
      const double rounding = rounding_of(*one.law.parts().front().part, negative, near, far);
      const double mass = own.near.value + own.far.value;
      for (const auto member : {&gap_split::near, &gap_split::far, &gap_split::noise}) {
        add(sum.*member, own.*member, one.mass);
        (sum.*member).error += one.mass * mass * rounding;
      }
    }
    for_atoms_on_side(x_, negative, near, far, [&](const law_atom& one, const wide& magnitude) {
      const double away = chance_of(how_, ratio(magnitude - near, width));
      const double error = 0x1p-50;
      add(sum.near, {1 - away, error}, one.mass);
      add(sum.far, {away, error}, one.mass);
      // Of a fraction that is off by 2^-52.
      add(sum.noise, {choice_entropy(away), 64 * error}, one.mass);
    });
    return sum;
  }

 private:
  struct part_alone {
    compound_law law;
    double mass;
  };

  /// As those of a cell.
  static double rounding_of(const law_part& part, bool negative, const wide& near,
                            const wide& far) {
    const wide left = negative ? -far : near;
    const wide right = negative ? -near : far;
    return 0x1p-52 * part.roundings(std::clamp(part.facts().center, left, right));
  }

  const compound_law& x_;
  chance how_;
  double negligible_;
  std::vector<part_alone> parts_;
};

template <class Law>
using gap_splitter =
    std::conditional_t<std::is_same_v<Law, compound_law>, part_splitter, density_splitter<Law>>;

}  // namespace ktln2
