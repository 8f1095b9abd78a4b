#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "box_oracle.hpp"
#include "entropy/joint_sum.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "ktln2/format/number_catalogue.hpp"
#include "message_of.hpp"
#include "random_case.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

TEST(pair_with_means, is_within_the_bars_of_the_reference_table) {
  int cases = 0;
  for (const auto& entry : reference_file("many_parameters.json")) {
    const std::string id = entry.at("id");
    if (!id.starts_with("pair-mean")) continue;
    SCOPED_TRACE(id);
    const auto& given = entry.at("params");
    const regression_pair pair{{given.at("w"), given.at("sigma_x"), given.at("sigma_xi")},
                               {given.at("mu_x"), given.at("b")}};
    const format_pair formats{{given.at("p"), given.at("E")}, {given.at("p_y"), given.at("E_y")}};
    const joint_entropies found = joint_entropy(formats, pair);
    const bounded<bits> asked = id.ends_with("HXY")  ? found.joint
                                : id.ends_with("HX") ? found.x
                                                     : found.y;
    EXPECT_NEAR(asked.value.value(), reference_value(entry),
                asked.error.value() + reference_number(entry.at("est_error")));
    EXPECT_LT(asked.error.value(), 2e-11);
    ++cases;
  }
  EXPECT_EQ(cases, 6);
}

/// Random pairs against all cells one by one.
void expect_bars_to_cover(int cases, unsigned seed, int largest_p) {
  std::mt19937_64 draw(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<>(low, high)(draw);
  };
  const auto whole = [&](int most) { return 1 + static_cast<int>(draw() % most); };
  double largest = 0;
  for (int i = 0; i < cases; ++i) {
    const int px = whole(largest_p);
    const int ex = whole(3);
    const int py = whole(largest_p);
    const int ey = whole(3);
    const double mu = i % 5 == 0 ? 0 : between(-4, 4) * std::exp(between(-1, 1));
    const double b = i % 5 == 1 ? 0 : between(-4, 4);
    const double w = (i % 2 == 0 ? -1 : 1) * std::exp(between(-2, 1.5));
    const double sigma_x = std::exp(between(-2.5, 1.5));
    const double noise = std::exp(between(-2.5, 1));
    SCOPED_TRACE("p" + std::to_string(px) + "e" + std::to_string(ex) + " p" + std::to_string(py) +
                 "e" + std::to_string(ey) + " w=" + std::to_string(w) +
                 " sigma_x=" + std::to_string(sigma_x) + " sigma_xi=" + std::to_string(noise) +
                 " mu_x=" + std::to_string(mu) + " b=" + std::to_string(b));
    const joint_entropies found =
        joint_entropy(format_pair{{px, ex}, {py, ey}}, {{w, sigma_x, noise}, {mu, b}});
    box_oracle::boxes witness({{box_oracle::edges_of(px, ex), mu, {}, sigma_x},
                               {box_oracle::edges_of(py, ey), b + w * mu, {w}, noise}});
    const double truth = witness.entropy();
    ASSERT_NEAR(witness.mass(), 1, 1e-12);
    // Each of the witness's masses is a difference of numbers with an ulp of 1.
    const double rounding = 4e-17 * std::exp2(px + ex + py + ey) + 1e-12;
    EXPECT_NEAR(found.joint.value.value(), truth, found.joint.error.value() + rounding);
    EXPECT_LT(found.joint.error.value(), 1e-10);
    largest = std::max(largest, std::fabs(found.joint.value.value() - truth) /
                                    (found.joint.error.value() + rounding));
  }
  std::printf("largest difference: %.3f of the bar\n", largest);
}

TEST(pair_with_means, agrees_with_all_cells_one_by_one) { expect_bars_to_cover(20, 3, 3); }

TEST(pair_with_means_campaign, agrees_with_all_cells_one_by_one) {
  expect_bars_to_cover(1000, static_cast<unsigned>(from_environment("KTLN2_HONESTY_SEED", 4)), 5);
}

