#include "ktln2/distribution/custom_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "ktln2/distribution/law.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;

double normal_pdf(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }
double normal_cdf(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }
double normal_ccdf(double z) { return std::erfc(z / std::numbers::sqrt2) / 2; }

law_functions gumbel() {
  return {.name = "gumbel",
          .log_pdf = [](double z) { return -z - std::exp(-z); },
          .cdf = [](double z) { return std::exp(-std::exp(-z)); },
          .ccdf = [](double z) { return -std::expm1(-std::exp(-z)); }};
}

struct twin {
  std::string name;
  law_functions mine;
  law its;
};

/// Laws that the library has, made again from what a user may know of them.
std::vector<twin> twins() {
  const auto laplace_pdf = [](double z) { return std::exp(-std::fabs(z)) / 2; };
  const auto logistic_log = [](double z) {
    return -std::fabs(z) - 2 * std::log1p(std::exp(-std::fabs(z)));
  };
  const auto uniform_pdf = [](double z) { return z >= -2 && z <= 6 ? 0.125 : 0.0; };
  const auto cauchy_pdf = [](double z) { return 1 / (std::numbers::pi * (1 + z * z)); };
  return {
      {"normal, pdf only", {.pdf = normal_pdf}, normal{0, 1}},
      {"normal, all", {.pdf = normal_pdf, .cdf = normal_cdf, .ccdf = normal_ccdf}, normal{0, 1}},
      {"normal, symmetric", {.pdf = normal_pdf, .is_symmetric = true}, normal{0, 1}},
      {"normal, scaled",
       {.pdf = normal_pdf, .cdf = normal_cdf, .location = 3, .scale = 0.01},
       normal{3, 0.01}},
      {"narrow normal, by its cdf",
       {.pdf = [](double x) { return normal_pdf((x - 1000) / 0.125) / 0.125; },
        .cdf = [](double x) { return normal_cdf((x - 1000) / 0.125); }},
       normal{1000, 0.125}},
      {"narrow normal, by its mode",
       {.pdf = [](double x) { return normal_pdf((x - 1000) / 0.125) / 0.125; }, .mode = 1000},
       normal{1000, 0.125}},
      {"laplace", {.pdf = laplace_pdf, .breaks = {0}, .is_symmetric = true}, laplace{0, 1}},
      {"laplace, kink not told", {.pdf = laplace_pdf}, laplace{0, 1}},
      {"logistic", {.log_pdf = logistic_log}, logistic{0, 1}},
      {"uniform", {.pdf = uniform_pdf, .breaks = {-2, 6}, .has_jumps = true}, uniform{-2, 6}},
      {"cauchy", {.pdf = cauchy_pdf}, student_t{1, 0, 1}}};
}

TEST(custom_law, agrees_with_the_law_that_the_library_has) {
  for (const auto& [name, mine, its] : twins()) {
    const custom_law made{mine};
    const double error = made.kernel().table_error();
    EXPECT_LE(error, 1e-11) << name;
    const double middle = quantile(its, 0.5);
    const double unit = quantile(its, 0.75) - middle;
    for (const double z : {-30.0, -7.5, -3.0, -1.0, -0.3, 0.0, 0.7, 1.0, 2.5, 6.0, 40.0}) {
      const double x = middle + unit * z;
      EXPECT_NEAR(pdf(made, x), pdf(its, x), 1e-10 * pdf(its, x)) << name << " at " << x;
      EXPECT_NEAR(cdf(made, x), cdf(its, x), error + 4 * 0x1p-53) << name << " at " << x;
      EXPECT_NEAR(ccdf(made, x), ccdf(its, x), error + 4 * 0x1p-53) << name << " at " << x;
      for (const double width : {1e-12, 1e-3, 0.5, 3.0, 1e3}) {
        const double expected = cell_probability(its, x, width * unit);
        EXPECT_NEAR(cell_probability(made, x, width * unit), expected, 1e-9 * expected + 1e-25)
            << name << " at " << x << " width " << width;
      }
    }
    EXPECT_NEAR(differential_entropy(made).value(), differential_entropy(its).value(), 1e-11)
        << name;
  }
}

TEST(custom_law, finds_moments_that_are_not_given) {
  for (const auto& [name, mine, its] : twins()) {
    const custom_law made{mine};
    const double unit = quantile(its, 0.75) - quantile(its, 0.5);
    if (std::isnan(mean(its))) {
      EXPECT_TRUE(std::isnan(mean(made))) << name;
      EXPECT_TRUE(std::isinf(deviation(made))) << name;
      continue;
    }
    EXPECT_NEAR(mean(made), mean(its), 1e-11 * unit) << name;
    EXPECT_NEAR(deviation(made), deviation(its), 1e-11 * unit) << name;
  }
  const custom_law extreme{gumbel()};
  EXPECT_NEAR(mean(extreme), std::numbers::egamma, 1e-12);
  EXPECT_NEAR(deviation(extreme), std::numbers::pi / std::sqrt(6), 1e-12);
  EXPECT_NEAR(differential_entropy(extreme).value(), (1 + std::numbers::egamma) / std::numbers::ln2,
              1e-12);
  EXPECT_NEAR(extreme.kernel().mode(), -extreme.location() / extreme.scale(), 1e-6);
}

