#include "ktln2/distribution/coefficients.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "ktln2/distribution/catalogue.hpp"
#include "message_of.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

square_matrix scaled_unit(std::size_t d, double variance = 1) {
  square_matrix made(d);
  for (std::size_t j = 0; j < d; ++j) made(j, j) = variance;
  return made;
}

coefficients estimate_of(double n, std::size_t d, double w = 0, bool intercept = false) {
  return coefficients{
      {{std::vector<double>(d, w), std::vector<double>(d, 0.0), scaled_unit(d), 0, 1},
       n,
       intercept,
       0}};
}

double h_of(const coefficients& estimate) { return differential_entropy(estimate).value(); }

void expect_close(double found, double truth) {
  EXPECT_NEAR(found, truth, 1e-13 * std::fabs(truth));
}

TEST(coefficients, have_the_entropies_of_the_reference_table) {
  int cases = 0;
  for (const auto& entry : reference_file("many_parameters.json")) {
    const std::string id = entry.at("id");
    const auto& given = entry.at("params");
    const double truth = reference_value(entry);
    SCOPED_TRACE(id);
    if (id.starts_with("ols-h-")) {
      const std::size_t d = given.at("d");
      // Any covariance with that determinant.
      square_matrix covariance = scaled_unit(d);
      covariance(0, 0) = std::exp(given.at("ln_det_Sigma").get<double>());
      const row_model model{std::vector<double>(d, 1.0), std::vector<double>(d, 0.0), covariance, 0,
                            given.at("sigma_xi")};
      expect_close(h_of(coefficients{{model, given.at("n")}}), truth);
    } else if (id.starts_with("icpt-h-")) {
      EXPECT_NEAR(h_of(estimate_of(given.at("n"), given.at("d"), 1, true)), truth, 1e-14);
    } else if (id.starts_with("minnorm-h-")) {
      expect_close(h_of(estimate_of(given.at("n"), given.at("d"))), truth);
    } else if (id.starts_with("one-example-h")) {
      const double d = given.at("d");
      const double w = std::sqrt(given.at("snr").get<double>() / d);
      expect_close(h_of(estimate_of(1, given.at("d"), w)), truth);
    } else {
      continue;
    }
    ++cases;
  }
  EXPECT_EQ(cases, 13);
}

TEST(coefficients, ridge_has_the_moments_of_the_reference_table) {
  int cases = 0;
  for (const auto& entry : reference_file("many_parameters.json")) {
    const std::string id = entry.at("id");
    if (!id.starts_with("ridge1-")) continue;
    const auto& given = entry.at("params");
    const double sigma_x = given.at("sigma_x");
    const coefficients estimate{
        {{{given.at("w")}, {0}, scaled_unit(1, sigma_x * sigma_x), 0, given.at("sigma_xi")},
         given.at("n"),
         false,
         given.at("penalty")}};
    const law x = estimate.marginal(0);
    const double found = id.starts_with("ridge1-mean") ? mean(x) : deviation(x) * deviation(x);
    EXPECT_NEAR(found, reference_value(entry), 1e-12 * found) << id;
    ++cases;
  }
  EXPECT_EQ(cases, 3);
}

TEST(lem_compute_f_z, one_feature_is_the_papers_slope) {
  const coefficients estimate{{{{2}, {0}, scaled_unit(1, 9), 0, 0.5}, 10}};
  const student_t slope = slope_law({2, 3, 0.5}, 10);
  const law found = estimate.marginal(0);
  EXPECT_NEAR(deviation(found), deviation(law{slope}), 1e-16);
  EXPECT_NEAR(h_of(estimate), differential_entropy(slope).value(), 1e-14);
  EXPECT_EQ(*estimate.dof(), 10);
}

TEST(coefficients, marginals_are_students) {
  // Σ = [1, 0.6; 0.6, 1] has the inverse [1, -0.6; -0.6, 1]/0.64.
  const coefficients estimate{{{{2, 1}, {0, 0}, equally_correlated({1, 1}, 0.6), 0, 1}, 10}};
  const auto one = std::get<student_t>(estimate.marginal(1));
  EXPECT_EQ(one.kernel().dof(), 9);
  EXPECT_EQ(one.location(), 1);
  EXPECT_NEAR(one.scale(), 1 / 0.8 / 3, 1e-15);
}

