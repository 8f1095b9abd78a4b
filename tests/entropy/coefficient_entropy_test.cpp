#include "ktln2/entropy/coefficient_entropy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ktln2/entropy/exact.hpp"
#include "message_of.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

square_matrix square_of(const nlohmann::json& rows) {
  square_matrix made(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) made(i, j) = rows[i][j];
  }
  return made;
}

coefficients estimate_of(const nlohmann::json& given) {
  if (given.contains("mu_x")) {
    const double sigma_x = given.at("sigma_x");
    square_matrix variance(1);
    variance(0, 0) = sigma_x * sigma_x;
    return coefficients{{{{given.at("w").get<double>()},
                          {given.at("mu_x").get<double>()},
                          variance,
                          given.at("b"),
                          given.at("sigma_xi")},
                         given.at("n"),
                         true}};
  }
  const std::vector<double> w = given.at("w");
  return coefficients{{{w, std::vector<double>(w.size(), 0.0), square_of(given.at("Sigma")), 0,
                        given.at("sigma_xi")},
                       given.at("n")}};
}

TEST(coefficient_entropy_campaign, has_the_values_of_the_reference_table) {
  int cases = 0;
  for (const auto& entry : reference_file("many_parameters.json")) {
    const std::string id = entry.at("id");
    const bool is_stored = id.starts_with("ols2-stored") || id.starts_with("icpt-stored") ||
                           id.starts_with("ols-stored");
    if (!is_stored && !id.starts_with("ols-smooth")) continue;
    SCOPED_TRACE(id);
    const auto& given = entry.at("params");
    const coefficients estimate = estimate_of(given);
    const double truth = reference_value(entry);
    ++cases;
    if (!is_stored) {
      EXPECT_NEAR(smooth_entropy(given.at("p"), estimate).value(), truth, 1e-13 * truth);
      continue;
    }
    const float_format format{given.at("p"), given.at("E")};
    if (id.ends_with("-H1") || id.ends_with("-H2")) {
      const bounded<bits> one =
          exact_entropy(format, estimate.marginal(id.ends_with("-H1") ? 0 : 1));
      EXPECT_NEAR(one.value.value(), truth, one.error.value() + 1e-11);
      continue;
    }
    const coefficient_entropies found = coefficient_entropy(format, estimate);
    EXPECT_NEAR(found.joint.value.value(), truth, found.joint.error.value() + 1e-12 * truth);
    EXPECT_LT(found.joint.error.value(), 2e-11);
  }
  EXPECT_EQ(cases, 13);
}

TEST(coefficient_entropy, least_norm_has_the_smooth_values_of_the_reference_table) {
  int cases = 0;
  for (const auto& entry : reference_file("many_parameters.json")) {
    const std::string id = entry.at("id");
    if (!id.starts_with("minnorm-smooth") && !id.starts_with("one-example-cost")) continue;
    const auto& given = entry.at("params");
    const std::size_t d = given.at("d");
    const bool is_one = id.starts_with("one-");
    const double w = is_one ? std::sqrt(given.at("snr").get<double>() / static_cast<double>(d)) : 0;
    const row_model model{std::vector<double>(d, w), std::vector<double>(d, 0.0),
                          equally_correlated(std::vector<double>(d, 1.0), 0), 0, 1};
    const coefficients estimate{{model, is_one ? 1.0 : given.at("n").get<double>()}};
    const double smooth = smooth_entropy(given.at("p"), estimate).value();
    const double truth = reference_value(entry);
    ++cases;
    if (!is_one) {
      EXPECT_NEAR(smooth, truth, 1e-13 * truth) << id;
      continue;
    }
    // A row of d + 1 registers less the model: d H₀ + H₀ - ½ log(1 + S), less H̃_s.
    const double zero = 24 + 0.5 * std::log2(2 * M_PI * M_E) + 0.57721566490153286 / (2 * M_LN2);
    const double row = static_cast<double>(d + 1) * zero - 0.5 * std::log2(1 + 4.0);
    EXPECT_NEAR(row - smooth, truth, 1e-11) << id;
  }
  EXPECT_EQ(cases, 3);
}

TEST(coefficient_entropy, the_bracket_holds_what_the_rows_find) {
  const coefficients estimate{{{{1, -0.5}, {0, 0}, equally_correlated({1, 2}, 0.4), 0, 1}, 40}};
  const partition cells{float_format{2, 2}};
  const bounded<bits> rows = entropy_by_rows(cells, estimate);
  const entropy_bracket bracket = bracket_by_chi_square(cells, estimate);
  EXPECT_LE(bracket.low, rows.value + rows.error);
  EXPECT_GE(bracket.high, rows.value - rows.error);
}

