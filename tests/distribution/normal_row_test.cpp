#include "ktln2/distribution/normal_row.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "ktln2/distribution/pair.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;

row_model three_features() {
  return {{1, -2, 0.5}, {1, 0, -1}, equally_correlated({1, 2, 0.5}, 0.5), 3, 0.75};
}

TEST(normal_row, of_one_feature_is_the_pair) {
  const normal_row row{{{-2}, {0}, equally_correlated({3}, 0), 0, 8}};
  const regression_pair pair{-2, 3, 8};
  EXPECT_EQ(row.snr(), pair.snr());
  EXPECT_EQ(row.registers().deviation(1), pair.sigma_y());
  EXPECT_NEAR(differential_entropy(row.registers()).value(), differential_entropy(pair).value(),
              1e-14);
  EXPECT_NEAR(total_correlation(row.registers()).value(), mutual_information(pair).value(), 1e-15);
  const auto by_y = row.registers().chain({1, 0});
  EXPECT_NEAR(by_y[1].slopes[0], pair.exchanged().w(), 1e-16);
  EXPECT_NEAR(by_y[1].deviation, pair.exchanged().sigma_xi(), 1e-15);
}

TEST(normal_row, has_the_covariance_of_its_definition) {
  const row_model model = three_features();
  const normal_row row{model};
  double signal = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    double with_y = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(row.registers().covariance(i, j), model.covariance(i, j), 1e-15);
      with_y += model.covariance(i, j) * model.w[j];
      signal += model.w[i] * model.covariance(i, j) * model.w[j];
    }
    EXPECT_NEAR(row.registers().covariance(i, 3), with_y, 4e-15);
  }
  EXPECT_NEAR(row.snr(), signal / (0.75 * 0.75), 1e-14 * row.snr());
  EXPECT_NEAR(row.registers().covariance(3, 3), signal + 0.75 * 0.75, 1e-14);
  EXPECT_EQ(row.registers().mean(3), 3 + 1 - 0.5);
  // det C = σ_ξ² det Σ, and of three features with equal correlation r it is (1-r)²(1+2r) Πσ².
  EXPECT_NEAR(row.log_determinant(), std::log(0.25 * 2 * 1 * 4 * 0.25), 1e-14);
  EXPECT_NEAR(row.registers().log_determinant(), row.log_determinant() + 2 * std::log(0.75), 1e-14);
}

TEST(normal_vector, the_chain_adds_up_to_the_determinant_in_any_order) {
  const normal_vector z = normal_row{three_features()}.registers();
  for (const auto& order : {std::vector<std::size_t>{0, 1, 2, 3}, {3, 1, 0, 2}, {2, 3, 0, 1}}) {
    double log_det = 0;
    for (const normal_link& link : z.chain(order)) {
      log_det += 2 * std::log(link.deviation);
      EXPECT_NEAR(std::hypot(link.deviation, link.spread), z.deviation(link.variable), 1e-14);
    }
    EXPECT_NEAR(log_det, z.log_determinant(), 1e-13);
  }
}

TEST(normal_vector, a_link_leaves_nothing_that_those_before_it_could_say) {
  // Z_j - β·Z_<j is independent of Z_<j.
  const normal_vector z = normal_row{three_features()}.registers();
  const std::vector<std::size_t> order{3, 1, 0, 2};
  const auto links = z.chain(order);
  for (std::size_t j = 0; j < order.size(); ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      double left = z.covariance(order[j], order[k]);
      for (std::size_t i = 0; i < j; ++i) {
        left -= links[j].slopes[i] * z.covariance(order[i], order[k]);
      }
      EXPECT_NEAR(left, 0, 1e-13);
    }
  }
  EXPECT_TRUE(links[1].independent);
  EXPECT_FALSE(links[2].independent);
}

TEST(normal_vector, independent_features_are_seen_to_be) {
  const normal_row row{{{1, 1, 1}, {0, 0, 0}, equally_correlated({1, 2, 3}, 0), 0, 1}};
  for (const normal_link& link : row.registers().chain()) EXPECT_TRUE(link.independent);
  EXPECT_EQ(total_correlation(row.x()), bits{0});
}

TEST(normal_vector, precisions_are_those_of_the_inverse) {
  // C⁻¹ = [Σ⁻¹ + wwᵀ/σ², ...; ..., 1/σ²]
  const normal_row row{three_features()};
  const auto of_x = row.precisions();
  const auto of_all = row.registers().precisions();
  for (std::size_t j = 0; j < 3; ++j) {
    const double w = row.model().w[j];
    EXPECT_NEAR(of_all[j], of_x[j] + w * w / (0.75 * 0.75), 1e-13 * of_all[j]);
  }
  EXPECT_NEAR(of_all[3], 1 / (0.75 * 0.75), 1e-15);
}

TEST(normal_vector, neighbors_in_time_share_what_each_tells_the_next) {
  // A chain in which each is ar times the one before it and noise: (d-1) · -½ log(1 - ar²).
  const square_matrix covariance = autoregressive({1, 2, 3, 4, 5}, 0.9);
  EXPECT_NEAR(covariance(0, 4), 0.6561 * 5, 1e-14);
  const normal_vector x{"x", {0, 0, 0, 0, 0}, covariance};
  EXPECT_NEAR(total_correlation(x).value(), -2 * std::log2(1 - 0.81), 1e-13);
}

