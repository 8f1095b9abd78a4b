#include "ktln2/entropy/stochastic_entropy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/distribution/compound_law.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace {

using ktln2::bits;
using ktln2::bounded;
using ktln2::number_format;
using ktln2::stochastic_code;
using ktln2::stored_variable;

stored_variable rounded_by_chance(const std::string& format, const std::string& rounding,
                                  ktln2::overflow beyond, const std::string& law) {
  return {ktln2::find_number_format(format).value(),
          {ktln2::rounding::nearest_even, beyond, ktln2::parse_chance(rounding).value()},
          ktln2::parse_law(law)};
}

double entropy_of_choice(double p) {
  return p > 0 && p < 1 ? -p * std::log2(p) - (1 - p) * std::log2(1 - p) : 0;
}

/// Draws numbers and random bits, stores them, and counts.
void expect_as_drawn(const stored_variable& stored) {
  const number_format& format = stored.format;
  const std::uint64_t outcomes = stored.rule.by_chance->outcomes();
  const stochastic_code code{stored};
  std::mt19937_64 random{7};
  std::uniform_real_distribution<double> uniform{0, 1};
  std::vector<double> counts(std::size_t{1} << format.width());
  // Quantiles of laws made of parts are searched for.
  const int draws = std::holds_alternative<ktln2::compound_law>(stored.x) ? 10000 : 200000;
  double noise = 0;
  double squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = quantile(stored.x, uniform(random));
    ++counts[format.quantize(x, stored.rule, random() % outcomes)];
    // The share of the outcomes that go another way than the first.
    const std::uint64_t first = format.quantize(x, stored.rule, 0);
    std::uint64_t others = 0;
    for (std::uint64_t r = 1; r < outcomes; ++r) {
      others += format.quantize(x, stored.rule, r) == first ? 0 : 1;
    }
    const double h = entropy_of_choice(static_cast<double>(others) / static_cast<double>(outcomes));
    noise += h / draws;
    squares += h * h / draws;
  }
  for (std::uint64_t c = 0; c < counts.size(); ++c) {
    const double expected = draws * code.listed()[c].value;
    EXPECT_NEAR(counts[c], expected, 5 * std::sqrt(expected) + 5) << "code " << c;
  }
  EXPECT_NEAR(noise, code.noise().value.value(),
              5 * std::sqrt((squares - noise * noise) / draws) + 1e-12);
}

TEST(stochastic_code_campaign, has_the_masses_and_the_noise_of_what_is_drawn) {
  using ktln2::overflow;
  for (const stored_variable& stored :
       {rounded_by_chance("e2m1", "stochastic-a:3", overflow::saturate, "normal:mu=0.4,sigma=2"),
        rounded_by_chance("e2m1", "stochastic-b:2", overflow::saturate, "laplace:scale=0.3"),
        rounded_by_chance("e4m3", "stochastic-c:3", overflow::to_nan, "normal:sigma=200"),
        rounded_by_chance("e5m2fnuz", "stochastic-a:1", overflow::to_nan, "student:dof=0.3"),
        rounded_by_chance("binary6p3se", "stochastic-a:4", overflow::to_infinity,
                          "uniform:low=-3,high=20"),
        rounded_by_chance("binary6p3ue", "stochastic-a:2", overflow::to_infinity,
                          "normal:mu=0.01,sigma=0.1"),
        rounded_by_chance("e8m0", "stochastic-a:3", overflow::to_nan, "logistic:scale=5"),
        rounded_by_chance("q1.3", "stochastic-a:2", overflow::saturate, "normal:mu=-0.3"),
        rounded_by_chance("e4m3", "stochastic-b:3", overflow::to_nan, "relu:normal:mu=0.1"),
        rounded_by_chance("e3m2", "stochastic-c:2", overflow::saturate,
                          "truncated:low=-0.7,high=0.9@normal"),
        rounded_by_chance("e5m2", "stochastic-a:4", overflow::to_infinity, "lognormal:sigma=3"),
        rounded_by_chance("float:p=3,exponent_bits=3,bias=3,subnormals=no", "stochastic-b:3",
                          overflow::to_infinity, "normal:sigma=0.2")}) {
    SCOPED_TRACE(stored.format.name() + " " + name_of_rounding(stored.rule));
    expect_as_drawn(stored);
  }
}

