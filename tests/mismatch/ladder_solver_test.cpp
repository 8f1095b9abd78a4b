#include "mismatch/ladder_solver.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

namespace {

using namespace ktln2;
using namespace ktln2::mismatch;

/// Two states; the integral is that of the upper one's probability.
ladder_system two_states(double up, double down) {
  return {1,
          [=](double, ladder_rates& out) {
            out.up[0] = up;
            out.down[0] = down;
          },
          [](double, const std::vector<double>& p, std::vector<double>& out) { out[0] = p[1]; }};
}

TEST(ladder, two_states_relax_exponentially_at_any_rate) {
  for (const double speed : {1e-3, 1.0, 1e3, 1e9, 1e200}) {
    SCOPED_TRACE(speed);
    const double up = 0.3 * speed;
    const double down = 0.9 * speed;
    const ladder_path path = climb(two_states(up, down), {0.2, 0.8}, 1, 3, 1e-12, {});
    const double gone = std::expm1(-(up + down) * 2);
    EXPECT_NEAR(path.end[1], 0.25 + 0.55 * (1 + gone), path.law_error + 1e-15);
    EXPECT_NEAR(path.integrals[0], 0.5 - 0.55 * gone / (up + down),
                path.integral_errors[0] + 2 * path.law_error + 1e-15);
    EXPECT_LT(path.law_error, 1e-9);
    EXPECT_NEAR(path.end[0] + path.end[1], 1, 1e-12);
  }
}

TEST(ladder, rates_that_rise_have_a_closed_form_too) {
  // dp/dt = t (1 - 2p), the integral of t is t²/2
  const ladder_system system{0, [](double t, ladder_rates& out) { out.up[0] = out.down[0] = t; },
                             [](double, const std::vector<double>&, std::vector<double>&) {}};
  const ladder_path path = climb(system, {1, 0}, 0, 1.5, 1e-12, {});
  EXPECT_NEAR(path.end[1], (1 - std::exp(-1.5 * 1.5)) / 2, path.law_error);
  EXPECT_LT(path.law_error, 1e-10);
}

TEST(ladder, stops_when_it_is_asked_to) {
  const std::atomic<bool> flag{true};
  EXPECT_THROW((void)climb(two_states(1, 1), {0.5, 0.5}, 0, 1, 1e-9, stop_token{flag}), stopped);
}

}  // namespace
