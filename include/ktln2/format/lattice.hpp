#pragma once

#include <cstdint>

#include "ktln2/core/wide.hpp"

namespace ktln2 {

/// `count` equally spaced numbers: start, start + spacing, … , last
struct lattice_run {
  wide start;
  wide last;
  wide spacing;
  std::uint64_t count = 0;

  [[nodiscard]] wide value(std::uint64_t k) const {
    return start + wide::from_integer(k) * spacing;
  }
};

/// How a real number between two representable ones is stored.
enum class rounding {
  nearest_away,            ///< midpoint cells; ties away from zero
  nearest = nearest_away,  ///< the paper's [eq:sem_fp]
  toward_zero,             ///< floor cells: |x| goes down to the next representable magnitude
  nearest_even,            ///< midpoint cells; ties to the even code
  down,
  up,
  to_odd,  ///< to the neighbor with the odd code
};

}  // namespace ktln2
