#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "entropy/gap_split.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2 {

/// The same by runs of equally spaced numbers, for formats with too many codes to go through. The
/// mass of a number, or of neighbors whose codes begin alike, is smooth along a run, so a sum over
/// them is one of a few of them.
template <class Law>
class stochastic_sum {
 public:
  stochastic_sum(const stored_variable& stored, const Law& x, const stop_token& stop = {})
      : format_{stored.format},
        beyond_{stored.rule.beyond},
        x_{x},
        split_{x, *stored.rule.by_chance},
        stop_{stop} {}

  /// H of the codes without their lowest bits, in nats.
  [[nodiscard]] bounded<double> entropy(int dropped_bits) const {
    collected all;
    all.dropped = dropped_bits;
    if (format_.is_signed()) {
      add_side(true, all);
    } else {
      add_below_zero(all);
    }
    add_side(false, all);
    for (const auto& [key, mass] : all.single) all.sum.add(entropy_of(mass));
    const double lost = std::fabs(all.sum.mass.value() - 1);
    const double log_size = format_.width() * std::log(2.0);
    if (lost > 0) all.sum.error += lost * (1 + log_size - std::log(lost));
    return all.sum.result();
  }

  /// H(code | X) in nats.
  [[nodiscard]] bounded<double> noise() const {
    total sum;
    for (const bool negative : {false, true}) {
      if (!negative || format_.is_signed()) add_noise(negative, sum);
    }
    const bool below_zero = !format_.is_signed() && !saturates() && has_zero();
    if (below_zero) sum.add(noise_of(split_(0.0, format_.min_positive(), true)));
    return sum.result();
  }

  /// The mass of the codes of the magnitudes first … last of a run: what the side of zero gives
  /// them, and where the lowest is of both sides what the other one gives it.
  [[nodiscard]] bounded<double> mass(bool negative, std::uint64_t first, std::uint64_t last) const {
    const bounded<double> here = mass_on_side(negative, first, last);
    const bool has_both =
        !format_.is_signed() || format_.fields().zero == float_description::zeros::one;
    if (first > 0 || !has_both) return here;
    if (format_.is_signed()) return here + mass_on_side(!negative, first, first);
    if (saturates()) return here + on_side(true, 0.0, infinity);
    return has_zero() ? here + split_(0.0, format_.min_positive(), true).near : here;
  }

 private:
  /// What one side of zero gives to the magnitudes first … last of a run.
  [[nodiscard]] bounded<double> mass_on_side(bool negative, std::uint64_t first,
                                             std::uint64_t last) const {
    const magnitude_run& run = format_.run_of(first);
    const wide from = run.value(first);
    const wide to = run.value(last);
    bounded<double> sum = on_side(negative, from, to);
    if (first == 0) {
      if (!has_zero()) sum += on_side(negative, 0.0, from);
    } else {
      const magnitude_run& before = first == run.first ? *(&run - 1) : run;
      const wide value = before.value(first == run.first ? before.last() : first - 1);
      sum += split_(value, from - value, negative).far;
    }
    const bool is_end = last == format_.largest(negative);
    if (is_end && saturates()) return sum + on_side(negative, to, infinity);
    return sum + split_(to, gap_after(run, last), negative).near;
  }

  /// A term of a sum, the mass that it stands for, and how far it may be off.
  struct term {
    double nats = 0;
    double mass = 0;
    double error = 0;
  };
  struct total {
    compensated_sum nats;
    compensated_sum mass;
    double error = 0;

    void add(const term& one) {
      nats.add(one.nats);
      mass.add(one.mass);
      error += one.error;
    }
    [[nodiscard]] bounded<double> result() const { return {nats.value(), error}; }
  };
  struct collected {
    int dropped = 0;
    std::map<std::uint64_t, bounded<double>> single;  ///< by the bits of the code that are left
    total sum;
  };
  /// Equal steps along a run: what belongs to the one that begins at the magnitude v lies between
  /// v - before and v + after.
  struct steps {
    wide start;
    wide stride;
    wide before;
    wide after;
    bool negative = false;

