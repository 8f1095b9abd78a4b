#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/constants.hpp"
#include "figure_data.hpp"
#include "reference_file.hpp"

namespace ktln2::paper::testing {
namespace {

const std::string& word(const table& data, std::size_t row, const std::string& name) {
  for (std::size_t i = 0; i < data.columns().size(); ++i) {
    if (data.columns()[i].name == name) return std::get<std::string>(data.rows().at(row).at(i));
  }
  throw std::logic_error("no column " + name);
}

double number(const table& data, std::size_t row, const std::string& name) {
  for (std::size_t i = 0; i < data.columns().size(); ++i) {
    if (data.columns()[i].name == name) return std::get<double>(data.rows().at(row).at(i));
  }
  throw std::logic_error("no column " + name);
}

/// The row of the audit for an equation.
std::size_t row_of(const table& data, const std::string& equation) {
  for (std::size_t row = 0; row < data.rows().size(); ++row) {
    if (word(data, row, "equation") == equation) return row;
  }
  throw std::logic_error("no row for " + equation);
}

/// The values of a format from the definition, ascending; E = 0 has the exponent 1/2 alone.
std::vector<double> values_of(int p, int E) {
  std::vector<double> positive;
  const double lowest = E == 0 ? 0.5 : 1 - std::ldexp(1, E - 1);
  for (int e = 0; e < 1 << E; ++e) {
    for (int m = 0; m < 1 << (p - 1); ++m) {
      positive.push_back(std::exp2(lowest + e) * (1 + std::ldexp(m, 1 - p)));
    }
  }
  std::vector<double> all(positive.rbegin(), positive.rend());
  for (double& u : all) u = -u;
  all.insert(all.end(), positive.begin(), positive.end());
  return all;
}

double below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

/// H(X_fp) for N(μ, σ²), one term a cell.
double enumerated(int p, int E, double mu, double sigma) {
  const std::vector<double> u = values_of(p, E);
  double entropy = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double a = i == 0 ? -infinity : ((u[i - 1] + u[i]) / 2 - mu) / sigma;
    const double b = i + 1 == u.size() ? infinity : ((u[i] + u[i + 1]) / 2 - mu) / sigma;
    // On the side of the tail, where the difference keeps its digits.
    const double P = a > 0 ? below(-a) - below(-b) : below(b) - below(a);
    if (P > 0) entropy -= P * std::log2(P);
  }
  return entropy;
}

/// The width of the cells of one kind that begin here.
double width_from(const table& cells, const std::string& rounding, double left) {
  for (std::size_t row = 0; row < cells.rows().size(); ++row) {
    if (word(cells, row, "rounding") == rounding && number(cells, row, "left") == left) {
      return number(cells, row, "width");
    }
  }
  throw std::logic_error("no cells begin there");
}

TEST(fig_fp_diag, has_the_true_widths) {
  const table cells = tables_of("fig:fp_diag").at(0);
  const double spacing = std::ldexp(1, -9);  // from 1 to 2, p = 10
  EXPECT_EQ(width_from(cells, "floor", 1), spacing);
  EXPECT_EQ(width_from(cells, "floor", 0), std::ldexp(1 + spacing, -7));
  EXPECT_EQ(width_from(cells, "midpoint", 0), std::ldexp(1 + spacing / 2, -7));
  EXPECT_EQ(width_from(cells, "midpoint", 2 - spacing / 2), 1.5 * spacing);  // the cell of 2
  EXPECT_EQ(width_from(cells, "midpoint", 1 + spacing / 2), spacing);
  for (std::size_t row = 0; row < cells.rows().size(); ++row) {
    EXPECT_DOUBLE_EQ(number(cells, row, "smooth_right"),
                     number(cells, row, "right") * spacing / std::numbers::sqrt2);
  }
}

TEST(fig_fp_diag, smooth_widths_are_within_half_a_bit) {
  const table ratios = tables_of("fig:fp_diag", {}, false).at(1);
  double highest = 0;
  double lowest = 0;
  for (const double ratio : ratios.numbers("log_ratio")) {
    if (std::isnan(ratio)) continue;
    highest = std::max(highest, ratio);
    lowest = std::min(lowest, ratio);
  }
  EXPECT_LE(highest, 0.5 + 1e-12);  // [thm:steps]
  EXPECT_GE(lowest, -0.5 - 1e-12);
  EXPECT_GT(highest, 0.49);
  EXPECT_LT(lowest, -0.49);
}

TEST(fig_fp_exact_approx_sigma, has_the_plateau_and_its_ends) {
  const std::vector<table> data = tables_of("fig:fp_exact_approx_sigma", {{"sigma_min", {1}}});
  EXPECT_NEAR(at(data[0], {{"E", 4}, {"sigma", 1}}, "entropy"),
              reference("entropy_normal.json", "B.p3E4.mu0.s1"), 1e-12);
  EXPECT_NEAR(at(data[0], {{"E", 7}, {"sigma", 1}}, "entropy"), enumerated(3, 7, 0, 1), 1e-12);
  EXPECT_NEAR(at(data[0], {{"E", 7}, {"sigma", 1}}, "smooth"), 5.463468673819074, 1e-14);
  EXPECT_NEAR(at(data[0], {{"E", 2}, {"sigma", 0x1p70}}, "entropy"), 1, 1e-9);  // the sign alone
  EXPECT_EQ(at(data[1], {{"E", 5}}, "lowest"), std::ldexp(1, -15));
  EXPECT_EQ(at(data[1], {{"E", 5}}, "highest"), std::ldexp(1, 16));
}

TEST(fig_fp_exact_approx_sigma, error_is_mostly_due_to_cells_at_powers_of_two) {
  const table ripple = tables_of("fig:fp_exact_approx_sigma", {{"points", {5}}}, false).at(2);
  for (std::size_t row = 0; row < ripple.rows().size(); ++row) {
    EXPECT_NEAR(number(ripple, row, "difference"), -0.0217, 0.00034);
    // The rest, from the widths alone: for a density of log|x| that is flat, the midpoint cells
    // below and above a power of two are 3/2 and 3/4 of the steps that Delta_s halves.
    const double below_it = -std::log2(1 - 1.0 / 16) * std::log2(1.5);
    const double above_it = std::log2(1 + 1.0 / 8) * std::log2(4.0 / 3);
    EXPECT_NEAR(number(ripple, row, "difference") - number(ripple, row, "first_step"),
                below_it - above_it, 0.0004);
  }
}

TEST(fig_fp_exact_approx_mu, agrees_with_enumeration) {
  const table data = tables_of("fig:fp_exact_approx_mu", {{"mu_min", {64}}}).at(0);
  EXPECT_NEAR(at(data, {{"mu", 64}}, "entropy"), reference("entropy_normal.json", "B.p7E7.mu64.s1"),
              1e-12);
  EXPECT_NEAR(at(data, {{"mu", 64}}, "offset"),
              reference("approximations_bounds.json", "E.Htmu.p7E7.mu64.s1"), 1e-12);
  EXPECT_NEAR(at(data, {{"mu", 64}}, "smooth"),
              reference("approximations_bounds.json", "E.Hts.p7E7.mu64.s1"), 1e-12);
  EXPECT_NEAR(at(data, {{"mu", 100}}, "entropy"), enumerated(7, 7, 100, 1), 1e-12);
}

TEST(fig_fp_exact_approx_mu, is_within_half_a_bit_but_near_zero) {
  const std::vector<table> data = tables_of("fig:fp_exact_approx_mu", {}, false);
  double worst = 0;
  double near_zero = 0;
  for (const table& part : data) {
    for (std::size_t row = 0; row < part.rows().size(); ++row) {
      const double error = std::fabs(number(part, row, "offset_difference"));
      if (std::isnan(error)) continue;  // at zero
      double& largest = std::fabs(number(part, row, "mu")) < 0.45 - 1e-9 ? near_zero : worst;
      largest = std::max(largest, error);
      EXPECT_LE(std::fabs(number(part, row, "smooth_difference")), 0.4523);
    }
  }
  EXPECT_NEAR(worst, 0.452, 0.0005);
  EXPECT_GT(near_zero, 0.5);
}

TEST(fig_fp_exact_approx_p_E, agrees_with_references) {
  const table data =
      tables_of("fig:fp_exact_approx_p_E", {{"E", {4, 5, 11}}, {"p", {3, 24, 53}}}).at(0);
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 3}}, "entropy"),
              reference("entropy_normal.json", "B.p3E4.mu0.s1"), 1e-12);
  EXPECT_NEAR(at(data, {{"E", 5}, {"p", 3}}, "entropy"),
              reference("entropy_normal.json", "B.p3E5.mu0.s1"), 1e-12);
  EXPECT_NEAR(at(data, {{"E", 11}, {"p", 53}}, "entropy"),
              reference("entropy_normal.json", "B.p53E11.mu0.s1"), 1e-12);
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 24}}, "difference"), 0.1556, 0.0001);
}

