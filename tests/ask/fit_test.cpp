// A line through a user's points: against certified values, against what the points were made of,
// and its bill against that of the same problem asked for by its parameters.
#include "ask/fit.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "ask/cost.hpp"
#include "ask/line_fit.hpp"
#include "ask/scaling.hpp"
#include "ktln2/cost/pricing.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

namespace {

using namespace ktln2;
using ask::line_fit;

using point_list = std::vector<std::pair<double, double>>;

line_fit fitted(const point_list& points, bool has_intercept, bool can_read_again = true) {
  return ask::fit_line(
      [&](const auto& f) {
        for (const auto& [x, y] : points) f(x, y);
      },
      has_intercept, can_read_again);
}

/// The reference data sets of NIST, with their certified values.
TEST(line_fit, has_the_certified_values) {
  point_list first;
  for (int i = 0; i <= 10; ++i) first.emplace_back(60 + i, 130 + i);
  for (const bool twice : {false, true}) {
    const line_fit no_intercept_1 = fitted(first, false, twice);
    EXPECT_NEAR(no_intercept_1.model.w, 2.07438016528926, 1e-13);
    EXPECT_NEAR(no_intercept_1.errors.w, 0.165289256198347e-01, 1e-13);
    EXPECT_NEAR(no_intercept_1.model.sigma_xi, 3.56753034006338, 1e-12);
    const line_fit no_intercept_2 = fitted({{4, 3}, {5, 4}, {6, 4}}, false, twice);
    EXPECT_NEAR(no_intercept_2.model.w, 0.727272727272727, 1e-14);
    EXPECT_NEAR(no_intercept_2.errors.w, 0.420827318078432e-01, 1e-14);
    EXPECT_NEAR(no_intercept_2.model.sigma_xi, 0.369274472937998, 1e-14);
    const line_fit norris =
        fitted({{0.2, 0.1},     {337.4, 338.8}, {118.2, 118.1}, {884.6, 888.0}, {10.1, 9.2},
                {226.5, 228.1}, {666.3, 668.5}, {996.3, 998.5}, {448.6, 449.1}, {777.0, 778.9},
                {558.2, 559.2}, {0.4, 0.3},     {0.6, 0.1},     {775.5, 778.1}, {666.9, 668.8},
                {338.0, 339.3}, {447.5, 448.9}, {11.6, 10.8},   {556.0, 557.7}, {228.1, 228.3},
                {995.8, 998.0}, {887.6, 888.8}, {120.2, 119.6}, {0.3, 0.3},     {0.3, 0.6},
                {556.8, 557.6}, {339.1, 339.3}, {887.2, 888.0}, {999.0, 998.5}, {779.0, 778.9},
                {11.1, 10.2},   {118.3, 117.6}, {229.2, 228.9}, {669.1, 668.4}, {448.9, 449.2},
                {0.5, 0.2}},
               true, twice);
    EXPECT_NEAR(norris.model.w, 1.00211681802045, 1e-13);
    EXPECT_NEAR(norris.intercept, -0.262323073774029, 1e-12);
    EXPECT_NEAR(norris.errors.w, 0.429796848199937e-03, 1e-14);
    EXPECT_NEAR(norris.intercept_error, 0.232818234301152, 1e-12);
    EXPECT_NEAR(norris.model.sigma_xi, 0.884796396144373, 1e-11);
  }
}

/// Normal points, and such with noise of heavy tails.
point_list drawn(std::mt19937_64& random, const linear_model& model, int n, bool has_tails) {
  std::normal_distribution<double> standard;
  point_list points;
  for (int i = 0; i < n; ++i) {
    const double x = model.sigma_x * standard(random);
    // Variance 1, kurtosis 9.75
    const double size = !has_tails ? 1 : random() % 5 == 0 ? 2 : 0.5;
    points.emplace_back(x, model.w * x + model.sigma_xi * size * standard(random));
  }
  return points;
}

TEST(line_fit, does_not_lose_digits_far_from_zero) {
  point_list points;
  for (int i = 0; i < 1000; ++i) points.emplace_back(1e9 + i, 1e9 + 3 * i + (i % 2 == 0 ? 1 : -1));
  const line_fit made = fitted(points, true);
  EXPECT_NEAR(made.model.w, 3, 1e-5);
  EXPECT_NEAR(made.model.sigma_xi, std::sqrt(1000.0 / 998), 1e-5);
}

/// x = m - 50, …, m + 50: the mean of x² and its variance are known.
TEST(line_fit, knows_the_error_of_sigma_x_far_from_zero) {
  constexpr double n = 101;
  constexpr double second = (n * n - 1) / 12;  // moments about m
  constexpr double fourth = (n * n - 1) * (3 * n * n - 7) / 240;
  for (const double m : {0.0, 1e3, 1e6, 1e9, 1e12}) {
    point_list points;
    for (int i = -50; i <= 50; ++i) points.emplace_back(m + i, m + i + (i % 2 == 0 ? 1 : -1));
    const double square = m * m + second;
    const double variance = 4 * m * m * second + fourth - second * second;
    const line_fit made = fitted(points, false);
    // Of u² - c² = (u - c)(u + c) each has 64 bits, with u - c of 10⁻¹⁰ c here.
    EXPECT_NEAR(made.errors.sigma_x / (std::sqrt(variance / square / n) / 2), 1, 1e-8) << m;
    const double normal_one = 2 * second * (second + 2 * m * m);
    EXPECT_NEAR(
        fitted(points, false, false).errors.sigma_x / (std::sqrt(normal_one / square / n) / 2), 1,
        1e-12)
        << m;
  }
}

TEST(line_fit, knows_noise_far_from_zero_at_one_reading) {
  std::mt19937_64 random{13};
  point_list points = drawn(random, {2, 1, 1}, 300, false);
  for (auto& [x, y] : points) {
    x += 1e9;
    y += 2e9;
  }
  const double twice = fitted(points, false).model.sigma_xi;
  EXPECT_NEAR(fitted(points, false, false).model.sigma_xi / twice, 1, 1e-6);
}

/// y = m + noise that x says nothing of: the residuals are as far from 0.
TEST(line_fit, knows_the_shape_of_residuals_far_from_zero) {
  std::mt19937_64 random{14};
  const point_list near = drawn(random, {0, 1, 1}, 200, false);
  point_list far;
  for (const auto& [x, y] : near) {
    for (const double sign : {-1.0, 1.0}) far.emplace_back(sign, 1e9 + std::round(1024 * y) / 1024);
  }
  point_list centered = far;
  for (auto& [x, y] : centered) y -= 1e9;
  const auto residuals = fitted(far, false).residuals;
  const auto expected = fitted(centered, false).residuals;
  EXPECT_NEAR(residuals->skewness, expected->skewness, 1e-7);
  EXPECT_NEAR(residuals->kurtosis, expected->kurtosis, 1e-7);
}

TEST(line_fit, says_where_there_is_no_line) {
  EXPECT_EQ(message_of([] {
              (void)fitted({{1, 1}, {2, 2}}, false);
            }),
            "expected at least 3 rows with both numbers, got 2");
  EXPECT_EQ(message_of([] {
              (void)fitted({{0, 1}, {0, 2}, {0, 3}}, false);
            }),
            "x is 0 in every row, so there is no slope");
  EXPECT_EQ(message_of([] {
              (void)fitted({{5, 1}, {5, 2}, {5, 3}}, true);
            }),
            "x is the same in every row, so there is no slope");
  for (const bool twice : {false, true}) {
    EXPECT_EQ(message_of([&] {
                (void)fitted({{1, 2}, {2, 4}, {3, 6}}, false, twice);
              }),
              "the points lie on a line, so their noise cannot be estimated");
  }
  EXPECT_EQ(message_of([] {
              (void)fitted({{1e200, 2}, {2, 4}, {3, 7}}, false);
            }),
            "the squares of the numbers are beyond the range of double precision");
}

/// Twice the standard error holds the truth in about 95 %, in no fewer than 92 % of 1000 tables.
TEST(line_fit, covers_what_the_points_were_made_of) {
  std::mt19937_64 random{15};
  for (const bool has_tails : {false, true}) {
    const linear_model truth{1.5, 2, 0.7};
    const double snr = std::pow(truth.w * truth.sigma_x / truth.sigma_xi, 2);
    int w = 0;
    int robust = 0;
    int sigma_x = 0;
    int sigma_xi = 0;
    int signal = 0;
    constexpr int tables = 1000;
    for (int i = 0; i < tables; ++i) {
      const line_fit made = fitted(drawn(random, truth, 500, has_tails), i % 2 == 0);
      w += std::fabs(made.model.w - truth.w) < 2 * made.errors.w ? 1 : 0;
      robust += std::fabs(made.model.w - truth.w) < 2 * *made.robust_error ? 1 : 0;
      sigma_x += std::fabs(made.model.sigma_x - truth.sigma_x) < 2 * made.errors.sigma_x ? 1 : 0;
      sigma_xi +=
          std::fabs(made.model.sigma_xi - truth.sigma_xi) < 2 * made.errors.sigma_xi ? 1 : 0;
      signal += std::fabs(made.snr - snr) < 2 * made.snr_error ? 1 : 0;
    }
    for (const int count : {w, robust, sigma_x, sigma_xi, signal}) {
      EXPECT_GT(count, 0.92 * tables) << has_tails;
      EXPECT_LT(count, 0.985 * tables) << has_tails;
    }
  }
}

TEST(line_fit, knows_noise_without_signal) {
  std::mt19937_64 random{16};
  double sum = 0;
  constexpr int tables = 2000;
  for (int i = 0; i < tables; ++i) {
    const line_fit made = fitted(drawn(random, {0, 1, 1}, 100, false), false);
    sum += std::pow(made.model.w * made.model.sigma_x / made.model.sigma_xi, 2) - 1 / made.n;
    EXPECT_GE(made.snr, 0);
  }
  // Each has the deviation √2/n.
  EXPECT_NEAR(sum / tables, 0, 4 * std::sqrt(2.0 / tables) / 100);
}

/// A table in a file that goes with the test.
class fit : public testing::Test {
 protected:
  [[nodiscard]] ask::fit_answer solved(const point_list& points,
                                       std::map<std::string, std::string> options = {},
                                       const std::string& more = "") const {
    std::ofstream file(path_);
    file.precision(17);
    file << "height,weight\n";
    for (const auto& [x, y] : points) file << x << ',' << y << '\n';
    file << more;
    file.close();
    ask::words asked{.command = "fit"};
    asked.set("file", path_);
    asked.set("x", "height");
    asked.set("y", "weight");
    for (const auto& [name, value] : options) asked.set(name, value);
    return ask::solve(ask::read_fit(asked));
  }
  scratch folder_;
  std::string path_ = folder_.path("table.csv");
};

TEST_F(fit, has_the_bill_of_its_estimates) {
  std::mt19937_64 random{17};
  const ask::fit_answer made = solved(drawn(random, {1.5, 2, 0.7}, 1000, false),
                                      {{"format", "p11e5"}, {"batch", "20"}, {"eta", "0.05"}});
  const linear_model& model = made.line.model;
  const register_formats formats = one_format(float_format{11, 5});
  const auto exact =
      ask::solve(ask::cost_question{"exact", formats, ask::regression_task{model, 1000}});
  EXPECT_EQ(made.exact.erased().value.value(), exact.erased().value.value());
  const auto sgd = ask::solve(ask::cost_question{
      "sgd", formats, ask::sgd_task{model, {.eta = 0.05, .batch = 20, .w0 = 0}, 50}});
  EXPECT_EQ(made.sgd.erased().value.value(), sgd.erased().value.value());
  EXPECT_TRUE(made.warnings().empty());
  const auto all = made.report().all();
  for (const char* part : {"estimates", "errors", "snr", "bits", "joules", "advice"}) {
    EXPECT_TRUE(all.contains(part)) << part;
  }
  EXPECT_TRUE(all.at("advice").is_null());
}

/// An intercept takes one point's worth of the slope's law, and holds no bits of this bill.
TEST_F(fit, has_the_bill_of_the_law_that_it_shows) {
  std::mt19937_64 random{31};
  for (const bool has_intercept : {false, true}) {
    std::map<std::string, std::string> options;
    if (has_intercept) options["intercept"] = "";
    const ask::fit_answer made = solved(drawn(random, {2, 1, 1}, 6, false), options);
    const bounded<bits> held =
        entropy_of(storage{float_format{24, 8}}, parse_law(made.law()), entropy_kind::exact);
    EXPECT_EQ(made.exact.priced.device.output_entropy().value.value(), held.value.value())
        << made.law();
    EXPECT_TRUE(made.law().starts_with(has_intercept ? "slope:n=5," : "slope:n=6,"));
    EXPECT_EQ(made.exact.priced.device.input()[0].count, 6);
  }
}

/// Tables of the same kind: their bills lie about each other as far as each says.
TEST_F(fit, knows_how_far_its_bill_may_be_off) {
  std::mt19937_64 random{18};
  const linear_model truth{1.5, 2, 0.7};
  const double bill =
      regression_cost(one_format(float_format{24, 8}), truth, 300).device.erased().value.value();
  int covered = 0;
  constexpr int tables = 60;
  for (int i = 0; i < tables; ++i) {
    const auto made = solved(drawn(random, truth, 300, false), {{"format", "p24e8"}});
    covered += std::fabs(made.exact.erased().value.value() - bill) < 2 * made.exact.spread.value();
  }
  EXPECT_GE(covered, 50);
  EXPECT_LT(covered, tables + 1);
}

TEST_F(fit, gives_the_advice_of_the_scaling_law) {
  std::mt19937_64 random{19};
  const auto made =
      solved(drawn(random, {2, 1, 1}, 400, false),
             {{"entropy", "smooth"}, {"energy-price", "5e16"}, {"inference-price", "10"}});
  ask::words asked{.command = "scaling", .kind = "exact"};
  const auto set = [&](const char* name, double value) {
    asked.set(name, fmt::format("{}", value));
  };
  asked.set("format", "p24e8");
  asked.set("entropy", "smooth");
  asked.set("energy-price", "5e16");
  asked.set("inference-price", "10");
  set("w", made.line.model.w);
  set("sigma-x", made.line.model.sigma_x);
  set("sigma-xi", made.line.model.sigma_xi);
  const auto scaling = ask::solve(ask::read_scaling(asked));
  ASSERT_TRUE(made.advice && made.advice->size.best && made.advice->spread);
  EXPECT_EQ(made.advice->size.best->n, scaling.size.best->n);
  EXPECT_GT(*made.advice->spread, 0);
}

TEST_F(fit, warns_of_what_does_not_fit) {
  std::mt19937_64 random{20};
  const auto has = [](const ask::fit_answer& made, const std::string& text) {
    for (const std::string& one : made.warnings()) {
      if (one.find(text) != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_TRUE(has(solved(drawn(random, {1, 1, 1}, 2000, true)), "not normal"));
  EXPECT_TRUE(
      has(solved(drawn(random, {1, 1, 1}, 100, false), {}, "1,NA\n,2\n"), "2 rows lack x or y"));
  point_list shifted = drawn(random, {1, 1, 1}, 500, false);
  for (auto& [x, y] : shifted) {
    x += 3;
    y += 10;
  }
  EXPECT_TRUE(has(solved(shifted), "consider --intercept"));
  EXPECT_FALSE(has(solved(shifted, {{"intercept", ""}}), "consider --intercept"));
  EXPECT_TRUE(has(solved(shifted, {{"intercept", ""}}), "x has the mean"));
  point_list uneven = drawn(random, {0, 1, 1}, 2000, false);
  for (auto& [x, y] : uneven) y *= 1 + x * x;
  EXPECT_TRUE(has(solved(uneven), "depend on x in size"));
}

/// `cost sgd` of the same training has the same to say.
TEST_F(fit, warns_of_a_learning_rate_as_cost_does) {
  std::mt19937_64 random{32};
  const point_list points = drawn(random, {2, 1, 1}, 50, false);
  const std::vector<std::size_t> expected{0, 2};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ask::fit_answer made = solved(points, {{"eta", i == 0 ? "0.01" : "100"}});
    const auto of_cost =
        ask::solve(ask::cost_question{"sgd", one_format(float_format{24, 8}), made.descent_task()})
            .warnings();
    EXPECT_EQ(of_cost.size(), expected[i]);
    EXPECT_EQ(made.warnings(), of_cost);
    EXPECT_EQ(made.report().all().at("law_gap").at("applies"), i == 0);
  }
}

TEST_F(fit, says_how_many_rows_fill_no_batch) {
  const point_list points{{1, 2}, {2, 3}, {4, 5}, {5, 7}, {6, 6}};
  const auto said = [&](const std::map<std::string, std::string>& options) {
    const ask::fit_answer made = solved(points, options);
    const auto unused = made.report().all().at("sgd").at("rows_unused").get<double>();
    std::string found;
    for (const std::string& one : made.warnings()) {
      if (one.starts_with("SGD")) found = one;
    }
    return fmt::format("{}: {}", unused, found);
  };
  EXPECT_EQ(said({{"batch", "2"}}), "1: SGD does not use 1 row of 5, which fills no batch of 2");
  EXPECT_EQ(said({{"batch", "3"}}), "2: SGD does not use 2 rows of 5, which fill no batch of 3");
  for (const char* batch : {"1", "5", "10"}) EXPECT_EQ(said({{"batch", batch}}), "0: ");
}

TEST_F(fit, counts_one_row_as_one) {
  const auto made = solved({{1, 2}, {2, 3}, {4, 5}, {5, 7}}, {}, "1,NA\n");
  EXPECT_EQ(made.warnings().front(), "1 row lacks x or y and was left out");
}

TEST_F(fit, refuses_numbers_whose_squares_are_none) {
  const auto said = [&](const point_list& points) {
    return message_of([&] { (void)solved(points); });
  };
  const std::string below =
      "fit: " + path_ + ": the squares of the numbers are below the range of double precision";
  EXPECT_EQ(said({{1e-300, 2}, {2e-300, 3}, {4e-300, 5}}), below);
  EXPECT_EQ(said({{1, 2e-300}, {2, 3e-300}, {4, 5e-300}}), below);
  EXPECT_EQ(said({{1e-300, 2e-300}, {2e-300, 3e-300}, {4e-300, 5e-300}}), below);
  EXPECT_EQ(said({{1e-150, 2e-150}, {2e-150, 3e-150}, {4e-150, 5e-150}}), "nothing was thrown");
}

TEST_F(fit, names_the_file_of_a_mistake) {
  const auto said = [&](const std::map<std::string, std::string>& options,
                        const std::string& more = "") {
    return message_of([&] { (void)solved({{1, 2}, {2, 3}, {4, 5}}, options, more); });
  };
  EXPECT_EQ(said({{"x", "age"}}),
            "fit: " + path_ + ": no column is called 'age', expected one of height, weight");
  EXPECT_EQ(said({{"x", "3"}}), "fit: " + path_ +
                                    ": no column is called '3', expected one of height, weight "
                                    "or a number from 1 to 2");
  EXPECT_EQ(said({}, "1,inf\n"), "fit: " + path_ + ": column 'weight' has an infinite number");
  EXPECT_EQ(said({}, "1,oops\n"),
            "fit: " + path_ + ": line 5, column 'weight': expected a number, got 'oops'");
  EXPECT_EQ(said({{"energy-price", "1"}}),
            "fit: advice needs both --energy-price and --inference-price");
}

}  // namespace
