#include "ktln2/entropy/block_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/constants.hpp"
#include "entropy/plain_sum.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/format/number_cells.hpp"

namespace ktln2 {
namespace {

constexpr double ulp = 0x1p-53;

/// A positive number and the relative error of it.
struct relative {
  double value = 0;
  double error = 0;
};

relative relative_of(const bounded<double>& mass) {
  return {mass.value, mass.value > 0 ? std::min(1.0, mass.error / mass.value) : 0};
}

/// Sums of q and of q ln q, in nats.
struct code_sum {
  compensated_sum mass_sum;
  compensated_sum log_sum;
  double mass_error = 0;
  double log_error = 0;

  void add(const relative& q) {
    const double log_q = std::log(q.value);
    mass_sum.add(q.value);
    log_sum.add(q.value * log_q);
    mass_error += q.value * q.error;
    log_error += q.value * (q.error + 2 * ulp) * (1 - log_q);
  }
  [[nodiscard]] double mass() const { return mass_sum.value(); }
  /// Σ q ln q, at most 0.
  [[nodiscard]] double logs() const { return log_sum.value(); }
};

/// -Σ P ln P and its error, in nats.
class nats_sum {
 public:
  void add(double term, double error) {
    sum_.add(term);
    error_ += error + 2 * ulp * std::fabs(term);
  }
  void add_probability(const relative& p) {
    if (p.value <= 0) return;
    const double surprise = -std::log(p.value);
    add(p.value * surprise, p.value * p.error * (1 + std::fabs(surprise)));
  }
  void add_error(double error) { error_ += error; }
  [[nodiscard]] bounded<bits> entropy() const {
    return {bits{sum_.value() * bits_per_nat},
            bits{(error_ + 4 * ulp * std::fabs(sum_.value())) * bits_per_nat}};
  }

 private:
  compensated_sum sum_;
  double error_ = 0;
};

/// P(left < X < right) with the digits of its complement where that is the smaller one: only so are
/// its powers good.
class likely_part {
 public:
  likely_part(const law& x, const interval& part) {
    const bounded<double> outside =
        mass_in(x, {-infinity, part.left}) + mass_in(x, {part.right, infinity});
    if (outside.value < 0.5) {
      log_ = std::log1p(-outside.value);
      error_ = outside.error / (1 - outside.value) - ulp * log_;
      return;
    }
    const bounded<double> inside = mass_in(x, part);
    log_ = std::log(inside.value);
    error_ = relative_of(inside).error + ulp * std::fabs(log_);
  }

  [[nodiscard]] double mass() const { return std::exp(log_); }
  [[nodiscard]] relative power(int n) const {
    if (n == 0) return {1, 0};
    if (std::isinf(log_)) return {0, 0};
    return {std::exp(n * log_), n * error_ + ulp * (1 - n * log_)};
  }

 private:
  double log_ = 0;
  double error_ = 0;
};

/// 1 - (1 - share)^n; its relative error is not larger than that of the share.
double lost_of(double share, int n) {
  return n == 0 ? 0 : -std::expm1(n * std::log1p(-std::min(share, 1.0)));
}

/// A code of which some numbers are larger, and others smaller, than the blocks with this scale
/// begin.
struct boundary_code {
  relative q;
  double log_rest = 0;  ///< ln(r/q)
};

/// What lies on both sides of zero from `from` on.
interval outside_above(const interval& part, const wide& from) {
  return {std::max(part.left, from), part.right};
}
interval outside_below(const interval& part, const wide& from) {
  return {part.left, std::min(part.right, -from)};
}

/// The numbers that are stored as each element, divided by the scale. Nothing is too large.
std::vector<interval> cells_of_elements(const number_format& format) {
  const storing rule = block_format::element_rule();
  const bool one_zero = format.fields().zero == float_description::zeros::one;
  std::vector<interval> all;
  for (const bool negative : {true, false}) {
    const std::uint64_t largest = format.largest(negative);
    for (std::uint64_t m = negative && one_zero ? 1 : 0; m <= largest; ++m) {
      interval part = cell_of(format, rule, negative, m, m);
      if (m == largest) part.right = infinity;
      if (m == 0 && one_zero) part.left = -cell_of(format, rule, true, 1, 1).left;
      all.push_back(negative ? interval{-part.right, -part.left} : part);
    }
  }
  return all;
}

/// The cells where the scale is 0: of an element only its sign remains.
std::vector<interval> cells_of_signs(const number_format& format) {
  if (format.fields().zero == float_description::zeros::one) return {{-infinity, infinity}};
  return {{-infinity, 0.0}, {0.0, infinity}};
}

/// The blocks with one scale.
class scaled_blocks {
 public:
  scaled_blocks(const law& x, int size, const block_scale& scale)
      : x_{x}, size_{size}, scale_{scale}, all_{x, {-scale.to, scale.to}} {
    const interval whole{-scale.to, scale.to};
    outer_ = relative_of(mass_in(x, outside_below(whole, scale.from)) +
                         mass_in(x, outside_above(whole, scale.from)));
    outer_share_ = all_.mass() > 0 ? std::min(1.0, outer_.value / all_.mass()) : 0;
  }