TEST(fig_fp_exact_approx_p_E, coarse_formats_agree_with_enumeration) {
  const table data =
      tables_of("fig:fp_exact_approx_p_E", {{"E", {0, 1, 2}}, {"p", {1, 2, 6}}}).at(0);
  for (const int E : {0, 1, 2}) {
    for (const int p : {1, 2, 6}) {
      EXPECT_NEAR(at(data, {{"E", E}, {"p", p}}, "entropy"), enumerated(p, E, 0, 1), 1e-12)
          << p << ' ' << E;
    }
  }
}

TEST(fig_fp_joint_exact_approx_p_E_snr_2, agrees_with_references) {
  const std::string label = "fig:fp_joint_exact_approx_p_E_snr_2";
  const table data = tables_of(label, {{"E", {3, 4}}, {"p", {1, 2}}}).at(0);
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 2}}, "entropy"),
              reference("joint.json", "D.p2E4.w1.sx1.sxi0.5"), 1e-9);
  EXPECT_NEAR(at(data, {{"E", 3}, {"p", 2}}, "entropy"),
              reference("joint.json", "D.p2E3.w1.sx1.sxi0.5"), 1e-9);
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 1}}, "difference"), -0.2706, 0.0001);
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 2}}, "difference"), -0.0898, 0.0001);
}

