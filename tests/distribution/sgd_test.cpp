#include "ktln2/distribution/sgd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/distribution/law.hpp"
#include "message_of.hpp"
#include "reference_file.hpp"
#include "sgd_case.hpp"

namespace {

using namespace ktln2;

constexpr double unit = 0x1p-53;

sgd_case problem_of(const nlohmann::json& params) {
  const auto at = [&params](const char* key) { return reference_number(params.at(key)); };
  return {{at("w"), at("sigx"), at("sigxi")}, {at("eta"), at("B"), at("what0")}, at("k")};
}

/// Four decimals are rounded to double, each half a unit, and enter as ησ_x²k in an exponent.
TEST(sec_nonstationarysgd, moments_agree_with_the_reference) {
  int compared = 0;
  for (const auto& entry : reference_file("sgd_moments.json")) {
    const sgd_case problem = problem_of(entry.at("params"));
    const auto quantity = entry.at("quantity").get<std::string>();
    const double value = reference_value(entry);
    const double time =
        problem.how.eta * problem.model.sigma_x * problem.model.sigma_x * problem.steps;
    const double variance_scale = value * (16 + 8 * time);
    const double mean_scale = std::fmax(std::fabs(problem.model.w), std::fabs(problem.how.w0)) * 4;
    double got = 0;
    double scale = 0;
    if (quantity == "OU variance") {
      got = std::pow(sgd_ou_law(problem.model, problem.how, problem.steps).scale(), 2);
      scale = variance_scale;
    } else if (quantity == "OU mean mu~(k)") {
      got = sgd_ou_law(problem.model, problem.how, problem.steps).location();
      scale = mean_scale;
    } else if (quantity == "E[what_k] exact discrete SGD") {
      got = exact_moments(problem.model, problem.how, problem.steps).mean;
      scale = mean_scale;
    } else {
      ASSERT_EQ(quantity, "Var[what_k] exact discrete SGD");
      got = std::pow(exact_moments(problem.model, problem.how, problem.steps).deviation, 2);
      scale = variance_scale;
    }
    EXPECT_NEAR(got, value, unit * scale) << entry.at("id");
    ++compared;
  }
  EXPECT_EQ(compared, 45);
}

/// One step after the other, in long double: Var' = q Var + (2a²/B) mean² + a²σ_ξ²/(Bσ_x²).
sgd_moments by_recursion(const sgd_case& p) {
  const long double a = static_cast<long double>(p.how.eta) * p.model.sigma_x * p.model.sigma_x;
  const long double unit_noise = static_cast<long double>(p.model.sigma_xi) / p.model.sigma_x * a;
  const long double q = (1 - a) * (1 - a) + 2 * a * a / p.how.batch;
  long double mean = static_cast<long double>(p.how.w0) - p.model.w;
  long double variance = 0;
  for (double k = 0; k < p.steps; ++k) {
    variance = q * variance + (2 * a * a * mean * mean + unit_noise * unit_noise) / p.how.batch;
    mean *= 1 - a;
  }
  return {static_cast<double>(p.model.w + mean), static_cast<double>(std::sqrt(variance))};
}

TEST(sgd_moments, the_closed_form_is_the_recursion) {
  for (const double eta : {1e-6, 0.01, 0.3, 0.5, 1.0, 1.2, 2.0 / 3}) {
    for (const double batch : {1.0, 3.0, 100.0}) {
      for (const double steps : {1.0, 2.0, 17.0, 60.0}) {
        const sgd_case p{{.w = 0.5, .sigma_x = 1, .sigma_xi = 0.7},
                         {.eta = eta, .batch = batch, .w0 = -1},
                         steps};
        const sgd_moments got = exact_moments(p.model, p.how, p.steps);
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
  const sgd_case p{{.w = 2}, {.eta = 1e-12, .batch = 10, .w0 = 2}, 1e12};
  EXPECT_NEAR(exact_moments(p.model, p.how, p.steps).deviation /
                  sgd_ou_law(p.model, p.how, p.steps).scale(),
              1, 2e-12);  // 1 + O(η)
  const sgd_case slow{{.w = 2}, {.eta = 1e-15, .batch = 1, .w0 = 1}, 1e15};
  EXPECT_NEAR(exact_moments(slow.model, slow.how, slow.steps).mean, 2 - std::exp(-1.0), 1e-15);
}

TEST(sgd_moments, the_second_moment_is_finite_at_every_step_and_diverges_in_the_limit) {
  const sgd_case wild{{.w = 1}, {.eta = 1, .batch = 1, .w0 = 1}, 10};  // q = 2
  EXPECT_NEAR(exact_moments(wild.model, wild.how, wild.steps).deviation, std::sqrt(1023.0), 1e-13);
  EXPECT_TRUE(std::isinf(sgd_limit_deviation(wild.model, wild.how)));
  sgd_case edge{{.w = 1}, {.eta = 0.5, .batch = 2.0 / 2, .w0 = 1}, 1e6};
  EXPECT_TRUE(std::isfinite(sgd_limit_deviation(edge.model, edge.how)));
  edge.how.eta = 1;
  edge.how.batch = 2;  // q = 1 exactly: the variance grows by a²/B a step
  EXPECT_DOUBLE_EQ(exact_moments(edge.model, edge.how, edge.steps).deviation, std::sqrt(1e6 / 2));
  EXPECT_TRUE(std::isinf(sgd_limit_deviation(edge.model, edge.how)));
  sgd_case lost = wild;
  lost.steps = 1e9;
  EXPECT_TRUE(std::isinf(exact_moments(lost.model, lost.how, lost.steps).deviation));
  EXPECT_EQ(message_of([&] { sgd_moments_law(lost.model, lost.how, lost.steps); }),
            "sgd: eta = 1 diverges: after 1000000000 steps the slope is beyond double's range; it "
            "converges below 0.666666");
}

TEST(sgd_moments, beyond_doubles_are_told_with_what_would_converge) {
  const auto message = [](const linear_model& model, const descent& how, double steps) {
    return message_of([&] { sgd_moments_law(model, how, steps); });
  };
  EXPECT_EQ(message({.w = 2}, {.eta = 100}, 1000),
            "sgd: eta = 100 diverges: after 1000 steps the slope is beyond double's range; it "
            "converges below 1.66666");
  EXPECT_EQ(message({.w = 2}, {.eta = 1e200}, 1),
            "sgd: eta = 1e+200 diverges: after 1 step the slope is beyond double's range; it "
            "converges below 1.66666");
  // η σ_x² (1 + 2/B) < 2
  EXPECT_EQ(message({.w = 2, .sigma_x = 2}, {.eta = 3, .batch = 2}, 1e4),
            "sgd: eta = 3 diverges: after 10000 steps the slope is beyond double's range; it "
            "converges below 0.25");
  EXPECT_TRUE(std::isinf(sgd_limit_deviation({.sigma_x = 2}, {.eta = 0.25, .batch = 2})));
  EXPECT_FALSE(std::isinf(sgd_limit_deviation({.sigma_x = 2}, {.eta = 0.2499, .batch = 2})));
  // At a rate that converges the start alone is too far away.
  EXPECT_EQ(
      message({.w = 0}, {.eta = 0.6, .batch = 1, .w0 = 1.7e308, .w0_sigma = 1.7e308}, 1),
      "sgd: after 1 step the slope is beyond double's range with w0 = 1.7e+308 and w0_sigma = "
      "1.7e+308");
  EXPECT_EQ(message({.w = 2, .sigma_x = 1e-150, .sigma_xi = 1e-200}, {.eta = 1e-20}, 1),
            "sgd: after 1 step the slope varies by less than double's range");
}

TEST(sgd_moments, the_limit_is_what_many_steps_come_to) {
  for (const double eta : {0.01, 0.05, 0.5}) {
    const sgd_case p{
        {.w = 2, .sigma_x = 1.5, .sigma_xi = 0.1}, {.eta = eta, .batch = 4, .w0 = -3}, 1e5};
    EXPECT_NEAR(
        exact_moments(p.model, p.how, p.steps).deviation / sgd_limit_deviation(p.model, p.how), 1,
        8 * unit);
  }
}

TEST(eq_SGD_final_dist, the_stationary_law_is_the_limit_of_the_process) {
  const sgd_case p{{.w = -1, .sigma_xi = 3}, {.eta = 0.04, .batch = 8, .w0 = 5}, 1e9};
  EXPECT_EQ(sgd_stationary_law(p.model, p.how).location(), -1);
  EXPECT_DOUBLE_EQ(sgd_stationary_law(p.model, p.how).scale(), 3 * std::sqrt(0.0025));
  EXPECT_EQ(sgd_ou_law(p.model, p.how, p.steps).scale(),
            sgd_stationary_law(p.model, p.how).scale());
  EXPECT_EQ(sgd_ou_law(p.model, p.how, p.steps).location(), -1);
}

TEST(parse_law, sgd_takes_its_keys_and_the_name_of_its_law) {
  const auto by_default = std::get<normal>(parse_law("sgd"));
  const normal expected = sgd_moments_law({.w = 2}, {}, 100);
  EXPECT_EQ(by_default.location(), expected.location());
  EXPECT_EQ(by_default.scale(), expected.scale());
  const auto stationary =
      std::get<normal>(parse_law("sgd:law=stationary,w=-3,eta=0.5,batch=4,sigma_xi=2"));
  EXPECT_EQ(stationary.location(), -3);
  EXPECT_EQ(stationary.scale(), 0.5);
  const auto moments = std::get<normal>(parse_law("sgd:steps=1e3,law=moments,w0=7,sigma_x=2"));
  EXPECT_EQ(moments.scale(), exact_moments({.w = 2, .sigma_x = 2}, {.w0 = 7}, 1e3).deviation);
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
            "sgd: unknown key 'n': expected steps, batch, eta, w0, w0_sigma, w, sigma_x, "
            "sigma_xi or law");
}

}  // namespace