TEST(custom_law, what_is_given_is_taken) {
  law_functions parts{.pdf = normal_pdf};
  parts.mean = 0.25;
  parts.deviation = 2;
  parts.entropy = differential_bits{3};
  parts.mode = 0.5;
  parts.location = 10;
  parts.scale = 4;
  const custom_law made{parts};
  EXPECT_EQ(mean(made), 11);
  EXPECT_EQ(deviation(made), 8);
  EXPECT_NEAR(differential_entropy(made).value(), 5, 1e-14);
  EXPECT_EQ(made.location() + made.scale() * made.kernel().mode(), 12);
}

TEST(custom_law, a_careless_density_has_a_wider_bar) {
  const custom_law careful{{.pdf = normal_pdf}};
  const custom_law careless{{.pdf = [](double z) { return 0.3989423 * std::exp(-z * z / 2); }}};
  EXPECT_LE(careful.kernel().table_error(), 1e-13);
  const double lack = std::fabs(0.3989423 * std::sqrt(2 * std::numbers::pi) - 1);
  EXPECT_GE(careless.kernel().table_error(), lack);
  const custom_law rough{{.pdf = normal_pdf, .relative_error = 1e-6}};
  EXPECT_GE(rough.kernel().table_error(), 1e-6);
}

TEST(custom_law, quantiles_lead_back) {
  const law x = custom_law{gumbel()};
  for (const double q : {1e-300, 1e-100, 1e-16, 1e-3, 0.1, 0.5, 0.9, 1 - 1e-9, 1 - 1e-16}) {
    const double expected = -std::log(-(q < 0.5 ? std::log(q) : std::log1p(-(1 - q))));
    EXPECT_NEAR(quantile(x, q), expected, 1e-11 * std::fmax(1, std::fabs(expected))) << q;
  }
}

TEST(custom_law, refuses_what_is_no_law) {
  const auto refusal = [](const law_functions& parts) {
    return message_of([&] { custom_law{parts}; });
  };
  EXPECT_EQ(refusal({.name = "mine"}), "mine: pdf or log_pdf must be given");
  EXPECT_EQ(refusal({.pdf = normal_pdf, .scale = 0}),
            "custom law: scale must be finite and > 0, got 0");
  EXPECT_EQ(refusal({.pdf = normal_pdf, .breaks = {1, 1}}), "custom law: breaks must ascend");
  const auto expect = [&](const law_functions& parts, const std::string& what) {
    const std::string message = refusal(parts);
    EXPECT_NE(message.find(what), std::string::npos) << message << " does not say: " << what;
    EXPECT_EQ(message.find("custom law: "), 0U) << message;
  };
  expect({.pdf = [](double z) { return normal_pdf(z) - 0.01; }},
         "must be finite and ≥ 0, got -0.0");
  expect({.pdf = [](double z) { return z > 1 ? std::nan("") : normal_pdf(z); }}, "got nan");
  expect({.pdf = [](double z) { return normal_pdf(z) / 2; }}, "integrate to 1, got 0.5");
  expect({.pdf = [](double) { return 0.0; }}, "integrate to 1, got 0");
  expect({.pdf = normal_pdf, .cdf = [](double z) { return normal_cdf(-z); }}, "");
  expect({.pdf = normal_pdf, .cdf = [](double z) { return normal_cdf(z - 0.1); }},
         "must be the integral of the density");
  expect({.pdf = normal_pdf, .cdf = [](double z) { return normal_cdf(z) / 2; }}, "");
  expect({.pdf = normal_pdf, .cdf = [](double z) { return 1.5 * normal_cdf(z); }},
         "cdf must be from 0 to 1, got 1.");
  expect(
      {.pdf = normal_pdf, .cdf = [](double z) { return z > 0.4 && z < 0.6 ? 0.5 : normal_cdf(z); }},
      "");
  expect({.pdf = [](double z) { return normal_pdf(z - 1); }, .is_symmetric = true},
         "must be symmetric");
  expect({.pdf = [](double x) { return normal_pdf((x - 1e6) / 1e-3) / 1e-3; }},
         "integrate to 1, got 0 (if it is narrow");
}

}  // namespace
