#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "entropy/cell_functional.hpp"
#include "entropy/law_integrals.hpp"
#include "entropy/lloyd_max.hpp"
#include "entropy/magnitude_line.hpp"
#include "entropy/plain_sum.hpp"

namespace ktln2 {

/// The mass of a part of the line, without atoms.
template <class Law>
double mass_without_atoms(const Law& x, const wide& left, const wide& right) {
  if (!(left < right)) return 0;
  if constexpr (std::is_same_v<Law, compound_law>) {
    return mass_between(x.parts(), left, right).probability;
  } else {
    return mass_in(x, {left, right}).value;
  }
}

/// The squared error, in the law's standard units, and the relative one, of some part of the line:
/// their integrals, or bounds of them.
struct two_errors {
  double square = 0;
  double relative = 0;

  friend two_errors operator+(const two_errors& a, const two_errors& b) {
    return {a.square + b.square, a.relative + b.relative};
  }
  friend two_errors operator*(double k, const two_errors& a) {
    return {k * a.square, k * a.relative};
  }
  friend two_errors distance(const two_errors& a, const two_errors& b) {
    return {std::fabs(a.square - b.square), std::fabs(a.relative - b.relative)};
  }
  /// Is neither larger than its share of the other?
  [[nodiscard]] bool is_within(double share, const two_errors& of) const {
    return square <= share * of.square && relative <= share * of.relative;
  }
};

/// What is stored as one magnitude from there outward, or inward, up to `reach` from it.
struct half_cell {
  wide value;
  wide reach;
  bool outward = true;

  /// The relative error at σ · reach from the value, h = value/reach; never above 1.
  [[nodiscard]] double relative(double share, double h) const {
    if (outward) return h <= 0 ? 1 : share / (h + share);
    return std::min(1.0, share / (h - share));
  }
};

/// ∫ of both errors over the numbers on either side of zero. Between two neighboring magnitudes
/// each half of the gap is stored as the magnitude at its end. Over many equal gaps the integral of
/// one is a smooth function of its place, summed by Gram quadrature of two orders; where a gap is
/// wide for the law, it is integrated as it is. What is too small to matter goes into the error.
template <class Law>
class error_sum {
 public:
  explicit error_sum(const Law& x)
      : x_{x},
        kernel_{x.kernel()},
        tails_{kernel_},
        has_squares_{std::isfinite(kernel_.deviation())} {}

  void add_side(const magnitude_line& line, bool negative) {
    sign_ = negative ? -1 : 1;
    const auto halves = irregular_halves(line);
    two_errors all;
    for (const half_cell& one : halves) all = all + bound(one);
    for (const magnitude_run& run : line.runs) all = all + bound(run.start, run.spacing, gaps(run));
    negligible_ = 0x1p-50 * all;
    for (const half_cell& one : halves) add_half(one);
    for (const magnitude_run& run : line.runs) {
      if (gaps(run) > 0) add_gaps(run.start, run.spacing, gaps(run));
    }
    add_end(line);
  }

  [[nodiscard]] double square() const { return square_.value(); }
  [[nodiscard]] double relative() const { return relative_.value(); }
  [[nodiscard]] const two_errors& error() const { return error_; }
  /// The probability of what is no number any more.
  [[nodiscard]] double overflowing() const { return overflowing_; }

 private:
  /// In standard units; its third power is a double.
  static constexpr double farthest = 0x1p330;

  [[nodiscard]] static std::uint64_t gaps(const magnitude_run& run) { return run.count - 1; }

  /// Those next to zero, where it is no magnitude, between runs, and above the largest if it has an
  /// end.
  [[nodiscard]] static std::vector<half_cell> irregular_halves(const magnitude_line& line) {
    std::vector<half_cell> list;
    const wide& smallest = line.runs.front().start;
    if (smallest > wide(0.0)) list.push_back({smallest, smallest, false});
    for (std::size_t r = 1; r < line.runs.size(); ++r) {
      const magnitude_run& before = line.runs[r - 1];
      const wide last = before.value(before.last());
      const magnitude_run& next = line.runs[r];
      list.push_back({last, next.lower_edge - last, true});
      list.push_back({next.start, next.start - next.lower_edge, false});
    }
    if (!line.saturates) list.push_back({line.largest(), line.runs.back().spacing.scaled(-1)});
    return list;
  }

