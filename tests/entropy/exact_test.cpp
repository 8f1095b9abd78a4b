#include "ktln2/entropy/exact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference_file.hpp"

namespace {

using namespace ktln2;

/// The truth inside the bar, and the bar not wider than ten tolerances.
void expect_within_bar(bounded<bits> ours, double truth, const std::string& what) {
  EXPECT_LE(std::fabs(ours.value.value() - truth), ours.error.value()) << what;
  EXPECT_LE(ours.error.value(), 10 * default_tolerance.value()) << what;
}

float_format format_of(const nlohmann::json& parameters) {
  return {parameters.at("p").get<int>(), parameters.at("E").get<int>()};
}

TEST(cor_gauss_fp_ent, normal_laws_agree_with_the_reference) {
  int entries = 0;
  for (const auto& entry : reference_file("entropy_normal.json")) {
    const auto& parameters = entry.at("params");
    const normal x{reference_number(parameters.at("mu")), reference_number(parameters.at("sigma"))};
    expect_within_bar(exact_entropy(format_of(parameters), x), reference_value(entry),
                      entry.at("id"));
    ++entries;
  }
  EXPECT_GE(entries, 27);
}

TEST(lem_compute_f_z, slopes_agree_with_the_reference) {
  int entries = 0;
  for (const auto& entry : reference_file("entropy_slope.json")) {
    const auto& parameters = entry.at("params");
    const law x = slope_law({.w = reference_number(parameters.at("w")),
                             .sigma_x = reference_number(parameters.at("sigx")),
                             .sigma_xi = reference_number(parameters.at("sigxi"))},
                            reference_number(parameters.at("n")));
    expect_within_bar(exact_entropy(format_of(parameters), x), reference_value(entry),
                      entry.at("id"));
    ++entries;
  }
  EXPECT_GE(entries, 60);
}

TEST(fig_fp_exponents, the_exponent_alone_agrees_with_the_reference) {
  for (const auto& entry : reference_file("exponent.json")) {
    const normal x{0, reference_number(entry.at("params").at("sigma"))};
    // With p = 1 and floor cells the code is the sign, worth one bit, and ⌊log₂|x|⌋.
    const partition cells{float_format{1, 11}, rounding::toward_zero};
    const bounded<bits> sign{bits{1}, bits{0}, evidence::proved};
    expect_within_bar(exact_entropy(cells, x) - sign, reference_value(entry), entry.at("id"));
  }
}

TEST(thm_quantized_ent, single_precision_to_the_last_digits) {
  expect_within_bar(exact_entropy({24, 8}, normal{0, 1}), 26.463733990788523, "p24e8 N(0,1)");
}

TEST(thm_quantized_ent, a_law_narrower_than_a_cell_is_an_ordinary_case) {
  expect_within_bar(exact_entropy({24, 8}, normal{1, 1e-8}), 0.01567062569546503, "on a boundary");
  expect_within_bar(exact_entropy({24, 8}, normal{1.1, 1e-30}), 0, "inside a cell");
  expect_within_bar(exact_entropy({53, 11}, normal{1e300, 1e-300}), 0, "quotient overflows");
}

TEST(thm_quantized_ent, one_and_two_cells) {
  // K = 2: the sign alone; dropping it leaves a single cell.
  const float_format smallest{1, 0};
  expect_within_bar(exact_entropy(smallest, normal{0, 1}), 1, "sign");
  expect_within_bar(exact_entropy(partition{smallest, rounding::nearest, 1}, normal{0, 1}), 0,
                    "one cell");
}

TEST(thm_quantized_ent, everything_clips_or_underflows) {
  expect_within_bar(exact_entropy({4, 4}, normal{0, 1e300}), 1, "both ends");
  expect_within_bar(exact_entropy({4, 4}, normal{1e300, 1}), 0, "upper end");
  expect_within_bar(exact_entropy({4, 4}, normal{0, 1e-300}), 1, "next to zero");
}

TEST(thm_quantized_ent, heavy_tails_beyond_double_have_narrow_bars) {
  // A thousandth of the mass lies beyond 2^1000: quadruple precision says 61.5559718544030913 bits.
  const bounded<bits> heavy = exact_entropy({53, 11}, student_t{0.01, 0, 1});
  EXPECT_LE(std::fabs(heavy.value.value() - 61.5559718544030913), heavy.error.value());
  EXPECT_LE(heavy.error, default_tolerance);
  // A thousandth of it lies below: what is left at the center has the rounding of the tails. The
  // values are proved.
  const bounded<bits> heaviest =
      exact_entropy({1, 1}, student_t{4.602374227057228e-06, 0, 2.5733869369388786e-110});
  EXPECT_LE(std::fabs(heaviest.value.value() - 1.01331508385339286), heaviest.error.value());
  EXPECT_LE(heaviest.error, default_tolerance);
}

TEST(thm_quantized_ent, a_looser_tolerance_stays_honest) {
  const double truth = 26.463733990788523;
  for (const double tolerance : {1e-3, 1e-6, 1e-9, 1e-15}) {
    const bounded<bits> ours = exact_entropy({24, 8}, normal{0, 1}, bits{tolerance});
    EXPECT_LE(std::fabs(ours.value.value() - truth), ours.error.value()) << tolerance;
    EXPECT_LE(ours.error.value(), std::fmax(tolerance, 1e-12)) << tolerance;
  }
}

TEST(exact_entropy, refuses_a_tolerance_that_is_none) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(exact_entropy({24, 8}, normal{0, 1}, bits{bad}), std::domain_error);
  }
}

}  // namespace