  /// How likely they are.
  [[nodiscard]] relative probability() const {
    const relative power = all_.power(size_);
    return {power.value * lost_of(outer_share_, size_), power.error + outer_.error + 8 * ulp};
  }

  /// Now with their codes.
  void see(const std::vector<interval>& cells) {
    others_ = all_.power(size_ - 1);
    for (const interval& cell : cells) see_code(scaled(cell));
  }

  /// -Σ P ln P over all blocks.
  void add_joint(nats_sum& sum) const {
    add_with_high(sum);
    add_on_boundary(sum);
  }

  /// The same for one element.
  void add_element(nats_sum& sum) const {
    for (const relative& p : elements_) sum.add_probability(p);
  }

 private:
  [[nodiscard]] interval scaled(const interval& cell) const {
    const auto edge = [this](const wide& at) {
      const bool keeps = at.is_infinite() || scale_.value.is_zero();
      return keeps ? at : at * scale_.value;
    };
    return {std::max(edge(cell.left), -scale_.to), std::min(edge(cell.right), scale_.to)};
  }

  void see_code(const interval& part) {
    if (!(part.left < part.right)) return;
    const bounded<double> above = mass_in(x_, outside_above(part, scale_.from));
    const bounded<double> below = mass_in(x_, outside_below(part, scale_.from));
    const relative outer = relative_of(above + below);
    const interval inside{std::max(part.left, -scale_.from), std::min(part.right, scale_.from)};
    const bool is_high = !(inside.left < inside.right);
    const relative inner = is_high ? relative{} : relative_of(mass_in(x_, inside));
    const bool is_low = part.left >= -scale_.from && part.right <= scale_.from;
    add_to_elements(outer, inner);
    if (is_high && outer.value > 0) high_.add(outer);
    if (is_low) {
      low_end_.left = std::min(low_end_.left, part.left);
      low_end_.right = std::max(low_end_.right, part.right);
      if (inner.value > 0) low_.add(inner);
    }
    if (!is_high && !is_low) add_boundary(outer, inner);
  }

  /// Another is the largest, or this one: P(c, scale) = w Q^(B-1) + r (Q^(B-1) - Q'^(B-1)).
  void add_to_elements(const relative& outer, const relative& inner) {
    const double rest = lost_of(outer_share_, size_ - 1);
    const double p = others_.value * (outer.value + inner.value * rest);
    const double error = std::max(outer.error, inner.error + outer_.error);
    elements_.push_back({p, error + others_.error + 8 * ulp});
  }

  void add_boundary(const relative& outer, const relative& inner) {
    const relative q{outer.value + inner.value, std::max(outer.error, inner.error)};
    if (q.value <= 0) return;
    const bool is_small = outer.value < inner.value;
    const double log_rest =
        is_small ? std::log1p(-outer.value / q.value) : std::log(inner.value / q.value);
    boundary_.push_back({q, log_rest});
  }

  /// Blocks with a code that only the largest numbers have: P = Π q. With S = Σ q ln q,
  ///     T1 = -B [Q^(B-1) S_high + (Q^(B-1) - (Q - H)^(B-1)) S_others]
  void add_with_high(nats_sum& sum) const {
    if (high_.mass() <= 0) return;
    code_sum rest = low_;
    for (const boundary_code& one : boundary_) rest.add(one.q);
    const double share = high_.mass() / all_.mass();
    const double lost = lost_of(share, size_ - 1);
    const double weight = size_ * others_.value;
    const double share_error = high_.mass_error / high_.mass() + 8 * ulp;
    sum.add(-weight * high_.logs(), weight * (high_.log_error - others_.error * high_.logs()));
    sum.add(-weight * lost * rest.logs(),
            weight * lost * (rest.log_error - (others_.error + share_error) * rest.logs()));
  }

  /// The low codes, as the others need them.
  struct low_codes {
    std::vector<relative> powers;  ///< L^n
    double mean_log = 0;           ///< S_low / L
    double mean_error = 0;
  };
  [[nodiscard]] low_codes low_powers() const {
    low_codes made;
    const bool has_low = low_.mass() > 0;
    const likely_part part{x_, has_low ? low_end_ : interval{0.0, 0.0}};
    for (int n = 0; n <= size_; ++n) made.powers.push_back(part.power(n));
    if (!has_low) return made;
    made.mean_log = low_.logs() / low_.mass();
    made.mean_error = (low_.log_error - made.mean_log * low_.mass_error) / low_.mass();
    return made;
  }

