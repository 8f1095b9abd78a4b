#include "ktln2/cost/inference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ktln2/entropy/exact.hpp"
#include "random_case.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

TEST(inference, matches_the_reference) {
  int compared = 0;
  for (const auto& entry : reference_file("costs.json")) {
    const std::string quantity = entry.at("quantity");
    if (!quantity.starts_with("inference")) continue;
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const auto& parameters = entry.at("params");
    const float_format format{parameters.at("p"), parameters.at("E")};
    const inference_cost cost = inference(format, reference_number(parameters.at("what")),
                                          reference_number(parameters.at("sigx")));
    const bool is_ideal = quantity.find("ideal") != std::string::npos;
    const double value = is_ideal ? cost.ideal.value() : cost.device.erased().value.value();
    EXPECT_NEAR(value, reference_value(entry), 1e-11);
    ++compared;
  }
  EXPECT_EQ(compared, 10);
}

/// P(a < X < b) on the side of the tail, X ~ N(0, σ²).
long double mass(long double a, long double b, double sigma) {
  if (b <= 0) return mass(-b, -a, sigma);
  const auto above = [&](long double x) { return std::erfc(x / (sigma * std::sqrt(2.0L))) / 2; };
  return a >= 0 ? above(a) - above(b) : 1 - above(-a) - above(b);
}

/// Of a list of numbers, the place of the one next to x; ties go away from zero.
std::size_t nearest(const std::vector<long double>& values, long double x) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const long double gain = std::fabs(values[best] - x) - std::fabs(values[i] - x);
    if (gain > 0 || (gain == 0 && x >= 0)) best = i;
  }
  return best;
}

long double entropy_of(const std::vector<long double>& probabilities) {
  long double sum = 0;
  for (const long double p : probabilities) sum -= p > 0 ? p * std::log2(p) : 0;
  return sum;
}

/// The definition: each stored x is multiplied, which is exact in long double here, and stored. Of
/// the library only the list of values takes part.
double loss_by_definition(const float_format& format, double slope, double sigma) {
  std::vector<long double> values;
  for (register_code i = 1; i <= format.size(); ++i) {
    values.push_back(format.value_at(i).to_double());
  }
  std::vector<long double> input(values.size());
  std::vector<long double> output(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const long double left = i == 0 ? -HUGE_VALL : (values[i - 1] + values[i]) / 2;
    const long double right = i + 1 == values.size() ? HUGE_VALL : (values[i] + values[i + 1]) / 2;
    input[i] = mass(left, right, sigma);
    output[nearest(values, slope * values[i])] += input[i];
  }
  return static_cast<double>(entropy_of(input) - entropy_of(output));
}

TEST(inference, is_what_the_definition_says) {
  for (const float_format& format : {float_format{1, 2}, {3, 3}, {5, 4}, {8, 3}}) {
    for (const double slope : {1.0, -1.0, 0.5, 1.5, -0.75, 1.25, 3.0, 1.0625, 100.0, 1e-3, 0.0}) {
      EXPECT_NEAR(enumerated_inference_loss(format, slope, 1.3).value.value(),
                  loss_by_definition(format, slope, 1.3), 1e-12)
          << format.name() << " " << slope;
    }
  }
}

/// H(x_fp) - H(Q(slope·x_fp)), by counting collisions.
bounded<bits> counted_loss(const float_format& format, double slope, double sigma) {
  return exact_entropy(format, normal{0, sigma}) - inference_output_entropy(format, slope, sigma);
}

/// How far they are apart, in bars.
double expect_counted_as_enumerated(const float_format& format, double slope, double sigma) {
  const bounded<bits> counted = counted_loss(format, slope, sigma);
  const bounded<bits> enumerated = enumerated_inference_loss(format, slope, sigma);
  EXPECT_TRUE(overlap(counted, enumerated))
      << format.name() << std::hexfloat << " slope " << slope << " sigma " << sigma
      << std::defaultfloat << ": " << counted.value.value() << " +- " << counted.error.value()
      << ", enumerated " << enumerated.value.value() << " +- " << enumerated.error.value();
  EXPECT_LT(counted.error, bits{1e-9}) << format.name() << " " << slope << " " << sigma;
  return std::fabs((counted - enumerated).value.value()) / (counted + enumerated).error.value();
}

TEST(inference, collisions_are_counted_as_they_are_enumerated) {
  // Those listed, those of pieces that are walked through, and floor sums.
  for (const float_format& format :
       {float_format{1, 0}, {1, 3}, {2, 0}, {2, 1}, {6, 5}, {13, 2}, {15, 1}, {21, 0}}) {
    const bool is_long = format.width() > 20;
    for (const double slope : {1.37, -0.7, 1.0, 1 + 0x1p-14, 2 - 0x1p-13, 1.9, 3e-2, 20.0}) {
      if (is_long && slope != 1.37) continue;
      expect_counted_as_enumerated(format, slope, 1.3);
    }
  }
}

