// Laws made of parts: their numbers against closed forms, how they are written, and what they
// refuse.
#include "ktln2/distribution/further_laws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/distribution/sample_text.hpp"
#include "ktln2/distribution/sum_law.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

namespace {

using namespace ktln2;

double relative(double a, double b) { return std::fabs(a - b) / std::fabs(b); }

TEST(further_laws, densities_and_distribution_functions_are_those_of_the_books) {
  const law lognormal = lognormal_law(0.5, 0.75);
  EXPECT_LT(relative(cdf(lognormal, 3), 0.5 * std::erfc(-(std::log(3) - 0.5) / 0.75 * M_SQRT1_2)),
            1e-14);
  const law exponential = exponential_law(2);
  EXPECT_LT(relative(ccdf(exponential, 100), std::exp(-50)), 1e-14);
  EXPECT_LT(relative(pdf(exponential, 3), std::exp(-1.5) / 2), 1e-15);
  EXPECT_EQ(cdf(exponential, -1), 0);
  // Whole shapes: P(X > y) = e^-y Σ y^i/i!
  const law gamma = gamma_law(3, 1);
  for (const double y : {1e-8, 0.1, 2.5, 3.0, 8.0, 60.0, 300.0}) {
    EXPECT_LT(relative(ccdf(gamma, y), std::exp(-y) * (1 + y + y * y / 2)), 4e-15 * (1 + y)) << y;
  }
  const law narrow = gamma_law(12, 1);
  double sum = 0;
  double term = 1;
  for (int i = 0; i < 12; term *= 30.0 / ++i) sum += term;
  EXPECT_LT(relative(ccdf(narrow, 30), std::exp(-30.0) * sum), 1e-13);
  EXPECT_LT(relative(cdf(chi2_law(2), 1), -std::expm1(-0.5)), 1e-14);
  // Next to zero a gamma law is a power.
  EXPECT_LT(relative(cdf(gamma_law(1e-3, 1), 1e-300), std::pow(1e-300, 1e-3) / std::tgamma(1.001)),
            1e-13);
  EXPECT_LT(relative(cdf(halfnormal_law(2), 1), std::erf(0.5 * M_SQRT1_2)), 1e-15);
  const law triangular = triangular_law(-2, 1, 7);
  EXPECT_LT(relative(cdf(triangular, 0), 4.0 / 27), 1e-15);
  EXPECT_LT(relative(ccdf(triangular, 6), 1.0 / 54), 1e-15);
  const law mixed = parse_law("mixture:3@normal:mu=-1/1@laplace:loc=2");
  EXPECT_LT(relative(cdf(mixed, 0), 0.75 * cdf(normal{-1, 1}, 0) + 0.25 * cdf(laplace{2, 1}, 0)),
            1e-15);
}

TEST(further_laws, moments_and_entropies_that_are_computed_are_those_that_are_known) {
  // The same law, once by a name, once made of others.
  const std::vector<std::pair<const char*, const char*>> twins{
      {"exponential:scale=3", "truncated:low=0@laplace:scale=3"},
      {"halfnormal:sigma=0.1", "truncated:low=0@normal:sigma=0.1"},
      {"exponential", "gamma:shape=1"},
      {"chi2:dof=5", "gamma:shape=2.5,scale=2"},
      {"lognormal:mu=2,sigma=0.3", "mixture:1@lognormal:mu=2,sigma=0.3/2@lognormal:mu=2,sigma=0.3"},
      {"gamma:shape=0.7", "truncated:low=-1@gamma:shape=0.7"},
      {"gamma:shape=1e6", "truncated:low=-1@gamma:shape=1e6"},
      {"uniform:low=1,high=3", "mixture:1@uniform:low=1,high=2/1@uniform:low=2,high=3"},
      {"triangular:low=-1,mode=0,high=2",
       "truncated:low=-1,high=2@triangular:low=-1,mode=0,high=2"},
  };
  for (const auto& [name, other] : twins) {
    const law a = parse_law(name);
    const law b = parse_law(other);
    EXPECT_NEAR(mean(a), mean(b), 1e-11 * (std::fabs(mean(a)) + deviation(a))) << other;
    EXPECT_LT(relative(deviation(b), deviation(a)), 1e-9) << other;
    EXPECT_NEAR(differential_entropy(a).value(), differential_entropy(b).value(), 1e-10) << other;
  }
}

TEST(further_laws, moments_of_rectified_laws) {
  const law x = parse_law("relu:normal:mu=0,sigma=1");
  EXPECT_LT(relative(mean(x), 1 / std::sqrt(2 * std::numbers::pi)), 1e-12);
  EXPECT_LT(relative(deviation(x), std::sqrt(0.5 - 0.5 / std::numbers::pi)), 1e-12);
  EXPECT_TRUE(has_atoms(x));
  EXPECT_TRUE(std::isnan(differential_entropy(x).value()));
  EXPECT_EQ(cdf(x, 0), 0.5);
  EXPECT_EQ(cdf(x, -1e-300), 0);
  EXPECT_EQ(mean(parse_law("relu:student:dof=0.9")), HUGE_VAL);
  // E max(T, 0) = √ν Γ((ν+1)/2)/(√π Γ(ν/2) (ν-1))
  EXPECT_LT(
      relative(mean(parse_law("relu:student:dof=1.5")),
               std::sqrt(1.5 / std::numbers::pi) * std::tgamma(1.25) / std::tgamma(0.75) / 0.5),
      1e-9);
  EXPECT_FALSE(has_atoms(parse_law("relu:exponential")));
}

TEST(further_laws, sums_of_gamma_laws_are_gamma_laws) {
  const law sum = total_law(exponential_law(2), 1e6, total_of::sum);
  EXPECT_LT(relative(mean(sum), 2e6), 1e-15);
  EXPECT_LT(relative(deviation(sum), 2e3), 1e-15);
  const law average = total_law(chi2_law(3), 50, total_of::mean);
  EXPECT_LT(relative(mean(average), 3), 1e-14);
  // By convolution, the sum of two half-normal numbers against its closed form at a point:
  // f(x) = 2/√π e^(-x²/4) erf(x/2)
  const law two = total_law(halfnormal_law(1), 2, total_of::sum);
  EXPECT_LT(
      relative(pdf(two, 1.5), 2 / std::sqrt(std::numbers::pi) * std::exp(-0.5625) * std::erf(0.75)),
      1e-11);
  EXPECT_NE(message_of([] {
              (void)total_law(parse_law("relu:normal"), 3, total_of::sum);
            }).find("with atoms (relu)"),
            std::string::npos);
}

TEST(parse_law, composed_laws_say_what_is_wrong_with_them) {
  const auto refusal = [](const char* text) { return message_of([&] { parse_law(text); }); };
  EXPECT_EQ(refusal("mixture"),
            "mixture: expected mixture:0.9@normal:sigma=1/0.1@normal:sigma=5, got 'mixture'");
  EXPECT_EQ(refusal("mixture:normal"), "mixture: expected WEIGHT@LAW/WEIGHT@LAW, got 'normal'");
  EXPECT_EQ(refusal("mixture:1@normal/-2@laplace"),
            "mixture: weight 2 must be finite and >= 0, got -2");
  EXPECT_EQ(refusal("mixture:0@normal/0@laplace"),
            "mixture: the sum of the weights must be > 0, got 0");
  EXPECT_NE(refusal("mixture:x@normal/1@laplace").find("mixture: weight 1"), std::string::npos);
  EXPECT_NE(refusal("mixture:nan@normal").find("weight 1"), std::string::npos);
  EXPECT_NE(refusal("mixture:1@mixture:1@normal").find("another mixture"), std::string::npos);
  EXPECT_EQ(refusal("mixture:1@normal:sigma=-1"), "normal: sigma must be finite and > 0, got -1");
  EXPECT_EQ(refusal("relu:pair"), "expected a law of one variable, got 'pair'");
  EXPECT_EQ(refusal("truncated:normal"), "truncated: expected low=A,high=B@LAW, got 'normal'");
  EXPECT_EQ(refusal("truncated:low=1,high=0@normal"),
            "truncated: high must be greater than low = 1, got 0");
  EXPECT_EQ(refusal("truncated:low=1000@normal"),
            "truncated: there is no probability between low = 1e+03 and high = inf");
  EXPECT_EQ(refusal("triangular:mode=2"),
            "triangular: mode must be from low = 0 to high = 1, got 2");
  EXPECT_EQ(refusal("gamma:shape=0"), "gamma: shape must be finite and > 0, got 0");
  EXPECT_EQ(refusal("lognormal:mu=1e9"), "lognormal: mu must be from -1e8 to 1e8, got 1e+09");
  EXPECT_EQ(refusal("lognormal:sigma=1e-30"), "lognormal: sigma must be at least 1e-24, got 1e-30");
}

TEST(parse_law, weights_are_divided_by_their_sum) {
  const law a = parse_law("mixture:9@normal:sigma=1/1@normal:sigma=5");
  const law b = parse_law("mixture:0.9@normal:sigma=1/0.1@normal:sigma=5");
  EXPECT_NEAR(cdf(a, 1), cdf(b, 1), 1e-16);
  EXPECT_EQ(cdf(parse_law("mixture:1e300@normal/1e300@laplace"), 0), 0.5);
  EXPECT_TRUE(std::holds_alternative<normal>(parse_law("mixture:2@normal/0@laplace")));
}

TEST(parse_law, keys_of_a_rectified_law_are_those_of_the_law) {
  EXPECT_EQ(with_key("relu:normal:mu=1", "sigma", "2"), "relu:normal:mu=1,sigma=2");
  EXPECT_NE(message_of([] { (void)with_key("mixture:1@normal", "sigma", "2"); }).find("mixture"),
            std::string::npos);
}

TEST(parse_samples, takes_numbers_and_names_the_line_of_what_is_none) {
  EXPECT_EQ(parse_samples("1\n\n -2.5e3 # text\r\n0"), (std::vector<double>{1, -2500, 0}));
  const auto refusal = [](const std::string& text) {
    return message_of([&] { (void)parse_samples(text, "file"); });
  };
  EXPECT_NE(refusal("1\nnan\n").find("file, line 2"), std::string::npos);
  EXPECT_NE(refusal("1\n2\ninf").find("file, line 3"), std::string::npos);
  EXPECT_NE(refusal("1 2").find("file, line 1"), std::string::npos);
  EXPECT_NE(refusal(std::string(5000, 'a')).find("5000 characters"), std::string::npos);
  EXPECT_EQ(refusal(""), "file: there must be at least one number");
  EXPECT_EQ(refusal("# nothing\n"), "file: there must be at least one number");
}

TEST(parse_law, an_empirical_law_is_read_from_a_file) {
  const scratch folder;
  const std::string path = folder.file("samples.txt", "1\n2\n2\n-4\n");
  const law x = parse_law("empirical:" + path);
  EXPECT_EQ(cdf(x, 1), 0.5);
  EXPECT_EQ(mean(x), 0.25);
  const law mixed = parse_law("mixture:1@empirical:" + path + "/3@normal");
  EXPECT_NEAR(cdf(mixed, 1), 0.125 + 0.75 * cdf(normal{0, 1}, 1), 4e-16);
  EXPECT_NE(message_of([] { parse_law("empirical:nowhere/at.all"); }).find("cannot be read"),
            std::string::npos);
  EXPECT_NE(message_of([] { parse_law("empirical:."); }).find("cannot be read"), std::string::npos);
}

}  // namespace
