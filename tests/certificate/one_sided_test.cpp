// What the laws on one side of 0 claim, where it can be seen.
#include "certificate/one_sided.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace ktln2::certificate;

/// Calls a function with some laws of each kind, the places of their cells, and a name.
template <class F>
void for_each_one_sided(const F& see) {
  for (const double sigma : {0.01, 1.0, 5.0}) {
    see(lognormal_on_line{sigma}, std::exp(sigma), "lognormal " + std::to_string(sigma));
  }
  for (const double shape : {0.01, 1.0, 2.5, 200.0, 1e5}) {
    see(gamma_on_line{shape}, shape, "gamma " + std::to_string(shape));
  }
  for (const double mode : {0.0, 0.3, 2.0}) {
    see(triangle_on_line{0, mode, 2}, 1.0, "triangle " + std::to_string(mode));
  }
}

stretch cell_around(double center, double width) {
  const ball half = ball(width).scaled(-1);
  return {ball(center) - half, ball(center) + half, width};
}

TEST(one_sided, narrow_cells_are_differences_of_tails_and_below_their_bound) {
  const working_precision many{300};
  for_each_one_sided([](const auto& law, double place, const std::string& name) {
    for (const double share : {0.01, 0.3, 0.9, 1.1, 1.9}) {
      for (const double width : {1e-3, 1e-9}) {
        const double center = share * place;
        const stretch cell = cell_around(center, width * center);
        const ball wide = law.wide(cell);
        const auto narrow = law.narrow(center, cell.width, log(cell.width));
        if (narrow) {
          EXPECT_TRUE(arb_overlaps(narrow->probability.raw(), wide.raw())) << name << " " << center;
          EXPECT_TRUE(arb_overlaps(narrow->logarithm.raw(), log(narrow->probability).raw()));
        }
        EXPECT_FALSE(law.mass_bound(cell) < wide) << name << " " << center;
      }
    }
  });
}

TEST(one_sided, all_is_above_zero) {
  for_each_one_sided([](const auto& law, double place, const std::string& name) {
    EXPECT_TRUE(arb_is_zero(law.wide({{}, 0.0, {}}).raw())) << name;
    EXPECT_TRUE(arb_is_zero(law.mass_bound({-2.0, -1.0, 1.0}).raw())) << name;
    const ball all = law.wide({-1.0, place, {}}) + law.wide({place, {}, {}});
    EXPECT_LT(abs(all - ball(1.0)).upper_double(), 1e-20) << name;
    for (const double edge : {0.5, 1.0, 3.0}) {
      for (const stretch& half : {stretch{{}, edge * place, {}}, stretch{edge * place, {}, {}}}) {
        EXPECT_FALSE(law.mass_bound(half) < law.wide(half)) << name << " " << edge;
      }
    }
  });
}

/// On the real line within a region f and its slope are within their bounds.
TEST(one_sided, bounds_in_a_region_hold) {
  for_each_one_sided([](const auto& law, double place, const std::string& name) {
    for (const double share : {0.01, 0.3, 0.9, 1.2, 1.7}) {
      const double center = share * place;
      const double reach = 0.1 * center;
      const region where{center - reach, center + reach, reach};
      if (!law.is_analytic(where)) continue;
      const auto range = law.log_density_in(where);
      for (const double at : {center - reach, center - reach / 3, center, center + reach}) {
        const double width = 1e-12 * center;
        const auto log_density = [&](double z) {
          return log(law.wide({ball(z) - ball(width), ball(z) + ball(width), {}}) /
                     ball(width).scaled(1));
        };
        const working_precision many{300};
        const ball slope = (log_density(at + reach / 100) - log_density(at)) / ball(reach / 100);
        EXPECT_LT(range.lowest.upper_double() - 1e-9, log_density(at).upper_double()) << name;
        EXPECT_LT(log_density(at).upper_double(), range.highest.upper_double() + 1e-9) << name;
        if (at < center) {
          EXPECT_FALSE(law.steepest(where) * ball(1 + 1e-9) < abs(slope)) << name;
        }
      }
    }
  });
}

}  // namespace
