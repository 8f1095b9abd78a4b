#pragma once

#include <algorithm>
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
      const std::uint64_t lead = std::clamp(magnitude >> dropped_, least_, most_) - least_;
      const bucket& found = buckets_[lead];
      return found.value[magnitude >= found.start ? 1 : 0];  // no branch: none could be foretold
    }

   private:
    std::vector<bucket> buckets_;
    std::uint64_t least_ = 0;  ///< leading bits
    std::uint64_t most_ = 0;
    int dropped_ = 63;  ///< bits that do not lead
  };
  static std::optional<side> side_of(const number_format& format, const storing& rule,
                                     bool negative);

  value_steps(side above, side below) : sides_{std::move(above), std::move(below)} {}

  std::array<side, 2> sides_;  ///< above and below zero
};

}  // namespace ktln2
