#include "stiff_solver.hpp"

#ifndef BOOST_UBLAS_NDEBUG
#define BOOST_UBLAS_NDEBUG
#endif
#include <algorithm>
#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4_controller.hpp>
#include <utility>

namespace ktln2::mismatch {

std::size_t solve_stiff(const stiff_system& system, std::vector<double>& x, double from, double to,
                        const stiff_tolerance& tolerance) {
  namespace odeint = boost::numeric::odeint;
  using stepper = odeint::rosenbrock4<double>;
  using vector = stepper::state_type;
  using matrix = stepper::matrix_type;  // row by row
  // Time is one more unknown, with slope 1: as a time this stepper gets it wrong, and is of first
  // order only. (In Boost 1.74 the coefficient d4 of ∂f/∂t has the wrong sign.)
  const std::size_t n = x.size();
  std::vector<double> dfdx(n * n);
  std::vector<double> dfdt(n);
  const auto rate = [&](const vector& at, vector& slope, double) {
    system.rate(&at[0], at[n], &slope[0]);
    slope[n] = 1;
  };
  const auto jacobian = [&](const vector& at, matrix& all, double, vector& nothing) {
    system.jacobian(&at[0], at[n], dfdx.data(), dfdt.data());
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(&dfdx[i * n], n, &all(i, 0));
      all(i, n) = dfdt[i];
      all(n, i) = 0;
    }
    all(n, n) = 0;
    std::fill(nothing.begin(), nothing.end(), 0.0);
  };
  vector state(n + 1);
  std::copy(x.begin(), x.end(), state.begin());
  state[n] = from;
  const std::size_t steps = odeint::integrate_adaptive(
      odeint::rosenbrock4_controller<stepper>(tolerance.absolute, tolerance.relative),
      std::make_pair(rate, jacobian), state, from, to, (to - from) * 1e-6);
  std::copy_n(state.begin(), n, x.begin());
  return steps;
}

}  // namespace ktln2::mismatch
