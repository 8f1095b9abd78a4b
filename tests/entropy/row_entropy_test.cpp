#include "ktln2/entropy/row_entropy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ktln2/entropy/approximations.hpp"
#include "message_of.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

square_matrix matrix_of(const nlohmann::json& rows) {
  square_matrix made(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) made(i, j) = rows[i][j];
  }
  return made;
}

normal_row row_of(const nlohmann::json& given) {
  return normal_row{{given.at("w"), given.at("mu"), matrix_of(given.at("Sigma")), given.at("b"),
                     given.at("sigma_xi")}};
}

double smooth_row(const normal_row& row, int p) {
  double value = differential_entropy(row.registers()).value();
  for (std::size_t j = 0; j <= row.features(); ++j) {
    value += p - 1 - mean_log_magnitude(row.registers().marginal(j));
  }
  return value;
}

TEST(row_entropy, has_the_values_of_the_reference_table) {
  int cases = 0;
  for (const auto& entry : reference_file("many_parameters.json")) {
    const std::string id = entry.at("id");
    if (!id.starts_with("row-")) continue;
    SCOPED_TRACE(id);
    const auto& given = entry.at("params");
    const normal_row row = row_of(given);
    const float_format format{given.at("p"), given.at("E")};
    const double truth = reference_value(entry);
    ++cases;
    if (id.starts_with("row-smooth")) {
      EXPECT_NEAR(smooth_row(row, format.p()), truth, 1e-13 * truth);
      continue;
    }
    const row_entropies found = row_entropy({format}, row);
    if (id.starts_with("row-divergence")) {
      EXPECT_NEAR(found.divergence, truth, 1e-6 * truth);
      continue;
    }
    EXPECT_NEAR(found.joint.value.value(), truth, found.joint.error.value() + 1e-13 * truth);
    EXPECT_LT(found.joint.error.value(), 2e-11);
    EXPECT_LE(found.low.value(), truth + 1e-12);
    EXPECT_GE(found.high.value(), truth - 1e-12);
    EXPECT_LT((found.high - found.low).value(), 3e-11);
    EXPECT_EQ(name_of(found.how), row.features() == 1 ? "rows" : "chain");
  }
  EXPECT_EQ(cases, 11);
}

TEST(mean_log_magnitude, has_the_values_of_the_reference_table) {
  for (const auto& entry : reference_file("many_parameters.json")) {
    const std::string id = entry.at("id");
    if (!id.starts_with("elnabs")) continue;
    const auto& given = entry.at("params");
    const double truth = reference_value(entry);
    const law x = given.contains("dof")
                      ? law{student_t{given.at("dof"), given.at("loc"),
                                      given.at("tau").get<double>() /
                                          std::sqrt(given.at("dof").get<double>())}}
                      : law{normal{given.at("mu"), given.at("sigma")}};
    const double nats = (mean_log_magnitude(x) + 0.5) * std::log(2.0);
    EXPECT_NEAR(nats, truth, 1e-13 * (1 + std::fabs(truth))) << id;
  }
}

TEST(row_entropy, roads_agree) {
  // Coarse cells: cell by cell, the chain, a sample, and the identity, each within its bar.
  const normal_row row{{{1, -0.5}, {0.5, 0}, equally_correlated({1, 1}, 0.5), 0.25, 0.6}};
  const normal_vector& z = row.registers();
  const std::vector<partition> cells(3, partition{float_format{2, 2}});
  const bounded<bits> counted = enumerated_entropy(cells, z);
  EXPECT_LT(counted.error.value(), 1e-10);
  const chain_entropy chain = entropy_by_chain(cells, z);
  EXPECT_TRUE(overlap(chain.value, counted));
  EXPECT_LE(chain.low, counted.value + counted.error);
  EXPECT_GE(chain.high, counted.value - counted.error);
  EXPECT_TRUE(overlap(entropy_by_identity(cells, z).entropy, counted));
  const std::vector<partition> wide_range(3, partition{float_format{3, 5}});
  const bounded<bits> sampled = sampled_entropy_of(wide_range, z, 200, 7);
  EXPECT_TRUE(overlap(sampled, entropy_by_chain(wide_range, z).value));
  EXPECT_LT(sampled.error.value(), 0.05);
}

/// Boxes whose first node is far out in the tail.
TEST(row_entropy, of_a_sample_is_a_number_where_features_hang_together) {
  const row_model model{{0, -0.26736394202458014},
                        {0, -2.25},
                        equally_correlated({0.1881666143134773, 0.09232476934705199}, 0.99),
                        0,
                        2.643062186243461};
  const normal_row row{model};
  const std::vector<partition> cells(3, partition{float_format{3, 3}});
  const bounded<bits> sampled = sampled_entropy_of(cells, row.registers(), 2000, 7);
  const chain_entropy chain = entropy_by_chain(cells, row.registers());
  EXPECT_GT(sampled.value + sampled.error, chain.low);
  EXPECT_LT(sampled.value - sampled.error, chain.high);
  EXPECT_NEAR(sampled.value.value(), 8.781046, sampled.error.value());
}

