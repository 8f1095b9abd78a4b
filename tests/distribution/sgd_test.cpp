#include "ktln2/distribution/sgd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "ktln2/distribution/law.hpp"
#include "message_of.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

constexpr double unit = 0x1p-53;

sgd_problem problem_of(const nlohmann::json& params) {
  const auto at = [&params](const char* key) { return reference_number(params.at(key)); };
  return {.eta = at("eta"),
          .batch = at("B"),
          .steps = at("k"),
          .w0 = at("what0"),
          .w = at("w"),
          .sigma_x = at("sigx"),
          .sigma_xi = at("sigxi")};
}

/// Four decimals are rounded to double, each half a unit, and enter as ησ_x²k in an exponent.
TEST(sec_nonstationarysgd, moments_agree_with_the_reference) {
  int compared = 0;
  for (const auto& entry : reference_file("sgd_moments.json")) {
    const sgd_problem problem = problem_of(entry.at("params"));
    const auto quantity = entry.at("quantity").get<std::string>();
    const double value = reference_value(entry);
    const double time = problem.eta * problem.sigma_x * problem.sigma_x * problem.steps;
    const double variance_scale = value * (16 + 8 * time);
    const double mean_scale = std::fmax(std::fabs(problem.w), std::fabs(problem.w0)) * 4;
    double got = 0;
    double scale = 0;
    if (quantity == "OU variance") {
      got = std::pow(sgd_ou_law(problem).scale(), 2);
      scale = variance_scale;
    } else if (quantity == "OU mean mu~(k)") {
      got = sgd_ou_law(problem).location();
      scale = mean_scale;
    } else if (quantity == "E[what_k] exact discrete SGD") {
      got = exact_moments(problem).mean;
      scale = mean_scale;
    } else {
      ASSERT_EQ(quantity, "Var[what_k] exact discrete SGD");
      got = std::pow(exact_moments(problem).deviation, 2);
      scale = variance_scale;
    }
    EXPECT_NEAR(got, value, unit * scale) << entry.at("id");
    ++compared;
  }
  EXPECT_EQ(compared, 45);
}

/// One step after the other, in long double: Var' = q Var + (2a²/B) mean² + a²σ_ξ²/(Bσ_x²).
sgd_moments by_recursion(const sgd_problem& p) {
  const long double a = static_cast<long double>(p.eta) * p.sigma_x * p.sigma_x;
  const long double unit_noise = static_cast<long double>(p.sigma_xi) / p.sigma_x * a;
  const long double q = (1 - a) * (1 - a) + 2 * a * a / p.batch;
  long double mean = static_cast<long double>(p.w0) - p.w;
  long double variance = 0;
  for (double k = 0; k < p.steps; ++k) {
    variance = q * variance + (2 * a * a * mean * mean + unit_noise * unit_noise) / p.batch;
    mean *= 1 - a;
  }
  return {static_cast<double>(p.w + mean), static_cast<double>(std::sqrt(variance))};
}

TEST(sgd_moments, the_closed_form_is_the_recursion) {
  for (const double eta : {1e-6, 0.01, 0.3, 0.5, 1.0, 1.2, 2.0 / 3}) {
    for (const double batch : {1.0, 3.0, 100.0}) {
      for (const double steps : {1.0, 2.0, 17.0, 60.0}) {
        const sgd_problem p{.eta = eta,
                            .batch = batch,
                            .steps = steps,
                            .w0 = -1,
                            .w = 0.5,
                            .sigma_x = 1,
                            .sigma_xi = 0.7};
        const sgd_moments got = exact_moments(p);
        const sgd_moments expected = by_recursion(p);
        // 1 - a and q - 1 are rounded once; their powers magnify that.
        const double growth = 8 + steps * (2 + 1 / std::fmax(std::fabs(1 - eta), 0.1));
        EXPECT_NEAR(got.mean, expected.mean, unit * growth * (1 + std::fabs(expected.mean)))
            << eta << ' ' << steps;
        EXPECT_NEAR(got.deviation, expected.deviation, unit * growth * expected.deviation)
            << eta << ' ' << batch << ' ' << steps;
      }
    }
  }
}

TEST(sgd_moments, many_tiny_steps_become_the_ornstein_uhlenbeck_law) {
  const sgd_problem p{.eta = 1e-12, .batch = 10, .steps = 1e12, .w0 = 2, .w = 2};
  EXPECT_NEAR(exact_moments(p).deviation / sgd_ou_law(p).scale(), 1, 2e-12);  // 1 + O(η)
  const sgd_problem slow{.eta = 1e-15, .batch = 1, .steps = 1e15, .w0 = 1, .w = 2};
  EXPECT_NEAR(exact_moments(slow).mean, 2 - std::exp(-1.0), 1e-15);
}

