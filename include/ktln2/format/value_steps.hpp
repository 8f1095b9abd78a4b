#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ktln2/format/number_format.hpp"

namespace ktln2 {

/// The stored values of all doubles, as a table of where they change: some nanoseconds a number,
/// for formats of few bits whose arrays go one by one. A cell of any format is an interval of
/// doubles, and its ends are found by asking number_format::quantize.
class value_steps {
 public:
  /// Takes a few microseconds a value. Nothing for a format of more than 17 bits, for rounding by
  /// chance, and where some numbers cannot be stored or have values outside the range of double.
  static std::optional<value_steps> of(const number_format& format, const storing& rule);

  /// What number_format::quantize would store, for any number; NaN for NaN.
  [[nodiscard]] double operator()(double x) const;

 private:
  /// The numbers on one side of zero.
  struct side {
    std::vector<std::uint64_t> starts;  ///< the bits of the least magnitude of each but the first
    std::vector<double> values;         ///< one more than there are starts
    std::vector<std::uint32_t> first;  ///< for the leading bits of a magnitude: a start to begin at
    std::uint64_t least = 0;           ///< of these leading bits
    int dropped = 0;                   ///< bits that do not lead

    void index();
    [[nodiscard]] double at(std::uint64_t magnitude) const;
  };
  static std::optional<side> side_of(const number_format& format, const storing& rule,
                                     bool negative);

  side above_;
  side below_;
};

}  // namespace ktln2
