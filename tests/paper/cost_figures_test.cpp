#include <gtest/gtest.h>

#include "figure_data.hpp"
#include "reference_file.hpp"

namespace ktln2::paper::testing {
namespace {

using nlohmann::json;

bool has_unit_deviations(const json& parameters) {
  return parameters.contains("sigx") && reference_number(parameters.at("sigx")) == 1 &&
         reference_number(parameters.at("sigxi")) == 1;
}

bool is_about(const json& entry, const std::string& quantity, int p) {
  return entry.at("quantity").get<std::string>().starts_with(quantity) &&
         entry.at("params").value("p", 0) == p && has_unit_deviations(entry.at("params"));
}

/// A figure about exact regression, for the one problem that an entry of the reference is about.
table regression_data(const std::string& label, const json& entry) {
  const double w = number(entry, "w");
  const double n = number(entry, "n");
  return tables_of(label, {{"snr", {w * w}}, {"n_min", {n}}, {"n_max", {n}}}).at(0);
}

/// A figure about SGD, likewise, with few steps.
table sgd_data(const std::string& label, const json& entry) {
  const double k = number(entry, "k");
  return tables_of(label, {{"w", {number(entry, "w")}}, {"k_max", {k}}, {"points", {2}}}).at(0);
}

void expect_exact_slope_entropies(const std::string& label, int p, int at_least) {
  int found = 0;
  for (const json& entry : reference_file("entropy_slope.json")) {
    if (!is_about(entry, "H(What_fp) exact", p)) continue;
    const table data = regression_data(label, entry);
    EXPECT_NEAR(data.numbers("entropy").at(0), reference_value(entry), 1e-9) << entry.at("id");
    EXPECT_LT(data.numbers("error").at(0), 1e-9) << entry.at("id");
    ++found;
  }
  EXPECT_GE(found, at_least);
}

TEST(fig_H_fp_wh, is_exact) { expect_exact_slope_entropies("fig:H_fp_wh", 24, 8); }

TEST(fig_H_fp_wh_exact, is_exact) { expect_exact_slope_entropies("fig:H_fp_wh_exact", 4, 17); }

TEST(fig_H_fp_wh, has_the_approximation) {
  int found = 0;
  for (const json& entry : reference_file("costs.json")) {
    if (!is_about(entry, "Ht_s^w(What_fp)", 24)) continue;
    const table data = regression_data("fig:H_fp_wh", entry);
    EXPECT_NEAR(data.numbers("smooth").at(0), reference_value(entry), 1e-12) << entry.at("id");
    ++found;
  }
  EXPECT_GE(found, 18);
}

TEST(fig_H_fp_wh, error_stays_at_high_precision) {
  const auto error = [](double w, double n) {
    return tables_of("fig:H_fp_wh", {{"snr", {w * w}}, {"n_min", {n}}, {"n_max", {n}}})
        .at(0)
        .numbers("difference")
        .at(0);
  };
  EXPECT_NEAR(error(5, 30), 0.178, 0.001);
  EXPECT_NEAR(error(5, 1000), 0.178, 0.001);  // log(5/4) - 1/2, up to sign
  EXPECT_NEAR(error(0.25, 3), 0.686, 0.001);
  EXPECT_NEAR(error(0.25, 30), -0.343, 0.001);
}

TEST(fig_H_fp_wh, leaves_out_what_does_not_exist) {
  const table data = tables_of("fig:H_fp_wh", {{"snr", {0}}}).at(0);
  EXPECT_TRUE(std::isnan(data.numbers("smooth").at(0)));
  EXPECT_GT(data.numbers("entropy").at(0), 20);
}

TEST(fig_H_fp_wh_exact, approximation_goes_below_zero) {
  const table data = tables_of("fig:H_fp_wh_exact", {{"snr", {25}}}).at(0);
  EXPECT_NEAR(at(data, {{"n", 1000}}, "smooth"), -1.76, 0.005);
  EXPECT_NEAR(at(data, {{"n", 1000}}, "entropy"), 3.5e-13, 0.1e-13);
}

void expect_rates(const std::string& label, const std::string& quantity, int p,
                  const std::string& column, int at_least) {
  int found = 0;
  for (const json& entry : reference_file("costs.json")) {
    if (!is_about(entry, quantity, p)) continue;
    const double n = number(entry, "n");
    const table data = regression_data(label, entry);
    EXPECT_NEAR(data.numbers(column).at(0), reference_value(entry) / n, 1e-9) << entry.at("id");
    EXPECT_DOUBLE_EQ(data.numbers("precision").at(0), (2 * n - 1) * p / n);
    ++found;
  }
  EXPECT_GE(found, at_least);
}

TEST(fig_Ex_dH, is_exact) { expect_rates("fig:Ex_dH", "exact quantised cost", 24, "rate", 4); }

TEST(fig_Ex_dH, has_the_approximation) {
  expect_rates("fig:Ex_dH", "dE_min^Ex/", 24, "smooth", 13);
}

TEST(fig_Ex_dH_exact, is_exact) {
  expect_rates("fig:Ex_dH_exact", "exact quantised cost", 4, "rate", 11);
}

TEST(fig_Ex_dH, has_joint_entropies) {
  const table limits = tables_of("fig:Ex_dH").at(1);
  int found = 0;
  for (const json& entry : reference_file("costs.json")) {
    if (!is_about(entry, "H(X_fp,Y_fp) exact joint", 24)) continue;
    const double w = number(entry, "w");
    EXPECT_NEAR(at(limits, {{"snr", w * w}}, "joint"), reference_value(entry), 1e-9);
    ++found;
  }
  EXPECT_EQ(found, 3);
}

TEST(fig_sgd_hfp_vs_n, has_the_approximation) {
  int found = 0;
  for (const json& entry : reference_file("costs.json")) {
    if (!is_about(entry, "Ht_s^{mu~(k)}", 24)) continue;
    const table data = sgd_data("fig:sgd_hfp_vs_n", entry);
    EXPECT_NEAR(at(data, {{"k", number(entry, "k")}}, "smooth"), reference_value(entry), 1e-11)
        << entry.at("id");
    ++found;
  }
  EXPECT_GE(found, 13);
}

TEST(fig_sgd_hfp_vs_n, has_three_laws) {
  const auto data = tables_of("fig:sgd_hfp_vs_n", {{"w", {5}}, {"k_max", {100}}});
  // docs/sgd.md, and so by the tests of the laws themselves.
  EXPECT_NEAR(at(data.at(0), {{"k", 100}}, "process"), 18.459, 0.001);
  EXPECT_NEAR(at(data.at(0), {{"k", 100}}, "moments"), 20.198, 0.001);
  EXPECT_NEAR(at(data.at(1), {{"k", 100}}, "entropy"), 20.198, 0.001);
  EXPECT_NEAR(at(data.at(0), {{"k", 1}}, "moments"), 19.278, 0.001);
  const double smooth = at(data.at(0), {{"k", 100}}, "smooth");
  EXPECT_NEAR(at(data.at(1), {{"k", 100}}, "difference"), smooth - 20.198, 0.001);
}

TEST(fig_sgd_entropy_diff_rate, has_the_approximation) {
  int found = 0;
  for (const json& entry : reference_file("costs.json")) {
    if (!is_about(entry, "dE_min^SGD(k)", 24)) continue;
    const double points = number(entry, "k") * number(entry, "B");
    const table data = sgd_data("fig:sgd_entropy_diff_rate", entry);
    const auto here = [&](const std::string& column) {
      return at(data, {{"k", number(entry, "k")}}, column);
    };
    EXPECT_NEAR(here("smooth"), reference_value(entry) / points, 1e-11) << entry.at("id");
    EXPECT_DOUBLE_EQ(here("precision"), (2 * points - 1) * 24 / points);
    ++found;
  }
  EXPECT_GE(found, 10);
}

TEST(fig_sgd_entropy_diff_rate, has_the_exact_law) {
  const auto data = tables_of("fig:sgd_entropy_diff_rate", {{"w", {5}}, {"exact_k", {10}}});
  // Joint entropy by the reference (G.joint32.w5), that of the slope by docs/sgd.md.
  EXPECT_NEAR(at(data.at(1), {{"k", 10}}, "rate"), 50.57662472668953 - 20.790 / 100, 1e-5);
  EXPECT_NEAR(at(data.at(2), {{"w", 5}}, "joint"), 50.57662472668953, 1e-9);
}

}  // namespace
}  // namespace ktln2::paper::testing
