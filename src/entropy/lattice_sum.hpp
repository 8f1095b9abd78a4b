#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "entropy/phase_table.hpp"
#include "ktln2/core/integer.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/core/wide.hpp"

namespace ktln2 {

/// A place on a circle of length 1, in units of 2^-128: sums wrap around by themselves.
class circle_point {
 public:
  circle_point() = default;
  /// The fractional part of x.
  explicit circle_point(const wide& x) {
    const auto high = static_cast<int128>(std::scalbn(x.high(), 52));
    const auto low = static_cast<int128>(std::scalbn(x.low(), 115));
    bits_ = shifted(high, x.exponent() + 76) + shifted(low, x.exponent() + 13);
  }

  [[nodiscard]] double turns() const {
    return static_cast<double>(static_cast<std::uint64_t>(bits_ >> 75U)) * 0x1p-53;
  }
  /// In [-½, ½).
  [[nodiscard]] double signed_turns() const {
    return static_cast<double>(static_cast<int128>(bits_)) * 0x1p-128;
  }
  [[nodiscard]] uint128 bits() const { return bits_; }

  friend circle_point operator*(std::uint64_t n, circle_point a) {
    a.bits_ *= n;
    return a;
  }
  friend circle_point operator+(circle_point a, circle_point b) {
    a.bits_ += b.bits_;
    return a;
  }

 private:
  __extension__ using int128 = __int128;

  static uint128 shifted(int128 integer, int places) {
    if (places <= -127 || places >= 128) return 0;
    return places < 0 ? static_cast<uint128>(integer >> -places)
                      : static_cast<uint128>(integer) << places;
  }

  uint128 bits_ = 0;
};

/// Means of R(φ + θi, i/N) over i < N, weighted with a smooth g(i) that falls.
///
/// A convergent r/q of the continued fraction of θ sorts the i into q classes mod q, in each of
/// which the phase drifts by qθ - r a step: slowly, so that a class is some smooth stretches, and
/// each of these a Gram sum. Or, where N is large and no q is good: by Denjoy and Koksma the sum of
/// R over q consecutive phases is its mean up to the variation of R, and N is a sum of so many q's
/// as the partial quotients say.
class lattice_sum {
 public:
  lattice_sum(const phase_panels& panels, circle_point theta, std::uint64_t count)
      : panels_{panels}, theta_{theta}, count_{count} {
    const auto n = static_cast<double>(count);
    best_ = {count, n};  // each by itself
    find_convergents([&](std::uint64_t step) {
      const double drift = std::fabs((step * theta_).signed_turns());
      const double stretches =
          static_cast<double>(step) + n * drift * static_cast<double>(panels.size());
      if (order * stretches < best_.work) best_ = {step, order * stretches};
    });
  }

  struct result {
    double mean;
    double weight;  ///< Σ g, by the same rule
    double error;   ///< that the rule is known to have
  };

  /// How many evaluations of R the sum takes.
  [[nodiscard]] double work() const { return best_.work; }

  template <class Function, class Weight>
  [[nodiscard]] result mean(const Function& function, circle_point phase, Weight weight,
                            const stop_token& stop) const {
    const double drift = (best_.step * theta_).signed_turns();
    tally total;
    for (std::uint64_t j = 0; j < best_.step; ++j) {
      if (j % 1024 == 0) throw_if_stopped(stop);
      add_class(function, (phase + j * theta_).turns(), drift, {j, best_.step}, weight, total);
    }
    const double sum = total.weights.value();
    return {total.values.value() / sum, sum, 0};
  }