TEST(coefficient_entropy_campaign, roads_agree_where_they_all_lead) {
  // n from few to many rows, cells from fine to coarse.
  for (const double n : {4.0, 12.0, 60.0}) {
    const coefficients estimate{{{{1, -0.5}, {0, 0}, equally_correlated({1, 2}, 0.4), 0, 1}, n}};
    const partition cells{float_format{4, 4}};
    const bounded<bits> rows = entropy_by_rows(cells, estimate);
    EXPECT_LT(rows.error.value(), 1e-10);
    EXPECT_TRUE(overlap(entropy_by_identity(cells, estimate), rows)) << n;
    const entropy_bracket bracket = bracket_by_chi_square(cells, estimate);
    EXPECT_LE(bracket.low, rows.value + rows.error) << n;
    EXPECT_GE(bracket.high, rows.value - rows.error) << n;
  }
}

TEST(coefficient_entropy_campaign, many_rows_make_the_bracket_narrow) {
  const auto width = [](double n) {
    const coefficients estimate{
        {{{1, 1, 1}, {0, 0, 0}, equally_correlated({1, 1, 1}, 0.2), 0, 1}, n}};
    const entropy_bracket found = bracket_by_chi_square(partition{float_format{11, 5}}, estimate);
    return (found.high - found.low).value();
  };
  // d/(2ν ln 2)
  EXPECT_NEAR(width(1002), 3 / (2 * 1000 * std::log(2.0)), 2e-5);
  EXPECT_LT(width(1002), width(102));
}

TEST(coefficient_entropy, one_coefficient_is_one_register) {
  const coefficients estimate{{{{1}, {0}, equally_correlated({1}, 0), 0, 1}, 10}};
  const coefficient_entropies found = coefficient_entropy(float_format{8, 8}, estimate);
  EXPECT_EQ(name_of(found.how), "one register");
  EXPECT_TRUE(overlap(found.joint, exact_entropy(float_format{8, 8}, slope_law({1, 1, 1}, 10))));
}

TEST(coefficient_entropy, each_road_says_where_it_does_not_lead) {
  const coefficients three{{{{1, 1, 1}, {0, 0, 0}, equally_correlated({1, 1, 1}, 0.2), 0, 1}, 10}};
  EXPECT_EQ(message_of([&] {
              entropy_by_rows(partition{float_format{3, 3}}, three);
            }),
            "ols: rows are for two coefficients");
  const coefficients with_b{{{{1}, {2}, equally_correlated({1}, 0), 0, 1}, 10, true}};
  EXPECT_EQ(message_of([&] {
              bracket_by_chi_square(partition{float_format{3, 3}}, with_b);
            }),
            "ols: the bracket is for a multivariate t without an intercept");
}

/// One feature and an intercept: with mu = 0 the slope and the intercept hardly tell of each other.
coefficients slope_and_intercept(double n, double w, double sigma_x, double mu, double b,
                                 double sigma_xi) {
  return coefficients{{{{w}, {mu}, equally_correlated({sigma_x}, 0), b, sigma_xi}, n, true}};
}

void expect_in_order(const coefficient_entropies& found) {
  EXPECT_LE(found.low, found.joint.value);
  EXPECT_LE(found.joint.value, found.high);
}

TEST(coefficient_entropy, the_intercept_has_its_part_of_the_divergence) {
  // Sums over all pairs of cells by another program, in 30 digits.
  struct known {
    float_format format;
    double n;
    double sigma_x;
    double sigma_xi;
    double truth;
    double digit;  ///< half of the last one that is known
    double most;   ///< a bar
  };
  for (const known& one :
       {known{{24, 8}, 1000, 0.001, 1.5078914929239174e-05, 18.066607629, 5e-10, 1e-6},
        known{{14, 4}, 100, 0.005, 0.00244140625, 13.781956, 5e-7, 1e-4},
        known{{12, 3}, 20, 0.02, 0.0032754902014157077, 11.08578, 5e-6, 2e-3}}) {
    const coefficients estimate =
        slope_and_intercept(one.n, 1.5, one.sigma_x, 0, 1.5, one.sigma_xi);
    const coefficient_entropies found = coefficient_entropy(one.format, estimate);
    SCOPED_TRACE(found.joint.error.value());
    EXPECT_NEAR(found.joint.value.value(), one.truth, found.joint.error.value() + one.digit);
    EXPECT_LE(found.low.value(), one.truth + one.digit);
    EXPECT_GE(found.high.value(), one.truth - one.digit);
    expect_in_order(found);
    const bounded<bits> identity = entropy_by_identity(partition{one.format}, estimate);
    EXPECT_NEAR(identity.value.value(), one.truth, identity.error.value() + one.digit);
    EXPECT_LT(found.joint.error.value(), one.most);
  }
}