/// The centered pair goes another way, by halves; a mean that no cell notices must not matter.
TEST(pair_with_means, a_mean_of_almost_nothing_changes_nothing) {
  for (const double noise : {0.05, 3.0}) {
    for (const auto& formats : {format_pair{{3, 3}, {5, 4}}, format_pair{{24, 8}, {11, 5}}}) {
      const linear_model model{-1.7, 0.8, noise};
      const joint_entropies by_halves = joint_entropy(formats, regression_pair{model});
      const joint_entropies whole =
          joint_entropy(formats, regression_pair{model, {1e-300, -1e-301}});
      EXPECT_TRUE(overlap(by_halves.joint, whole.joint))
          << by_halves.joint.value.value() << " and " << whole.joint.value.value();
      EXPECT_TRUE(overlap(by_halves.conditional, whole.conditional));
    }
  }
}

/// Of a format with one zero the halves are put together; with means its cells are taken as they
/// are.
TEST(pair_with_means, zeros_of_real_formats_are_counted_once) {
  for (const char* name : {"e4m3", "bfloat16", "posit8"}) {
    const storage where = parse_storage(name);
    const linear_model model{1.5, 0.01, 0.004};
    const joint_entropies by_halves = joint_entropy({where, where}, regression_pair{model});
    const joint_entropies whole =
        joint_entropy({where, where}, regression_pair{model, {1e-300, 0}});
    EXPECT_TRUE(overlap(by_halves.joint, whole.joint))
        << name << ": " << by_halves.joint.value.value() << " and " << whole.joint.value.value();
  }
}

/// Both sums have the same truth, whichever register has the rows.
TEST(pair_with_means, names_may_be_exchanged) {
  const regression_pair pair{{0.7, 1.25, 0.5}, {3, -2}};
  const format_pair formats{{8, 5}, {6, 4}};
  const joint_entropies found = joint_entropy(formats, pair);
  const joint_entropies back = joint_entropy(format_pair{formats.y, formats.x}, pair.exchanged());
  EXPECT_NEAR(found.joint.value.value(), back.joint.value.value(),
              (found.joint.error + back.joint.error).value() + 1e-14);
}

struct sums {
  bounded<bits> by_x;
  bounded<bits> by_y;
};

/// The joint entropy by rows that are cells of X, and by rows that are cells of Y.
sums both_sums(const partition& x_cells, const partition& y_cells, const regression_pair& pair) {
  return {exact_entropy(x_cells, pair.x()) +
              joint_sum(x_cells, y_cells, noisy_line::by_x(pair), 7e-12, {}).compute(),
          exact_entropy(y_cells, pair.y()) +
              joint_sum(y_cells, x_cells, noisy_line::by_y(pair), 7e-12, {}).compute()};
}

/// Of any size, precision and place.
void expect_both_sums_to_agree(int cases, unsigned seed) {
  std::mt19937_64 draw(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<>(low, high)(draw);
  };
  const auto any_format = [&] {
    const int p = 2 + static_cast<int>(draw() % 24);
    return float_format{p, 3 + static_cast<int>(draw() % 6)};
  };
  double largest = 0;
  for (int i = 0; i < cases; ++i) {
    const partition x_cells{any_format()};
    const partition y_cells{any_format()};
    const double sigma_x = std::exp(between(-4, 4));
    const double w = (i % 2 == 0 ? 1 : -1) * std::exp(between(-3, 3));
    const double noise = std::fabs(w) * sigma_x * std::exp(between(-7, 3));
    const double mu = sigma_x * between(-1, 1) * std::exp(between(-2, 8));
    const double b = i % 3 == 0 ? 0 : noise * between(-1, 1) * std::exp(between(-2, 8));
    const regression_pair pair{{w, sigma_x, noise}, {mu, b}};
    const auto [by_x, by_y] = both_sums(x_cells, y_cells, pair);
    // pair.y() has the nearest double for its mean.
    const double moved = std::fabs(ratio(pair.mean_of_y() - pair.y().location(), pair.sigma_y()));
    const double slack = moved > 0 ? moved * (60 - std::log2(moved)) : 0;
    EXPECT_NEAR(by_x.value.value(), by_y.value.value(),
                (by_x.error + by_y.error).value() + slack + 1e-13)
        << "case " << i;
    largest = std::max(largest, std::fabs((by_x.value - by_y.value).value()) /
                                    ((by_x.error + by_y.error).value() + slack + 1e-13));
  }
  std::printf("largest difference: %.3f of the bars\n", largest);
}

TEST(pair_with_means, both_sums_agree) { expect_both_sums_to_agree(8, 1); }