  /// As if all phases were as frequent. By Abel's summation the sums of R less its mean over the
  /// first n phases, at most the variation times the number of blocks that make up n, are weighted
  /// with the falls of g, g(0) in all.
  template <class Weight>
  [[nodiscard]] result plain_mean(const phase_table& table, Weight weight) const {
    tally total;
    const auto n = static_cast<double>(count_);
    add_by_rule(gram_rule<order>(n), count_, [&](double i, double share) {
      const double g = share * weight(i);
      total.values.add(g * table.mean(i / n));
      total.weights.add(g);
    });
    const double sum = total.weights.value();
    return {total.values.value() / sum, sum, blocks_ * table.variation() * weight(0) / sum};
  }

 private:
  static constexpr std::size_t order = 16;  ///< of the rule for a stretch

  struct stride {
    std::uint64_t step;
    double work;
  };

  struct tally {
    compensated_sum values;
    compensated_sum weights;
  };

  template <class Visit>
  void find_convergents(Visit visit) {
    visit(std::uint64_t{1});
    uint128 larger = uint128{1} << 127U;
    uint128 smaller = theta_.bits() >> 1U;
    std::uint64_t before = 0;
    std::uint64_t now = 1;
    while (smaller != 0) {
      const uint128 quotient = larger / smaller;
      const std::uint64_t left = count_ / now;
      blocks_ += std::min(static_cast<double>(quotient), static_cast<double>(left)) + 1;
      const uint128 next = quotient * now + before;
      if (quotient > count_ || next > count_) return;
      before = now;
      now = static_cast<std::uint64_t>(next);
      visit(now);
      larger = std::exchange(smaller, larger % smaller);
    }
    blocks_ = static_cast<double>(count_);  // a rational number
  }

  /// Some of the i: first, first + step, …
  struct progression {
    std::uint64_t first;
    std::uint64_t step;
  };

  template <class Function, class Weight>
  void add_class(const Function& function, double phase, double drift, progression of,
                 Weight weight, tally& total) const {
    std::uint64_t left = (count_ - of.first + of.step - 1) / of.step;
    while (left > 0) {
      const std::size_t panel = panels_.at(phase);
      const double end = panels_.edge(drift > 0 ? panel + 1 : panel);
      const double room = drift == 0 ? 0x1p62 : std::clamp((end - phase) / drift, 1.0, 0x1p62);
      const std::uint64_t size = std::min(static_cast<std::uint64_t>(room), left);
      add_stretch(function, phase, drift, of, size, weight, total);
      left -= size;
      of.first += size * of.step;
      phase += static_cast<double>(size) * drift;
      phase = std::min(phase - std::floor(phase), largest_phase);
    }
  }

  template <class Function, class Weight>
  void add_stretch(const Function& function, double phase, double drift, progression of,
                   std::uint64_t size, Weight weight, tally& total) const {
    const auto n = static_cast<double>(count_);
    const auto add = [&](double k, double share) {
      const double i = static_cast<double>(of.first) + k * static_cast<double>(of.step);
      const double g = share * weight(i);
      total.values.add(g * function(std::clamp(phase + k * drift, 0.0, largest_phase), i / n));
      total.weights.add(g);
    };
    const auto points = static_cast<double>(size);
    // On a panel of 2.5 deviations, 2.8 from where R turns, a rule of order n errs by 4.7^-2n.
    if (size >= 3 * order) return add_by_rule(gram_rule<order>(points), size, add);
    for (std::uint64_t k = 0; k < size; ++k) add(static_cast<double>(k), 1);
  }

  template <std::size_t Order, class Add>
  static void add_by_rule(const mean_rule<Order>& rule, std::uint64_t size, Add add) {
    const auto count = static_cast<double>(size);
    for (std::size_t k = 0; k < Order; ++k) {
      add(count / 2 * (1 + rule.node[k]) - 0.5, rule.weight[k] * count);
    }
  }

  static constexpr double largest_phase = 0x1.fffffffffffffp-1;

  const phase_panels& panels_;
  circle_point theta_;
  std::uint64_t count_;
  stride best_{};
  double blocks_ = 0;  ///< that the first n ≤ N phases consist of, at most
};

}  // namespace ktln2