TEST(coefficient_entropy, the_ends_are_in_order_where_cells_are_coarse) {
  expect_in_order(coefficient_entropy(
      float_format{1, 2},
      slope_and_intercept(3, 0, 0.21008146770958464, 0, 1, 0.06408331581817324)));
  const square_matrix covariance = equally_correlated({0.43716061262065803, 1}, -0.9);
  expect_in_order(coefficient_entropy(
      float_format{1, 3},
      coefficients{{{{0, 14.90713679255727}, {0, 0}, covariance, 0, 1.3110248105353046}, 4}}));
}

struct random_cases {
  std::mt19937_64 engine;
  double uniform(double a, double b) { return std::uniform_real_distribution<>{a, b}(engine); }
  double log_uniform(double a, double b) { return std::exp(uniform(std::log(a), std::log(b))); }
  int whole(int a, int b) { return std::uniform_int_distribution<>{a, b}(engine); }
};

/// Two coefficients, of which one may be the intercept, with more or less noise.
coefficients two_coefficients(random_cases& random, double least_noise) {
  const double sigma_xi = random.log_uniform(least_noise, 3);
  const double n = random.whole(3, 200);
  const double w = random.whole(0, 3) == 0 ? 0 : random.uniform(-3, 3);
  const double second = random.whole(0, 3) == 0 ? 0 : random.uniform(-15, 15);
  const double sigma_x = random.log_uniform(0.02, 5);
  if (random.whole(0, 1) == 0) {
    const double mu = random.whole(0, 1) == 0 ? 0 : sigma_x * random.uniform(-2, 2);
    return slope_and_intercept(n, w, sigma_x, mu, second, sigma_xi);
  }
  const square_matrix covariance = equally_correlated({sigma_x, 1}, random.uniform(-0.9, 0.9));
  return coefficients{{{{w, second}, {0, 0}, covariance, 0, sigma_xi}, n}};
}

TEST(coefficient_entropy_campaign, the_bar_of_the_identity_covers_what_the_rows_find) {
  random_cases random{std::mt19937_64{1}};
  int cases = 0;
  int fine = 0;
  for (int k = 0; k < 160; ++k) {
    const bool is_fine = k % 2 == 0;
    const coefficients estimate = two_coefficients(random, is_fine ? 1 : 1e-3);
    const float_format format = is_fine ? float_format{random.whole(4, 7), 5}
                                        : float_format{random.whole(1, 6), random.whole(2, 4)};
    const partition cells{format};
    if (!(work_by_rows(cells, estimate) < 4e5)) continue;
    SCOPED_TRACE(k);
    ++cases;
    const bounded<bits> rows = entropy_by_rows(cells, estimate);
    const bounded<bits> identity = entropy_by_identity(cells, estimate);
    if (identity.error < bits{0.1}) ++fine;
    EXPECT_TRUE(overlap(identity, rows))
        << identity.value.value() << " +- " << identity.error.value() << ", by rows "
        << rows.value.value() << " +- " << rows.error.value();
    const coefficient_entropies found = coefficient_entropy(format, estimate);
    expect_in_order(found);
    EXPECT_TRUE(overlap(found.joint, rows));
    EXPECT_LE(found.low, rows.value + rows.error);
    EXPECT_GE(found.high, rows.value - rows.error);
  }
  EXPECT_GT(cases, 25);
  EXPECT_GT(fine, 5);
}

TEST(coefficient_entropy_campaign, of_a_centered_feature_both_coefficients_add_up) {
  // Registers share no more than the numbers in them, I(w; b) = h(w) + h(b) - h(w, b), which is
  // small: one tells of the other by its size alone.
  random_cases random{std::mt19937_64{2}};
  for (int k = 0; k < 60; ++k) {
    const double n = random.whole(50, 3000);
    const double w = random.uniform(0.5, 3);
    const double sigma_x = random.log_uniform(1e-3, 1);
    const float_format format{random.whole(10, 24), 8};
    const double sigma_xi = sigma_x * random.log_uniform(0.01, 1);
    const coefficients estimate =
        slope_and_intercept(n, w, sigma_x, 0, random.uniform(-3, 3), sigma_xi);
    const coefficient_entropies found = coefficient_entropy(format, estimate);
    const bounded<bits> sum = found.single[0] + found.single[1];
    const law of_w = estimate.marginal(0);
    const law of_b = estimate.marginal(1);
    const double shared = differential_entropy(of_w).value() + differential_entropy(of_b).value() -
                          differential_entropy(estimate).value();
    SCOPED_TRACE(k);
    const bounded<bits> identity = entropy_by_identity(partition{format}, estimate);
    EXPECT_LE(identity.value - identity.error, sum.value + sum.error);
    EXPECT_GE(identity.value + identity.error, sum.value - sum.error - bits{shared + 1e-12});
    EXPECT_LT(shared, 1 / n);
    EXPECT_LE(found.joint.value - found.joint.error, sum.value + sum.error);
    EXPECT_GE(found.joint.value + found.joint.error, sum.value - sum.error - bits{shared + 1e-9});
    expect_in_order(found);
  }
}

}  // namespace
