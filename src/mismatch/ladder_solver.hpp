#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "ktln2/core/stop.hpp"

namespace ktln2::mismatch {

/// A chain whose jumps lead one state up or one down: up[k] is the rate from k to k+1, down[k] the
/// one back.
struct ladder_rates {
  std::vector<double> up;
  std::vector<double> down;
};

/// The chain in time, and what is to be integrated along its way.
struct ladder_system {
  std::size_t integrals;
  std::function<void(double t, ladder_rates& out)> rates;
  std::function<void(double t, const std::vector<double>& p, std::vector<double>& out)> slopes;
};

struct ladder_path {
  std::vector<double> end;
  std::vector<double> integrals;
  /// Σ|δp| at the end. A step adds its own, and no later one makes it larger: chains contract Σ|·|.
  double law_error;
  /// Of the steps' own integrals. What law_error does to later ones is not in it.
  std::vector<double> integral_errors;
  std::size_t steps;
};

/// Moves p from one time to a later one. Every step is one of Euler's implicit method, with 1 to 16
/// parts, extrapolated to none; its equations are solved without a subtraction, so that no rate is
/// too high for it. `tolerance` is that of a step. Throws `stopped` if asked to stop,
/// std::runtime_error if there are too many steps.
ladder_path climb(const ladder_system& system, std::vector<double> p, double from, double to,
                  double tolerance, const stop_token& stop);

}  // namespace ktln2::mismatch