    [[nodiscard]] wide at(std::uint64_t k) const { return start + wide::from_integer(k) * stride; }
  };

  [[nodiscard]] bool saturates() const { return beyond_ == overflow::saturate; }
  [[nodiscard]] bool has_zero() const {
    return format_.fields().zero != float_description::zeros::none;
  }
  [[nodiscard]] std::uint64_t code_beyond(bool negative) const {
    return beyond_ == overflow::to_nan ? *format_.nan_code(negative)
                                       : *format_.infinity_code(negative);
  }
  [[nodiscard]] bounded<double> on_side(bool negative, const wide& from, const wide& to) const {
    return ktln2::mass_on_side(x_, negative, from, to);
  }
  [[nodiscard]] wide gap_after(const magnitude_run& run, std::uint64_t last) const {
    const bool goes_on = last == run.last() && &run != &format_.runs().back();
    return goes_on ? (&run + 1)->start - run.value(last) : run.spacing;
  }

  static term entropy_of(const bounded<double>& mass) {
    const double p = mass.value;
    const double nats = p > 0 ? -p * std::log(p) : 0;
    const double error = mass.error > 0 ? mass.error * (1 - std::log(std::max(mass.error, p))) : 0;
    return {nats, p, error + 0x1p-51 * nats};
  }
  static term noise_of(const gap_split& parts) {
    return {parts.noise.value, parts.near.value + parts.far.value, parts.noise.error};
  }

  void put(collected& all, std::uint64_t code, const bounded<double>& mass) const {
    all.single.try_emplace(code >> all.dropped, exactly(0.0)).first->second += mass;
  }

  void add_side(bool negative, collected& all) const {
    const std::uint64_t largest = format_.largest(negative);
    // Groups of two's complement end where those of a sign and a magnitude begin.
    const std::uint64_t offset =
        negative && format_.kind() != number_format::family::floating ? 1 : 0;
    const std::uint64_t group = std::uint64_t{1} << all.dropped;
    const auto group_end = [&](std::uint64_t m) {
      return m < offset ? m : m + (group - 1 - (m - offset) % group);
    };
    for (const magnitude_run& run : format_.runs()) {
      if (run.first > largest) break;
      throw_if_stopped(stop_);
      const std::uint64_t end = std::min(run.last(), largest);
      const auto put_piece = [&](std::uint64_t first, std::uint64_t last) {
        put(all, format_.code(negative, first), mass_on_side(negative, first, last));
      };
      const std::uint64_t first_end = std::min(group_end(run.first), end);
      put_piece(run.first, first_end);
      if (first_end == end) continue;
      // Whole groups, but not that of the largest number, which what is too large may share.
      const std::uint64_t first = first_end + 1;
      const std::uint64_t usable = end == largest ? end : end + 1;
      const std::uint64_t count = usable > first ? (usable - first) / group : 0;
      add_groups(negative, first, group, count, all);
      const std::uint64_t rest = first + count * group;
      if (rest <= end) put_piece(rest, end);
    }
    if (saturates()) return;
    const magnitude_run& run = format_.run_of(largest);
    const wide value = run.value(largest);
    put(all, code_beyond(negative),
        split_(value, run.spacing, negative).far +
            on_side(negative, value + run.spacing, infinity));
  }

  /// What is negative in a format without a sign.
  void add_below_zero(collected& all) const {
    if (saturates()) return put(all, 0, on_side(true, 0.0, infinity));
    const std::uint64_t nan = *format_.nan_code();
    if (!has_zero()) return put(all, nan, on_side(true, 0.0, infinity));
    const wide least = format_.min_positive();
    const gap_split parts = split_(0.0, least, true);
    put(all, 0, parts.near);
    put(all, nan, parts.far + on_side(true, least, infinity));
  }

