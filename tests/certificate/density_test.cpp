#include "certificate/density.hpp"

#include <acb.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

namespace {

using namespace ktln2::certificate;
using complex = std::complex<double>;

complex log_density(const normal_density& /*unused*/, double /*unused*/, complex z) {
  return -z * z / 2.0;
}

complex log_density(const student_density& /*unused*/, double dof, complex z) {
  return -(dof + 1) / 2 * std::log(1.0 + z * z / dof);
}

/// Up to a constant; f's own branch, as 2 ln cosh(z/2) = z + 2 ln(1 + e^-z) for Re z > 0.
complex log_density(const logistic_density& /*unused*/, double /*unused*/, complex z) {
  if (z.real() < 0) z = -z;
  return -z - 2.0 * (std::log(1.0 + std::exp(-z)) - std::log(2.0));
}

complex log_density(const laplace_density& /*unused*/, double /*unused*/, complex z) {
  return z.real() < 0 ? z : -z;
}

complex log_slope(const normal_density& /*unused*/, double /*unused*/, complex z) { return -z; }

complex log_slope(const logistic_density& /*unused*/, double /*unused*/, complex z) {
  return -(1.0 - std::exp(-z)) / (1.0 + std::exp(-z));
}

complex log_slope(const laplace_density& /*unused*/, double /*unused*/, complex /*z*/) { return 1; }

complex log_slope(const student_density& /*unused*/, double dof, complex z) {
  return -(dof + 1) * z / (dof + z * z);
}

/// Runs a check for the laws that have a series; the second argument is ν.
template <class Check>
void for_each_series(const Check& check) {
  check(normal_density{}, 0.0);
  for (const double dof : {1e-6, 0.01, 0.3, 1.0, 2.5, 9.5, 100.0, 1e4, 1e8}) {
    SCOPED_TRACE(dof);
    check(student_density{dof}, dof);
  }
}

/// And for those with closed forms.
template <class Check>
void for_each_density(const Check& check) {
  for_each_series(check);
  check(logistic_density{}, 0.0);
  check(laplace_density{}, 0.0);
}

class points {
 public:
  double between(double low, double high) {
    return std::uniform_real_distribution<>(low, high)(engine_);
  }
  double log_uniform(double low, double high) {
    return std::exp(between(std::log(low), std::log(high)));
  }