TEST(fig_fp_joint_exact_approx_p_E_snr_100, changes_sign_near_seven_bits) {
  const std::string label = "fig:fp_joint_exact_approx_p_E_snr_100";
  const table data = tables_of(label, {{"E", {4}}, {"p", {6, 7, 8}}}).at(0);
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 7}}, "entropy"),
              reference("joint.json", "D.p7E4.w1.sx1.sxi0.01"), 1e-9);
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 8}}, "entropy"),
              reference("joint.json", "D.p8E4.w1.sx1.sxi0.01"), 1e-9);
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 6}}, "difference"), -0.246, 0.0005);
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 7}}, "difference"), -0.025, 0.0005);
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 8}}, "difference"), 0.074, 0.0005);
}

TEST(fig_midpoint_quantization, cells_meet_at_the_midpoints) {
  const table data = tables_of("fig:midpoint_quantization").at(0);
  EXPECT_TRUE(std::isnan(number(data, 0, "left")));
  EXPECT_EQ(number(data, 0, "right"), -0.5);
  EXPECT_EQ(number(data, 1, "left"), -0.5);
  EXPECT_EQ(number(data, 1, "right"), 2.5);
  EXPECT_TRUE(std::isnan(number(data, 2, "right")));
  EXPECT_NEAR(number(data, 0, "probability"), below((-0.5 - 1.5) / 1.8), 1e-15);
  EXPECT_NEAR(number(data, 2, "probability"), below((1.5 - 2.5) / 1.8), 1e-15);
  EXPECT_THROW(tables_of("fig:midpoint_quantization", {{"u", {1, 1, 2}}}), std::domain_error);
}

