#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "ktln2/format/number_format.hpp"

namespace ktln2 {

/// The stored values of all doubles, as a table of where they change: some nanoseconds a number,
/// for formats of few bits whose arrays go one by one. A cell of any format is an interval of
/// doubles, and its ends are found by asking number_format::quantize.
class value_steps {
 public:
  /// Takes some microseconds a value. Nothing for a format of more than 17 bits, for rounding by
  /// chance or to odd codes, and where some numbers cannot be stored or have values outside the
  /// range of double.
  static std::optional<value_steps> of(const number_format& format, const storing& rule);

  /// What number_format::quantize would store, for any number; NaN for NaN.
  [[nodiscard]] double operator()(double x) const {
    if (std::isnan(x)) return std::numeric_limits<double>::quiet_NaN();
    const auto word = std::bit_cast<std::uint64_t>(x);
    constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
    return sides_[word >> 63U].at(word & ~sign);
  }

 private:
  /// The magnitudes with the same leading bits, and the least of them at which the value changes.
  struct bucket {
    std::uint64_t start;
    std::array<double, 2> value;  ///< before and from there on
  };

  /// The numbers on one side of zero.
  class side {
   public:
    /// The bits of the least magnitude of each value but the first, and the values, one more.
    side(const std::vector<std::uint64_t>& starts, const std::vector<double>& values);

    [[nodiscard]] double at(std::uint64_t magnitude) const {
      // No branches: none could be foretold.
      const std::uint64_t above = choose(magnitude < low_, low_, magnitude);
      const std::uint64_t place = choose(above > high_, high_, above);
      const binade& here = binades_[(place >> mantissa) - (low_ >> mantissa)];
      const std::uint64_t rest = place & ((std::uint64_t{1} << mantissa) - 1);
      const bucket& found = buckets_[here.first + (rest >> here.dropped)];
      return found.value[place >= found.start ? 1 : 0];
    }

   private:
    static std::uint64_t choose(bool first, std::uint64_t a, std::uint64_t b) {
      const std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(first);
      return (a & mask) | (b & ~mask);
    }

    static constexpr unsigned mantissa = 52;  ///< bits, below those of the exponent
    struct binade {
      std::size_t first;  ///< bucket
      unsigned dropped;   ///< bits of the mantissa that do not lead
    };

    std::vector<binade> binades_;
    std::vector<bucket> buckets_;
    std::uint64_t low_ = 0;   ///< just before the first start
    std::uint64_t high_ = 0;  ///< the last start
  };
  static std::optional<side> side_of(const number_format& format, const storing& rule,
                                     bool negative);

  value_steps(side above, side below) : sides_{std::move(above), std::move(below)} {}

  std::array<side, 2> sides_;  ///< above and below zero
};

}  // namespace ktln2