TEST(inference, ties_go_away_from_zero_where_values_are_irrational_too) {
  // 15/16 of a value √2 (1 + m/1024) may be halfway between two others.
  expect_counted_as_enumerated({11, 0}, 0.9375, 1.3);
  expect_counted_as_enumerated({9, 0}, 0.53125, 0.52);
}

/// Any slope: storable ones, neighbors of powers of two and simple fractions among them.
double random_slope(random_numbers& random, const float_format& format) {
  const double sign = random.chance(0.5) ? 1 : -1;
  const double level = random.whole(-4, 4) + (random.chance(0.1) ? random.whole(-40, 40) : 0);
  double m = 1 + random.unit();
  if (random.chance(0.2)) m = 1 + random.log_uniform(0x1p-52, 1) / 2;
  if (random.chance(0.2)) m = 2 - random.log_uniform(0x1p-52, 1) / 2;
  if (random.chance(0.2)) m = 1 + random.whole(0, 15) / 16.0;
  if (random.chance(0.3)) {
    const double grid = std::exp2(std::min(format.p(), 53) - 1);
    m = std::round(m * grid) / grid;
  }
  return sign * std::ldexp(m, static_cast<int>(level));
}

TEST(inference_campaign, collisions_are_counted_as_they_are_enumerated) {
  random_numbers random(static_cast<unsigned>(from_environment("KTLN2_CAMPAIGN_SEED", 1)));
  const int cases = from_environment("KTLN2_CAMPAIGN_CASES", 300);
  const int widest = from_environment("KTLN2_CAMPAIGN_WIDTH", 17);
  double worst = 0;
  for (int i = 0; i < cases; ++i) {
    const int exponent_bits = random.whole(0, random.chance(0.5) ? 3 : 8);
    const float_format format{random.whole(1, widest - exponent_bits), exponent_bits};
    const double sigma =
        random.chance(0.7) ? random.log_uniform(1e-2, 1e2) : random.log_uniform(1e-30, 1e30);
    const double slope = random_slope(random, format);
    worst = std::fmax(worst, expect_counted_as_enumerated(format, slope, sigma));
  }
  RecordProperty("largest_share_of_the_bar", std::to_string(worst));
}

TEST(inference, every_format_and_slope_has_a_bar_below_1e_9_bits) {
  random_numbers random(7);
  for (int i = 0; i < 100; ++i) {
    const float_format format{random.whole(1, 64), random.whole(0, 15)};
    const double slope =
        random.chance(0.5) ? random_slope(random, format) : random.log_uniform(1e-300, 1e300);
    const double sigma = random.chance(0.5) ? 1 : random.log_uniform(1e-300, 1e300);
    const bounded<bits> loss = counted_loss(format, slope, sigma);
    EXPECT_LT(loss.error, bits{1e-9}) << format.name() << " " << slope << " " << sigma;
    EXPECT_GE(loss.value, -loss.error) << format.name() << " " << slope << " " << sigma;
  }
}

TEST(inference, the_limit_of_many_digits_is_that_of_equidistributed_mantissas) {
  // (2 - m) P(mantissa of x > 2/m)
  double zone = 0;
  for (int e = -60; e < 5; ++e) {
    zone += 2 * static_cast<double>(mass(std::ldexp(2 / 1.5L, e), std::ldexp(2.0L, e), 1));
  }
  EXPECT_NEAR(counted_loss({53, 8}, 1.5, 1).value.value(), 0.5 * zone, 1e-12);
}

TEST(inference, powers_of_two_are_free_and_others_are_not) {
  const float_format single{24, 8};
  EXPECT_EQ(inference(single, 4, 1).device.erased().value, bits{0});
  EXPECT_EQ(inference(single, -0.5, 1).device.erased().value, bits{0});
  EXPECT_NEAR(inference(single, 1.5, 1).device.erased().value.value(), 0.2926644, 0x1p-23);
}

TEST(inference, what_clips_is_forgotten) {
  // All products are below the smallest value: of a positive number its sign is left.
  const float_format format{24, 1};
  EXPECT_NEAR(inference_output_entropy(format, 1e-9, 1).value.value(), 1, 1e-12);
  EXPECT_NEAR(inference_output_entropy(format, 1e9, 1).value.value(), 1, 1e-12);
}

TEST(inference, a_slope_of_zero_forgets_everything) {
  const float_format format{6, 4};
  const bounded<bits> h = exact_entropy(format, normal{0, 1});
  EXPECT_NEAR(inference(format, 0, 1).device.erased().value.value(), h.value.value(), 1e-12);
}

TEST(inference, a_slope_of_zero_leaves_no_digits_of_the_product) {
  EXPECT_EQ(inference({24, 8}, 1.5, 1).device.precision(), bits{0});
  EXPECT_EQ(inference({24, 8}, 0, 1).device.precision(), bits{24});
}

TEST(inference, refuses_what_is_no_number) {
  EXPECT_THROW(inference({4, 4}, std::nan(""), 1), std::domain_error);
  EXPECT_THROW(inference({4, 4}, 1, 0), std::domain_error);
}

}  // namespace