TEST(fig_C0_vs_p, agrees_with_references) {
  const table data = tables_of("fig:C0_vs_p", {{"E", {2, 3, 5}}}).at(0);
  for (const int E : {2, 3, 5}) {
    const double expected = reference("approximations_bounds.json", "E.C0.p3E" + std::to_string(E));
    EXPECT_NEAR(at(data, {{"E", E}, {"p", 3}}, "C0") / expected, 1, 1e-14);
  }
}

TEST(fig_eps0_vs_p, agrees_with_references) {
  const std::vector<table> all = tables_of("fig:eps0_vs_p");
  const table& data = all.at(0);
  // The first row with these E and p is that of the normal law.
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 24}}, "exact"),
              reference("approximations_bounds.json", "E.eps0.p24E4.mu0.s1"), 1e-13);
  EXPECT_NEAR(at(data, {{"E", 4}, {"p", 24}}, "bound"), 0.155480, 5e-7);
  EXPECT_NEAR(at(data, {{"E", 1}, {"p", 8}}, "bound"),
              reference("approximations_bounds.json", "E.eps0bound.gauss.p8E1.s1"), 1e-12);
  for (std::size_t row = 0; row < data.rows().size(); ++row) {
    EXPECT_GT(number(data, row, "excess"), 0);
    if (word(data, row, "law") == "student" && number(data, row, "E") == 4 &&
        number(data, row, "p") == 24) {
      EXPECT_NEAR(number(data, row, "exact"),
                  reference("approximations_bounds.json", "E.eps0.t5.p24E4"), 1e-13);
    }
  }
}

TEST(fig_fp_off_zero, agrees_with_references) {
  const table data =
      tables_of("fig:fp_off_zero", {{"mu_min", {100}}, {"sigma", {1}}, {"points", {5}}}).at(0);
  EXPECT_NEAR(at(data, {{"mu", 100}, {"sigma", 1}}, "entropy"),
              reference("entropy_normal.json", "B.p24E8.mu100.s1"), 1e-12);
}

TEST(fig_fp_exponents, has_the_entropy_of_the_exponent) {
  const std::vector<table> data = tables_of("fig:fp_exponents", {}, false);
  // Rounding to nearest moves an exponent up with a probability below 2^-24.
  EXPECT_NEAR(at(data[0], {{"sigma", 1}}, "entropy"), reference("exponent.json", "J.s1"), 1e-6);
  EXPECT_NEAR(at(data[0], {{"sigma", 1e-3}}, "entropy"), reference("exponent.json", "J.s1e-3"),
              1e-6);
  EXPECT_NEAR(at(data[0], {{"sigma", 1}, {"exponent", 0}}, "probability"),
              2 * (below(2) - below(1)), 1e-7);
  double total = 0;
  for (const double P : data[0].numbers("probability")) total += P;
  EXPECT_NEAR(total, 3, 1e-4);  // but for the rare ones
  const std::vector<double> octave = data[1].numbers("entropy");
  EXPECT_NEAR(*std::min_element(octave.begin(), octave.end()), 2.5422, 5e-5);
  EXPECT_NEAR(*std::max_element(octave.begin(), octave.end()), 2.5463, 5e-5);
}

TEST(fig_app_entropy_vs_sigma_all, agrees_with_enumeration) {
  for (const int p : {1, 4, 8}) {
    const std::string label = std::string("fig:") + "app_sigma_p" + std::to_string(p);
    const table data =
        tables_of(label, {{"sigma_min", {0.125}}, {"sigma_max", {2}}, {"E", {0, 3, 7}}}).at(0);
    for (const int E : {0, 3, 7}) {
      for (const double sigma : {0.125, 2.0}) {
        EXPECT_NEAR(at(data, {{"E", E}, {"sigma", sigma}}, "entropy"), enumerated(p, E, 0, sigma),
                    1e-12)
            << p << ' ' << E << ' ' << sigma;
      }
    }
  }
}