/// The mean of y lies between two doubles, and these are not close against the noise.
TEST(row_entropy, bar_covers_a_mean_that_no_double_is) {
  row_model model;
  model.w = {-1.5901504069372947, 2.2157006970635704};
  model.mu = {-3.4999999623388285, 0.875};
  model.covariance = equally_correlated({3.888692742490379e-07, 1.2962309141634595e-07}, -0.7);
  model.b = -12.504264424432774;
  model.sigma_xi = 1.1834121379127015e-07;
  const std::vector<storage> where(3, storage{float_format{2, 2}});
  const row_entropies found = row_entropy(where, normal_row{model});
  // Nested Gauss-Legendre quadrature with more digits.
  EXPECT_NEAR(found.joint.value.value(), 2.1267267215057, found.joint.error.value());
  EXPECT_LT(found.joint.error.value(), 1e-6);
}

TEST(row_entropy, small_registers_are_counted_cell_by_cell) {
  const normal_row row{{{1, 1}, {0, 0}, equally_correlated({1, 1}, 0), 0, 0.4}};
  const row_entropies found = row_entropy({float_format{1, 2}}, row);
  EXPECT_EQ(name_of(found.how), "enumeration");
  EXPECT_LT(found.joint.error.value(), 1e-10);
  EXPECT_LE(found.low, found.joint.value);
  EXPECT_GE(found.high, found.joint.value);
  bounded<bits> sum = found.features + found.conditional;
  EXPECT_NEAR(sum.value.value(), found.joint.value.value(), 1e-13);
}

TEST(row_entropy, of_one_feature_is_that_of_the_pair) {
  const normal_row row{{{1.5}, {0}, equally_correlated({0.5}, 0), 0, 0.25}};
  const row_entropies found = row_entropy({float_format{11, 5}, float_format{8, 8}}, row);
  const joint_entropies pair =
      joint_entropy(format_pair{{11, 5}, {8, 8}}, regression_pair{1.5, 0.5, 0.25});
  EXPECT_EQ(found.joint.value, pair.joint.value);
  EXPECT_EQ(found.conditional.value, pair.conditional.value);
  EXPECT_EQ(found.total_correlation.value, pair.mutual_information.value);
}

TEST(row_entropy, any_order_gives_the_same_entropy) {
  const normal_row row{{{1, -0.5, 2}, {0, 1, 0}, autoregressive({1, 2, 0.5}, 0.7), 0, 0.6}};
  const row_entropies usual = row_entropy({float_format{16, 8}}, row);
  const row_entropies other = row_entropy({float_format{16, 8}}, row, {3, 1, 0, 2});
  EXPECT_TRUE(overlap(usual.joint, other.joint));
  EXPECT_EQ(other.steps.front().variable, 3U);
}

TEST(row_entropy, independent_copies_share_what_the_variables_do) {
  const normal_row row{{{1, 1}, {0, 0}, equally_correlated({1, 1}, 0.5), 0, 1}};
  const row_entropies found = row_entropy({float_format{24, 8}}, row);
  EXPECT_NEAR(found.total_correlation.value.value(), total_correlation(row.registers()).value(),
              1e-10);
}

TEST(row_entropy, refuses_formats_that_do_not_fit) {
  const normal_row row{{{1, 1}, {0, 0}, equally_correlated({1, 1}, 0.5), 0, 1}};
  const storage half = float_format{11, 5};
  EXPECT_EQ(message_of([&] {
              row_entropy({half, half}, row);
            }),
            "row: there are 3 registers, but 2 formats");
}

/// Two features with this correlation, y independent of them: on fine cells their registers share
/// what the numbers do, -½ log(1 - r²).
void expect_correlated_registers(const feature_covariance& covariance, double r) {
  const normal_row row{{{0, 0}, {0, 0}, covariance, 0, 1}};
  const row_entropies found = row_entropy({float_format{53, 11}}, row);
  bounded<bits> truth = found.single[0] + found.single[1] + found.single[2];
  truth.value += bits{0.5 * (std::log2(1 - r) + std::log2(1 + r))};
  truth.error += bits{0x1p-50 * truth.value.value()};
  SCOPED_TRACE(found.joint.value.value());
  EXPECT_TRUE(overlap(found.joint, truth)) << (found.joint.value - truth.value).value();
  EXPECT_LE(found.low, truth.value + truth.error);
  EXPECT_GE(found.high, truth.value - truth.error);
}

TEST(row_entropy_campaign, bars_cover_what_rounding_does_to_features_that_are_nearly_one) {
  for (const char* word :
       {"0.99999999999999", "0.999999999999", "0.99999999", "0.999999", "-0.9999"}) {
    const double r = std::stod(word);
    SCOPED_TRACE(word);
    expect_correlated_registers(equally_correlated({0.3, 0.7}, r), r);
    expect_correlated_registers(autoregressive({0.3, 0.7}, r), r);
    // Entries as of a file, which are rounded: the bar says so.
    const square_matrix entries = equally_correlated({0.3, 0.7}, r);
    expect_correlated_registers(entries, r);
  }
}

TEST(row_entropy, of_features_that_are_nearly_one_is_that_of_what_is_left) {
  expect_correlated_registers(autoregressive({0.3, 0.7}, 0.999999), 0.999999);
  // By another program, from the determinant in 40 digits.
  const double r = 0.99999999999999;
  const normal_row row{{{0, 0}, {0, 0}, equally_correlated({0.3, 0.7}, r), 0, 1}};
  const row_entropies found = row_entropy({float_format{53, 11}}, row);
  EXPECT_NEAR(found.joint.value.value(), 143.6360404, found.joint.error.value() + 1e-7);
  EXPECT_LT(found.joint.error.value(), 1e-11);
}

}  // namespace