// KTLN2_HONESTY_SEED=… draws others.
TEST(pair_with_means_campaign, both_sums_agree) {
  expect_both_sums_to_agree(500, static_cast<unsigned>(from_environment("KTLN2_HONESTY_SEED", 2)));
}

struct known_pair {
  const char* what;
  format_pair formats;
  regression_pair pair;
  double truth;  ///< all cells, or all rows, one by one in quadruple precision
};

/// What a random campaign found, each a mistake of its own.
TEST(pair_with_means, rows_are_summed_in_steps_that_their_law_can_bear) {
  const std::vector<known_pair> cases{
      {"one row of 24 deviations, cells of Y that are coarse against the noise",
       {{25, 4}, {11, 8}},
       {{-10.447748923456569, 17.145844954244186, 18.708886666391187}, {-14407.894464459014, 0}},
       2.5695673604887508},
      {"many rows from the mean on in one run, cells of X that are coarse",
       {{4, 8}, {18, 7}},
       {{1.1185947002330796, 20.386174277907347, 10.360423415436925},
        {-1369.723834392757, -6.4342282651719795}},
       13.888389780824361},
      {"cells of Y of 0.746 deviations and rows that smear",
       {{5, 5}, {7, 5}},
       {{0.132234434944, 0.29280659849328783, 0.0026169790696878872},
        {-0.97384335469124739, 0.026773061678850678}},
       8.5581958107489733},
  };
  for (const known_pair& one : cases) {
    SCOPED_TRACE(one.what);
    const partition x_cells{one.formats.x};
    const partition y_cells{one.formats.y};
    const auto [by_x, by_y] = both_sums(x_cells, y_cells, one.pair);
    for (const bounded<bits>& sum : {by_x, by_y}) {
      EXPECT_NEAR(sum.value.value(), one.truth, sum.error.value() + 1e-14);
      EXPECT_LT(sum.error.value(), 2e-12);
    }
  }
}

/// The mean of Y on the edge of a cell, or next to it, and far beyond what Y varies: 10^9 to 10^15
/// deviations, so that a double in units of the noise does not tell rows from each other.
void expect_sums_to_agree_far_out(int cases, unsigned seed) {
  std::mt19937_64 draw(seed);
  const auto whole = [&](int low, int high) {
    return low + static_cast<int>(draw() % static_cast<unsigned>(high - low + 1));
  };
  for (int i = 0; i < cases; ++i) {
    const float_format x{whole(1, 6), whole(2, 5)};
    const float_format y{whole(1, 6), whole(3, 5)};
    // Few digits: all of them together fit into a double, and the mean of Y is exact.
    const double w = (i % 2 == 0 ? 1 : -1) * std::ldexp(whole(1, 7), -whole(28, 42));
    const double mu = whole(-3, 3) / 4.0;
    const double sigma_x = std::ldexp(whole(1, 7), -whole(0, 4));
    const double noise = std::fabs(w) * sigma_x * std::ldexp(1, -whole(-2, 30));
    const partition y_cells{y};
    const cell_run cell = y_cells.cell_of(std::ldexp(whole(8, 15), whole(-4, 2)), 1);
    const double b = (cell.left + wide(i % 3 == 0 ? 0 : -w * mu)).to_double();
    const regression_pair pair{{w, sigma_x, noise}, {mu, b}};
    ASSERT_EQ(pair.mean_of_y(), wide(pair.y().location())) << "case " << i;
    const partition x_cells{x};
    const auto [by_x, by_y] = both_sums(x_cells, y_cells, pair);
    const auto parameters = [&] {
      char text[200];
      std::snprintf(text, sizeof text, "%s %s w=%a sigma_x=%a sigma_xi=%a mu_x=%a b=%a, case %d",
                    x.name().c_str(), y.name().c_str(), w, sigma_x, noise, mu, b, i);
      return std::string(text);
    };
    EXPECT_NEAR(by_x.value.value(), by_y.value.value(), (by_x.error + by_y.error).value() + 1e-13)
        << parameters();
    EXPECT_LT(std::min(by_x.error, by_y.error), bits{1e-10}) << parameters();
  }
}

TEST(pair_with_means, both_sums_agree_far_out) { expect_sums_to_agree_far_out(20, 1); }

TEST(pair_with_means_campaign, both_sums_agree_far_out) {
  expect_sums_to_agree_far_out(500,
                               static_cast<unsigned>(from_environment("KTLN2_HONESTY_SEED", 2)));
}

