#include "ktln2/entropy/joint_approximations.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ktln2/entropy/bounds.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

format_pair both(int p, int exponent_bits) { return {{p, exponent_bits}, {p, exponent_bits}}; }

regression_pair pair_of(const nlohmann::json& parameters) {
  return {reference_number(parameters.at("w")), reference_number(parameters.at("sigx")),
          reference_number(parameters.at("sigxi"))};
}

TEST(thm_double_gaussian, matches_the_reference) {
  int compared = 0;
  for (const auto& entry : reference_file("approximations_bounds.json")) {
    if (entry.at("quantity") != "Ht_s(X_fp,Y_fp)") continue;
    const int p = entry.at("params").at("p");
    const double truth = reference_value(entry);
    EXPECT_NEAR(smooth_joint_entropy(p, p, pair_of(entry.at("params"))).value(), truth,
                8 * 0x1p-53 * truth);
    ++compared;
  }
  EXPECT_EQ(compared, 2);
}

// A plain integral over the plane, also where much of the mass is clipped.
TEST(eq_multi_var_diff_disc, both_approximations_match_the_reference_on_the_granular_square) {
  for (const auto& entry : reference_file("joint_approximations.json")) {
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const auto& parameters = entry.at("params");
    const format_pair formats{{parameters.at("px"), parameters.at("Ex")},
                              {parameters.at("py"), parameters.at("Ey")}};
    const bool is_smooth = entry.at("quantity").get<std::string>().starts_with("Ht_{s");
    const regression_pair pair = pair_of(parameters);
    const bits value =
        is_smooth ? smooth_entropy_granular(formats, pair) : cell_width_entropy(formats, pair);
    EXPECT_NEAR(value.value(), reference_value(entry), 1e-12);
  }
}

TEST(eq_Ht_s_U, tends_to_the_closed_form_as_clipping_and_the_zero_cells_vanish) {
  const regression_pair pair{2, 3, 0.5};
  EXPECT_NEAR(smooth_entropy_granular(both(24, 8), pair).value(),
              smooth_joint_entropy(24, 24, pair).value(), 64 * 0x1p-53 * 50);
}

/// Where P(outside U) of the pair {0.5, sigma, sigma} reaches this much.
double sigma_that_clips(const format_pair& formats, double outside) {
  double low = 0.5;
  double high = 1;
  while (high - low > 1e-10) {
    const double middle = (low + high) / 2;
    const auto requirements =
        entropy_approximations(formats, {0.5, middle, middle}).front().requirements;
    EXPECT_EQ(requirements.at(1).name, "P(outside U)");
    (requirements.at(1).value < outside ? low : high) = middle;
  }
  return low;
}

// The two branches of the implementation, on either side of "nothing is clipped", 1e-18. The second
// difference of one smooth function is below 1e-12 here.
TEST(eq_multi_var_diff_disc, does_not_jump_where_clipping_begins) {
  const format_pair formats = both(8, 3);
  const auto entropy = [&](double sigma) {
    return cell_width_entropy(formats, {0.5, sigma, sigma}).value();
  };
  for (const double outside : {1e-24, 1e-18, 1e-16, 1e-12}) {
    const double sigma = sigma_that_clips(formats, outside);
    const double step = 1e-7;
    EXPECT_NEAR(entropy(sigma - step) + entropy(sigma + step), 2 * entropy(sigma), 1e-11)
        << "P(outside U) = " << outside;
  }
}

TEST(thm_steps, smoothing_moves_the_pair_by_at_most_one_bit_and_eps0) {
  for (const int p : {1, 2, 5, 12, 24}) {
    for (const int exponent_bits : {1, 2, 3, 4, 8}) {
      for (const double noise : {3.0, 0.5, 0.01}) {
        const regression_pair pair{1.3, 0.8, noise};
        const format_pair formats{{p, exponent_bits}, {p + 1, exponent_bits}};
        const bits moved =
            cell_width_entropy(formats, pair) - smooth_entropy_granular(formats, pair);
        EXPECT_LE(std::fabs(moved.value()), smoothing_bound(formats, pair).value())
            << p << " " << exponent_bits << " " << noise;
      }
    }
  }
}

TEST(cor_eps_sp_bound, bounds_eps0_of_the_pair) {
  // the integrals of [eq:special_error] over N(0, 1) and N(0, 1.25), by mpmath
  for (const auto& [exponent_bits, truth] : {std::pair{2, 5.852680559186615192},
                                             {3, 1.509253940817384413},
                                             {4, 0.09452617136872857200},
                                             {8, 7.111417228761886826e-38}}) {
    const format_pair formats = both(7, exponent_bits);
    const regression_pair pair{1, 1, 0.5};
    EXPECT_LE(zero_cells_error(formats, pair), zero_cells_error_bound(formats, pair));
    EXPECT_NEAR(zero_cells_error(formats, pair).value() / truth, 1, 1e-12) << exponent_bits;
  }
}

// D = H - Approximation 1, where nothing is clipped.
TEST(joint_divergence_campaign, is_near_its_leading_order_and_below_its_bound) {
  for (const int p : {7, 9, 12, 15}) {
    for (const double noise : {2.0, 0.3, 0.05}) {
      SCOPED_TRACE(testing::Message() << "p = " << p << ", sigma_xi = " << noise);
      const regression_pair pair{1, 1, noise};
      const format_pair formats{{p, 8}, {p + 2, 8}};
      const bounded<bits> h = joint_entropy(formats, pair).joint;
      const double divergence = (h.value - cell_width_entropy(formats, pair)).value();
      const double leading = divergence_leading_order(formats, pair).value();
      const double rounding = h.error.value() + 1e-12;
      if (leading < 0.01) {
        EXPECT_NEAR(divergence, leading, 24 * 24 * leading * leading + rounding);
      }
      EXPECT_LE(divergence, divergence_bound(formats, pair).value() + rounding);
    }
  }
}

TEST(joint_divergence, is_bounded_also_where_cells_are_wide_against_the_noise) {
  const regression_pair pair{1, 1, 0.01};
  const bits divergence =
      joint_entropy(both(5, 4), pair).joint.value - cell_width_entropy(both(5, 4), pair);
  EXPECT_GT(divergence, bits{0.5});
  EXPECT_LT(divergence, divergence_bound(both(5, 4), pair));
}

TEST(tab_approx_audit, the_pair_has_all_rows_and_knows_where_they_fail) {
  const auto fine = entropy_approximations(both(24, 8), {1, 1, 0.5});
  ASSERT_EQ(fine.size(), 4U);
  for (const approximation& one : fine) EXPECT_TRUE(one.applies()) << one.label;
  const auto coarse = entropy_approximations(both(5, 4), {1, 1, 0.01});
  for (const approximation& one : coarse) EXPECT_FALSE(one.applies()) << one.label;
}

}  // namespace
