#include "ktln2/format/block_format.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "message_of.hpp"
#include "reference_file.hpp"

namespace {

using ktln2::block_format;
using ktln2::find_block_format;
using ktln2::scale_policy;
using ktln2::wide;

std::vector<double> numbers_of(const nlohmann::json& list) {
  std::vector<double> x;
  for (const auto& text : list) x.push_back(std::strtod(text.get<std::string>().c_str(), nullptr));
  return x;
}

TEST(block_format, stores_every_block_of_the_reference) {
  int cases = 0;
  const auto table = reference_table("real/formats.json");
  for (const auto& one : table.at("block_cases")) {
    const block_format format =
        find_block_format(one.at("format").get<std::string>())
            .value()
            .with_policy(ktln2::parse_scale_policy(one.at("scale_policy").get<std::string>()));
    SCOPED_TRACE(format.name() + " " + std::string(name_of(format.policy())));
    EXPECT_EQ(format.size(), one.at("block"));
    const auto stored = format.quantize(numbers_of(one.at("x")));
    EXPECT_EQ(stored.scale_code, one.at("scale_code"));
    EXPECT_EQ(stored.codes, one.at("codes").get<std::vector<std::uint64_t>>());
    ++cases;
  }
  EXPECT_EQ(cases, 249);
}

/// The definition of each policy, in logarithms of doubles where these are exact enough.
double power_of_scale(scale_policy policy, double max, const block_format& format) {
  const double largest = format.element().max().to_double();
  const double emax = std::floor(std::log2(largest));
  const int mantissa_bits = format.element().fields().p - 1;
  switch (policy) {
    case scale_policy::ceil:
      return std::ceil(std::log2(max)) - emax;
    case scale_policy::rceil:
      return std::ceil(std::log2(max / largest));
    case scale_policy::even: {
      const double unit = std::exp2(std::floor(std::log2(max)) - mantissa_bits);
      return std::floor(std::log2(std::nearbyint(max / unit) * unit)) - emax;
    }
    case scale_policy::floor:
    case scale_policy::nearest:
      break;
  }
  return std::floor(std::log2(max)) - emax;
}

TEST(block_format, has_the_scale_that_the_policy_says) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-30, 30);
  using enum scale_policy;
  for (const char* name : {"mxfp8e4m3", "mxfp8e5m2", "mxfp6e3m2", "mxfp6e2m3", "mxfp4"}) {
    for (const scale_policy policy : {floor, ceil, rceil, even}) {
      const block_format format = find_block_format(name).value().with_policy(policy);
      for (int i = 0; i < 1000; ++i) {
        const double max = std::exp2(exponent(random));
        EXPECT_EQ(static_cast<double>(format.scale_code(max)),
                  127 + power_of_scale(policy, max, format))
            << name << " " << name_of(policy) << " " << max;
      }
    }
  }
}

TEST(block_format, has_scales_whose_blocks_follow_each_other) {
  using enum scale_policy;
  for (const auto& entry : ktln2::block_catalogue()) {
    const block_format named = find_block_format(entry.name).value();
    for (const scale_policy policy : {floor, ceil, rceil, even, nearest}) {
      if ((policy == nearest) != named.has_second_level()) continue;
      const block_format format = named.with_policy(policy);
      wide end = 0.0;
      for (const ktln2::block_scale& scale : format.scales()) {
        EXPECT_EQ(scale.from, end);
        EXPECT_LT(scale.from, scale.to);
        const wide middle =
            scale.to.is_infinite() ? scale.from.scaled(1) : midpoint(scale.from, scale.to);
        EXPECT_EQ(format.scale_code(middle.to_double()), scale.code);
        end = scale.to;
      }
      EXPECT_TRUE(end.is_infinite());
    }
  }
}

TEST(block_format, divides_without_rounding) {
  // The quotient lies just beside the midpoint 0.25 of two elements, nearer than doubles do.
  const double g = 1.0 / 3;
  const block_format format =
      find_block_format("nvfp4").value().with_size(2).with_second_level_scale(g);
  const double scale = 1.0;
  for (const double edge : {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0}) {
    const double at = edge * g * scale;
    for (const double x : {std::nextafter(at, 0.0), at, std::nextafter(at, 10.0)}) {
      const auto stored = format.quantize(std::vector<double>{6 * g, x});
      ASSERT_EQ(format.scale_value(stored.scale_code), wide(g));
      const auto below = format.element().quantize(std::nextafter(edge, 0.0));
      const auto above = format.element().quantize(std::nextafter(edge, 10.0));
      const auto tie = format.element().quantize(edge);
      const wide exact = wide(edge) * wide(g);
      EXPECT_EQ(stored.codes[1], wide(x) == exact ? tie : wide(x) < exact ? below : above);
    }
  }
}

TEST(block_format, keeps_signs_and_saturates) {
  const block_format format = find_block_format("nvfp4").value().with_size(3);
  constexpr double endless = std::numeric_limits<double>::infinity();
  const ktln2::stored_block all_zero{0, {0, 8, 0}};
  EXPECT_EQ(format.quantize(std::vector<double>{0.0, -0.0, 1e-20}), all_zero);
  const ktln2::stored_block largest{0x7e, {7, 15, 0}};
  EXPECT_EQ(format.quantize(std::vector<double>{endless, -1e300, 1}), largest);
  const block_format mx = find_block_format("MXFP4").value().with_size(2);
  const ktln2::stored_block of_powers{254, {7, 8}};
  EXPECT_EQ(mx.quantize(std::vector<double>{endless, -1}), of_powers);
}

TEST(block_format, says_what_is_wrong) {
  const block_format mx = find_block_format("mxfp4").value();
  const block_format nv = find_block_format("nvfp4").value();
  EXPECT_EQ(message_of([&] {
              (void)mx.quantize(std::vector<double>{1, 2});
            }),
            "mxfp4: a block has 32 numbers, got 2");
  EXPECT_EQ(message_of([&] { (void)mx.with_policy(scale_policy::nearest); }),
            "mxfp4 has no scale policy 'nearest': expected floor, ceil, rceil or even");
  EXPECT_EQ(message_of([&] { (void)nv.with_policy(scale_policy::floor); }),
            "nvfp4 has no scale policy 'floor': expected nearest");
  EXPECT_EQ(message_of([&] { (void)mx.with_second_level_scale(2); }),
            "mxfp4 has no second-level scale");
  EXPECT_EQ(message_of([&] { (void)nv.with_second_level_scale(0); }),
            "nvfp4: the second-level scale must be finite and > 0, got 0");
  EXPECT_THROW((void)mx.with_size(0), std::domain_error);
  EXPECT_THROW((void)mx.with_size(1).quantize(std::vector<double>{std::nan("")}),
               std::domain_error);
  EXPECT_FALSE(find_block_format("mxfp5"));
}

}  // namespace
