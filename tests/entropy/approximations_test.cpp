#include "ktln2/entropy/approximations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "ktln2/entropy/bounds.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/identity.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

law law_of(const nlohmann::json& parameters) {
  if (parameters.contains("n")) {
    return slope_law({.w = reference_number(parameters.at("w")),
                      .sigma_x = reference_number(parameters.at("sigx")),
                      .sigma_xi = reference_number(parameters.at("sigxi"))},
                     reference_number(parameters.at("n")));
  }
  const double mu = parameters.contains("mu") ? reference_number(parameters.at("mu")) : 0;
  return normal{mu, reference_number(parameters.at("sigma"))};
}

float_format format_of(const nlohmann::json& parameters) {
  const int exponent_bits = parameters.contains("E") ? parameters.at("E").get<int>() : 8;
  return {parameters.at("p").get<int>(), exponent_bits};
}

using computation = std::function<double(const float_format&, const law&)>;

/// Quantities of tests/reference/approximations_bounds.json by the beginning of their names.
const std::map<std::string, computation>& one_register() {
  static const std::map<std::string, computation> all = {
      {"Ht (Approx. 1): -int_U f log2[f Delta], true midpoint Delta",
       [](const auto& f, const auto& x) { return cell_width_entropy(f, x).value(); }},
      {"Ht (Approx. 1) for What",
       [](const auto& f, const auto& x) { return cell_width_entropy(f, x).value(); }},
      {"Ht_{s,U}",
       [](const auto& f, const auto& x) { return smooth_entropy_granular(f, x).value(); }},
      {"Ht_s (Approx. 2)",
       [](const auto& f, const auto& x) { return smooth_entropy(f.p(), x).value(); }},
      {"Ht_s^mu (Approx. 3)",
       [](const auto& f, const auto& x) { return smooth_entropy_offset(f.p(), x)->value(); }},
      {"|Ht - Ht_{s,U}| (true widths)",
       [](const auto& f, const auto& x) {
         return std::fabs(cell_width_entropy(f, x).value() - smooth_entropy_granular(f, x).value());
       }},
      {"epsilon_0 exact integral",
       [](const auto& f, const auto& x) { return zero_cells_error(f, x).value(); }},
      {"epsilon_0 exact, N(0,sigma^2)",
       [](const auto& f, const auto& x) { return zero_cells_error(f, x).value(); }},
      {"bound C_0/(sigma sqrt(2pi))",
       [](const auto& f, const auto& x) { return zero_cells_error_bound(f, x).value(); }},
  };
  return all;
}

/// Ten digits, or twelve decimals where that is more.
void expect_digits(double ours, double truth, const std::string& what) {
  EXPECT_NEAR(ours, truth, std::fmax(1e-12, 1e-11 * std::fabs(truth))) << what;
}

TEST(tab_approx_audit, every_approximation_of_one_register_agrees_with_the_reference) {
  int entries = 0;
  for (const auto& entry : reference_file("approximations_bounds.json")) {
    const std::string quantity = entry.at("quantity");
    for (const auto& [name, compute] : one_register()) {
      if (!quantity.starts_with(name)) continue;
      const auto& parameters = entry.at("params");
      expect_digits(compute(format_of(parameters), law_of(parameters)), reference_value(entry),
                    quantity + ' ' + entry.at("id").get<std::string>());
      ++entries;
    }
  }
  EXPECT_GE(entries, 70);
}

TEST(cor_eps_sp_bound, student_laws_and_the_constant_agree_with_the_reference) {
  int entries = 0;
  for (const auto& entry : reference_file("approximations_bounds.json")) {
    const std::string quantity = entry.at("quantity");
    const auto& parameters = entry.at("params");
    const student_t x{5, 0, 1};
    const std::string id = entry.at("id");
    if (quantity.starts_with("epsilon_0 exact, t_5")) {
      expect_digits(zero_cells_error(format_of(parameters), x).value(), reference_value(entry), id);
    } else if (quantity.starts_with("bound C_0 f(0), t_5")) {
      expect_digits(zero_cells_error_bound(format_of(parameters), x).value(),
                    reference_value(entry), id);
    } else if (quantity == "C_0") {
      expect_digits(zero_cells_constant(format_of(parameters)), reference_value(entry), id);
    } else {
      continue;
    }
    ++entries;
  }
  EXPECT_GE(entries, 20);
}

TEST(eq_G_int_non_gauss, the_convolution_agrees_with_the_reference) {
  int entries = 0;
  for (const auto& entry : reference_file("approximations_bounds.json")) {
    const std::string quantity = entry.at("quantity");
    if (!quantity.starts_with("G_N") && !quantity.starts_with("G for")) continue;
    expect_digits(mean_log_magnitude(law_of(entry.at("params"))), reference_value(entry),
                  entry.at("id"));
    ++entries;
  }
  EXPECT_EQ(entries, 7);
}

