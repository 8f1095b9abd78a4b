#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ktln2/format/float_format.hpp"
#include "ktln2/format/number_format.hpp"

namespace ktln2 {

/// One side of zero: the magnitudes that a register has there. Each |x| is stored as the nearest
/// one; what is nearer to the one that would come next is too large.
struct magnitude_line {
  std::vector<magnitude_run> runs;
  bool saturates = true;  ///< or is what is too large no number any more?

  [[nodiscard]] wide largest() const { return runs.back().value(runs.back().last()); }
};

/// Of one of the paper's formats, whose sides are alike.
inline magnitude_line line_of(const float_format& format) {
  magnitude_line made;
  for (std::size_t i = format.run_count() / 2; i < format.run_count(); ++i) {
    const lattice_run run = format.run(i);
    const bool is_first = made.runs.empty();
    const wide edge = is_first ? wide(0.0) : midpoint(made.largest(), run.start);
    made.runs.push_back({0, run.count, run.start, run.spacing, edge});
  }
  return made;
}

/// Of a format that people own.
inline magnitude_line line_of(const number_format& format, overflow beyond, bool negative) {
  magnitude_line made{{}, beyond == overflow::saturate};
  if (negative && !format.is_signed()) {
    // All below zero is stored as the lowest number, which may stand on the other side; if it is no
    // number any more, zero keeps its half of a spacing.
    magnitude_run lowest = format.runs().front();
    const bool has_zero = lowest.start.is_zero();
    lowest.count = 1;
    lowest.start = made.saturates ? -lowest.start : wide(0.0);
    if (!has_zero) lowest.spacing = 0.0;
    made.runs.push_back(lowest);
    return made;
  }
  const std::uint64_t largest = format.largest(negative);
  for (magnitude_run run : format.runs()) {
    if (run.first > largest) break;
    run.count = std::min(run.count, largest - run.first + 1);
    made.runs.push_back(run);
  }
  return made;
}

}  // namespace ktln2
