#include "ktln2/entropy/stochastic_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "entropy/stochastic_sum.hpp"
#include "ktln2/core/check.hpp"

namespace ktln2 {
namespace {

using float_zeros = float_description::zeros;

/// Gives every code its mass.
template <class Law>
class mass_collector {
 public:
  mass_collector(const stored_variable& stored, const Law& x, const stop_token& stop)
      : format_{stored.format},
        beyond_{stored.rule.beyond},
        x_{x},
        split_{x, *stored.rule.by_chance, 1e-26},
        stop_{stop},
        masses_(std::size_t{1} << format_.width(), exactly(0.0)) {
    if (format_.is_signed()) {
      add_side(true);
    } else {
      add_below_zero();
    }
    add_side(false);
  }

  [[nodiscard]] std::vector<bounded<double>>& masses() { return masses_; }
  [[nodiscard]] bounded<double> noise() const { return {noise_.value(), noise_error_}; }

 private:
  [[nodiscard]] bool saturates() const { return beyond_ == overflow::saturate; }
  [[nodiscard]] bool has_zero() const { return format_.fields().zero != float_zeros::none; }
  [[nodiscard]] std::uint64_t code_beyond(bool negative) const {
    return beyond_ == overflow::to_nan ? *format_.nan_code(negative)
                                       : *format_.infinity_code(negative);
  }

  void add_part(std::uint64_t code, bool negative, const wide& from, const wide& to) {
    masses_[code] += mass_on_side(x_, negative, from, to);
  }

  void add_gap(bool negative, const wide& near, const wide& width, std::uint64_t near_code,
               std::uint64_t far_code) {
    const gap_split parts = split_(near, width, negative);
    masses_[near_code] += parts.near;
    masses_[far_code] += parts.far;
    noise_.add(parts.noise.value);
    noise_error_ += parts.noise.error;
  }

  void add_side(bool negative) {
    const std::uint64_t largest = format_.largest(negative);
    const auto& runs = format_.runs();
    // Where there is no zero, all that is below the smallest number becomes that.
    if (!has_zero()) add_part(format_.code(negative, 0), negative, 0.0, runs.front().start);
    for (std::size_t r = 0; r < runs.size() && runs[r].first <= largest; ++r) {
      for (std::uint64_t m = runs[r].first; m <= std::min(runs[r].last(), largest); ++m) {
        if (m % 256 == 0) throw_if_stopped(stop_);
        if (m == largest) return add_end(negative, m);
        const bool is_last = m == runs[r].last();
        const std::uint64_t next = is_last ? runs[r + 1].first : m + 1;
        const wide value = runs[r].value(m);
        add_gap(negative, value, is_last ? runs[r + 1].start - value : runs[r].spacing,
                format_.code(negative, m), format_.code(negative, next));
      }
    }
  }

  /// From the largest number on.
  void add_end(bool negative, std::uint64_t largest) {
    const std::uint64_t code = format_.code(negative, largest);
    const magnitude_run& run = format_.run_of(largest);
    const wide value = run.value(largest);
    if (saturates()) return add_part(code, negative, value, infinity);
    add_gap(negative, value, run.spacing, code, code_beyond(negative));
    add_part(code_beyond(negative), negative, value + run.spacing, infinity);
  }

  /// What is negative in a format without a sign.
  void add_below_zero() {
    if (saturates()) return add_part(0, true, 0.0, infinity);
    const std::uint64_t nan = *format_.nan_code();
    if (!has_zero()) return add_part(nan, true, 0.0, infinity);
    const wide least = format_.min_positive();
    add_gap(true, 0.0, least, 0, nan);
    add_part(nan, true, least, infinity);
  }

  const number_format& format_;
  overflow beyond_;
  const Law& x_;
  gap_splitter<Law> split_;
  const stop_token& stop_;
  std::vector<bounded<double>> masses_;
  compensated_sum noise_;
  double noise_error_ = 0;
};

/// Of codes that may be as many as there are.
class mass_of_many {
 public:
  void add(const bounded<double>& mass) {
    sum_.add(mass.value);
    error_ += mass.error;
  }
  [[nodiscard]] bounded<double> total() const { return {sum_.value(), error_}; }