/// G with G'' = f: the mass of a number is the difference of the slopes of G on its two sides.
TEST(stochastic_code, is_a_second_difference_of_the_law_s_second_integral) {
  const stored_variable stored = rounded_by_chance("e3m2", "stochastic", ktln2::overflow::saturate,
                                                   "normal:mu=0.25,sigma=1.5");
  const stochastic_code code{stored};
  const number_format& format = stored.format;
  const auto second_integral = [](long double x) {
    const long double z = (x - 0.25L) / 1.5L;
    const long double density = std::exp(-z * z / 2) * 0.398942280401432677939946059934L;
    return 1.5L * (z * std::erfc(-z * 0.707106781186547524400844362105L) / 2 + density);
  };
  const auto value = [&](std::uint64_t m) {
    return static_cast<long double>(format.value(m)->to_double());
  };
  for (std::uint64_t m = 1; m < format.largest(); ++m) {
    const auto slope = [&](std::uint64_t k) {
      return (second_integral(value(k + 1)) - second_integral(value(k))) /
             (value(k + 1) - value(k));
    };
    const bounded<double>& mass = code.listed()[m];
    EXPECT_NEAR(mass.value, static_cast<double>(slope(m) - slope(m - 1)), mass.error + 1e-17);
    EXPECT_LE(mass.error, 1e-15);
  }
}

TEST(stochastic_code, has_half_a_nat_of_noise_where_numbers_are_dense) {
  const stochastic_code code{
      rounded_by_chance("bfloat16", "stochastic", ktln2::overflow::to_infinity, "normal")};
  EXPECT_NEAR(code.noise().value.value(), 0.5 / std::log(2.0), 1e-5);
  EXPECT_LE(code.noise().error.value(), 1e-12);
}

/// Few codes, gone through one by one and summed over their runs.
void expect_same_by_runs(const stored_variable& stored) {
  SCOPED_TRACE(stored.format.name() + " " + name_of_rounding(stored.rule));
  const stochastic_code listed{stored};
  const stochastic_code by_runs{stored, {}, 0};
  EXPECT_TRUE(by_runs.listed().empty());
  EXPECT_TRUE(overlap(listed.noise(), by_runs.noise()))
      << listed.noise().value.value() << " " << by_runs.noise().value.value();
  const int step = std::holds_alternative<ktln2::compound_law>(stored.x) ? 5 : 1;
  for (int kept = 1; kept <= stored.format.width(); kept += step) {
    const bounded<bits> one = listed.leading(kept);
    const bounded<bits> other = by_runs.leading(kept);
    EXPECT_TRUE(overlap(one, other))
        << kept << ": " << one.value.value() << " " << other.value.value();
    EXPECT_LE(one.error.value(), 1e-11);
    EXPECT_LE(other.error.value(), 1e-11);
  }
  EXPECT_TRUE(overlap(listed.of_value(), by_runs.of_value()));
  EXPECT_TRUE(overlap(listed.masses().zero, by_runs.masses().zero));
  EXPECT_TRUE(overlap(listed.masses().subnormal, by_runs.masses().subnormal));
}

TEST(stochastic_code, is_the_same_by_runs_and_code_by_code) {
  using ktln2::overflow;
  expect_same_by_runs(
      rounded_by_chance("e4m3", "stochastic", overflow::to_nan, "normal:sigma=200"));
  expect_same_by_runs(
      rounded_by_chance("e5m2fnuz", "stochastic-b:3", overflow::to_nan, "normal:sigma=30000"));
  expect_same_by_runs(
      rounded_by_chance("int8", "stochastic", overflow::saturate, "relu:student:dof=2"));
}

TEST(stochastic_code_campaign, is_the_same_by_runs_and_code_by_code) {
  using ktln2::overflow;
  for (const stored_variable& stored :
       {rounded_by_chance("binary16", "stochastic", overflow::to_infinity, "normal"),
        rounded_by_chance("bfloat16", "stochastic", overflow::saturate, "student:dof=1,loc=0.3"),
        rounded_by_chance("int16", "stochastic", overflow::saturate, "normal:mu=-20,sigma=9000"),
        rounded_by_chance("int16", "stochastic-a:5", overflow::saturate, "laplace:scale=800"),
        rounded_by_chance("q3.12", "stochastic", overflow::saturate, "uniform:low=-0.7,high=9"),
        rounded_by_chance("binary14p9ue", "stochastic", overflow::to_infinity, "normal:mu=3"),
        rounded_by_chance("binary14p9uf", "stochastic", overflow::saturate, "normal:mu=0.1"),
        rounded_by_chance("float:p=10,exponent_bits=4,bias=7,subnormals=no", "stochastic",
                          overflow::to_infinity, "logistic:scale=0.1"),
        rounded_by_chance("binary16", "stochastic", overflow::to_infinity, "gamma:shape=0.3"),
        rounded_by_chance("bfloat16", "stochastic-a:6", overflow::saturate, "relu:student:dof=2"),
        rounded_by_chance("int16", "stochastic", overflow::saturate,
                          "mixture:0.5@normal:mu=-900,sigma=0.2/0.5@triangular:low=0,mode=9,"
                          "high=4000")}) {
    expect_same_by_runs(stored);
  }
}

