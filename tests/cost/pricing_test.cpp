#include "ktln2/cost/pricing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint_approximations.hpp"

namespace {

using namespace ktln2;

const approximation& labeled(const std::vector<approximation>& all, std::string_view label) {
  return *std::find_if(all.begin(), all.end(),
                       [&](const approximation& one) { return one.label == label; });
}

TEST(entropy_of, is_exact_or_the_closed_form_around_the_mean) {
  const float_format format{11, 5};
  const law offset = normal{3, 0.1};
  EXPECT_EQ(entropy_of(format, offset, entropy_kind::exact).value,
            exact_entropy(format, offset).value);
  EXPECT_EQ(entropy_of(format, offset, entropy_kind::smooth).value,
            smooth_entropy_offset(11, offset).value());
  const law around_zero = normal{0, 0.1};
  EXPECT_EQ(entropy_of(format, around_zero, entropy_kind::smooth).value,
            smooth_entropy(11, around_zero));
}

TEST(entropy_of, a_pair_is_exact_or_the_theorem) {
  const format_pair formats{{8, 5}, {11, 5}};
  const regression_pair pair{linear_model{.w = 2, .sigma_xi = 0.5}};
  EXPECT_EQ(entropy_of(formats, pair, entropy_kind::exact).value,
            joint_entropy(formats, pair).joint.value);
  EXPECT_EQ(entropy_of(formats, pair, entropy_kind::smooth).value,
            smooth_joint_entropy(8, 11, pair));
}

TEST(entropy_of, the_bar_of_a_closed_form_is_its_rounding) {
  const bounded<bits> h =
      entropy_of(float_format{24, 8}, law{normal{3, 0.1}}, entropy_kind::smooth);
  EXPECT_EQ(h.error.value(), 64 * 0x1p-53 * (h.value.value() + 1));
  EXPECT_EQ(
      entropy_of(float_format{24, 8}, law{normal{3, 0.1}}, entropy_kind::smooth, {.units = 16})
          .error.value(),
      16 * 0x1p-53 * (h.value.value() + 1));
}

/// The same verdicts as in the list of all approximations.
TEST(judged_entropy, is_what_the_ladder_says_of_the_form_that_was_taken) {
  int yes = 0;
  int no = 0;
  for (const float_format format : {float_format{2, 4}, {11, 5}, {24, 8}}) {
    for (const law& x : {law{normal{3, 0.1}}, law{normal{3, 1}}, law{normal{0, 1}},
                         law{normal{0, 1e6}}, law{student_t{4, 1, 0.01}}}) {
      const bool is_around_zero = !smooth_entropy_offset(format.p(), x);
      const char* label = is_around_zero ? "eq:first_two_approx" : "eq:three_approxes";
      const approximation expected = labeled(entropy_approximations(format, x), label);
      const judged_entropy smooth = judged_entropy_of(format, x, entropy_kind::smooth);
      EXPECT_EQ(smooth.applies, expected.applies());
      EXPECT_EQ(smooth.entropy.error, expected.at_most);
      const judged_entropy exact = judged_entropy_of(format, x, entropy_kind::exact);
      EXPECT_TRUE(exact.applies);
      EXPECT_TRUE(overlap(smooth.entropy, exact.entropy));
      ++(expected.applies() ? yes : no);
    }
    const format_pair formats{format, format};
    const regression_pair pair{linear_model{}};
    EXPECT_EQ(judged_entropy_of(formats, pair, entropy_kind::smooth).applies,
              labeled(entropy_approximations(formats, pair), "eq:approx_joint_ent_SNR").applies());
  }
  EXPECT_GT(yes, 3);
  EXPECT_GT(no, 3);
}

}  // namespace