TEST(coefficients, given_chi_square_they_are_normal_with_the_inverse_covariance) {
  const coefficients estimate{{{{2, 1}, {0, 0}, equally_correlated({1, 1}, 0.6), 0, 0.5}, 10}};
  const normal_vector z = estimate.given_chi_square(4);
  EXPECT_NEAR(z.covariance(0, 0), 0.25 / 0.64 / 4, 1e-16);
  EXPECT_NEAR(z.covariance(0, 1), -0.6 * 0.25 / 0.64 / 4, 1e-16);
  EXPECT_EQ(z.mean(0), 2);
}

/// Two closed forms for the same law: spherical, and a multivariate t, where n = d and w = 0.
TEST(coefficients, least_norm_meets_least_squares) {
  const double d = 8;
  const double sphere = std::log(2.0) + d / 2 * std::log(std::numbers::pi) - std::lgamma(d / 2);
  // R² = χ²_8/χ²_1, by numerical integration of its logarithm's density.
  double mean = 0;
  double entropy = 0;
  const double log_beta = std::lgamma(4.0) + std::lgamma(0.5) - std::lgamma(4.5);
  for (double y = -40; y <= 160; y += 0.01) {
    const double log_f = 4 * y - 4.5 * std::log1p(std::exp(y)) - log_beta;
    mean += 0.01 * std::exp(log_f) * y;
    entropy -= 0.01 * std::exp(log_f) * log_f;
  }
  const double nats = sphere + entropy - std::log(2.0) + d * mean / 2;
  EXPECT_NEAR(h_of(estimate_of(8, 8)), nats / std::numbers::ln2, 1e-11);
}

TEST(coefficients, the_intercept_of_one_feature_has_the_variance_of_its_formula) {
  const coefficients estimate{{{{2}, {3}, equally_correlated({2}, 0), 1, 0.5}, 20, true}};
  const double variance = 0.25 / 20 * (1 + (1 + 20 * 2.25) / 17);
  const law b = estimate.marginal(1);
  EXPECT_EQ(mean(b), 1);
  EXPECT_NEAR(deviation(b) * deviation(b), variance, 1e-10 * variance);
}

TEST(coefficients_campaign, an_intercept_has_the_variance_of_its_formula) {
  // Var b̂ = σ²/n (1 + E T), E T = (d + nμᵀΣ⁻¹μ)/(n - d - 2).
  const coefficients estimate{
      {{{2, 1}, {3, -1}, equally_correlated({1, 2}, 0.3), 1, 0.5}, 20, true}};
  const double m2 = (9 + 0.25 + 2 * 0.3 * 3 * 0.5) / (1 - 0.09);
  const double variance = 0.25 / 20 * (1 + (2 + 20 * m2) / 16);
  const law b = estimate.marginal(2);
  EXPECT_EQ(mean(b), 1);
  EXPECT_NEAR(deviation(b) * deviation(b), variance, 1e-10 * variance);
  EXPECT_EQ(estimate.name(2), "b");
  EXPECT_EQ(*estimate.dof(), 18);
}

/// Rows are drawn and the normal equations solved: nothing of the library is used.
struct simulated_slopes {
  double mean = 0;
  double variance = 0;
  double variance_error = 0;
  double beyond = 0;  ///< the share beyond one scale of the law
};
simulated_slopes simulate_two_features(int trials, double scale) {
  std::mt19937_64 bits(3);
  std::normal_distribution<> draw;
  constexpr int n = 9;
  double sum = 0;
  double squares = 0;
  double fourths = 0;
  int far = 0;
  for (int t = 0; t < trials; ++t) {
    double x11 = 0;
    double x12 = 0;
    double x22 = 0;
    double xy1 = 0;
    double xy2 = 0;
    for (int i = 0; i < n; ++i) {
      const double x1 = draw(bits);
      const double x2 = 0.6 * x1 + 0.8 * draw(bits);  // correlation 0.6
      const double y = 2 * x1 + x2 + 0.5 * draw(bits);
      x11 += x1 * x1;
      x12 += x1 * x2;
      x22 += x2 * x2;
      xy1 += x1 * y;
      xy2 += x2 * y;
    }
    const double off = (x11 * xy2 - x12 * xy1) / (x11 * x22 - x12 * x12) - 1;
    sum += off;
    squares += off * off;
    fourths += off * off * off * off;
    far += std::fabs(off) > scale ? 1 : 0;
  }
  const double variance = squares / trials;
  return {sum / trials, variance, std::sqrt((fourths / trials - variance * variance) / trials),
          static_cast<double>(far) / trials};
}