  void add_groups(bool negative, std::uint64_t first, std::uint64_t group, std::uint64_t count,
                  collected& all) const {
    if (count == 0) return;
    const magnitude_run& run = format_.run_of(first);
    const wide& spacing = run.spacing;
    const wide inside = wide::from_integer(group - 1) * spacing;
    const steps along{run.value(first), wide::from_integer(group) * spacing, spacing,
                      inside + spacing, negative};
    const auto of_group = [&](const wide& value) {
      bounded<double> mass = split_(value - spacing, spacing, negative).far +
                             split_(value + inside, spacing, negative).near;
      if (group > 1) mass += on_side(negative, value, value + inside);
      return entropy_of(mass);
    };
    add_along(along, 0, count, of_group, all.sum);
  }

  void add_noise(bool negative, total& sum) const {
    const std::uint64_t largest = format_.largest(negative);
    for (const magnitude_run& run : format_.runs()) {
      if (run.first > largest) break;
      throw_if_stopped(stop_);
      const std::uint64_t end = std::min(run.last(), largest);
      // The last gap may have another width, or nothing above it.
      const steps along{run.start, run.spacing, 0.0, run.spacing, negative};
      const auto of_gap = [&](const wide& value) {
        return noise_of(split_(value, run.spacing, negative));
      };
      add_along(along, 0, end - run.first, of_gap, sum);
      if (end == largest && saturates()) break;
      sum.add(noise_of(split_(run.value(end), gap_after(run, end), negative)));
    }
  }

  /// Σ f over the steps first … first + count - 1.
  template <class F>
  void add_along(const steps& along, std::uint64_t first, std::uint64_t count, const F& f,
                 total& sum) const {
    if (count == 0) return;
    const wide from = along.at(first) - along.before;
    const wide to = along.at(first + count - 1) + along.after;
    const double mass = on_side(along.negative, from, to).value;
    // So little mass in so many places adds less than this.
    if (!(mass > 1e-24)) {
      const double log_count = std::log(static_cast<double>(count));
      if (mass > 0) sum.error += mass * (1 + log_count - std::log(mass));
      return;
    }
    if (count <= 128) {
      for (std::uint64_t i = 0; i < count; ++i) sum.add(f(along.at(first + i)));
      return;
    }
    const cell_run whole{along.negative ? -to : from, along.negative ? -from : to, to - from, 1};
    const stretch part = standard_stretch(x_, whole, 0, 1);
    if (part.is_bounded() && is_smooth(part)) {
      const term low = by_rule<8>(along, first, count, f);
      term high = by_rule<16>(along, first, count, f);
      const double error = std::fabs(high.nats - low.nats) + std::fabs(high.mass - low.mass);
      const bool is_short = part.right - part.left <= resolution(x_.kernel(), part) / 256;
      if (error <= std::max(high.error, 0x1p-52 * high.nats) || is_short) {
        high.error += error;
        return sum.add(high);
      }
    }
    add_along(along, first, count / 2, f, sum);
    add_along(along, first + count / 2, count - count / 2, f, sum);
  }

  [[nodiscard]] bool is_smooth(const stretch& part) const {
    if constexpr (std::is_same_v<Law, compound_law>) {
      for (const law_atom& one : x_.atoms()) {
        const double z = x_.standard(wide(one.at));
        if (part.left <= z && z <= part.right) return false;
      }
    }
    for (const double z : x_.kernel().breaks()) {
      if (part.left <= z && z <= part.right) return false;
    }
    return part.right - part.left <= 2 * resolution(x_.kernel(), part);
  }

  template <std::size_t Order, class F>
  [[nodiscard]] term by_rule(const steps& along, std::uint64_t first, std::uint64_t count,
                             const F& f) const {
    const auto n = static_cast<double>(count);
    const auto rule = gram_rule<Order>(n);
    const wide start = along.at(first);
    term sum;
    for (std::size_t j = 0; j < Order; ++j) {
      const term one = f(start + wide(((rule.node[j] + 1) * n - 1) / 2) * along.stride);
      const double weight = n * rule.weight[j];
      sum.nats += weight * one.nats;
      sum.mass += weight * one.mass;
      sum.error += weight * one.error;
    }
    return sum;
  }

  const number_format& format_;
  overflow beyond_;
  const Law& x_;
  gap_splitter<Law> split_;
  stop_token stop_;
};

}  // namespace ktln2