 private:
  std::mt19937 engine_{4};
};

TEST(density, bounds_in_a_region_hold_at_its_points) {
  for_each_density([](const auto& density, double dof) {
    points random;
    const double constant = density.log_density(0.0).middle();
    for (int i = 0; i < 300; ++i) {
      const double nearest = random.between(0, 1) < 0.3 ? 0 : random.log_uniform(1e-3, 1e3);
      const double farthest = nearest + random.log_uniform(1e-3, 1e3);
      const double height = random.log_uniform(1e-3, 1e3);
      const region where{nearest, farthest, height};
      if (!density.is_analytic(where)) continue;
      const log_range range = density.log_density_in(where);
      const double steepest = density.steepest(where).upper_double();
      for (int j = 0; j < 20; ++j) {
        // Corners and sides are where bounds fail first.
        const auto place = [&random](double low, double high) {
          return std::fmin(
              high, std::fmax(low, random.between(1.5 * low - 0.5 * high, 1.5 * high - 0.5 * low)));
        };
        const complex z{place(nearest, farthest), place(-height, height)};
        const complex log_f = constant + log_density(density, dof, z);
        const double slack = (1e-12 + 1e-15 * dof) * (1 + std::abs(log_f));
        EXPECT_GE(log_f.real() + slack, range.lowest.middle()) << z;
        EXPECT_LE(log_f.real() - slack, range.highest.middle()) << z;
        EXPECT_LE(std::fabs(log_f.imag()) - slack, range.turn.middle()) << z;
        EXPECT_LE(std::abs(log_slope(density, dof, z)) * (1 - 1e-12), steepest) << z;
      }
    }
  });
}

TEST(density, region_with_a_branch_point_is_refused) {
  const student_density density{4};
  EXPECT_FALSE(density.is_analytic({0.0, 1.0, 2.0}));
  EXPECT_TRUE(density.is_analytic({0.0, 1.0, 1.99}));
  EXPECT_TRUE(density.is_analytic({0.01, 1.0, 50.0}));
}

TEST(density, region_with_a_singularity_is_refused) {
  EXPECT_FALSE(logistic_density{}.is_analytic({0.0, 1.0, 3.15}));
  EXPECT_TRUE(logistic_density{}.is_analytic({0.0, 1.0, 3.14}));
  EXPECT_TRUE(logistic_density{}.is_analytic({0.01, 1.0, 50.0}));
  EXPECT_FALSE(laplace_density{}.is_analytic({0.0, 1.0, 0.01}));
  EXPECT_TRUE(laplace_density{}.is_analytic({0.01, 1.0, 50.0}));
}

TEST(density, does_not_grow_fourfold_within_half_its_rate) {
  for_each_density([](const auto& density, double dof) {
    points random;
    double most = 0;
    for (int i = 0; i < 2000; ++i) {
      const double z = random.log_uniform(1e-4, 1e4);
      const complex t = std::polar(0.5 / density.rate(z).middle(), random.between(-3.1416, 3.1416));
      const double ratio =
          std::exp((log_density(density, dof, z + t) - log_density(density, dof, z)).real());
      most = std::fmax(most, ratio);
    }
    EXPECT_LT(most, 4);
    EXPECT_GT(most, 1.3) << "a rate that careful would be no use";
  });
}

TEST(density, series_over_a_cell_agrees_with_the_tails) {
  for_each_density([](const auto& density, double dof) {
    points random;
    for (int i = 0; i < 50; ++i) {
      const ball z = random.log_uniform(1e-2, 20);
      // One double, so that both roads go to the same cell, and not across 0.
      const double share = random.log_uniform(1e-4, 0.25);
      const ball h = std::fmin(share / density.rate(z).middle(), z.middle());
      const ball reach = h.scaled(-1);
      // By tails: half the digits cancel, so take more.
      const working_precision more{400};
      const auto precise = []([[maybe_unused]] double nu) {
        if constexpr (std::is_same_v<std::decay_t<decltype(density)>, student_density>) {
          return student_density{nu};
        } else {
          return std::decay_t<decltype(density)>{};
        }
      }(dof);
      const ball by_tails = precise.tail(z - reach) - precise.tail(z + reach);
      const ball by_series = exp(precise.log_density(z)) * h * precise.mean_ratio(z, h, 160);
      const ball relative = (by_series - by_tails) / by_tails;
      EXPECT_LT(abs(relative).upper_double(), 1e-40) << z.middle() << ' ' << h.middle();
    }
  });
}

TEST(density, terms_left_out_are_below_their_bound_and_not_far) {
  for_each_series([](const auto& density, double /*dof*/) {
    points random;
    double closest = 0;
    for (int i = 0; i < 200; ++i) {
      const ball z = random.between(0, 1) < 0.2 ? 0 : random.log_uniform(1e-2, 20);
      const ball h = (ball(random.log_uniform(0.01, 0.25)) / density.rate(z)).middle();
      const ball q = (h * density.rate(z)).upper();
      const ball all = density.mean_ratio(z, h, 60);
      for (const int terms : {2, 4, 8}) {
        const ball left_out = abs(density.mean_ratio(z, h, terms) - all);
        const ball bound = series_remainder(q, terms);
        EXPECT_TRUE(left_out < bound) << z.middle() << ' ' << h.middle() << ' ' << terms;
        closest = std::fmax(closest, (left_out / bound).middle());
      }
    }
    EXPECT_GT(closest, 1e-3);
  });
}

TEST(density, tail_is_below_its_bound) {
  for_each_density([](const auto& density, double /*dof*/) {
    for (const double z : {1e-3, 0.1, 1.0, 3.0, 10.0, 37.0, 1e3, 1e30}) {
      const ball tail = density.tail(z);
      const ball bound = density.tail_bound(z).upper();
      EXPECT_TRUE(tail <= bound || tail.radius().upper_double() < 1e-28) << z;
    }
  });
}

TEST(density, tail_of_a_large_dof_is_the_limit_within_ten_over_dof) {
  // Below 2^60 the tail is Arb's incomplete beta function, above it the normal one with a bound.
  for (const double dof : {1e3, 1e5, 1e7}) {
    for (const double z : {0.1, 0.5, 1.0, 2.0, 3.0, 5.0}) {
      const ball difference = student_density{dof}.tail(z) - normal_density{}.tail(z);
      EXPECT_TRUE(abs(difference) < ball(10.0) / ball(dof));
      EXPECT_TRUE(ball(1e-6) / ball(dof) < abs(difference));
    }
  }
  const ball far = student_density{0x1p61}.tail(1.0);
  EXPECT_TRUE(arb_overlaps(far.raw(), student_density{0x1p59}.tail(1.0).raw()) != 0);
  EXPECT_LT(far.radius().upper_double(), 1e-17);
}

}  // namespace