TEST(fig_app_entropy_vs_mu_p1, all_panels_agree_with_enumeration) {
  for (int p = 1; p <= 7; ++p) {
    for (int E = 0; E <= 7; ++E) {
      const std::string label =
          std::string("fig:") + "app_mu_p" + std::to_string(p) + "_E" + std::to_string(E);
      const table data = tables_of(label, {{"mu_min", {-1.5}}, {"mu_max", {100}}}).at(0);
      for (const double mu : {-1.5, 100.0}) {
        EXPECT_NEAR(at(data, {{"mu", mu}}, "entropy"), enumerated(p, E, mu, 1), 1e-12)
            << label << ' ' << mu;
        const double offset = std::log2(2 * std::numbers::pi * std::numbers::e) / 2 + p - 0.5 -
                              std::log2(std::fabs(mu));
        EXPECT_NEAR(at(data, {{"mu", mu}}, "offset"), offset, 1e-13);
      }
    }
  }
}

TEST(tab_cyclic_device, pays_for_one_step_only) {
  const table data = tables_of("tab:cyclic_device").at(0);
  const double loaded = 10 * reference("costs.json", "G.joint32.w1.sx1.sxi1");
  EXPECT_NEAR(number(data, 1, "entropy"), loaded, 1e-10);
  EXPECT_EQ(number(data, 0, "entropy"), 0);
  EXPECT_EQ(number(data, 3, "entropy"), 0);
  EXPECT_EQ(number(data, 1, "cost"), 0);
  EXPECT_EQ(number(data, 3, "cost"), 0);
  EXPECT_NEAR(
      number(data, 2, "cost") / (-number(data, 2, "change") * 1.380649e-23 * 300 * std::log(2)), 1,
      1e-12);
  EXPECT_NEAR(number(data, 1, "change") + number(data, 2, "change") + number(data, 3, "change"), 0,
              1e-10);
}

TEST(tab_approx_audit_campaign, measures_what_is_known) {
  const table data = tables_of("tab:approx_audit", {{"mu", {3.7}}, {"sigma", {0.9}}}).at(0);
  ASSERT_EQ(data.rows().size(), 11U);
  const std::string file = "approximations_bounds.json";
  EXPECT_NEAR(number(data, row_of(data, "eq:diff_approx"), "approximate"),
              reference(file, "E.Ht.p24E8.mu3.7.s0.9"), 1e-11);
  EXPECT_NEAR(number(data, row_of(data, "eq:first_two_approx"), "approximate"),
              reference(file, "E.Hts.p24E8.mu3.7.s0.9"), 1e-11);
  EXPECT_NEAR(number(data, row_of(data, "eq:three_approxes"), "approximate"),
              reference(file, "E.Htmu.p24E8.mu3.7.s0.9"), 1e-11);
  EXPECT_NEAR(number(data, row_of(data, "eq:Ht_s_U"), "bound"), 0.5, 1e-10);
  // docs/sgd.md: the deviation of the process is too small at k = 100.
  EXPECT_NEAR(number(data, row_of(data, "eq:sgd_landauer_noneq"), "exact"), 19.816, 5e-4);
  EXPECT_NEAR(number(data, row_of(data, "eq:SGD_final_dist"), "error"), -0.0043, 5e-5);
  for (std::size_t row = 0; row < data.rows().size(); ++row) {
    const double bound = number(data, row, "bound");
    const double error = std::fabs(number(data, row, "error"));
    if (!std::isnan(bound)) {
      EXPECT_LE(error, bound) << word(data, row, "equation");
    }
    const double worst = std::fabs(number(data, row, "worst_p24"));
    EXPECT_GE(worst, error) << word(data, row, "equation");
  }
}

}  // namespace
}  // namespace ktln2::paper::testing