/// Closed forms against the average over many quantiles is too coarse; against each other: a law
/// far from zero sees ln|x| as nearly linear, E log|X| ≈ log|μ| - σ²/(2μ² ln 2).
TEST(eq_three_approxes, the_second_order_term_is_what_is_left_out) {
  for (const law& x : {law{normal{100, 1}}, law{laplace{100, 1}}, law{logistic{-100, 1}},
                       law{uniform{99, 101}}, law{student_t{9, 100, 1}}}) {
    const double mu = 100;
    const double sigma = std::visit([](const auto& known) { return deviation(known); }, x);
    const double first = std::log2(mu) - 0.5;
    const double second = first - sigma * sigma / (2 * mu * mu * std::log(2));
    const double fourth_order = 20 * std::pow(sigma / mu, 4);
    EXPECT_NEAR(mean_log_magnitude(x), second, fourth_order);
    EXPECT_GT(std::fabs(mean_log_magnitude(x) - first), 5e-6);
  }
}

TEST(eq_G_int_non_gauss, closed_forms_join_smoothly) {
  // Values by mpmath at 40 digits.
  EXPECT_NEAR(mean_log_magnitude(laplace{0, 1}), -1.3327461772768672, 1e-14);
  EXPECT_NEAR(mean_log_magnitude(laplace{1.5, 1}), -0.12304504064652582, 1e-13);
  EXPECT_NEAR(mean_log_magnitude(logistic{0, 1}), -0.68125004780454835, 1e-14);
  EXPECT_NEAR(mean_log_magnitude(logistic{2, 0.7}), 0.22575749231456858, 1e-13);
  EXPECT_NEAR(mean_log_magnitude(laplace{39.999, 1}), mean_log_magnitude(laplace{40.001, 1}), 1e-4);
  EXPECT_NEAR(mean_log_magnitude(uniform{0, 1}), -0.5 - std::log2(std::exp(1.0)), 1e-14);
}

TEST(thm_steps, smoothing_moves_the_entropy_by_at_most_half_a_bit_and_eps0) {
  for (const int p : {1, 2, 5, 11, 24}) {
    for (const int exponent_bits : {0, 1, 3, 5, 8}) {
      const float_format format{p, exponent_bits};
      for (const law& x : {law{normal{0, 1}}, law{normal{3, 0.5}}, law{student_t{3, 0.5, 2}},
                           law{laplace{1, 1}}, law{logistic{0, 2}}, law{normal{21, 0.5}}}) {
        const bits moved = cell_width_entropy(format, x) - smooth_entropy_granular(format, x);
        EXPECT_LE(std::fabs(moved.value()), smoothing_bound(format, x).value() + 1e-12)
            << format.name() << ' ' << x.index();
      }
    }
  }
}

TEST(cor_eps_sp_bound, the_bound_is_one) {
  for (const int p : {1, 3, 8, 24}) {
    for (const int exponent_bits : {0, 1, 2, 4, 8}) {
      const float_format format{p, exponent_bits};
      for (const law& x : {law{normal{0.1, 1}}, law{student_t{2, 0, 0.01}}, law{uniform{-1, 3}},
                           law{laplace{-0.2, 0.3}}, law{logistic{5, 1}}}) {
        EXPECT_LE(zero_cells_error(format, x).value(),
                  zero_cells_error_bound(format, x).value() * (1 + 1e-12))
            << format.name() << ' ' << x.index();
      }
    }
  }
}

TEST(eq_exact_identity, the_divergence_is_below_its_bound_and_not_far) {
  for (const float_format& format :
       {float_format{24, 8}, float_format{8, 5}, float_format{3, 4}, float_format{1, 3}}) {
    for (const law& x : {law{normal{0, 1}}, law{normal{5, 0.3}}, law{student_t{3, 1, 2}},
                         law{laplace{0.5, 1}}, law{logistic{2, 1}}, law{normal{1, 1e-3}}}) {
      const double divergence = granular_divergence(partition{format}, x).value();
      const double bound = divergence_bound(format, x)->value();
      EXPECT_GE(bound * (1 + 1e-9), divergence) << format.name() << ' ' << x.index();
    }
  }
  // For fine cells the bound is 12/π² times D.
  const double divergence =
      entropy_by_identity(partition{float_format{12, 8}}, normal{0, 1}).divergence;
  EXPECT_NEAR(divergence_bound({12, 8}, normal{0, 1})->value() / divergence, 12 / (M_PI * M_PI),
              1e-4);
  EXPECT_FALSE(divergence_bound({12, 8}, uniform{0, 1}).has_value());
}

TEST(eq_exact_identity, finer_cells_divide_the_divergence_by_four_beyond_double_precision_too) {
  for (const law& x : {law{normal{0, 1}}, law{student_t{3, 1, 2}}, law{logistic{2, 1}}}) {
    const float_format coarse{40, 8};
    for (const int p : {52, 53, 54, 58, 64}) {
      const float_format fine{p, 8};
      const auto ratio = [&](auto function) {
        return std::ldexp(function(fine) / function(coarse), 2 * (p - 40));
      };
      EXPECT_NEAR(ratio([&](const auto& f) { return divergence_bound(f, x)->value(); }), 1, 1e-6);
      EXPECT_NEAR(ratio([&](const auto& f) { return divergence_leading_order(f, x)->value(); }), 1,
                  1e-6);
      EXPECT_NEAR(
          ratio([&](const auto& f) { return entropy_by_identity(partition{f}, x).divergence; }), 1,
          1e-6);
    }
  }
}