  /// The others: i codes are the one on the boundary below zero, or the only one, j that above, n
  /// are low.
  ///     t = q^i q'^j - r^i r'^j,   T2 = -Σ B!/(i! j! n!) t [n L^(n-1) S_low + L^n ln t]
  void add_on_boundary(nats_sum& sum) const {
    if (boundary_.empty()) return;
    const boundary_code& first = boundary_.front();
    const boundary_code second = boundary_.size() > 1 ? boundary_[1] : boundary_code{};
    const auto first_powers = powers_of(first.q.value);
    const auto second_powers = powers_of(second.q.value);
    const low_codes low = low_powers();
    const double code_error = std::max(first.q.error, second.q.error);
    double choose_i = 1;  // B over i
    for (int i = 0; i <= size_; ++i) {
      double ways = choose_i;  // B! / (i! j! n!)
      const int most = boundary_.size() > 1 ? size_ - i : 0;
      for (int j = 0; j <= most; ++j) {
        const double log_ratio =
            (i > 0 ? i * first.log_rest : 0) + (j > 0 ? j * second.log_rest : 0);
        const double t = first_powers[static_cast<std::size_t>(i)] *
                         second_powers[static_cast<std::size_t>(j)] * -std::expm1(log_ratio);
        // What 1 - r/q loses is at most 4 times what the masses lose.
        add_alike(sum, ways, {t, (i + j + 4) * code_error}, size_ - i - j, low);
        ways = ways * (size_ - i - j) / (j + 1);
      }
      choose_i = choose_i * (size_ - i) / (i + 1);
    }
    sum.add_error(least_counted_ * size_ * size_ * 1e3);
  }

  /// So many arrangements of n low codes and others that have the probability t together.
  static void add_alike(nats_sum& sum, double ways, const relative& t, int n,
                        const low_codes& low) {
    const relative& power = low.powers[static_cast<std::size_t>(n)];
    const double p = ways * t.value * power.value;
    if (!(p >= least_counted_)) return;
    const double surprise = -n * low.mean_log - std::log(t.value);
    const double p_error = t.error + power.error + 16 * ulp;
    sum.add(p * surprise, p * (p_error * (1 + std::fabs(surprise)) + n * low.mean_error));
  }

  [[nodiscard]] std::vector<double> powers_of(double q) const {
    std::vector<double> all;
    for (int n = 0; n <= size_; ++n) all.push_back(n == 0 ? 1 : std::pow(q, n));
    return all;
  }

  static constexpr double least_counted_ = 1e-30;

  const law& x_;
  int size_;
  block_scale scale_;
  likely_part all_;  ///< Q, of the numbers in these blocks
  relative outer_;   ///< of those that only these blocks have
  double outer_share_ = 0;
  relative others_;  ///< Q^(B-1)
  code_sum high_;
  code_sum low_;
  interval low_end_{0.0, 0.0};
  std::vector<boundary_code> boundary_;
  std::vector<relative> elements_;
};

}  // namespace

block_entropies exact_entropies(const block_format& format, const law& x, const stop_token& stop) {
  if (const auto* const compound = std::get_if<compound_law>(&x);
      compound != nullptr && !compound->atoms().empty()) {
    throw std::domain_error(
        "entropy: blocks are for laws with a density, not for relu, empirical "
        "and the like, which have atoms");
  }
  constexpr double least_counted = 1e-25;
  const int size = format.size();
  const std::vector<interval> cells = cells_of_elements(format.element());
  nats_sum scale_sum;
  nats_sum joint_sum;
  nats_sum element_sum;
  for (const block_scale& scale : format.scales()) {
    throw_if_stopped(stop);
    scaled_blocks blocks{x, size, scale};
    const relative p = blocks.probability();
    scale_sum.add_probability(p);
    if (p.value < least_counted) {
      const double most = size * format.element().width() + 1 - std::log(std::max(p.value, 1e-300));
      joint_sum.add_error(p.value * most);
      element_sum.add_error(p.value * most);
      continue;
    }
    blocks.see(scale.value.is_zero() ? cells_of_signs(format.element()) : cells);
    blocks.add_joint(joint_sum);
    blocks.add_element(element_sum);
  }
  const bounded<bits> of_scale = scale_sum.entropy();
  const bounded<bits> joint = joint_sum.entropy();
  const bounded<bits> given = joint - of_scale;
  const bounded<bits> one = element_sum.entropy() - of_scale;
  return {of_scale, given, joint, joint / size, one, size * one - given};
}

}  // namespace ktln2