TEST(normal_row, names_the_number_that_is_wrong) {
  const auto message = [](const row_model& model) {
    return message_of([&] { normal_row{model}; });
  };
  row_model model = three_features();
  model.sigma_xi = 0;
  EXPECT_EQ(message(model), "row: sigma_xi must be finite and > 0, got 0");
  model = three_features();
  model.mu.pop_back();
  EXPECT_EQ(message(model), "row: there are 3 weights w, but 2 means mu");
  model = three_features();
  model.covariance.set(0, 1, 2);
  model.covariance.set(1, 0, 2);
  EXPECT_EQ(message(model),
            "row: the covariance must be positive definite, but the variance of variable 2, given "
            "those before it, is 0");
  model = three_features();
  model.w[1] = 1e300;
  model.covariance.set(1, 1, 1e30);
  EXPECT_EQ(message(model), "row: |w| sigma_x / sigma_xi must be finite, got inf");
  EXPECT_EQ(message_of([] {
              equally_correlated({1, 1, 1}, -0.5);
            }),
            "row: corr must be below 1 and, for 3 features, above -0.5, got -0.5");
  EXPECT_EQ(message_of([] {
              autoregressive({1, 1}, 1);
            }),
            "row: ar must be above -1 and below 1, got 1");
  EXPECT_EQ(message_of([] {
              equally_correlated({1, 0}, 0);
            }),
            "row: sigma_x must be finite and > 0, got 0");
}

/// 1 - 10^-k, where 1 - r is exact.
double nearly_one(int k) { return 1 - std::pow(10.0, -k); }

/// Both kinds of covariance in closed form: of neighbors in time, and of any two features alike.
struct known_covariance {
  feature_covariance made;
  double log_determinant;
  double first_precision;
};
known_covariance known_of(const std::vector<double>& deviations, double r, bool is_ar) {
  const auto d = static_cast<double>(deviations.size());
  double log_determinant = (d - 1) * std::log(1 - r);
  for (const double deviation : deviations) log_determinant += 2 * std::log(deviation);
  const double square = deviations[0] * deviations[0];
  if (is_ar) {
    log_determinant += (d - 1) * std::log1p(r);
    return {autoregressive(deviations, r), log_determinant, 1 / ((1 - r) * (1 + r)) / square};
  }
  const double last = std::fma(d - 1, r, 1.0);
  return {equally_correlated(deviations, r), log_determinant + std::log(last),
          (1 + (d - 2) * r) / ((1 - r) * last) / square};
}

normal_row row_with(const feature_covariance& covariance, double w = 0) {
  const std::size_t d = covariance.size();
  return normal_row{{std::vector<double>(d, w), std::vector<double>(d, 0.0), covariance, 0, 1}};
}

TEST(normal_row, knows_what_is_left_of_features_that_are_nearly_one) {
  for (const bool is_ar : {false, true}) {
    for (const int k : {1, 4, 8, 12, 14, 15}) {
      for (const std::size_t d : {2U, 3U, 7U}) {
        std::vector<double> deviations(d, 0.3);
        deviations[1] = 0.7;
        const known_covariance known = known_of(deviations, nearly_one(k), is_ar);
        const normal_row row = row_with(known.made);
        SCOPED_TRACE(k);
        const double ulp = 0x1p-53 * std::fabs(known.log_determinant);  // of each sum of logarithms
        EXPECT_NEAR(row.log_determinant(), known.log_determinant,
                    row.x().doubt() + 2 * static_cast<double>(d) * ulp);
        EXPECT_LT(row.x().doubt(), 1e-13);
        EXPECT_NEAR(row.precisions()[0], known.first_precision, 1e-13 * known.first_precision);
        for (std::size_t i = 0; i < d; ++i) {
          for (std::size_t j = 0; j < d; ++j) {
            EXPECT_NEAR(row.x().covariance(i, j), known.made(i, j), 8 * 0x1p-53);
          }
        }
      }
    }
  }
}

TEST(normal_row, knows_what_is_left_of_features_that_nearly_add_up_to_nothing) {
  for (const std::size_t d : {3U, 5U, 9U}) {  // -1/(d-1) is a double
    const double r = std::nextafter(-1 / (static_cast<double>(d) - 1), 0);
    const known_covariance known = known_of(std::vector<double>(d, 1.0), r, false);
    const normal_row row = row_with(known.made);
    EXPECT_NEAR(row.log_determinant(), known.log_determinant,
                row.x().doubt() - 0x1p-51 * known.log_determinant);
  }
}

TEST(normal_vector, rounding_of_a_covariance_moves_no_determinant_by_more_than_the_doubt) {
  int cases = 0;
  for (const bool is_ar : {false, true}) {
    for (int k = 1; k < 15; ++k) {
      for (const std::size_t d : {2U, 3U, 6U}) {
        std::vector<double> deviations(d, 0.3);
        deviations[1] = 0.7;
        const known_covariance known = known_of(deviations, nearly_one(k), is_ar);
        const square_matrix entries = known.made;
        try {
          const normal_row row = row_with(entries);
          EXPECT_NEAR(row.log_determinant(), known.log_determinant, row.x().doubt()) << k;
          ++cases;
        } catch (const std::domain_error&) {  // so near that nothing is left after rounding
          EXPECT_GE(k, 13);
        }
      }
    }
  }
  EXPECT_GT(cases, 70);
}

TEST(normal_vector, another_order_keeps_the_determinant_to_its_doubt) {
  for (int k = 1; k < 13; ++k) {
    const known_covariance known = known_of({0.3, 0.7, 5, 0.01}, nearly_one(k), k % 2 == 0);
    const normal_vector x = row_with(known.made).x();
    double log_determinant = 0;
    for (const normal_link& link : x.chain({2, 0, 3, 1})) {
      log_determinant += 2 * std::log(link.deviation);
    }
    EXPECT_NEAR(log_determinant, known.log_determinant, x.doubt_when_turned()) << k;
  }
}

}  // namespace
