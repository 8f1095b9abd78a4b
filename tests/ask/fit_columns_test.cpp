// A plane through several columns of a user's table: against certified values, against what the
// rows were made of, and its bill against that of the same problem asked for by its parameters.
#include "ask/fit_columns.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <random>

#include "ask/many_cost.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

namespace {

using namespace ktln2;
using ask::plane_fit;

using row_list = std::vector<std::vector<double>>;

std::vector<std::string> names_of(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < count; ++j) names.emplace_back(1, static_cast<char>('a' + j));
  return names;
}

plane_fit fitted_plane(const row_list& rows, bool has_intercept, bool can_read_again = true) {
  return ask::fit_plane(
      [&](const auto& f) {
        for (const std::vector<double>& row : rows) f(row);
      },
      names_of(rows[0].size() - 1), has_intercept, can_read_again);
}

/// Longley's data set, whose columns nearly depend on each other, with NIST's certified values.
const row_list longley{{83.0, 234289, 2356, 1590, 107608, 1947, 60323},
                       {88.5, 259426, 2325, 1456, 108632, 1948, 61122},
                       {88.2, 258054, 3682, 1616, 109773, 1949, 60171},
                       {89.5, 284599, 3351, 1650, 110929, 1950, 61187},
                       {96.2, 328975, 2099, 3099, 112075, 1951, 63221},
                       {98.1, 346999, 1932, 3594, 113270, 1952, 63639},
                       {99.0, 365385, 1870, 3547, 115094, 1953, 64989},
                       {100.0, 363112, 3578, 3350, 116219, 1954, 63761},
                       {101.2, 397469, 2904, 3048, 117388, 1955, 66019},
                       {104.6, 419180, 2822, 2857, 118734, 1956, 67857},
                       {108.4, 442769, 2936, 2798, 120445, 1957, 68169},
                       {110.8, 444546, 4681, 2637, 121950, 1958, 66513},
                       {112.6, 482704, 3813, 2552, 123366, 1959, 68655},
                       {114.2, 502601, 3931, 2514, 125368, 1960, 69564},
                       {115.7, 518173, 4806, 2572, 127852, 1961, 69331},
                       {116.9, 554894, 4007, 2827, 130081, 1962, 70551}};

TEST(plane_fit, has_the_certified_values) {
  const std::vector<double> estimates{15.0618722713733,  -0.358191792925910E-01, -2.02022980381683,
                                      -1.03322686717359, -0.511041056535807E-01, 1829.15146461355};
  const std::vector<double> errors{84.9149257747669,  0.334910077722432E-01, 0.488399681651699,
                                   0.214274163161675, 0.226073200069370,     455.478499142212};
  for (const bool twice : {false, true}) {
    const plane_fit made = fitted_plane(longley, true, twice);
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_NEAR(made.model.w[j] / estimates[j], 1, twice ? 1e-12 : 1e-10) << j;
      EXPECT_NEAR(made.errors[j] / errors[j], 1, 1e-10) << j;
    }
    EXPECT_NEAR(made.model.b / -3482258.63459582, 1, 1e-10);
    EXPECT_NEAR(made.errors[6] / 890420.383607373, 1, 1e-10);
    EXPECT_NEAR(made.model.sigma_xi / 304.854073561965, 1, 1e-10);
  }
}

TEST(plane_fit, of_one_column_is_a_line) {
  std::mt19937_64 random{21};
  std::normal_distribution<double> draw;
  row_list rows;
  for (int i = 0; i < 200; ++i) {
    const double x = 2 + draw(random);
    rows.push_back({x, 1.5 * x + 0.7 * draw(random)});
  }
  for (const bool has_intercept : {false, true}) {
    const plane_fit made = fitted_plane(rows, has_intercept);
    const ask::line_fit line = ask::fit_line(
        [&](const auto& f) {
          for (const auto& row : rows) f(row[0], row[1]);
        },
        has_intercept, true);
    EXPECT_NEAR(made.model.w[0], line.model.w, 1e-14);
    EXPECT_NEAR(made.errors[0], line.errors.w, 1e-14);
    EXPECT_NEAR(made.model.b, line.intercept, 1e-13);
    EXPECT_NEAR(made.model.sigma_xi, line.model.sigma_xi, 1e-14);
    EXPECT_NEAR(made.sigma_xi_error, line.errors.sigma_xi, 1e-14);
    EXPECT_NEAR(made.residuals->skewness, line.residuals->skewness, 1e-12);
    EXPECT_NEAR(made.residuals->kurtosis, line.residuals->kurtosis, 1e-12);
    EXPECT_NEAR(made.residuals->unevenness, line.residuals->unevenness, 1e-9);
    if (!has_intercept) {
      EXPECT_NEAR(made.robust_errors[0], *line.robust_error, 1e-14);
    }
  }
}

