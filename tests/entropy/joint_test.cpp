#include "ktln2/entropy/joint.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <sstream>

#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "message_of.hpp"
#include "oracle/pair.hpp"
#include "random_case.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

format_pair both(int p, int exponent_bits) { return {{p, exponent_bits}, {p, exponent_bits}}; }

format_pair formats_of(const nlohmann::json& parameters) {
  if (parameters.contains("p")) return both(parameters.at("p"), parameters.at("E"));
  return {{parameters.at("px"), parameters.at("Ex")}, {parameters.at("py"), parameters.at("Ey")}};
}

regression_pair pair_of(const nlohmann::json& parameters) {
  return {reference_number(parameters.at("w")), reference_number(parameters.at("sigx")),
          reference_number(parameters.at("sigxi"))};
}

double distance(bounded<bits> value, double truth) {
  return std::fabs(value.value.value() - truth);
}

class reference_table : public testing::TestWithParam<const char*> {};

TEST_P(reference_table, is_within_the_bars) {
  for (const auto& entry : reference_file(GetParam())) {
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const auto& parameters = entry.at("params");
    const bounded<bits> h = joint_entropy(formats_of(parameters), pair_of(parameters)).joint;
    // The decimal of the reference is read with a rounding error of its own.
    EXPECT_LE(distance(h, reference_value(entry)), h.error.value() + 0x1p-52 * h.value.value());
    EXPECT_LE(h.error, 10 * default_joint_tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(cor_joint_ent, reference_table, testing::Values("joint.json"));
INSTANTIATE_TEST_SUITE_P(cor_joint_ent_campaign, reference_table,
                         testing::Values("joint_more.json"));

TEST(cor_joint_ent, single_precision_registers_at_low_and_at_high_noise) {
  // By quadrature and by the identity, elsewhere; known to half a unit of the last digit.
  const bounded<bits> high = joint_entropy(both(24, 8), {1, 1, 1}).joint;
  EXPECT_LE(distance(high, 52.426937662714), high.error.value() + 0.5e-12);
  const bounded<bits> low = joint_entropy(both(24, 8), {1, 1, 0.01}).joint;
  EXPECT_LE(distance(low, 46.28353954744), low.error.value() + 0.5e-11);
}

TEST(cor_joint_ent, independent_registers_add_up) {
  const format_pair formats{{11, 5}, {24, 8}};
  const joint_entropies h = joint_entropy(formats, {0, 2, 0.3});
  const bounded<bits> sum =
      exact_entropy(formats.x, normal{0, 2}) + exact_entropy(formats.y, normal{0, 0.3});
  EXPECT_EQ(h.joint.value, sum.value);
  EXPECT_EQ(h.mutual_information.value, bits{0});
  EXPECT_EQ(h.conditional.value, h.y.value);
}

// Two independent roads: rows of Gram sums, and Approximation 1 with the leading order of D.
TEST(eq_exact_identity_campaign, agrees_with_the_rows_for_fine_cells) {
  for (const double noise : {10.0, 1.0, 0.03, 1e-5}) {
    for (const int p : {12, 17, 24, 53}) {
      SCOPED_TRACE(testing::Message() << "p = " << p << ", sigma_xi = " << noise);
      const regression_pair pair{-1.3, 0.7, noise};
      const format_pair formats{{p, 8}, {p + 1, 9}};
      const bounded<bits> identity = joint_entropy_by_identity(formats, pair);
      const bounded<bits> rows = joint_entropy(formats, pair).joint;
      if (identity.error > bits{1e-3}) continue;  // no road where cells are coarse
      EXPECT_TRUE(overlap(rows, identity))
          << rows.value.value() << " and " << identity.value.value();
      EXPECT_LE(rows.error, 10 * default_joint_tolerance);
    }
  }
}

// The same sum by columns instead of rows.
TEST(cor_joint_ent_campaign, exchanging_the_names_changes_nothing) {
  const auto check = [](const format_pair& formats, const regression_pair& pair) {
    const joint_entropies h = joint_entropy(formats, pair);
    const joint_entropies exchanged = joint_entropy({formats.y, formats.x}, pair.exchanged());
    EXPECT_TRUE(overlap(h.joint, exchanged.joint))
        << h.joint.value.value() << " and " << exchanged.joint.value.value();
    EXPECT_TRUE(overlap(h.x, exchanged.y));
    EXPECT_TRUE(overlap(h.mutual_information, exchanged.mutual_information));
    EXPECT_LE(h.joint.error, bits{1e-9});
  };
  check(both(24, 8), {1.1, 1, 1e-5});
  check(both(18, 6), {1.1, 1, 1e-6});  // coarse, many rows
  check(both(7, 4), {-0.7, 2, 0.01});  // coarse, few rows
  check({{5, 5}, {20, 8}}, {3, 1, 1e-3});
  check({{24, 2}, {24, 2}}, {1, 10, 0.01});  // clipping
}

RC_GTEST_PROP(joint_properties_campaign,
              two_registers_hold_no_more_than_both_and_no_less_than_either, ()) {
  const auto whole = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  const format_pair formats{{whole(1, 12), whole(0, 6)}, {whole(1, 12), whole(0, 6)}};
  const regression_pair pair{whole(-40, 40) / 8.0, std::exp2(whole(-2, 2)),
                             std::exp2(-whole(-3, 10))};
  const joint_entropies h = joint_entropy(formats, pair);
  const double slack = (h.joint.error + h.x.error + h.y.error).value();
  RC_ASSERT(h.joint.value.value() <= (h.x.value + h.y.value).value() + slack);
  RC_ASSERT(h.joint.value.value() >= std::fmax(h.x.value.value(), h.y.value.value()) - slack);
}

TEST(joint_properties_campaign, the_sign_of_w_and_powers_of_two_do_not_matter) {
  for (const int p : {3, 9, 24}) {
    const joint_entropies h = joint_entropy(both(p, 8), {1.3, 1, 0.01});
    EXPECT_TRUE(overlap(h.joint, joint_entropy(both(p, 8), {-1.3, 1, 0.01}).joint));
    EXPECT_TRUE(overlap(h.joint, joint_entropy(both(p, 8), {1.3, 8, 0.08}).joint));
    EXPECT_TRUE(overlap(h.joint, joint_entropy(both(p, 8), {1.3 / 16, 1, 0.01 / 16}).joint));
  }
}

// No channel carries more than its input: the registers share no more than the continuous pair.
TEST(joint_properties_campaign, registers_share_at_most_what_the_continuous_variables_share) {
  for (const double noise : {4.0, 0.5, 0.01, 1e-4}) {
    for (const int p : {1, 2, 5, 8, 24}) {
      const regression_pair pair{1, 1, noise};
      const bounded<bits> shared = joint_entropy(both(p, 5), pair).mutual_information;
      EXPECT_LE(shared.value - shared.error, mutual_information(pair));
    }
  }
}

// With a loose tolerance the engine samples rows; its bar must cover that.
TEST(joint_honesty_campaign, a_sample_of_rows_comes_with_a_wider_bar) {
  const regression_pair pair{1.1, 1, 1e-7};
  const bounded<bits> all = joint_entropy(both(20, 8), pair).joint;
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    const bounded<bits> sampled = joint_entropy(both(20, 8), pair, bits{tolerance}).joint;
    EXPECT_TRUE(overlap(all, sampled)) << tolerance;
  }
  EXPECT_LE(all.error, bits{1e-9});
}

TEST(joint_honesty_campaign, a_bar_covers_the_oracle) {
  const int cases = from_environment("KTLN2_JOINT_CASES", 60);
  random_numbers random(static_cast<unsigned>(from_environment("KTLN2_HONESTY_SEED", 5)));
  for (int i = 0; i < cases; ++i) {
    const int px = random.whole(1, 4);
    const int ex = random.whole(0, 4);
    const int py = random.whole(1, 4);
    const int ey = random.whole(0, 4);
    const double w = (random.chance(0.5) ? -1 : 1) * std::exp(6 * random.unit() - 3);
    const double sigma_x = std::exp(10 * random.unit() - 7);
    const double noise = std::fabs(w) * sigma_x * std::exp(-30 * random.unit() * random.unit() + 4);
    std::ostringstream name;
    name << "p" << px << "e" << ex << " p" << py << "e" << ey << " w=" << std::hexfloat << w
         << " sigma_x=" << sigma_x << " sigma_xi=" << noise;
    SCOPED_TRACE(name.str());
    const oracle_pair_result truth = oracle_pair_entropy(px, ex, py, ey, {w, sigma_x, noise});
    const joint_entropies h = joint_entropy({{px, ex}, {py, ey}}, {w, sigma_x, noise});
    EXPECT_LE(distance(h.joint, static_cast<double>(truth.joint.value)),
              h.joint.error.value() + static_cast<double>(truth.joint.error));
    EXPECT_LE(h.joint.error, 10 * default_joint_tolerance);
  }
}

TEST(joint_errors, a_tolerance_must_be_positive_and_at_most_a_bit) {
  for (const double bad : {0.0, -1.0, 2.0, std::nan("")}) {
    EXPECT_THROW(joint_entropy(both(4, 4), {1, 1, 1}, bits{bad}), std::domain_error);
  }
  EXPECT_EQ(message_of([] {
              joint_entropy(both(4, 4), {1, 1, 1}, bits{2});
            }),
            "joint entropy: tolerance must be > 0 and at most 1 bit, got 2");
}

}  // namespace
