// Registers that hold any sorted list of values [thm:quantized_ent], against plain enumeration in
// quadruple precision.
#include "ktln2/format/codebook.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ktln2/entropy/enumeration.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/identity.hpp"
#include "ktln2/entropy/joint.hpp"
#include "oracle/oracle.hpp"

namespace {

using namespace ktln2;

__float128 as_quad(const wide& x) {
  const __float128 sum = static_cast<__float128>(x.high()) + static_cast<__float128>(x.low());
  __float128 power = 1;
  for (int k = 0; k < x.exponent(); ++k) power *= 2;
  for (int k = 0; k > x.exponent(); --k) power /= 2;
  return sum * power;
}

oracle_result truth_of(const codebook& code, const oracle_law& known) {
  std::vector<__float128> edges;
  for (const wide& edge : code.edges()) edges.push_back(as_quad(edge));
  return oracle_cells(edges.data(), static_cast<int>(edges.size()), known);
}

struct named_law {
  std::string name;
  oracle_law known;
  law ours;
};

std::vector<named_law> laws() {
  return {{"normal", {oracle_kind::normal, {0, 1}}, normal{0, 1}},
          {"shifted normal", {oracle_kind::normal, {0.75, 0.5}}, normal{0.75, 0.5}},
          {"narrow normal", {oracle_kind::normal, {0.5, 1e-9}}, normal{0.5, 1e-9}},
          {"wide normal", {oracle_kind::normal, {-3, 1e9}}, normal{-3, 1e9}},
          {"student", {oracle_kind::student, {3, 0.25, 0.5}}, student_t{3, 0.25, 0.5}},
          {"uniform", {oracle_kind::uniform, {-0.3, 1.9}}, uniform{-0.3, 1.9}},
          {"laplace", {oracle_kind::laplace, {0, 2}}, laplace{0, 2}},
          {"logistic", {oracle_kind::logistic, {1, 0.1}}, logistic{1, 0.1}}};
}

std::vector<double> grid(double first, double step, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(first + step * i);
  return values;
}

std::vector<double> values_of(const float_format& format) {
  std::vector<double> values;
  for (register_code i = 1; i <= format.size(); ++i) {
    values.push_back(format.value_at(i).to_double());
  }
  return values;
}

std::vector<codebook> codebooks() {
  return {codebook({-1, 1}),
          codebook({0.4, 0.6}),
          codebook({-1, 0, 1}),
          codebook({-1e300, 1e-300, 1, 1e300}),
          codebook({0.5, std::nextafter(0.5, 1), 1}),
          codebook({-2, -1.5, 0, 0.5, 1}, {-1.6, -1, 0.4, 0.5}),
          codebook(grid(-4, 0.0078125, 1025)),  // symmetric, 0 within a cell
          codebook(grid(-3.5, 1, 8)),           // symmetric, 0 an edge
          codebook(grid(0.1, 0.03, 500))};      // no two widths alike but for rounding
}

void expect_truth(const bounded<bits>& ours, const oracle_result& truth, const std::string& what) {
  const auto distance =
      static_cast<double>(truth.value - static_cast<__float128>(ours.value.value()));
  ASSERT_LT(static_cast<double>(truth.error), 1e-18) << what;
  EXPECT_LE(std::fabs(distance), ours.error.value()) << what << ": " << ours.value.value();
  EXPECT_LE(ours.error.value(), 10 * default_tolerance.value()) << what;
}

TEST(thm_quantized_ent, codebooks_agree_with_quadruple_precision) {
  for (const codebook& code : codebooks()) {
    for (const named_law& x : laws()) {
      const std::string what = std::to_string(code.size()) + " values from " +
                               std::to_string(code.values().front()) + ", " + x.name;
      const oracle_result truth = truth_of(code, x.known);
      expect_truth(exact_entropy(code, x.ours), truth, what);
      expect_truth(enumerated_entropy(code.cells(), x.ours), truth, what + ", enumerated");
    }
  }
}

TEST(eq_exact_identity, codebooks_agree_with_the_second_road) {
  for (const codebook& code : codebooks()) {
    for (const named_law& x : laws()) {
      const bounded<bits> h = exact_entropy(code, x.ours);
      const bounded<bits> second = entropy_by_identity(code.cells(), x.ours).entropy;
      EXPECT_TRUE(overlap(h, second)) << code.size() << " values, " << x.name << ": "
                                      << h.value.value() << " against " << second.value.value();
    }
  }
}

TEST(thm_quantized_ent, one_value_tells_nothing) {
  for (const named_law& x : laws()) {
    const bounded<bits> h = exact_entropy(codebook({3}), x.ours);
    EXPECT_EQ(h.value.value(), 0) << x.name;
    EXPECT_EQ(h.error.value(), 0) << x.name;
    EXPECT_EQ(enumerated_entropy(codebook({3}).cells(), x.ours).value.value(), 0) << x.name;
  }
}

TEST(thm_quantized_ent, two_values_are_a_coin) {
  const bounded<bits> fair = exact_entropy(codebook({-1, 1}), normal{0, 1});
  EXPECT_LE(std::fabs(fair.value.value() - 1), fair.error.value());
  // P(X > 0) for N(μ, 1) at μ = Φ⁻¹(0.9): H(0.1) = 0.46899559358928117
  const bounded<bits> biased = exact_entropy(codebook({-7, 7}), normal{1.2815515655446004, 1});
  EXPECT_NEAR(biased.value.value(), 0.46899559358928117, biased.error.value() + 1e-15);
}

TEST(thm_quantized_ent, a_law_narrower_than_a_cell_tells_nothing) {
  const bounded<bits> h = exact_entropy(codebook({0, 1, 2}), normal{1, 1e-30});
  EXPECT_LE(h.value.value(), h.error.value());
  const bounded<bits> on_edge = exact_entropy(codebook({0, 1, 2}), normal{0.5, 1e-30});
  EXPECT_LE(std::fabs(on_edge.value.value() - 1), on_edge.error.value());
}

TEST(cor_gauss_fp_ent, a_codebook_of_all_values_is_the_format) {
  for (const auto& [p, exponent_bits] : {std::pair{4, 3}, {1, 1}, {6, 2}}) {
    const float_format format{p, exponent_bits};
    const codebook code(values_of(format));
    for (const named_law& x : laws()) {
      const bounded<bits> listed = exact_entropy(code, x.ours);
      const bounded<bits> known = exact_entropy(format, x.ours);
      EXPECT_NEAR(listed.value.value(), known.value.value(), 8 * 0x1p-52) << x.name;
      EXPECT_LE(listed.error.value(), 2 * known.error.value() + 1e-18) << x.name;
    }
  }
}

TEST(cor_joint_ent, two_codebooks_are_two_registers) {
  const float_format x_format{3, 2};
  const float_format y_format{2, 3};
  const regression_pair pair{0.7, 1.3, 0.4};
  const joint_entropies formats = joint_entropy(format_pair{x_format, y_format}, pair);
  const joint_entropies listed = joint_entropy(codebook(values_of(x_format)).cells(),
                                               codebook(values_of(y_format)).cells(), pair);
  EXPECT_TRUE(overlap(listed.joint, formats.joint));
  EXPECT_TRUE(overlap(listed.mutual_information, formats.mutual_information));
  EXPECT_LE(listed.joint.error.value(), 10 * default_joint_tolerance.value());
}

TEST(cor_joint_ent, cells_that_narrow_outward_are_no_trouble) {
  // The same cells of X, and some of them cut finer far out: H(X, Y) grows by what that tells.
  std::vector<double> values = grid(0.25, 0.5, 4);
  for (double u = 2.25; u < 3; u += 0x1p-8) values.push_back(u);
  std::vector<double> both;
  for (auto u = values.rbegin(); u != values.rend(); ++u) both.push_back(-*u);
  both.insert(both.end(), values.begin(), values.end());
  const partition x_cells = codebook(both).cells();
  ASSERT_FALSE(x_cells.widens_outward());
  const partition y_cells{float_format{6, 3}};
  const regression_pair pair{1.0, 1.0, 0.5};
  const joint_entropies h = joint_entropy(x_cells, y_cells, pair);
  // By the chain rule the other way: the rows of Y's cells given X's must add up the same.
  const joint_entropies swapped = joint_entropy(y_cells, x_cells, pair.exchanged());
  EXPECT_NEAR(h.joint.value.value(), swapped.joint.value.value(),
              h.joint.error.value() + swapped.joint.error.value());
  EXPECT_LE(h.joint.error.value(), 1e-9);
}

TEST(cor_joint_ent, cells_without_mirrored_halves_are_refused) {
  const regression_pair pair{1.0, 1.0, 1.0};
  const partition format{float_format{3, 2}};
  EXPECT_THROW(joint_entropy(codebook({-1, 0, 1}).cells(), format, pair), std::domain_error);
  EXPECT_THROW(joint_entropy(format, codebook({-1, 2}).cells(), pair), std::domain_error);
}

}  // namespace
