// What a codebook loses, and the codebooks that lose least or hold most.
#include "ktln2/entropy/quantizer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/exact.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;

double density(double z) {
  return std::isinf(z) ? 0 : std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
}
double below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

/// ∫ (z - v)² φ from a to b, in closed form.
double normal_square(double a, double b, double v) {
  const auto z_density = [](double z) { return std::isinf(z) ? 0 : z * density(z); };
  return (below(b) - below(a)) * (1 + v * v) + z_density(a) - z_density(b) -
         2 * v * (density(a) - density(b));
}

double normal_error(const codebook& code) {
  double sum = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const double a = i == 0 ? -infinity : code.edges()[i - 1].to_double();
    const double b = i + 1 == code.size() ? infinity : code.edges()[i].to_double();
    sum += normal_square(a, b, code.values()[i]);
  }
  return sum;
}

TEST(mean_square_error, of_a_normal_law_is_as_its_closed_form) {
  for (const codebook& code :
       {codebook({0}), codebook({-1, 1}), codebook({-2, 0.3, 0.5, 4}), codebook({3, 5}),
        codebook({-1, 0, 2}, {-0.9, 1.7}), codebook({-3, -2, -1, 0, 1, 2, 3})}) {
    const bounded<double> loss = mean_square_error(code, normal{0, 1});
    EXPECT_NEAR(loss.value, normal_error(code), loss.error + 1e-14) << code.size();
    EXPECT_LE(loss.error, 1e-11 * loss.value);
    const bounded<double> scaled = mean_square_error(code, normal{0, 1});
    EXPECT_EQ(scaled.value, loss.value);
  }
}

TEST(mean_square_error, of_one_value_is_the_variance_and_the_distance_from_the_mean) {
  for (const char* name :
       {"normal:mu=2,sigma=3", "uniform:low=-1,high=4", "laplace:loc=1,scale=0.5",
        "logistic:loc=-3,scale=2", "student:dof=2.1,loc=1,scale=2", "student:dof=5",
        "student:dof=1e6", "slope:n=10,w=2", "slope:n=3", "sgd:steps=20,law=exact"}) {
    const law x = parse_law(name);
    for (const double u : {0.0, mean(x), 7.0}) {
      const double truth = deviation(x) * deviation(x) + (mean(x) - u) * (mean(x) - u);
      const bounded<double> loss = mean_square_error(codebook({u}), x);
      EXPECT_NEAR(loss.value, truth, loss.error + 8 * 0x1p-52 * truth) << name << " at " << u;
      EXPECT_LE(loss.error, 1e-6 * truth) << name;
    }
  }
}

TEST(mean_square_error, is_infinite_with_the_deviation) {
  EXPECT_EQ(mean_square_error(codebook({-1, 1}), student_t{2, 0, 1}).value, infinity);
  EXPECT_EQ(mean_square_error(codebook({-1, 1}), student_t{1, 0, 1}).value, infinity);
}

TEST(mean_square_error, of_fine_cells_far_from_zero_keeps_its_digits) {
  // Equal cells of width 2^-20 around 2^20, where the density hardly varies within one: 1/12
  // width².
  std::vector<double> values;
  for (int i = -4096; i <= 4096; ++i) values.push_back(0x1p20 + i * 0x1p-20);
  const double sigma = 200 * 0x1p-20;
  const bounded<double> loss = mean_square_error(codebook(values), normal{0x1p20, sigma});
  EXPECT_NEAR(loss.value * 0x1p40, 1.0 / 12, 1e-13);
}

TEST(mean_square_error, of_a_narrow_law_is_the_distance) {
  const bounded<double> loss = mean_square_error(codebook({0, 1, 2}), normal{1.25, 1e-12});
  EXPECT_NEAR(loss.value, 0.0625, 1e-13);
}

struct known_codebook {
  std::size_t size;
  std::vector<double> positive;  ///< values, ascending
  double error;
  double digits;
};

TEST(lloyd_max, of_a_normal_law_is_as_in_the_tables) {
  const double two = std::sqrt(2 / std::numbers::pi);
  const known_codebook tables[] = {
      {1, {}, 1, 1e-13},
      {2, {two}, 1 - two * two, 1e-13},
      // J. Max, Quantizing for minimum distortion (1960), table I.
      {3, {1.2240}, 0.1902, 6e-5},
      {4, {0.4527800, 1.5104176}, 0.1174818, 6e-8},
      {5, {0.7646, 1.7241}, 0.07994, 6e-5},
      {6, {0.3177, 1.0001, 1.8936}, 0.05798, 6e-5},
      {8, {0.2451, 0.7560, 1.3439, 2.1520}, 0.03454, 6e-5},
      {16, {0.1284, 0.3881, 0.6568, 0.9424, 1.2562, 1.6180, 2.0690, 2.7326}, 0.009497, 6e-5},
  };
  for (const known_codebook& known : tables) {
    const codebook code = lloyd_max_codebook(normal{0, 1}, known.size).value();
    ASSERT_EQ(code.size(), known.size);
    for (std::size_t i = 0; i < known.positive.size(); ++i) {
      const std::size_t from_top = known.positive.size() - 1 - i;
      EXPECT_NEAR(code.values()[known.size - 1 - from_top], known.positive[i], known.digits);
      EXPECT_NEAR(code.values()[from_top], -known.positive[i], known.digits) << "by symmetry";
    }
    EXPECT_NEAR(mean_square_error(code, normal{0, 1}).value, known.error, known.digits);
  }
}