TEST(coefficients, are_what_a_simulation_finds) {
  const coefficients estimate{{{{2, 1}, {0, 0}, equally_correlated({1, 1}, 0.6), 0, 0.5}, 9}};
  const auto law_of_w2 = std::get<student_t>(estimate.marginal(1));
  constexpr int trials = 20000;
  const simulated_slopes found = simulate_two_features(trials, law_of_w2.scale());
  const double variance = std::pow(deviation(law_of_w2), 2);
  EXPECT_NEAR(found.mean, 0, 4 * std::sqrt(variance / trials));
  EXPECT_NEAR(found.variance, variance, 4 * found.variance_error);
  const double beyond = 2 * ccdf(law_of_w2, 1 + law_of_w2.scale());
  EXPECT_NEAR(found.beyond, beyond, 4 * std::sqrt(beyond * (1 - beyond) / trials));
}

TEST(log_gamma_rise, does_not_cancel) {
  EXPECT_NEAR(log_gamma_rise(0.5, 1), -std::log(std::numbers::pi) / 2, 1e-15);
  EXPECT_NEAR(log_gamma_rise(3, 4), std::log(12.0), 1e-15);
  EXPECT_NEAR(digamma_rise(0.5, 1), 2 * std::log(2.0), 1e-15);
  EXPECT_NEAR(digamma_rise(5e8, 1), 1e-9 + 5e-19, 1e-24);
}

TEST(coefficients, say_what_they_need) {
  const auto message = [](const char* description) {
    return message_of([&] { coefficients{parse_estimate(description)}; });
  };
  EXPECT_EQ(message("ols:n=2,d=3"),
            "ols: 3 features need at least 3 rows (fewer only if the features are independent and "
            "alike, and w = 0 or n = 1), got n = 2");
  EXPECT_EQ(message("ols:n=3,d=3,intercept=1"),
            "ols: 3 features and an intercept need at least 4 rows (fewer only if the features are "
            "independent and alike, and w = 0 or n = 1), got n = 3");
  EXPECT_EQ(message("ols:n=2.5"), "ols: n must be a whole number from 1 to 1e15, got 2.5");
  EXPECT_EQ(message("ols:ridge=1"),
            "ols: with a ridge the law is known for d = 1, mu = 0 and no intercept, got d = 3, mu "
            "= 0, intercept = 0");
  EXPECT_EQ(message("ols:intercept=2"), "ols: intercept must be 0 or 1, got 2");
  EXPECT_EQ(message("ols:mu=2"),
            "ols: without an intercept the law is known for mu = 0 and b = 0, got mu = 2, b = 0");
  EXPECT_EQ(message("ols:ridge=-1"), "ols: ridge must be finite and >= 0, got -1");
  EXPECT_NO_THROW(coefficients{parse_estimate("ols:n=3,d=2,w=1")});
  EXPECT_NO_THROW(coefficients{parse_estimate("ols:n=1,d=5,w=1")});
}

TEST(parse_row, reads_lists_and_correlations) {
  const row_model model = parse_row("row:d=3,w=1/-2/0.5,sigma_x=2,ar=0.5,mu=1,b=-1,sigma_xi=0.25");
  EXPECT_EQ(model.w, (std::vector<double>{1, -2, 0.5}));
  EXPECT_EQ(model.mu, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(model.covariance(0, 2), 1);
  EXPECT_EQ(model.b, -1);
  EXPECT_EQ(model.sigma_xi, 0.25);
}

TEST(parse_row, says_what_is_wrong) {
  const auto message = [](const char* description, const square_matrix* covariance = nullptr) {
    return message_of([&] { normal_row{parse_row(description, covariance)}; });
  };
  EXPECT_EQ(message("row:d=3,w=1/2"), "row: w: expected one number or 3, as in 1/-2/0.5, got 2");
  EXPECT_EQ(message("row:d=0"), "row: d must be a whole number from 1 to 2000, got 0");
  EXPECT_EQ(message("row:corr=0.5,ar=0.5"),
            "row: the features have one correlation, corr or ar, got corr = 0.5 and ar = 0.5");
  EXPECT_EQ(message("row:corr=-0.6"),
            "row: corr must be below 1 and, for 3 features, above -0.5, got -0.6");
  const square_matrix two = scaled_unit(2);
  EXPECT_EQ(message("row:d=3", &two), "row: the covariance is of 2 features, got d = 3");
  EXPECT_EQ(message("row:sigma_x=1", &two), "row: sigma_x is in the covariance already, got 1");
  EXPECT_EQ(parse_row("row:w=1/2", &two).w, (std::vector<double>{1, 2}));
}

}  // namespace
