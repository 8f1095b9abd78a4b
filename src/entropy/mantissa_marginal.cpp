#include "entropy/mantissa_marginal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/constants.hpp"
#include "entropy/plain_sum.hpp"

namespace ktln2 {
namespace {

/// The numbers of one sign and one exponent.
struct signed_binade {
  bool negative;
  std::uint64_t first;  ///< magnitude
  wide left;            ///< where the cell of mantissa 0 would begin, were it as wide as the others
  wide spacing;
};

class mantissa_sum {
 public:
  explicit mantissa_sum(const stored_variable& stored)
      : stored_{stored}, size_{std::uint64_t{1} << (stored.format.fields().p - 1)} {
    for (const bool negative : {true, false}) {
      if (negative && !stored.format.is_signed()) continue;
      for (std::uint64_t e = 0; e <= stored.format.largest(negative) / size_; ++e) {
        add_binade(negative, e * size_);
      }
    }
  }

  /// False if it takes too long.
  bool add_all() {
    std::uint64_t from = 0;
    for (const std::uint64_t m : special_mantissas()) {
      if (from < m && !add_range(from, m - from)) return false;
      add_one(exact_mass(m));
      from = m + 1;
    }
    return from >= size_ || add_range(from, size_ - from);
  }

  [[nodiscard]] bounded<bits> entropy() const {
    const double log_size = std::log(static_cast<double>(size_));
    const auto misplaced_error = [&](double mass) {
      return mass > 0 ? mass * (1 + log_size - std::log(mass)) : 0;
    };
    const double law_error = std::visit([](const auto& x) { return error_of(x); }, stored_.x);
    const double error = error_ + misplaced_error(neglected_) + misplaced_error(law_error) +
                         misplaced_error(std::fabs(mass_.value() + neglected_ - 1)) +
                         0x1p-46 * (1 + nats_.value());
    return {bits{nats_.value() * bits_per_nat}, bits{error * bits_per_nat}, evidence::estimated};
  }

 private:
  template <class Law>
  static double error_of(const Law& x) {
    return table_error(x.kernel()) + x.rounding_error();
  }

  void add_binade(bool negative, std::uint64_t first) {
    const std::uint64_t last = std::min(first + size_ - 1, stored_.format.largest(negative));
    const interval all = cell(negative, first, last);
    const double mass = mass_between(negative, all);
    constexpr double rare = 1e-24;
    if (mass < rare) {
      neglected_ += mass;
      return;
    }
    // The second cell is as wide as the others.
    const magnitude_run& run = stored_.format.run_of(std::min(first + 1, last));
    const wide second = cell_of(stored_.format, stored_.rule, negative, first + 1, first + 1).left;
    binades_.push_back({negative, first, second - run.spacing, run.spacing});
  }

  [[nodiscard]] interval cell(bool negative, std::uint64_t first, std::uint64_t last) const {
    interval part = cell_of(stored_.format, stored_.rule, negative, first, last);
    const bool is_last = last == stored_.format.largest(negative);
    if (is_last && !may_overflow(stored_.format, stored_.rule, negative)) part.right = infinity;
    return part;
  }
  [[nodiscard]] double mass_between(bool negative, const interval& part) const {
    return mass_in(stored_.x, negative ? interval{-part.right, -part.left} : part).value;
  }

  /// The code of what is too large, and where it begins.
  [[nodiscard]] std::uint64_t code_beyond(bool negative) const {
    return stored_.rule.beyond == overflow::to_nan ? *stored_.format.nan_code(negative)
                                                   : *stored_.format.infinity_code(negative);
  }

