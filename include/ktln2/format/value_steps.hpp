#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ktln2/core/bit_cast.hpp"
#include "ktln2/format/number_format.hpp"

namespace ktln2 {

/// The stored values of all doubles, some nanoseconds a number, for formats whose arrays go one by
/// one. Where the values of a whole binade are equally spaced and ties go to even codes, double's
/// own addition rounds; elsewhere there is a table of where they change. A cell of any format is an
/// interval of doubles, and its ends are found by asking number_format::quantize.
class value_steps {
 public:
  static constexpr double most_in_table = 1 << 16;

  /// Takes some microseconds a value in the table. Nothing where there would be more than `most` on
  /// one side of zero, for rounding by chance or to odd codes, and where some numbers cannot be
  /// stored or have values outside the range of double.
  static std::optional<value_steps> of(const number_format& format, const storing& rule,
                                       double most = most_in_table);

  /// What number_format::quantize would store, for any number; NaN for NaN.
  [[nodiscard]] double operator()(double x) const {
    const auto word = bit_cast<std::uint64_t>(x);
    constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
    return sides_[word >> 63U].at(word & ~sign, word & sign);
  }
  /// The same of many, in place; formats of few bits have a quicker table for that.
  void store(std::span<double> numbers) const;

 private:
  /// The magnitudes with the same leading bits, and the least of them at which the value changes.
  struct bucket {
    std::uint64_t start;
    std::array<double, 2> value;  ///< before and from there on
  };

  /// Where values change: the bits of the least magnitude of each value but the first, and the
  /// values, one more. Nothing is said of what changes within the regular binades.
  struct changes {
    std::vector<std::uint64_t> starts;
    std::vector<double> values;
    /// By the bits of their exponents, with what is to be added and subtracted again.
    std::map<std::uint64_t, double> regular;
  };

  /// What, added and subtracted again, makes the value of any number of a binade: its spacing times
  /// 2^52, more than all of them where they become zero, infinity where they become NaN, and NaN
  /// where nothing does. And the sign of the value, if the number has one.
  struct rounding_term {
    double magic;
    std::uint64_t sign;
  };
  static rounding_term term_of(const changes& from, std::uint64_t exponent, std::uint64_t sign);

  /// One bucket for every choice of leading bits, the sign among them, so that there is nothing to
  /// compute but its place.
  struct flat_table {
    std::vector<bucket> buckets;  ///< none: too many would be needed
    unsigned dropped = 0;         ///< bits that do not lead

    [[nodiscard]] double operator()(double x) const {
      const auto word = bit_cast<std::uint64_t>(x);
      const bucket& found = buckets[word >> dropped];
      return found.value[word >= found.start ? 1 : 0];
    }
    /// Adds those of one side of zero; false where a value would need a bucket of its own.
    bool add(const changes& from, std::uint64_t sign);
  };

  /// The numbers on one side of zero.
  class side {
   public:
    explicit side(const changes& from);

    [[nodiscard]] double at(std::uint64_t magnitude, std::uint64_t sign) const {
      // No branches: none could be foretold.
      const std::uint64_t number = choose(magnitude > infinite, high_, magnitude);
      const std::uint64_t place = choose(number < low_, low_, number);
      const binade& here = binades_[(place >> mantissa) - (low_ >> mantissa)];
      if (here.magic > 0) {  // in nearly all binades, or in few
        const double rounded = (bit_cast<double>(place) + here.magic) - here.magic;
        return bit_cast<double>(bit_cast<std::uint64_t>(rounded) | sign);
      }
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
    static constexpr std::uint64_t infinite = std::uint64_t{0x7ff} << mantissa;
    struct binade {
      std::size_t first;  ///< bucket
      unsigned dropped;   ///< bits of the mantissa that do not lead
      double magic;       ///< of a regular one, else 0
    };

    std::vector<binade> binades_;
    std::vector<bucket> buckets_;
    std::uint64_t low_;   ///< just before the first start
    std::uint64_t high_;  ///< the last start, NaN
  };
  /// Without regular binades where all changes are wanted.
  static std::optional<changes> changes_of(const number_format& format, const storing& rule,
                                           bool negative, double most, bool all = false);
  static flat_table flat_table_of(const number_format& format, const storing& rule);

  value_steps(side above, side below) : sides_{std::move(above), std::move(below)} {}

  std::array<side, 2> sides_;  ///< above and below zero
  flat_table flat_;
  std::vector<rounding_term> terms_;  ///< by sign and exponent
};

}  // namespace ktln2