TEST(sgd_moments, the_second_moment_is_finite_at_every_step_and_diverges_in_the_limit) {
  const sgd_problem wild{.eta = 1, .batch = 1, .steps = 10, .w0 = 1, .w = 1};  // q = 2
  EXPECT_NEAR(exact_moments(wild).deviation, std::sqrt(1023.0), 1e-13);
  EXPECT_TRUE(std::isinf(sgd_limit_deviation(wild)));
  sgd_problem edge{.eta = 0.5, .batch = 2.0 / 2, .steps = 1e6, .w0 = 1, .w = 1};
  EXPECT_TRUE(std::isfinite(sgd_limit_deviation(edge)));
  edge.eta = 1;
  edge.batch = 2;  // q = 1 exactly: the variance grows by a²/B a step
  EXPECT_DOUBLE_EQ(exact_moments(edge).deviation, std::sqrt(1e6 / 2));
  EXPECT_TRUE(std::isinf(sgd_limit_deviation(edge)));
  sgd_problem lost = wild;
  lost.steps = 1e9;
  EXPECT_TRUE(std::isinf(exact_moments(lost).deviation));
  EXPECT_EQ(message_of([&] { sgd_moments_law(lost); }),
            "sgd: deviation must be finite and > 0, got inf");
}

TEST(sgd_moments, the_limit_is_what_many_steps_come_to) {
  for (const double eta : {0.01, 0.05, 0.5}) {
    const sgd_problem p{
        .eta = eta, .batch = 4, .steps = 1e5, .w0 = -3, .w = 2, .sigma_x = 1.5, .sigma_xi = 0.1};
    EXPECT_NEAR(exact_moments(p).deviation / sgd_limit_deviation(p), 1, 8 * unit);
  }
}

TEST(eq_SGD_final_dist, the_stationary_law_is_the_limit_of_the_process) {
  const sgd_problem p{.eta = 0.04, .batch = 8, .steps = 1e9, .w0 = 5, .w = -1, .sigma_xi = 3};
  EXPECT_EQ(sgd_stationary_law(p).location(), -1);
  EXPECT_DOUBLE_EQ(sgd_stationary_law(p).scale(), 3 * std::sqrt(0.0025));
  EXPECT_EQ(sgd_ou_law(p).scale(), sgd_stationary_law(p).scale());
  EXPECT_EQ(sgd_ou_law(p).location(), -1);
}

TEST(parse_law, sgd_takes_its_keys_and_the_name_of_its_law) {
  const auto by_default = std::get<normal>(parse_law("sgd"));
  const normal expected = sgd_ou_law({});
  EXPECT_EQ(by_default.location(), expected.location());
  EXPECT_EQ(by_default.scale(), expected.scale());
  const auto stationary =
      std::get<normal>(parse_law("sgd:law=stationary,w=-3,eta=0.5,batch=4,sigma_xi=2"));
  EXPECT_EQ(stationary.location(), -3);
  EXPECT_EQ(stationary.scale(), 0.5);
  const auto moments = std::get<normal>(parse_law("sgd:steps=1e3,law=moments,w0=7,sigma_x=2"));
  EXPECT_EQ(moments.scale(), exact_moments({.steps = 1e3, .w0 = 7, .sigma_x = 2}).deviation);
}

TEST(parse_law, bad_settings_of_sgd_are_named) {
  const auto refusal = [](const char* text) { return message_of([&] { parse_law(text); }); };
  EXPECT_EQ(refusal("sgd:law=best"),
            "sgd: unknown law 'best': expected ou, stationary, moments or exact");
  EXPECT_EQ(refusal("sgd:steps=0"), "sgd: steps must be a whole number from 1 to 1e15, got 0");
  EXPECT_EQ(refusal("sgd:batch=2.5"), "sgd: batch must be a whole number from 1 to 1e15, got 2.5");
  EXPECT_EQ(refusal("sgd:eta=0"), "sgd: eta must be finite and > 0, got 0");
  EXPECT_EQ(refusal("sgd:sigma_x=-1"), "sgd: sigma_x must be finite and > 0, got -1");
  EXPECT_EQ(refusal("sgd:sigma_xi=0,law=exact"), "sgd: sigma_xi must be finite and > 0, got 0");
  EXPECT_EQ(refusal("sgd:n=3"),
            "sgd: unknown key 'n': expected steps, batch, eta, w0, w, sigma_x, sigma_xi, law");
}

}  // namespace