/// Rows whose features depend on each other, with noise that may have heavy tails.
const row_model planted_model{
    {1.5, -2, 0.5}, {1, 0, -3}, autoregressive({1, 2, 0.5}, 0.6), 0.4, 0.7};

row_list planted_rows(std::mt19937_64& random, int n, bool has_tails) {
  std::normal_distribution<double> draw;
  const normal_row truth{planted_model};
  const square_matrix& factor = truth.x().factor();
  row_list rows;
  for (int i = 0; i < n; ++i) {
    std::vector<double> z{draw(random), draw(random), draw(random)};
    std::vector<double> row;
    // Variance 1, kurtosis 9.75
    const double size = !has_tails ? 1 : random() % 5 == 0 ? 2 : 0.5;
    double y = planted_model.b + planted_model.sigma_xi * size * draw(random);
    for (std::size_t j = 0; j < 3; ++j) {
      double x = planted_model.mu[j];
      for (std::size_t k = 0; k <= j; ++k) x += factor(j, k) * z[k];
      row.push_back(x);
      y += planted_model.w[j] * x;
    }
    row.push_back(y);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Twice the standard error holds the truth in about 95 %.
TEST(plane_fit, covers_what_the_rows_were_made_of) {
  std::mt19937_64 random{22};
  const double snr = normal_row{planted_model}.snr();
  for (const bool has_tails : {false, true}) {
    std::map<std::string, int> inside;
    constexpr int tables = 400;
    for (int i = 0; i < tables; ++i) {
      const plane_fit made = fitted_plane(planted_rows(random, 400, has_tails), true);
      const auto count = [&](const std::string& name, double off, double error) {
        inside[name] += std::fabs(off) < 2 * error ? 1 : 0;
      };
      for (std::size_t j = 0; j < 3; ++j) {
        const double off = made.model.w[j] - planted_model.w[j];
        count(fmt::format("w{}", j), off, made.errors[j]);
        count(fmt::format("robust{}", j), off, made.robust_errors[j]);
      }
      count("b", made.model.b - planted_model.b, made.errors[3]);
      count("sigma_xi", made.model.sigma_xi - planted_model.sigma_xi, made.sigma_xi_error);
      count("snr", made.snr - snr, *made.snr_error);
    }
    for (const auto& [name, count] : inside) {
      EXPECT_GT(count, 0.915 * tables) << name << has_tails;
      EXPECT_LT(count, 0.99 * tables) << name << has_tails;
    }
  }
}

TEST(plane_fit, knows_noise_without_signal) {
  std::mt19937_64 random{23};
  std::normal_distribution<double> draw;
  double sum = 0;
  constexpr int tables = 1000;
  for (int i = 0; i < tables; ++i) {
    row_list rows;
    for (int k = 0; k < 60; ++k) {
      rows.push_back({draw(random), draw(random), draw(random), draw(random), draw(random)});
    }
    sum += fitted_plane(rows, false).snr;
  }
  // Of χ²_4/60, less its mean and not below 0, the mean is below half its deviation; without the
  // correction it is 4/60.
  EXPECT_LT(sum / tables, 0.5 * std::sqrt(8.0) / 60);
}

/// Where rows are moved does not move what is left of an intercept, given the slopes.
TEST(plane_fit, knows_how_far_it_may_be_off_far_from_zero) {
  std::mt19937_64 random{31};
  row_list rows = planted_rows(random, 200, false);
  for (auto& row : rows) {
    for (std::size_t j = 0; j < 3; ++j) row[j] = std::round(1024 * row[j]) / 1024;
  }
  const plane_fit near = fitted_plane(rows, true);
  for (const double shift : {0.0, 1e4, 1e8, 1e11}) {
    row_list moved = rows;
    for (auto& row : moved) {
      for (std::size_t j = 0; j < 3; ++j) row[j] += shift;
    }
    const plane_fit far = fitted_plane(moved, true);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(far.factor(i, i) / near.factor(i, i), 1, 1e-6) << shift;
      double variance = 0;
      for (std::size_t j = 0; j <= i; ++j) variance += far.factor(i, j) * far.factor(i, j);
      EXPECT_NEAR(variance / far.covariance(i, i), 1, 1e-6) << shift;
      if (i < 3) {
        EXPECT_NEAR(far.robust_errors[i] / near.robust_errors[i], 1, 1e-6) << shift;
      }
    }
  }
}

std::string said_of(const row_list& rows, bool has_intercept = false) {
  return message_of([&] { (void)fitted_plane(rows, has_intercept); });
}

TEST(plane_fit, names_the_column_that_spoils_it) {
  const row_list few{{1, 2, 3}, {2, 1, 4}, {5, 5, 1}};
  EXPECT_EQ(said_of(few), "2 coefficients need at least 4 rows with all numbers, got 3");
  row_list rows;
  std::mt19937_64 random{24};
  std::normal_distribution<double> draw;
  for (int i = 0; i < 50; ++i) {
    const double a = draw(random);
    const double b = draw(random);
    rows.push_back({a, b, 0, draw(random)});
  }
  const auto with = [&](const auto& third) {
    row_list made = rows;
    for (auto& row : made) row[2] = third(row);
    return made;
  };
  EXPECT_EQ(said_of(with([](const auto& row) { return 3 * row[0] - row[1]; })),
            "column 'c' is a combination of 'a' and 'b': their coefficients cannot be told apart");
  EXPECT_EQ(said_of(with([](const auto& row) { return -2 * row[1]; }), true),
            "column 'c' is a combination of 'b' and a constant: their coefficients cannot be told "
            "apart");
  EXPECT_EQ(said_of(with([](const auto& row) { return 10 - row[0] - row[1]; })),
            "column 'c' is a combination of 'a', 'b' and a constant: their coefficients cannot be "
            "told apart");
  EXPECT_EQ(said_of(with([](const auto&) { return 0; })),
            "column 'c' is 0 in every row: leave it out");
  EXPECT_EQ(said_of(with([](const auto&) { return 5; }), true),
            "column 'c' is 5 in every row: leave it out (an intercept is the same)");
  EXPECT_EQ(said_of(with([](const auto&) { return 5; })),
            "column 'c' is 5 in every row: leave it out (an intercept is the same)");
  row_list exact = with([&](const auto&) { return draw(random); });
  for (auto& row : exact) row[3] = row[0] + 2 * row[1] - row[2];
  EXPECT_EQ(said_of(exact), "the points lie on a plane, so their noise cannot be estimated");
  EXPECT_EQ(said_of(with([](const auto& row) { return 1e200 * row[0]; })),
            "the squares of the numbers are beyond the range of double precision");
}

/// A table in a file that goes with the test.
class fit_columns : public testing::Test {
 protected:
  [[nodiscard]] ask::fit_columns_answer solved(
      const row_list& rows, const std::map<std::string, std::string>& options = {},
      const std::string& more = "") const {
    std::ofstream file(path_);
    file.precision(17);
    file << "length,width,depth,weight\n";
    for (const std::vector<double>& row : rows) {
      for (std::size_t j = 0; j < row.size(); ++j) file << (j > 0 ? "," : "") << row[j];
      file << '\n';
    }
    file << more;
    file.close();
    ask::words asked{.command = "fit"};
    asked.set("file", path_);
    asked.set("x", "length,width,depth");
    asked.set("y", "weight");
    for (const auto& [name, value] : options) asked.set(name, value);
    return ask::solve(ask::read_fit_columns(asked));
  }
  scratch folder_;
  std::string path_ = folder_.path("table.csv");
};

TEST_F(fit_columns, has_the_bill_of_its_estimates) {
  std::mt19937_64 random{25};
  const ask::fit_columns_answer made = solved(
      planted_rows(random, 500, false), {{"intercept", ""}, {"batch", "20"}, {"eta", "0.02"}});
  const row_model& model = made.plane.model;
  const register_formats formats = one_format(float_format{24, 8});
  const many_computation exact =
      many_regression_cost(formats, {model, 500, true, 0}, entropy_kind::exact);
  EXPECT_EQ(made.exact->erased().value.value(), exact.priced.device.erased().value.value());
  const many_computation sgd =
      many_sgd_cost(formats, model, {0.02, 20, {0, 0, 0, 0}, true}, 25, entropy_kind::exact);
  ASSERT_TRUE(made.sgd) << made.no_sgd;
  EXPECT_EQ(made.sgd->erased().value.value(), sgd.priced.device.erased().value.value());
  EXPECT_EQ(made.dof(), *coefficients({model, 500, true, 0}).dof());
  EXPECT_TRUE(made.warnings().empty()) << made.warnings().front();
  const auto all = made.report().all();
  for (const char* part : {"estimates", "errors", "snr", "bits", "joules", "advice"}) {
    EXPECT_TRUE(all.contains(part)) << part;
  }
  EXPECT_EQ(all.at("estimates").at("w").size(), 3U);
  EXPECT_EQ(all.at("stored").at("columns").size(), 4U);
  EXPECT_EQ(all.at("stored").at("columns")[3].at("name"), "weight");
}

/// The rows' bits lie about those of the truth as far as each table says, and so does the bound,
/// which for normal rows is what they hold.
TEST_F(fit_columns, knows_how_far_its_bill_may_be_off) {
  std::mt19937_64 random{26};
  const normal_row truth{planted_model};
  const double held =
      row_bits(one_format(float_format{24, 8}), truth, entropy_kind::smooth).value.value.value();
  int covered = 0;
  int bounded = 0;
  constexpr int tables = 60;
  for (int i = 0; i < tables; ++i) {
    const auto made = solved(planted_rows(random, 300, false), {{"entropy", "smooth"}});
    const double off = made.row().value.value.value() - held;
    covered += 300 * std::fabs(off) < 2 * made.exact->spread->value() ? 1 : 0;
    bounded += std::fabs(made.most->value.value() - held) < made.most->error.value() ? 1 : 0;
  }
  EXPECT_GE(covered, 50);
  EXPECT_GE(bounded, 50);
  EXPECT_LT(covered + bounded, 2 * tables);
}

TEST_F(fit_columns, gives_the_advice_of_the_scaling_law) {
  std::mt19937_64 random{27};
  const auto made = solved(planted_rows(random, 400, false), {{"intercept", ""},
                                                              {"entropy", "smooth"},
                                                              {"energy-price", "5e14"},
                                                              {"inference-price", "10"}});
  ASSERT_TRUE(made.advice && made.advice->spread);
  const double best = made.advice->size.best.n;
  // 1 + √(A(d+1)/c), about, with the measured noise and the rows' own bits: an intercept is one
  // more
  const double bit = 5e14 * landauer_cost(bits{1}, kelvin{300}).value();
  const double relaxed = 1 + std::sqrt(10 / std::pow(made.plane.model.sigma_xi, 2) * 4 /
                                       (bit * made.row().value.value.value()));
  EXPECT_NEAR(best, relaxed, 0.02 * relaxed);
  EXPECT_GT(*made.advice->spread, 0);
  EXPECT_LT(*made.advice->spread, 0.2 * best);
}

TEST_F(fit_columns, warns_of_what_does_not_fit) {
  std::mt19937_64 random{28};
  const auto has = [](const ask::fit_columns_answer& made, const std::string& text) {
    for (const std::string& one : made.warnings()) {
      if (one.find(text) != std::string::npos) return true;
    }
    return false;
  };
  const std::map<std::string, std::string> with_intercept{{"intercept", ""}, {"entropy", "smooth"}};
  EXPECT_TRUE(has(solved(planted_rows(random, 2000, true), with_intercept), "not normal"));
  EXPECT_TRUE(has(solved(planted_rows(random, 100, false), with_intercept, "1,2,NA,3\n,2,1,1\n"),
                  "2 rows lack a number"));
  row_list shifted = planted_rows(random, 500, false);
  for (auto& row : shifted) {  // centered features, but a mean that they do not tell
    row[0] -= planted_model.mu[0];
    row[2] -= planted_model.mu[2];
    row[3] += 10;
  }
  EXPECT_TRUE(has(solved(shifted), "consider --intercept"));
  row_list rounded = planted_rows(random, 200, false);
  for (auto& row : rounded) row[2] = std::round(1e5 * (row[0] - row[1])) / 1e5;
  EXPECT_TRUE(has(solved(rounded, with_intercept), "'depth' is a combination of others but for"));
  row_list uneven = planted_rows(random, 2000, false);
  for (auto& row : uneven) row[3] *= 1 + row[0] * row[0];
  EXPECT_TRUE(has(solved(uneven, with_intercept), "depend on x in size"));
}

TEST_F(fit_columns, leaves_out_what_it_cannot_price) {
  std::mt19937_64 random{29};
  row_list rows = planted_rows(random, 200, false);
  for (auto& row : rows) row[0] += 1e5;  // far from 0: an intercept that nothing is near
  const auto made = solved(rows, {{"intercept", ""}});
  EXPECT_GT(made.exact->erased().value.value(), 0);
  EXPECT_EQ(made.exact->priced.model.how, "chain");
}

TEST_F(fit_columns, has_a_bill_far_from_zero) {
  std::mt19937_64 random{33};
  row_list rows = planted_rows(random, 300, false);
  for (auto& row : rows) {
    for (std::size_t j = 0; j < 3; ++j) row[j] += 1e8;
  }
  const auto made = solved(rows, {{"intercept", ""}});
  EXPECT_GT(made.exact->erased().value.value(), 0);
  // The slopes have their digits, some fifteen bits each, and the intercept next to none more.
  EXPECT_GT(made.exact->priced.model.value.value.value(), 45);
}

/// Whether a digit is left is chance, so there are several tables; a rate is not to blame.
TEST_F(fit_columns, says_in_words_why_sgd_has_no_bill) {
  std::mt19937_64 random{34};
  int without = 0;
  for (int i = 0; i < 10; ++i) {
    row_list rows = planted_rows(random, 100, false);
    for (auto& row : rows) {
      row[0] += 1e4;
      row[1] = row[0] + 1e-5 * row[1];
    }
    std::map<std::string, std::string> options{{"intercept", ""}, {"entropy", "smooth"}};
    if (i % 2 == 0) options["eta"] = "4e-10";
    const auto made = solved(rows, options);
    if (made.sgd) continue;
    ++without;
    EXPECT_EQ(made.warnings().back(),
              "SGD has no bill: in double precision no digit is left of its coefficients' "
              "covariance, as columns are far from 0 or hardly told apart");
  }
  EXPECT_GT(without, 0);
}

TEST_F(fit_columns, says_how_many_rows_fill_no_batch) {
  std::mt19937_64 random{30};
  const auto made = solved(planted_rows(random, 107, false), {{"batch", "10"}});
  EXPECT_EQ(made.report().all().at("sgd").at("rows_unused"), 7);
  EXPECT_EQ(made.warnings().back(), "SGD does not use 7 rows of 107, which fill no batch of 10");
}

TEST_F(fit_columns, refuses_numbers_whose_squares_are_none) {
  row_list rows{{1, 2, 3, 4}, {2, 3, 1, 1}, {4, 5, 9, 2}, {3, 3, 3, 1}, {0, 1, 7, 5}, {1, 7, 8, 2}};
  for (auto& row : rows) row[1] *= 1e-300;
  EXPECT_EQ(
      message_of([&] { (void)solved(rows); }),
      "fit: " + path_ + ": the squares of the numbers are below the range of double precision");
}

TEST_F(fit_columns, names_the_file_and_the_column_of_a_mistake) {
  const row_list rows{{1, 2, 3, 4}, {2, 3, 1, 1}, {4, 5, 9, 2}, {3, 3, 3, 1}, {0, 1, 7, 5}};
  const auto said = [&](const std::map<std::string, std::string>& options,
                        const std::string& more = "") {
    return message_of([&] { (void)solved(rows, options, more); });
  };
  EXPECT_EQ(said({{"x", "length,age"}}),
            "fit: " + path_ +
                ": no column is called 'age', expected one of length, width, depth, weight");
  EXPECT_EQ(said({{"x", "length,weight"}}),
            "fit: " + path_ + ": column 'weight' is asked for twice");
  EXPECT_EQ(said({{"x", "length,,depth"}}),
            "fit: --x has no name between two commas, got 'length,,depth'");
  EXPECT_EQ(said({{"energy-price", "0"}, {"inference-price", "1"}}),
            "fit: --energy-price must be > 0 for several columns, got 0");
  EXPECT_EQ(said({{"law", "ou"}}), "fit: --law must be moments for several columns, got 'ou'");
  EXPECT_EQ(said({}, "1,2,inf,4\n"), "fit: " + path_ + ": column 'depth' has an infinite number");
  EXPECT_EQ(said({}, "1,2,oops,4\n"),
            "fit: " + path_ + ": line 7, column 'depth': expected a number, got 'oops'");
  EXPECT_EQ(said({{"intercept", ""}}),
            "fit: " + path_ + ": 4 coefficients need at least 6 rows with all numbers, got 5");
  EXPECT_EQ(said({{"eta", "10"}}).substr(0, 27), "fit: sgd: eta must be below");
}

}  // namespace
