// ktln2 format and ktln2 quantize: keys, values, codes.
#include <gtest/gtest.h>

#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::json;
using program::object;

TEST(format_command, has_the_promised_keys) {
  const json answer = object("format p24e8");
  EXPECT_EQ(answer.at("format"), "p24e8");
  EXPECT_EQ(answer.at("p"), 24);
  EXPECT_EQ(answer.at("exponent_bits"), 8);
  EXPECT_EQ(answer.at("emin"), -127);
  EXPECT_EQ(answer.at("emax"), 128);
  EXPECT_EQ(answer.at("size"), 4294967296);
  EXPECT_EQ(answer.at("min_positive"), 0x1p-127);
  EXPECT_EQ(answer.at("max"), 0x1.fffffep128);
  EXPECT_FALSE(answer.contains("values"));
  EXPECT_FALSE(answer.contains("indexed"));
}

TEST(format_command, knows_the_single_exponent_format) {
  const json answer = object("format p7e0");
  EXPECT_EQ(answer.at("emin"), 0.5);
  EXPECT_EQ(answer.at("emax"), 0.5);
  EXPECT_EQ(answer.at("size"), 128);
  EXPECT_EQ(answer.at("min_positive"), std::numbers::sqrt2);
}

TEST(format_command, rounds_a_size_above_2_53) {
  const json size = object("format p64e15").at("size");
  ASSERT_TRUE(size.is_number());
  EXPECT_EQ(size.get<double>(), 0x1p79);
}

TEST(format_command, lists_values_in_ascending_order) {
  const auto values = object("format p3e2 --values").at("values").get<std::vector<double>>();
  const std::vector<double> positive = {0.5, 0.625, 0.75, 0.875, 1, 1.25, 1.5, 1.75,
                                        2,   2.5,   3,    3.5,   4, 5,    6,   7};
  ASSERT_EQ(values.size(), 32U);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(values[16 + i], positive[i]);
    EXPECT_EQ(values[15 - i], -positive[i]);
  }
}

TEST(format_command, indexes_the_same_list) {
  const json all = object("format p3e2 --values --index 1 2 16 17 32");
  for (std::size_t i = 0; i < all.at("index").size(); ++i) {
    EXPECT_EQ(all.at("indexed")[i], all.at("values")[all.at("index")[i].get<std::size_t>() - 1]);
  }
}

TEST(format_command, lists_up_to_2_20_values) {
  EXPECT_EQ(object("format p12e3 --values").at("values").size(), 32768U);
  EXPECT_EQ(program::run("format p20e0 --values --csv").status, 0);
  EXPECT_EQ(program::run("format p20e1 --values --csv").status, 2);
}

TEST(format_command, prints_csv) {
  const auto one = program::rows("format p24e8");
  ASSERT_EQ(one.size(), 2U);
  EXPECT_EQ(one[0][0], "format");
  EXPECT_EQ(one[1][0], "p24e8");
  EXPECT_EQ(one[0].size(), one[1].size());
  const auto list = program::rows("format p3e2 --values");
  ASSERT_EQ(list.size(), 33U);
  EXPECT_EQ(list[1], (std::vector<std::string>{"1", "-7"}));
  EXPECT_EQ(list[32], (std::vector<std::string>{"32", "7"}));
}

TEST(eq_sem_fp, is_what_quantize_does) {
  const json answer = object("quantize p3e2 0 0.5625 -0.5625 1e9 -1e9 1.875 5.5 1e-300");
  EXPECT_EQ(answer.at("format"), "p3e2");
  EXPECT_EQ(answer.at("values"), json({0.5, 0.625, -0.625, 7, -7, 2, 6, 0.5}));
  EXPECT_EQ(answer.at("codes"), json({0, 1, 17, 15, 31, 8, 14, 0}));
}

TEST(quantize_command, keeps_wide_codes_exact) {
  const json answer = object("quantize p64e15 1 -1");
  // sign, exponent 16383, mantissa 0: 16383·2^63, and 2^78 more
  EXPECT_EQ(answer.at("codes"), json({"151106504079791792062464", "453337958983449085739008"}));
  EXPECT_EQ(program::rows("quantize p64e15 1")[1][2], "151106504079791792062464");
}

}  // namespace