/// Masses and noise of a mixture are those of its parts, weighted; each part goes another road.
TEST(stochastic_code, of_a_mixture_is_that_of_its_parts) {
  using ktln2::overflow;
  for (const std::string rounding : {"stochastic", "stochastic-a:3", "stochastic-c:5"}) {
    const auto code_of = [&rounding](const std::string& law) {
      return stochastic_code{
          rounded_by_chance("binary8p3se", rounding, overflow::to_infinity, law)};
    };
    const stochastic_code mixed = code_of(
        "mixture:0.25@student:dof=3,loc=-1/0.25@uniform:low=-0.3,high=7/0.5@laplace:scale=1e-3");
    const stochastic_code first = code_of("student:dof=3,loc=-1");
    const stochastic_code second = code_of("uniform:low=-0.3,high=7");
    const stochastic_code third = code_of("laplace:scale=1e-3");
    for (std::size_t c = 0; c < mixed.listed().size(); ++c) {
      const bounded<double> sum =
          0.25 * first.listed()[c] + 0.25 * second.listed()[c] + 0.5 * third.listed()[c];
      EXPECT_NEAR(mixed.listed()[c].value, sum.value, mixed.listed()[c].error + sum.error);
    }
    EXPECT_TRUE(
        overlap(mixed.noise(), 0.25 * first.noise() + 0.25 * second.noise() + 0.5 * third.noise()));
    EXPECT_LE(mixed.noise().error.value(), 1e-12);
  }
}

/// -0.75 is half way from -0.5 to -1, 0.6 a fifth of the way from 0.5.
TEST(stochastic_code, sends_an_atom_to_its_neighbors) {
  const number_format format =
      ktln2::find_number_format("float:p=1,exponent_bits=3,bias=3,infinity=no,nan=none").value();
  const ktln2::compound_law atoms{"atoms",
                                  {.parts = {}, .atoms = {{-0.75, 0.5}, {0.6, 0.25}, {0.5, 0.25}}}};
  const auto code_by = [&](const std::string& rounding) {
    return stochastic_code{{format,
                            {ktln2::rounding::nearest_even, ktln2::overflow::saturate,
                             ktln2::parse_chance(rounding).value()},
                            atoms}};
  };
  const stochastic_code ideal = code_by("stochastic");
  const auto expect_mass = [&](const stochastic_code& code, double x, double expected) {
    const bounded<double>& mass = code.listed()[format.quantize(x)];
    EXPECT_NEAR(mass.value, expected, mass.error) << x;
  };
  expect_mass(ideal, -0.5, 0.25);
  expect_mass(ideal, -1, 0.25);
  expect_mass(ideal, 0.5, 0.25 + 0.25 * 0.8);
  expect_mass(ideal, 1, 0.25 * 0.2);
  EXPECT_NEAR(ideal.noise().value.value(), 0.5 + 0.25 * entropy_of_choice(0.2), 1e-12);
  // One bit: a fifth is nothing, half is half.
  const stochastic_code one_bit = code_by("stochastic-b:1");
  expect_mass(one_bit, 0.5, 0.5);
  expect_mass(one_bit, -1, 0.25);
  EXPECT_NEAR(one_bit.noise().value.value(), 0.5, 1e-12);
}

TEST(stochastic_code, is_for_numbers_between_which_it_is_linear) {
  const auto make = [](const std::string& format) {
    return stochastic_code{
        rounded_by_chance(format, "stochastic", ktln2::overflow::saturate, "normal")};
  };
  EXPECT_THROW(make("posit8"), std::domain_error);
  EXPECT_NO_THROW(make("int8"));
}

}  // namespace