/// Truths by nested quadrature, cell by cell, in quadruple precision, as far as their decimals go.
TEST(pair_with_means, edges_that_no_double_tells_are_kept_apart) {
  struct rounded_pair {
    known_pair known;
    int decimals;
  };
  const std::vector<rounded_pair> cases{
      {{"E = 0: edges rounded in two ways",
        {{4, 0}, {4, 0}},
        {{1, 0.25, 0.01}, {1.9445, 0}},
        2.84578122},
       8},
      {{"E = 0, another register for Y",
        {{4, 0}, {5, 2}},
        {{-0.3333333333333333, 1, 0.003}, {-1.94, 0}},
        4.23348},
       5},
      {{"the mean of Y on an edge, 2e15 deviations from 0",
        {{3, 5}, {3, 5}},
        {{-1.2220365749480102e-13, 0.05064709932922226, 1.831491829056558e-23},
         {5.7220458984375e-05, 11}},
        5.483078},
       6},
      {{"next to an edge",
        {{3, 4}, {3, 4}},
        {{-5.252711170852177e-13, 0.015926150418565956, 4.043982921156653e-21},
         {0.03611717107216314, -87.99999999999999}},
        3.529},
       3},
      {{"next to an edge, less far out",
        {{3, 5}, {3, 5}},
        {{-1e-8, 1, 2.6334156705072945e-15}, {0.708178330816415, -26623.999999999996}},
        5.152281},
       6}};
  for (const auto& [one, decimals] : cases) {
    SCOPED_TRACE(one.what);
    const joint_entropies found = joint_entropy(one.formats, one.pair);
    EXPECT_NEAR(found.joint.value.value(), one.truth,
                std::pow(10, -decimals) / 2 + found.joint.error.value());
    EXPECT_LT(found.joint.error.value(), 2e-12);
    EXPECT_GE(found.conditional.value.value(), -found.conditional.error.value());
  }
}

/// A law that is narrower than the last digit of its mean.
TEST(pair_with_means, no_error_is_negative_however_far_out) {
  for (const double b : {0.3, 100.3}) {
    const joint_entropies found =
        joint_entropy(format_pair{{3, 3}, {3, 3}}, {{1e-8, 1e-12, 1e-20}, {0.7, b}});
    for (const bounded<bits>& one : {found.joint, found.x, found.y, found.conditional}) {
      EXPECT_GE(one.error, bits{0}) << b;
      EXPECT_LE(one.error, bits{6}) << b;
    }
  }
}

TEST(pair_with_means, far_from_zero_a_register_holds_what_its_cells_leave) {
  // Around 1000 the cells of p24 are 2^-14 wide: H = h - log of both widths, to 1e-9.
  const regression_pair pair{{1, 1, 1}, {700, 0}};
  const joint_entropies found = joint_entropy(format_pair{{24, 8}, {24, 8}}, pair);
  const double h = differential_entropy(pair).value();
  EXPECT_NEAR(found.joint.value.value(), h + 28, 1e-8);
}

/// In the last binade that the noise reaches, on both sides of it.
TEST(pair_with_means, has_the_entropy_of_the_identity_in_any_binade) {
  for (const double mu : {-3000.0, -300.0, 20.0, 700.0}) {
    const regression_pair pair{{1, 1, 1}, {mu, 0}};
    const joint_entropies found = joint_entropy(format_pair{{16, 8}, {16, 8}}, pair);
    // One binade, but for mu = 20, whose neighbors are 4 and 2.8 deviations away.
    if (std::fabs(mu) < 100) {
      EXPECT_GT(found.joint.value.value(), 25.9);
      continue;
    }
    const double log_width = std::floor(std::log2(std::fabs(mu))) - 15;
    const double h = differential_entropy(pair).value();
    EXPECT_NEAR(found.joint.value.value(), h - 2 * log_width, 1e-3) << mu;
  }
}

TEST(pair_with_means, the_papers_formulas_refuse_it) {
  const regression_pair pair{{1, 1, 1}, {2, 0.5}};
  EXPECT_EQ(message_of([&] { smooth_joint_entropy(8, 8, pair); }),
            "approximations: a pair must have mu_x = b = 0, got mu_x = 2, b = 0.5");
}

}  // namespace