  [[nodiscard]] wide placed(const wide& magnitude) const {
    return sign_ < 0 ? -magnitude : magnitude;
  }
  [[nodiscard]] double mass(const wide& from, const wide& to) const {
    return sign_ < 0 ? mass_without_atoms(x_, -to, -from) : mass_without_atoms(x_, from, to);
  }
  /// In standard units, ascending.
  [[nodiscard]] std::pair<double, double> ends(const wide& from, const wide& to) const {
    const double a = standard_edge(x_, placed(from));
    const double b = standard_edge(x_, placed(to));
    return {std::min(a, b), std::max(a, b)};
  }
  [[nodiscard]] static std::pair<wide, wide> span_of(const half_cell& one) {
    // The value of an unsigned format may stand on the other side of zero.
    return one.outward ? std::pair{std::max(one.value, wide(0.0)), one.value + one.reach}
                       : std::pair{one.value - one.reach, one.value};
  }

  [[nodiscard]] two_errors bound(const half_cell& one) const {
    if (!(one.reach > wide(0.0))) return {};
    const auto [from, to] = span_of(one);
    return mass(from, to) *
           two_errors{square_of(one.reach), one.relative(1, ratio(one.value, one.reach))};
  }
  [[nodiscard]] two_errors bound(const wide& from, const wide& spacing, std::uint64_t count) const {
    if (count == 0) return {};
    const wide half = spacing.scaled(-1);
    return mass(from, from + wide::from_integer(count) * spacing) *
           two_errors{square_of(half), 1 / (ratio(from, half) + 1)};
  }
  /// Nothing where there are no squares to be summed.
  [[nodiscard]] double square_of(const wide& length) const {
    const double z = std::min(x_.standard_length(length), farthest);
    return has_squares_ ? z * z : 0;
  }

  void add(const two_errors& sum, const two_errors& error) {
    square_.add(sum.square);
    relative_.add(sum.relative);
    error_ = error_ + error;
  }
  /// Is it too small, or too far away, to be looked at?
  bool neglect(const two_errors& most, const std::pair<double, double>& where) {
    const bool is_far = std::min(std::fabs(where.first), std::fabs(where.second)) > farthest;
    if (!is_far && !most.is_within(1, negligible_)) return false;
    error_ = error_ + most;
    return true;
  }

  void add_half(const half_cell& one) {
    if (!(one.reach > wide(0.0))) return;
    const auto [from, to] = span_of(one);
    const auto where = ends(from, to);
    if (neglect(bound(one), where)) return;
    if (is_short(one, where)) {
      const two_errors sum = of_short<16>(one);
      return add(sum, distance(sum, of_short<8>(one)));
    }
    add_long(one, where);
  }

  /// Does one panel of quadrature do?
  [[nodiscard]] bool is_short(const half_cell& one, const std::pair<double, double>& where) const {
    const double length = x_.standard_length(one.reach);
    const double place = std::fabs(x_.standard(placed(one.value)));
    if (!(length <= std::max(kernel_.core(), place) / 8)) return false;
    const stretch all{where.first, where.second, length, 1};
    return resolution(kernel_, all) >= 4 * length && !breaks_in(all);
  }
  [[nodiscard]] bool breaks_in(const stretch& all) const {
    const auto& breaks = kernel_.breaks();  // some laws make it for us
    return std::any_of(std::begin(breaks), std::end(breaks),
                       [&](double z) { return all.holds(z); });
  }

  [[nodiscard]] double density(double z) const {
    const double log_f = kernel_.log_pdf(z);
    return std::isinf(log_f) ? 0 : std::exp(log_f);
  }

  template <std::size_t Order>
  [[nodiscard]] two_errors of_short(const half_cell& one) const {
    const double place = x_.standard(placed(one.value));
    const double length = x_.standard_length(one.reach);
    const double step = one.outward == (sign_ > 0) ? length : -length;
    const double h = ratio(one.value, one.reach);
    const auto& rule = gauss_legendre<Order>();
    const auto panel = [&](double from, double to) {
      two_errors mean;
      for (std::size_t k = 0; k < Order; ++k) {
        const double share = from + (to - from) / 2 * (1 + rule.node[k]);
        const double f = rule.weight[k] * density(place + share * step);
        mean = mean + f * two_errors{share * share, one.relative(share, h)};
      }
      return (to - from) * mean;
    };
    // Inward the relative error may come to 1, and stay there.
    const double kink = !one.outward && h < 2 ? h / 2 : 1;
    two_errors sum = panel(0, kink);
    if (kink < 1) sum = sum + panel(kink, 1);
    return {square_of(one.reach) * length * sum.square, length * sum.relative};
  }

  /// Also of what has no end.
  void add_long(const half_cell& one, const std::pair<double, double>& where) {
    const double v = x_.standard(placed(one.value));
    add_long_relative(one, v);
    if (!has_squares_) return;
    const auto [a, b] = where;
    const double low = std::max(a, -tails_.reach());
    const double high = std::min(b, tails_.reach());
    const auto square = [v](double z, double) { return (z - v) * (z - v); };
    const double far = tails_.square_between(a, b, v);
    const double fine = integrate_within_reach<16>(kernel_, low, high, square);
    const double coarse = integrate_within_reach<8>(kernel_, low, high, square);
    add({fine + far, 0}, {std::fabs(fine - coarse), 0});
  }

