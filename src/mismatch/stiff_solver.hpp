#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace ktln2::mismatch {

/// dx/dt = f(x, t), with the derivatives of f that an implicit method needs. C++17, as is the
/// source: Boost 1.74's uBLAS, which the solver stands on, uses what C++20 took from
/// std::allocator.
struct stiff_system {
  std::function<void(const double* x, double t, double* dxdt)> rate;
  /// ∂f/∂x, row by row, and ∂f/∂t.
  std::function<void(const double* x, double t, double* dfdx, double* dfdt)> jacobian;
};

struct stiff_tolerance {
  double absolute;
  double relative;
};

/// Moves x from one time to a later one by a Rosenbrock method of order 4 with its own choice of
/// steps, and says how many it took.
std::size_t solve_stiff(const stiff_system& system, std::vector<double>& x, double from, double to,
                        const stiff_tolerance& tolerance);

}  // namespace ktln2::mismatch