  /// Where P(m) is not what its neighbors say.
  [[nodiscard]] std::vector<std::uint64_t> special_mantissas() const {
    std::vector<std::uint64_t> list{0};
    for (const bool negative : {true, false}) {
      if (negative && !stored_.format.is_signed()) continue;
      list.push_back(stored_.format.largest(negative) % size_);
      if (may_overflow(stored_.format, stored_.rule, negative)) {
        list.push_back(code_beyond(negative) % size_);
      }
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

  [[nodiscard]] double exact_mass(std::uint64_t m) const {
    double mass = 0;
    for (const signed_binade& one : binades_) {
      const std::uint64_t magnitude = one.first + m;
      if (magnitude > stored_.format.largest(one.negative)) continue;
      mass += mass_between(one.negative, cell(one.negative, magnitude, magnitude));
    }
    for (const bool negative : {true, false}) {
      if (negative && !stored_.format.is_signed()) continue;
      if (!may_overflow(stored_.format, stored_.rule, negative)) continue;
      if (code_beyond(negative) % size_ != m) continue;
      const std::uint64_t last = stored_.format.largest(negative);
      const wide end = cell_of(stored_.format, stored_.rule, negative, last, last).right;
      mass += mass_between(negative, {end, infinity});
    }
    return mass;
  }

  /// Of `count` mantissas from m on, together; m need not be whole.
  [[nodiscard]] double regular_mass(double m, double count, std::uint64_t last) const {
    double mass = 0;
    for (const signed_binade& one : binades_) {
      if (one.first + last > stored_.format.largest(one.negative)) continue;
      const wide left = one.left + wide(m) * one.spacing;
      mass += mass_between(one.negative, {left, left + wide(count) * one.spacing});
    }
    return mass;
  }

  void add_one(double mass) {
    mass_.add(mass);
    nats_.add(term(mass));
  }
  [[nodiscard]] static double term(double mass) { return mass > 0 ? -mass * std::log(mass) : 0; }

  bool add_range(std::uint64_t first, std::uint64_t count) {
    constexpr int most_pieces = 4000;
    if (++pieces_ > most_pieces) return false;
    const std::uint64_t last = first + count - 1;
    constexpr std::uint64_t few = 128;
    if (count <= few) {
      for (std::uint64_t m = first; m <= last; ++m) {
        add_one(regular_mass(static_cast<double>(m), 1, last));
      }
      return true;
    }
    if (add_by_quadrature(first, count)) return true;
    return add_range(first, count / 2) && add_range(first + count / 2, count - count / 2);
  }

  struct tally {
    double mass = 0;
    double nats = 0;
  };
  template <std::size_t Order>
  [[nodiscard]] tally by_rule(std::uint64_t first, std::uint64_t count) const {
    const auto all = static_cast<double>(count);
    const auto rule = gram_rule<Order>(all);
    tally sum;
    for (std::size_t k = 0; k < Order; ++k) {
      const double m = static_cast<double>(first) + (all * (1 + rule.node[k]) - 1) / 2;
      const double mass = regular_mass(m, 1, first + count - 1);
      sum.mass += all * rule.weight[k] * mass;
      sum.nats += all * rule.weight[k] * term(mass);
    }
    return sum;
  }

  bool add_by_quadrature(std::uint64_t first, std::uint64_t count) {
    const double truth =
        regular_mass(static_cast<double>(first), static_cast<double>(count), first + count - 1);
    const tally low = by_rule<8>(first, count);
    const tally high = by_rule<16>(first, count);
    const double missed = std::fabs(high.mass - truth);
    const double difference = std::fabs(high.nats - low.nats);
    if (missed > 1e-12 * truth + 1e-16 || difference > 1e-11 * high.nats + 1e-15) return false;
    mass_.add(high.mass);
    nats_.add(high.nats);
    error_ += difference + missed * std::log(static_cast<double>(size_));
    return true;
  }

  const stored_variable& stored_;
  std::uint64_t size_;  ///< mantissas
  std::vector<signed_binade> binades_;
  compensated_sum mass_;
  compensated_sum nats_;
  double neglected_ = 0;
  double error_ = 0;
  int pieces_ = 0;
};

}  // namespace

std::optional<bounded<bits>> mantissa_marginal(const stored_variable& stored) {
  if (has_atoms(stored.x) || stored.rule.how == rounding::to_odd) return {};
  mantissa_sum sum{stored};
  if (!sum.add_all()) return {};
  return sum.entropy();
}

}  // namespace ktln2