  void add_long_relative(const half_cell& one, double v) {
    const auto [from, to] = span_of(one);
    if (one.outward && !(one.value > wide(0.0))) return add({0, mass(from, to)}, {});
    // Inward from one half of the value on all are off by 1.
    const wide kink = one.outward ? from : std::max(from, one.value.scaled(-1));
    const auto [a, b] = ends(kink, to);
    const double origin = x_.standard(wide(0.0));
    const auto relative = [v, origin](double z, double) {
      return std::min(1.0, std::fabs(z - v) / std::fabs(z - origin));
    };
    const double reach = tails_.reach();
    const double low = std::max(a, -reach);
    const double high = std::min(b, reach);
    const double fine = integrate_within_reach<16>(kernel_, low, high, relative, origin);
    const double coarse = integrate_within_reach<8>(kernel_, low, high, relative, origin);
    // What is out of reach is off by nearly 1 if this has no end, and by no more if it has.
    const double beyond = (b > reach ? kernel_.upper(std::max(a, reach)).probability : 0) +
                          (a < -reach ? kernel_.lower(std::min(b, -reach)).probability : 0);
    add({0, mass(from, kink) + fine + beyond}, {0, std::fabs(fine - coarse) + beyond});
  }

  /// Gaps between equally spaced magnitudes.
  void add_gaps(const wide& from, const wide& spacing, std::uint64_t count) {
    const wide to = from + wide::from_integer(count) * spacing;
    const auto where = ends(from, to);
    if (neglect(bound(from, spacing, count), where)) return;
    if (count == 1) {
      const wide half = spacing.scaled(-1);
      add_half({from, half, true});
      return add_half({to, half, false});
    }
    constexpr std::uint64_t few = 128;
    if (count > few && add_by_quadrature(from, spacing, count, where)) return;
    const std::uint64_t below = count > few ? count / 2 : 1;
    for (std::uint64_t k = 0; k < count; k += std::min(below, count - k)) {
      add_gaps(from + wide::from_integer(k) * spacing, spacing, std::min(below, count - k));
    }
  }

  bool add_by_quadrature(const wide& from, const wide& spacing, std::uint64_t count,
                         const std::pair<double, double>& where) {
    const stretch piece{where.first, where.second, x_.standard_length(spacing), count};
    if (!piece.is_bounded() || breaks_in(piece)) return false;
    const double smooth = variation(kernel_, piece);
    if (piece.length() > 2 * smooth || piece.width > smooth / 8) return false;
    // The relative error of a gap falls like 1/|x|.
    if (wide::from_integer(count) * spacing > from.scaled(1)) return false;
    const two_errors low = by_rule<8>(from, spacing, count);
    const two_errors high = by_rule<16>(from, spacing, count);
    const two_errors difference = distance(high, low);
    // Halving a piece that is already short against all that the law does helps no more.
    const bool may_halve = piece.length() > resolution(kernel_, piece) / 256;
    if (may_halve && !difference.is_within(1e-9, high)) return false;
    add(high, difference);
    return true;
  }

  template <std::size_t Order>
  [[nodiscard]] two_errors by_rule(const wide& from, const wide& spacing,
                                   std::uint64_t count) const {
    const auto all = static_cast<double>(count);
    const auto rule = gram_rule<Order>(all);
    const wide half = spacing.scaled(-1);
    two_errors mean;
    for (std::size_t k = 0; k < Order; ++k) {
      const wide center = from + wide(all / 2 * (1 + rule.node[k])) * spacing;
      mean = mean + rule.weight[k] * (of_short<8>({center - half, half, true}) +
                                      of_short<8>({center + half, half, false}));
    }
    return all * mean;
  }

  /// What is too large.
  void add_end(const magnitude_line& line) {
    const wide largest = line.largest();
    if (line.saturates) return add_long({largest, wide(infinity), true}, ends(largest, infinity));
    const double lost = mass(largest + line.runs.back().spacing.scaled(-1), infinity);
    overflowing_ += lost;
    add({0, lost}, {});
  }

  using kernel_type = std::decay_t<decltype(std::declval<Law>().kernel())>;

  const Law& x_;
  const kernel_type& kernel_;
  heavy_tails<kernel_type> tails_;
  bool has_squares_;
  int sign_ = 1;
  two_errors negligible_;
  compensated_sum square_;
  compensated_sum relative_;
  two_errors error_;
  double overflowing_ = 0;
};

}  // namespace ktln2
