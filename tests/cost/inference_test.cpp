#include "ktln2/cost/inference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ktln2/entropy/exact.hpp"
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
    EXPECT_TRUE(cost.is_enumerated);
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

TEST(inference_campaign, equidistribution_agrees_with_enumeration) {
  for (const int p : {8, 11, 14}) {
    const float_format format{p, 6};
    for (const double slope : {1.0, 1.5, 0.7, -1.1, 2.9, 1.999, 1.0000001}) {
      for (const double sigma : {1.0, 0.3}) {
        const bounded<bits> counted = enumerated_inference_loss(format, slope, sigma);
        const bounded<bits> limit = equidistributed_inference_loss(format, slope, sigma);
        EXPECT_TRUE(overlap(counted, limit))
            << p << " " << slope << " " << counted.value.value() << " " << limit.value.value()
            << " +- " << limit.error.value();
        EXPECT_LE(limit.error, bits{8 * std::exp2(-p)});
      }
    }
  }
}

TEST(inference, powers_of_two_are_free_and_others_are_not) {
  const float_format single{24, 8};
  EXPECT_EQ(inference(single, 4, 1).device.erased().value, bits{0});
  EXPECT_EQ(inference(single, -0.5, 1).device.erased().value, bits{0});
  const inference_cost other = inference(single, 1.5, 1);
  const bounded<bits> lost = other.device.erased();
  EXPECT_FALSE(other.is_enumerated);
  EXPECT_NEAR(lost.value.value(), 0.2926644, lost.error.value() + 0.5e-7);
}

TEST(inference, a_slope_of_zero_forgets_everything) {
  const float_format format{6, 4};
  const bounded<bits> h = exact_entropy(format, normal{0, 1});
  EXPECT_NEAR(inference(format, 0, 1).device.erased().value.value(), h.value.value(), 1e-12);
}

TEST(inference, refuses_what_is_no_number) {
  EXPECT_THROW(inference({4, 4}, std::nan(""), 1), std::domain_error);
  EXPECT_THROW(inference({4, 4}, 1, 0), std::domain_error);
}

}  // namespace
