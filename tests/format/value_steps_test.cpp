#include "ktln2/format/value_steps.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "core/constants.hpp"
#include "format/number_samples.hpp"
#include "ktln2/format/number_catalogue.hpp"

namespace {

using namespace ktln2;
using number_samples::named;

/// The stored value by the definition, its sign included.
std::uint64_t stored_bits(const number_format& format, const storing& rule, double x) {
  const std::optional<wide> value = format.value(format.quantize(x, rule));
  return std::bit_cast<std::uint64_t>(value ? value->to_double() : undefined);
}

void expect_same(const number_format& format, const storing& rule) {
  const auto steps = value_steps::of(format, rule);
  ASSERT_TRUE(steps) << format.name();
  std::mt19937_64 random{7};
  std::vector<double> samples{0.0, -0.0, infinity, -infinity, 0x1p-1074, -0x1p-1074, 0x1p1023};
  for (std::uint64_t m = 0; m <= std::min<std::uint64_t>(format.largest(), 300); ++m) {
    number_samples::add_with_neighbors(samples, format.run_of(m).value(m).to_double());
  }
  for (int i = 0; i < 2000; ++i) samples.push_back(number_samples::random_number(format, random));
  std::vector<double> stored = samples;
  steps->store(stored);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double x = samples[i];
    if (std::isnan(x)) continue;
    ASSERT_EQ(std::bit_cast<std::uint64_t>((*steps)(x)), stored_bits(format, rule, x))
        << format.name() << ", " << name_of_rounding(rule) << ": " << x;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(stored[i]), stored_bits(format, rule, x))
        << format.name() << ", " << name_of_rounding(rule) << ": " << x;
  }
}

TEST(value_steps, store_what_the_quantizer_stores) {
  for (const std::string& name : number_samples::names_up_to(7)) {
    const number_format format = named(name);
    expect_same(format, format.usual());
  }
  for (const char* name : {"posit8", "posit16", "int8", "int16", "mxint8s", "q0.15", "e8m0",
                           "e4m3fnuz", "binary10p4uf", "binary12p7ue"}) {
    const number_format format = named(name);
    expect_same(format, format.usual());
  }
}

TEST(value_steps, know_every_rule) {
  for (const char* name : {"e4m3", "int8", "binary6p3uf", "binary6p3se"}) {
    const number_format format = named(name);
    for (const rounding how : format.roundings()) {
      if (how == rounding::to_odd) continue;
      for (const overflow beyond : format.overflows()) expect_same(format, {how, beyond});
    }
  }
}

TEST(value_steps, change_at_the_ties) {
  const number_format format = named("int8");
  const value_steps steps = value_steps::of(format, format.usual()).value();
  EXPECT_EQ(steps(2.5), 2);
  EXPECT_EQ(steps(std::nextafter(2.5, 3)), 3);
  EXPECT_EQ(steps(3.5), 4);
  EXPECT_EQ(steps(-1e9), -128);
  EXPECT_TRUE(std::isnan(steps(undefined)));
  double many[] = {2.5, undefined, -undefined, std::nan("7"), -3.5};
  steps.store(many);
  EXPECT_EQ(many[0], 2);
  EXPECT_TRUE(std::isnan(many[1]) && std::isnan(many[2]) && std::isnan(many[3]));
  EXPECT_EQ(many[4], -4);
}

/// Every value of a posit, where its cell begins and what is next to that.
TEST(value_steps, round_posits_to_the_ends_of_their_cells) {
  for (const char* name : {"posit8", "posit16"}) {
    const number_format format = named(name);
    const value_steps steps = value_steps::of(format, format.usual()).value();
    double before = 0;
    for (std::uint64_t m = 1; m <= format.largest(); ++m) {
      const double value = format.run_of(m).value(m).to_double();
      ASSERT_EQ(steps(value), value) << name;
      // The arithmetic or the geometric mean is the edge.
      for (const double edge : {before / 2 + value / 2, std::sqrt(before * value)}) {
        for (const double x : {edge, std::nextafter(edge, 0), std::nextafter(edge, infinity)}) {
          ASSERT_EQ(std::bit_cast<std::uint64_t>(steps(-x)), stored_bits(format, {}, -x)) << -x;
        }
      }
      before = value;
    }
  }
}

TEST(value_steps, know_wide_posits_by_a_small_table) {
  for (const int bits : {20, 32}) {
    const number_format format = number_format::posit("posit" + std::to_string(bits), bits);
    EXPECT_TRUE(value_steps::of(format, format.usual(), 500));
    EXPECT_FALSE(value_steps::of(format, format.usual(), 20));
    expect_same(format, format.usual());
  }
}

TEST(value_steps, leave_wide_formats_and_odd_codes_to_others) {
  EXPECT_FALSE(value_steps::of(named("int32"), named("int32").usual()));
  EXPECT_FALSE(value_steps::of(named("e4m3"), {rounding::to_odd, overflow::saturate}));
}

}  // namespace