TEST(eq_special_error, a_law_far_narrower_than_the_cells_next_to_zero_is_seen) {
  // All of X lies in B0: ε₀ = p - ½ + log a - E log|X|, and E log|X| = log σ - (γ/ln 2 + 1)/2.
  const float_format format{24, 8};
  const double log_a = -127 + std::log2(1 + 0x1p-24);
  for (const double sigma : {1e-50, 1e-60, 1e-70, 1e-150, 1e-300}) {
    const double expected = 23.5 + log_a - (std::log2(sigma) - 0.9163730886384335753);
    EXPECT_NEAR(zero_cells_error(format, normal{0, sigma}).value() / expected, 1, 1e-12) << sigma;
  }
}

TEST(eq_exact_identity, the_leading_order_is_right_for_fine_cells) {
  for (const law& x : {law{normal{0, 1}}, law{student_t{4, 1, 1}}, law{logistic{0, 1}}}) {
    const float_format format{12, 8};
    const double divergence = entropy_by_identity(partition{format}, x).divergence;
    EXPECT_NEAR(divergence_leading_order(format, x)->value() / divergence, 1, 1e-5);
  }
}

TEST(lem_Ac_bound, bounds_what_it_should) {
  for (const auto& entry : reference_file("approximations_bounds.json")) {
    const std::string quantity = entry.at("quantity");
    const auto& parameters = entry.at("params");
    if (quantity.starts_with("E[|ln|1+eps/mu|| ; A^c]")) {
      const normal x{reference_number(parameters.at("mu")),
                     reference_number(parameters.at("sigma"))};
      EXPECT_LE(reference_value(entry), offset_log_tail_bound(x)) << entry.at("id");
    } else if (quantity.starts_with("Lemma Ac-bound RHS")) {
      const normal x{reference_number(parameters.at("mu")),
                     reference_number(parameters.at("sigma"))};
      expect_digits(offset_log_tail_bound(x), reference_value(entry), entry.at("id"));
    }
  }
}

TEST(eq_p_ac_bound, bounds_the_tail) {
  for (const double mu : {0.1, 1.0, 3.0, 10.0, -5.0}) {
    EXPECT_LE(offset_tail_mass(normal{mu, 1}), offset_tail_mass_bound(normal{mu, 1}));
  }
}

TEST(lem_mercator_remainder, bounds_the_remainder) {
  for (double x = -0.5; x <= 0.5; x += 0.01) {
    EXPECT_LE(std::fabs(std::log1p(x) - x + x * x / 2), mercator_remainder_bound(x) + 1e-17);
  }
  EXPECT_THROW(mercator_remainder_bound(0.6), std::domain_error);
}

TEST(tab_approx_audit, an_approximation_that_applies_is_close) {
  for (const law& x : {law{normal{0, 1}}, law{normal{50, 1}}, law{student_t{4, 30, 0.1}},
                       law{laplace{0, 3}}, law{logistic{1, 1}}}) {
    const float_format format{24, 8};
    const double exact = exact_entropy(format, x).value.value();
    for (const approximation& one : entropy_approximations(format, x)) {
      if (!one.applies()) continue;
      ASSERT_TRUE(one.value.has_value()) << one.label;
      // Approximation 1 is as good as its divergence; the others within the smoothing bound.
      const double allowed = one.label == "eq:diff_approx" ? 1e-6 : 0.52;
      EXPECT_NEAR(one.value->value(), exact, allowed) << one.label;
    }
  }
}

TEST(tab_approx_audit, says_where_it_does_not_hold) {
  const auto by_label = [](const std::vector<approximation>& all, std::string_view label) {
    for (const approximation& one : all) {
      if (one.label == label) return one;
    }
    throw std::logic_error("no such label");
  };
  const auto narrow = entropy_approximations({24, 8}, normal{1, 1e-8});
  EXPECT_FALSE(by_label(narrow, "eq:diff_approx").applies());
  const auto centered = entropy_approximations({24, 8}, normal{0, 1});
  EXPECT_FALSE(by_label(centered, "eq:three_approxes").applies());
  EXPECT_FALSE(by_label(centered, "eq:three_approxes").value.has_value());
  EXPECT_TRUE(by_label(centered, "eq:single_mean_0").applies());
  const auto clipped = entropy_approximations({3, 4}, normal{0, 1e6});
  EXPECT_FALSE(by_label(clipped, "eq:first_two_approx").applies());
  const auto near_zero = entropy_approximations({24, 8}, normal{1, 1});
  EXPECT_FALSE(by_label(near_zero, "eq:three_approxes").applies());
  const auto cauchy = entropy_approximations({24, 8}, student_t{1, 5, 0.01});
  EXPECT_FALSE(by_label(cauchy, "eq:three_approxes").applies());
}

}  // namespace
