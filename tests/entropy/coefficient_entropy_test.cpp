#include "ktln2/entropy/coefficient_entropy.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
