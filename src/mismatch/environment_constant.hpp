#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ktln2/core/check.hpp"

namespace ktln2::mismatch {

/// What ΔS_env has whatever the data are. Beyond 10^12 its rounding hides what they make of it.
inline void require_constant(std::string_view where, double constant) {
  require_finite(where, "constant", constant);
  constexpr double most = 1e12;
  if (std::fabs(constant) <= most) return;
  throw std::domain_error(std::string(where) + ": constant must be at most 1e12 in size, or its " +
                          "rounding hides all else, got " + shown(constant));
}

}  // namespace ktln2::mismatch
