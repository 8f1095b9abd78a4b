#include "certificate/lattice_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace {

using namespace ktln2::certificate;

/// The mean over the lattice, point by point.
ball direct_mean(std::uint64_t points, const std::function<ball(const ball&)>& f) {
  ball sum;
  for (std::uint64_t i = 0; i < points; ++i) {
    sum += f(ball::from_integer(2 * i + 1) / ball::from_integer(points) - ball(1.0));
  }
  return sum / ball::from_integer(points);
}

ball by_rule(const lattice_rule& rule, std::uint64_t points,
             const std::function<ball(const ball&)>& f) {
  const std::vector<ball> weights = rule.weights(points);
  ball sum;
  for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * f(rule.nodes()[k]);
  return sum;
}

ball chebyshev(int degree, const ball& x) {
  ball result;
  arb_chebyshev_t_ui(result.raw(), static_cast<ulong>(degree), x.raw(), ball::precision());
  return result;
}

bool touch(const ball& a, const ball& b) { return arb_overlaps(a.raw(), b.raw()) != 0; }

constexpr double rounding = 1e-25;  // 128 bits, less what some hundred operations lose

TEST(lattice_rule, is_exact_below_its_degree) {
  for (const int n : {8, 32}) {
    const lattice_rule rule{n};
    for (const std::uint64_t points : {33U, 64U, 65U, 1000U}) {
      for (int degree = 0; degree < n; ++degree) {
        const auto f = [degree](const ball& x) { return chebyshev(degree, x); };
        const ball difference = by_rule(rule, points, f) - direct_mean(points, f);
        EXPECT_TRUE(touch(difference, 0.0)) << n << ' ' << points << ' ' << degree;
        EXPECT_LT(difference.radius().upper_double(), rounding);
      }
    }
  }
}

TEST(lattice_rule, is_not_exact_at_its_degree) {
  const lattice_rule rule{8};
  const auto f = [](const ball& x) { return chebyshev(8, x); };
  EXPECT_FALSE(touch(by_rule(rule, 100, f), direct_mean(100, f)));
}

TEST(lattice_rule, knows_the_means_also_where_nobody_could_add_them_up) {
  // The mean of T_2 = 2x² - 1 is (2/3)(1 - 1/N²) - 1.
  const lattice_rule rule{32};
  for (const std::uint64_t points : {std::uint64_t{1} << 40, (std::uint64_t{1} << 63) - 1}) {
    const ball n = ball::from_integer(points);
    const ball truth = ball(2.0) / ball(3.0) * (ball(1.0) - ball(1.0) / square(n)) - ball(1.0);
    const ball mean = rule.chebyshev_means(points)[1];
    EXPECT_TRUE(touch(mean, truth));
    EXPECT_LT(mean.radius().upper_double(), rounding);
  }
}

TEST(lattice_rule, error_of_its_worst_polynomials_is_close_to_the_bound) {
  // At the nodes T_2n is -1, so that the rule is off by 1 + its mean. |T_j| ≤ (ρ^j + ρ^-j)/2.
  double closest = 0;
  for (const int n : {2, 4, 8}) {
    const lattice_rule rule{n};
    const auto f = [n](const ball& x) { return chebyshev(2 * n, x); };
    const ball error = abs(by_rule(rule, 100, f) - direct_mean(100, f));
    for (const double rho : {1.1, 1.2, 1.3, 1.4, 1.5, 2.0, 4.0}) {
      const double power = std::pow(rho, 2 * n);
      const ball bound = ball((power + 1 / power) / 2) * rule.error_factor(rho);
      EXPECT_TRUE(error < bound) << n << ' ' << rho;
      closest = std::fmax(closest, (error / bound).middle());
    }
  }
  EXPECT_GT(closest, 0.1);
}

TEST(lattice_rule, error_is_below_its_bound_and_not_far) {
  // 1/(x - a) has its pole where the ellipse with ρ = a + √(a² - 1) begins; inside the one with a
  // smaller ρ it is at most 1/(a - (ρ + 1/ρ)/2).
  for (const double pole : {1.05, 1.3, 2.0}) {
    const auto f = [pole](const ball& x) { return ball(1.0) / (x - ball(pole)); };
    const double rho = 0.95 * (pole + std::sqrt(pole * pole - 1));
    const ball size = ball(1.0) / (ball(pole) - (ball(rho) + ball(1.0) / ball(rho)).scaled(-1));
    for (const int n : {8, 16, 32}) {
      const lattice_rule rule{n};
      for (const std::uint64_t points : {64U, 500U}) {
        const ball error = abs(by_rule(rule, points, f) - direct_mean(points, f));
        const ball bound = size * rule.error_factor(rho);
        EXPECT_TRUE(error < bound) << pole << ' ' << n << ' ' << points;
        // A node less squares the factor; a bound that much too large would be no use.
        EXPECT_TRUE(bound * ball(1e-6) * ball(std::pow(0.95, 2 * n)) < error)
            << pole << ' ' << n << ' ' << points;
      }
    }
  }
}

}  // namespace