 private:
  compensated_sum sum_;
  double error_ = 0;
};

void require_chance(const stored_variable& stored) {
  const number_format& format = stored.format;
  format.require(stored.rule);
  if (!stored.rule.by_chance) {
    throw std::domain_error("entropy: rounding '" + name_of_rounding(stored.rule) +
                            "' leaves nothing to chance: expected stochastic");
  }
}

bounded<bits> as_bits_of(const bounded<double>& nats) {
  return {bits{nats.value * bits_per_nat},
          bits{(nats.error + 0x1p-50 * std::fabs(nats.value)) * bits_per_nat}};
}

}  // namespace

stochastic_code::stochastic_code(stored_variable stored, const stop_token& stop, int listed_bits)
    : stored_{std::move(stored)}, stop_{stop} {
  require_chance(stored_);
  const auto collect = [&](const auto& x) {
    misplaced_ = table_error(x.kernel()) + x.rounding_error();
    if (stored_.format.width() > std::min(listed_bits, most_listed_bits)) {
      return stochastic_sum{stored_, x, stop_}.noise();
    }
    mass_collector collector{stored_, x, stop_};
    masses_ = std::move(collector.masses());
    return collector.noise();
  };
  noise_ = as_bits_of(std::visit(collect, stored_.x));
  noise_.error += bits{misplaced_};
}

/// Mass that stands elsewhere than the law says may stand in any code.
bounded<bits> stochastic_code::with_law_error(bounded<bits> found) const {
  if (misplaced_ == 0) return found;
  const double log_size = stored_.format.width() * std::numbers::ln2;
  found.error += bits{misplaced_ * (1 + log_size - std::log(misplaced_)) * bits_per_nat};
  return found;
}

std::optional<bounded<bits>> stochastic_code::marginal(std::uint64_t mask) const {
  if (masses_.empty()) return {};
  const std::uint64_t used = mask & (masses_.size() - 1);
  // The codes of one part are those whose other bits are zeros.
  std::vector<mass_of_many> parts(masses_.size());
  for (std::size_t code = 0; code < masses_.size(); ++code) parts[code & used].add(masses_[code]);
  plain_sum sum;
  for (const mass_of_many& part : parts) sum.add(part.total());
  return with_law_error(sum.entropy(static_cast<double>(masses_.size())));
}

bounded<bits> stochastic_code::leading(int kept) const {
  const int dropped = stored_.format.width() - kept;
  require_in_range("entropy", "leading bits", kept, 0, stored_.format.width());
  if (kept == 0) return exactly(bits{0});
  if (const auto listed = marginal(~std::uint64_t{0} << dropped)) return *listed;
  const auto by_runs = [&](const auto& x) {
    return stochastic_sum{stored_, x, stop_}.entropy(dropped);
  };
  return with_law_error(as_bits_of(std::visit(by_runs, stored_.x)));
}

/// Of neighboring magnitudes of one run.
bounded<double> stochastic_code::mass_of_numbers(bool negative, std::uint64_t first,
                                                 std::uint64_t last) const {
  mass_of_many sum;
  if (masses_.empty()) {
    sum.add(std::visit(
        [&](const auto& x) {
          return stochastic_sum{stored_, x, stop_}.mass(negative, first, last);
        },
        stored_.x));
  } else {
    for (std::uint64_t m = first; m <= last; ++m) {
      sum.add(masses_[stored_.format.code(negative, m)]);
    }
  }
  sum.add({0, misplaced_});
  return sum.total();
}

bounded<bits> stochastic_code::of_value() const {
  const bounded<bits> of_code = entropy();
  if (stored_.format.fields().zero != float_zeros::signed_zero) return of_code;
  const bounded<double> above = mass_of_numbers(false, 0, 0);
  const bounded<double> below = mass_of_numbers(true, 0, 0);
  plain_sum apart;
  plain_sum together;
  apart.add(above);
  apart.add(below);
  together.add(above + below);
  return of_code + (together.part() - apart.part());
}

/// Of the numbers with the lowest exponent, without zero, on one side of it.
bounded<double> stochastic_code::mass_of_small(bool negative) const {
  const number_format& format = stored_.format;
  const float_description& fields = format.fields();
  const bool has_zero = fields.zero != float_zeros::none;
  const std::uint64_t first = has_zero ? 1 : 0;
  const std::uint64_t last =
      std::min((std::uint64_t{1} << (fields.p - 1)) - 1, format.largest(negative));
  const bool has_small = format.kind() == number_format::family::floating &&
                         (fields.subnormals || !has_zero) && first <= last;
  return has_small ? mass_of_numbers(negative, first, last) : exactly(0.0);
}

stored_masses stochastic_code::masses() const {
  const number_format& format = stored_.format;
  const auto zero = format.fields().zero;
  stored_masses found{exactly(0.0), mass_of_small(false), mass_beyond_max(stored_)};
  if (format.is_signed()) found.subnormal += mass_of_small(true);
  if (zero != float_zeros::none) found.zero = mass_of_numbers(false, 0, 0);
  if (zero == float_zeros::signed_zero) found.zero += mass_of_numbers(true, 0, 0);
  return found;
}

bounded<bits> stochastic_code::information() const {
  bounded<bits> found = entropy() - noise_;
  found.error += bits{0x1p-52 * std::fabs(found.value.value())};
  return found;
}

}  // namespace ktln2
