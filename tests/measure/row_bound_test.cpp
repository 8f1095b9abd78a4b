#include "ktln2/measure/row_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint.hpp"

namespace {

using namespace ktln2;
using measure::row_bound;

double log2_times(double p) { return p * std::log2(p); }

/// Laws of a few points, each with its share of many rows: the entropy of the stored rows is
/// counted.
TEST(row_bound, holds_for_any_law) {
  std::mt19937_64 random{8};
  std::normal_distribution<double> draw{0, 3};
  for (const char* name :
       {"p1e1", "p2e2", "p4e3", "e2m1", "e4m3", "int8", "posit8", "binary6p3uf"}) {
    const storage where = parse_storage(name);
    for (int trial = 0; trial < 40; ++trial) {
      row_bound rows{{where, where}};
      std::map<std::pair<double, double>, int> seen;
      const int points = 1 + trial;
      for (int i = 0; i < points; ++i) {
        const std::vector<double> row{draw(random), std::pow(draw(random), 3)};
        const int times = 32 * (1 + i % 5);
        for (int k = 0; k < times; ++k) rows.add(row);
        const auto stored = [&](double x) {
          const auto value = where.rounded(x);
          return value ? value->to_double() : 1e300;
        };
        seen[{stored(row[0]), stored(row[1])}] += times;
      }
      double count = 0;
      for (const auto& [row, times] : seen) count += times;
      double entropy = 0;
      for (const auto& [row, times] : seen) entropy -= log2_times(times / count);
      const auto most = rows.most({std::nullopt, std::nullopt});
      ASSERT_TRUE(most);
      EXPECT_GE(most->value.value() + most->error.value() + 1e-9, entropy)
          << name << ", " << points << " points";
    }
  }
}

/// Where the law is normal and cells are fine the bound is the entropy; its interval holds it as
/// often as it says.
TEST(row_bound, is_what_normal_rows_hold) {
  const linear_model model{.w = 1.5, .sigma_x = 2, .sigma_xi = 0.5};
  const storage where = parse_storage("p16e6");
  const double truth =
      joint_entropy(storage_pair{where, where}, regression_pair{model}).joint.value.value();
  std::mt19937_64 random{9};
  std::normal_distribution<double> draw;
  int inside = 0;
  double sum = 0;
  constexpr int trials = 300;
  for (int trial = 0; trial < trials; ++trial) {
    row_bound rows{{where, where}};
    for (int i = 0; i < 200; ++i) {
      const double x = model.sigma_x * draw(random);
      rows.add({x, model.w * x + model.sigma_xi * draw(random)});
    }
    const bounded<bits> most = rows.most({std::nullopt, std::nullopt}).value();
    sum += most.value.value() - truth;
    inside += std::fabs(most.value.value() - truth) <= most.error.value() ? 1 : 0;
  }
  EXPECT_GE(inside, 0.91 * trials);
  EXPECT_LE(inside, 0.99 * trials);
  // Without its bias, which would be 3/(2n ln 2) = 0.011 bits
  EXPECT_NEAR(sum / trials, 0, 0.01);
}

/// With few rows of many registers the determinant is far too low: here it takes 1.9 bits off.
TEST(row_bound, has_no_bias_where_rows_are_few) {
  const storage where = parse_storage("p24e8");
  constexpr std::size_t m = 8;
  double truth = 0;  // independent standard normal numbers
  for (std::size_t j = 0; j < m; ++j) {
    truth += exact_entropy(float_format{24, 8}, normal{0, 1}).value.value();
  }
  std::mt19937_64 random{11};
  std::normal_distribution<double> draw;
  double sum = 0;
  double squares = 0;
  int inside = 0;
  constexpr int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    row_bound rows{std::vector<storage>(m, where)};
    std::vector<double> row(m);
    for (int i = 0; i < 20; ++i) {
      for (double& x : row) x = draw(random);
      rows.add(row);
    }
    const bounded<bits> most = rows.most(std::vector<std::optional<double>>(m)).value();
    const double off = most.value.value() - truth;
    sum += off;
    squares += off * off;
    inside += std::fabs(off) <= most.error.value() ? 1 : 0;
  }
  const double mean = sum / trials;
  EXPECT_LT(std::fabs(mean), 4 * std::sqrt((squares / trials - mean * mean) / trials));
  EXPECT_GE(inside, 0.92 * trials);
}

TEST(row_bound, knows_the_steps_in_which_numbers_were_written) {
  const storage where = parse_storage("p53e11");
  std::mt19937_64 random{10};
  std::normal_distribution<double> draw{0, 20};
  row_bound rows{{where, where}};
  std::map<int, int> seen;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double x = std::round(draw(random));
    rows.add({x, draw(random)});
    ++seen[static_cast<int>(x)];
  }
  double entropy = 0;
  for (const auto& [value, times] : seen) entropy -= log2_times(1.0 * times / n);
  const bounded<bits> fine = rows.most({std::nullopt, std::nullopt}).value();
  const bounded<bits> whole = rows.most({1.0, std::nullopt}).value();
  const bounded<bits> both = rows.most({1.0, 1e-30}).value();  // narrower than a cell
  EXPECT_EQ(both.value, whole.value);
  EXPECT_LT(whole.value.value() + 40, fine.value.value());
  // y is free of x, so that what x holds comes off
  const bounded<bits> alone = [&] {
    row_bound one{{where}};
    std::mt19937_64 again{10};
    std::normal_distribution<double> same{0, 20};
    for (int i = 0; i < n; ++i) {
      (void)same(again);
      one.add({same(again)});
    }
    return one.most({std::nullopt}).value();
  }();
  EXPECT_NEAR(whole.value.value() - alone.value.value(), entropy, 0.02);
}

TEST(row_bound, does_not_say_what_it_cannot) {
  const storage where = parse_storage("p24e8");
  row_bound rows{{where, where}};
  EXPECT_FALSE(rows.most({{}, {}}));
  rows.add({1, 2});
  rows.add({1, 2});
  EXPECT_FALSE(rows.most({{}, {}}));
  for (int i = 0; i < 998; ++i) rows.add({1, 2});
  const auto same = rows.most({{}, {}});  // always the same row: ½ log(2πe/12) a register
  ASSERT_TRUE(same);
  EXPECT_NEAR(same->value.value(), std::log2(2 * M_PI * M_E / 12), same->error.value() + 1e-12);
  EXPECT_LT(same->error.value(), 1e-4);

  row_bound far{{where, where}};  // beyond the format: unbounded cells
  for (int i = 0; i < 50; ++i) far.add({1e300 * (1 + i), -1e300});
  ASSERT_TRUE(far.most({{}, {}}));
  EXPECT_TRUE(std::isfinite(far.most({{}, {}})->value.value()));
}

}  // namespace
