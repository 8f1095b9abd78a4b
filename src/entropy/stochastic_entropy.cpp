#include "ktln2/entropy/stochastic_entropy.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/constants.hpp"
#include "entropy/gap_split.hpp"
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
        split_{x, *stored.rule.by_chance},
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
    masses_[code] += mass_in(x_, negative ? interval{-to, -from} : interval{from, to});
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

void require_chance(const stored_variable& stored) {
  const number_format& format = stored.format;
  format.require(stored.rule);
  if (!stored.rule.by_chance) {
    throw std::domain_error("entropy: rounding '" + name_of_rounding(stored.rule) +
                            "' leaves nothing to chance: expected stochastic");
  }
  if (format.width() > stochastic_code::most_bits) {
    throw std::domain_error("entropy: stochastic rounding is for formats of at most " +
                            std::to_string(stochastic_code::most_bits) + " bits, " + format.name() +
                            " has " + std::to_string(format.width()));
  }
}

}  // namespace

stochastic_code::stochastic_code(const stored_variable& stored, const stop_token& stop)
    : stored_{stored} {
  require_chance(stored_);
  std::visit(
      [&](const auto& x) {
        misplaced_ = table_error(x.kernel()) + x.rounding_error();
        mass_collector collector{stored_, x, stop};
        masses_ = std::move(collector.masses());
        const bounded<double> nats = collector.noise();
        noise_ = {bits{nats.value * bits_per_nat},
                  bits{(nats.error + 0x1p-50 * nats.value) * bits_per_nat + misplaced_}};
      },
      stored_.x);
}

bounded<bits> stochastic_code::marginal(std::uint64_t mask) const {
  const std::uint64_t used = mask & (masses_.size() - 1);
  // The codes of one part are those whose other bits are zeros.
  std::vector<bounded<double>> parts(masses_.size(), exactly(0.0));
  for (std::size_t code = 0; code < masses_.size(); ++code) parts[code & used] += masses_[code];
  plain_sum sum;
  for (const bounded<double>& part : parts) sum.add(part);
  bounded<bits> found = sum.entropy(static_cast<double>(masses_.size()));
  if (misplaced_ > 0) {
    const double nats =
        misplaced_ * (1 + std::log(static_cast<double>(masses_.size())) - std::log(misplaced_));
    found.error += bits{nats * bits_per_nat};
  }
  return found;
}

bounded<bits> stochastic_code::leading(int kept) const {
  const int width = stored_.format.width();
  require_in_range("entropy", "leading bits", kept, 0, width);
  return kept == 0 ? exactly(bits{0}) : marginal(~std::uint64_t{0} << (width - kept));
}

bounded<bits> stochastic_code::of_value() const {
  const bounded<bits> of_code = entropy();
  if (stored_.format.fields().zero != float_zeros::signed_zero) return of_code;
  const bounded<double>& above = masses_[stored_.format.code(false, 0)];
  const bounded<double>& below = masses_[stored_.format.code(true, 0)];
  plain_sum apart;
  plain_sum together;
  apart.add(above);
  apart.add(below);
  together.add(above + below);
  return of_code + (together.part() - apart.part());
}

stored_masses stochastic_code::masses() const {
  const number_format& format = stored_.format;
  const float_description& fields = format.fields();
  const bool has_zero = fields.zero != float_zeros::none;
  const bool has_small =
      format.kind() == number_format::family::floating && (fields.subnormals || !has_zero);
  const std::uint64_t end =
      has_small ? std::min(std::uint64_t{1} << (fields.p - 1), format.largest() + 1) : 1;
  stored_masses found{exactly(0.0), exactly(0.0), mass_beyond_max(stored_)};
  for (const bool negative : {false, true}) {
    if (negative && !format.is_signed()) break;
    const bool is_counted = negative && fields.zero == float_zeros::one;
    for (std::uint64_t m = is_counted ? 1 : 0; m < end; ++m) {
      const bool is_zero = m == 0 && has_zero;
      (is_zero ? found.zero : found.subnormal) += masses_[format.code(negative, m)];
    }
  }
  found.zero.error += misplaced_;
  found.subnormal.error += misplaced_;
  return found;
}

bounded<bits> stochastic_code::information() const {
  bounded<bits> found = entropy() - noise_;
  found.error += bits{0x1p-52 * std::fabs(found.value.value())};
  return found;
}

}  // namespace ktln2