TEST(lloyd_max, every_value_is_the_mean_of_its_cell) {
  for (const std::size_t size : {2U, 7U, 64U, 1000U, 4096U}) {
    const codebook code = lloyd_max_codebook(normal{0, 1}, size).value();
    double held = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double a = i == 0 ? -infinity : code.edges()[i - 1].to_double();
      const double b = i + 1 == size ? infinity : code.edges()[i].to_double();
      const double mass = b < 0 ? below(b) - below(a) : below(-a) - below(-b);
      const double mean = (density(a) - density(b)) / mass;
      const double width = std::isinf(b - a) ? 1 : b - a;
      EXPECT_NEAR(code.values()[i], mean, 1e-8 * width) << size << ": " << i;
      held += mass * mean * mean;
    }
    // Then E(X - X_Q)² = Var X - Var X_Q.
    const bounded<double> loss = mean_square_error(code, normal{0, 1});
    EXPECT_NEAR(loss.value, 1 - held, 1e-13) << size;
  }
}

TEST(lloyd_max, of_other_laws_is_as_by_hand) {
  const codebook level = lloyd_max_codebook(uniform{1, 3}, 5).value();
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(level.values()[i], 1.2 + 0.4 * static_cast<double>(i), 1e-13);
  }
  EXPECT_NEAR(mean_square_error(level, uniform{1, 3}).value, 0.16 / 12, 1e-15);

  const codebook peaked = lloyd_max_codebook(laplace{0, 1}, 2).value();
  EXPECT_NEAR(peaked.values()[1], 1, 1e-13) << "E|X|";
  EXPECT_NEAR(mean_square_error(peaked, laplace{0, 1}).value, 1, 1e-13) << "2 - (E|X|)²";

  // E|T| = 2√ν Γ((ν+1)/2) / ((ν-1) √π Γ(ν/2))
  for (const double dof : {2.1, 3.0, 30.0}) {
    const double magnitude = 2 * std::sqrt(dof / std::numbers::pi) / (dof - 1) *
                             std::exp(std::lgamma((dof + 1) / 2) - std::lgamma(dof / 2));
    const codebook heavy = lloyd_max_codebook(student_t{dof, 0, 1}, 2).value();
    EXPECT_NEAR(heavy.values()[1], magnitude, 1e-11) << dof;
    const double truth = dof / (dof - 2) - magnitude * magnitude;
    EXPECT_NEAR(mean_square_error(heavy, student_t{dof, 0, 1}).value, truth, 1e-11 * truth) << dof;
  }
}

TEST(lloyd_max, is_better_than_its_neighbors_and_than_other_codebooks) {
  for (const char* name : {"normal:mu=1,sigma=2", "laplace", "logistic:loc=5", "student:dof=3",
                           "uniform", "slope:n=6", "sgd:steps=20,law=exact"}) {
    const law x = parse_law(name);
    for (const std::size_t size : {3U, 6U}) {
      const codebook best = lloyd_max_codebook(x, size).value();
      const bounded<double> least = mean_square_error(best, x);
      for (std::size_t i = 0; i < size; ++i) {
        for (const double shift : {-0.02, 0.02}) {
          std::vector<double> moved = best.values();
          moved[i] += shift * deviation(x);
          EXPECT_GT(mean_square_error(codebook(moved), x).value, least.value) << name;
        }
      }
      const codebook level = equal_mass_codebook(x, size).value();
      EXPECT_GE(mean_square_error(level, x).value, least.value * (1 - 1e-12)) << name;
    }
  }
}

TEST(lloyd_max, falls_like_the_asymptotic_formula) {
  // Panter and Dite: (1/(12 K²)) (∫ f^(1/3))³ = (√3 π/2)/K² for a normal law.
  const double limit = std::sqrt(3) * std::numbers::pi / 2;
  const codebook code = lloyd_max_codebook(normal{0, 1}, 4096).value();
  const double loss = mean_square_error(code, normal{0, 1}).value;
  EXPECT_NEAR(loss * 4096 * 4096, limit, 2e-3 * limit);
}

TEST(lloyd_max, does_not_exist_for_every_law) {
  EXPECT_FALSE(lloyd_max_codebook(student_t{2, 0, 1}, 4)) << "no deviation";
  EXPECT_FALSE(lloyd_max_codebook(normal{1, 1e-17}, 4)) << "no four doubles";
  EXPECT_FALSE(equal_mass_codebook(normal{1, 1e-17}, 4));
  EXPECT_TRUE(lloyd_max_codebook(normal{1e-300, 1e-300}, 4));
  EXPECT_EQ(message_of([] {
              (void)lloyd_max_codebook(normal{0, 1}, 0);
            }),
            "codebook: size must be from 1 to 4096, got 0");
  EXPECT_EQ(message_of([] {
              (void)equal_mass_codebook(normal{0, 1}, 4097);
            }),
            "codebook: size must be from 1 to 4096, got 4097");
}

TEST(thm_quantized_ent, cells_of_equal_mass_hold_the_most) {
  for (const char* name : {"normal", "laplace:loc=3", "logistic", "student:dof=1",
                           "student:dof=0.5", "uniform", "slope:n=1", "sgd:steps=20,law=exact"}) {
    const law x = parse_law(name);
    for (const std::size_t size : {1U, 2U, 3U, 100U}) {
      const codebook code = equal_mass_codebook(x, size).value();
      const bounded<bits> h = exact_entropy(code, x);
      EXPECT_NEAR(h.value.value(), std::log2(static_cast<double>(size)), h.error.value() + 1e-14)
          << name << ", " << size;
    }
  }
}

}  // namespace
