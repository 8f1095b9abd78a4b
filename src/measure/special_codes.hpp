#pragma once

#include <cstdint>
#include <vector>

#include "ktln2/format/number_format.hpp"

namespace ktln2::measure {

/// Neighboring codes.
struct code_range {
  std::uint64_t first;
  std::uint64_t last;
};

/// All codes that are no number.
std::vector<code_range> nan_codes_of(const number_format& format);

}  // namespace ktln2::measure
