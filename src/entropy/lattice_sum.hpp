#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

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

/// Means of R(φ + θi, i/N) over i < N, weighted with a smooth g(i).
///
/// A convergent r/q of the continued fraction of θ sorts the i into q classes mod q, in each of
/// which the phase drifts by qθ - r a step: slowly, so that a class is some smooth stretches, and
/// each of these a Gram sum. Or, where N is large and no q is good: by Denjoy and Koksma the sum of
/// R over q consecutive phases is its mean up to the variation of R, and N is a sum of so many q's
/// as the partial quotients say.
class lattice_sum {
 public:
  lattice_sum(circle_point theta, std::uint64_t count) : theta_{theta}, count_{count} {
    find_convergents();
  }

  struct result {
    double mean;
    double mass;   ///< of g, by the same rule
    double error;  ///< of the mean
  };

  /// How far the plain mean of R can be from the weighted one, for a monotone g and R of variation
  /// 1, over g(0)/Σg.
  [[nodiscard]] double discrepancy() const { return discrepancy_; }

  /// How many evaluations of R the sum takes if there are so many panels.
  [[nodiscard]] double work(std::size_t panels) const { return best(panels).work; }

  template <class Weight>
  [[nodiscard]] result sum(const phase_table& table, circle_point phase, Weight weight,
                           const stop_token& stop) const {
    const stride with = best(table.edges().size());
    const double drift = (with.step * theta_).signed_turns();
    tally total;
    for (std::uint64_t j = 0; j < std::min(with.step, count_); ++j) {
      if (j % 1024 == 0) throw_if_stopped(stop);
      const double start = (phase + j * theta_).turns();
      add_class(table, start, drift, j, with.step, weight, total);
    }
    return {total.values.value() / total.weights.value(), total.weights.value(), table.error()};
  }

 private:
  struct stride {
    std::uint64_t step;
    double work;
  };

  struct tally {
    compensated_sum values;
    compensated_sum weights;
  };

  void find_convergents() {
    steps_.push_back(1);
    uint128 larger = uint128{1} << 127U;
    uint128 smaller = theta_.bits() >> 1U;
    std::uint64_t before = 0;
    std::uint64_t now = 1;
    while (smaller != 0) {
      const uint128 quotient = larger / smaller;
      const auto left = static_cast<double>(count_ / now);
      discrepancy_ += std::min(static_cast<double>(quotient), left) + 1;
      const uint128 next = quotient * now + before;
      if (quotient > count_ || next > count_) return;
      before = now;
      now = static_cast<std::uint64_t>(next);
      if (now != 1) steps_.push_back(now);
      larger = std::exchange(smaller, larger % smaller);
    }
    discrepancy_ = static_cast<double>(count_);  // a rational number
  }

  [[nodiscard]] stride best(std::size_t panels) const {
    const auto n = static_cast<double>(count_);
    stride chosen{count_, n};
    for (const std::uint64_t step : steps_) {
      const auto classes = static_cast<double>(step);
      const double drift = std::fabs((step * theta_).signed_turns());
      const double stretches = classes + n * drift * static_cast<double>(panels);
      const double work = std::min(n, 8 * stretches);
      if (work < chosen.work) chosen = {step, work};
    }
    return chosen;
  }

  template <class Weight>
  void add_class(const phase_table& table, double phase, double drift, std::uint64_t first,
                 std::uint64_t step, Weight weight, tally& total) const {
    std::uint64_t left = (count_ - first + step - 1) / step;
    std::uint64_t i = first;
    while (left > 0) {
      const std::size_t panel = table.panel_of(phase);
      const double end = table.edges()[drift > 0 ? panel + 1 : panel];
      const double room = drift == 0 ? 0x1p63 : std::floor((end - phase) / drift);
      const auto size = static_cast<std::uint64_t>(
          std::clamp(room, 1.0, static_cast<double>(left)));
      add_stretch(table, phase, drift, i, step, std::min(size, left), weight, total);
      const auto done = std::min(size, left);
      left -= done;
      i += done * step;
      phase += static_cast<double>(done) * drift;
      phase -= std::floor(phase);
      if (phase >= 1) phase = 0;
    }
  }

  template <class Weight>
  void add_stretch(const phase_table& table, double phase, double drift, std::uint64_t first,
                   std::uint64_t step, std::uint64_t size, Weight weight, tally& total) const {
    const auto n = static_cast<double>(count_);
    const auto add = [&](double k, double share) {
      const double i = static_cast<double>(first) + k * static_cast<double>(step);
      const double g = share * weight(i);
      const double at = std::clamp(phase + k * drift, 0.0, 0x1.fffffffffffffp-1);
      total.values.add(g * table(at, i / n));
      total.weights.add(g);
    };
    if (size < 64) {
      for (std::uint64_t k = 0; k < size; ++k) add(static_cast<double>(k), 1);
    } else {
      add_by_rule(gram_rule<8>(static_cast<double>(size)), size, add);
    }
  }

  template <std::size_t Order, class Add>
  static void add_by_rule(const mean_rule<Order>& rule, std::uint64_t size, Add add) {
    const auto count = static_cast<double>(size);
    for (std::size_t k = 0; k < Order; ++k) {
      add(count / 2 * (1 + rule.node[k]) - 0.5, rule.weight[k] * count);
    }
  }

  circle_point theta_;
  std::uint64_t count_;
  std::vector<std::uint64_t> steps_;
  double discrepancy_ = 0;
};

}  // namespace ktln2
