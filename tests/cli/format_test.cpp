// ktln2 format and ktln2 quantize: keys, values, codes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "program.hpp"
#include "scratch_folder.hpp"

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

/// quantize with numbers on standard input.
class quantize_lines : public testing::Test {
 protected:
  static program::outcome stored(const std::string& format, const std::string& lines) {
    const scratch folder;
    const std::string file = folder.file("lines.txt", lines);
    return program::run(program::words("quantize " + format + " - --json"), nullptr, file.c_str());
  }
  static void expect_as_typed(const std::string& format, const std::string& numbers) {
    std::string lines;
    for (const std::string& one : program::words(numbers)) lines += one + "\n";
    const program::outcome done = stored(format, lines);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(json::parse(done.out), object("quantize " + format + " " + numbers));
  }
  static void expect_refused(const std::string& format, const std::string& lines,
                             const std::string& message) {
    const program::outcome done = stored(format, lines);
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(done.out, "");
    EXPECT_EQ(done.err, "ktln2: quantize: " + message + "\n");
  }
};

TEST_F(quantize_lines, are_stored_as_typed_numbers_are) {
  expect_as_typed("p24e8", "0.1 -2.5 1e300");
  expect_as_typed("bfloat16", "0.1 -2.5 inf nan 0x1p-3");
  std::string block;
  for (int i = 0; i < 32; ++i) block += " " + std::to_string(i - 7.5);
  expect_as_typed("mxfp4", block);
  const scratch folder;
  const std::string code = folder.file("code.txt", "-1\n0\n1\n");
  expect_as_typed("codebook:" + code, "0.3 -5 100");
}

TEST_F(quantize_lines, end_as_they_like) {
  for (const char* lines : {"1\n2", "1\r\n2\r\n", "  1\t\n2\n\n \n"}) {
    const program::outcome done = stored("p24e8", lines);
    EXPECT_EQ(json::parse(done.out).at("values"), json({1, 2}));
  }
}

TEST_F(quantize_lines, are_named_where_they_are_wrong) {
  for (const char* format : {"p24e8", "bfloat16", "mxfp4"}) {
    expect_refused(format, "1\n2\nx\n4\n", "standard input, line 3: expected a number, got 'x'");
    expect_refused(format, "1\n\n3\n", "standard input, line 2: expected a number, got ''");
    expect_refused(format, "", "'-' is standard input: expected one number a line, got none");
  }
  expect_refused("int8", "1\nnan\n", "standard input, line 2: int8 has no NaN");
  expect_refused("mxfp4", "1\nnan\n", "standard input, line 2: a block of mxfp4 holds no NaN");
  expect_refused("p24e8", "inf\n", "standard input, line 1: expected a number, got 'inf'");
  program::expect_refused("quantize p24e8 1 -", "quantize: '-' stands for all numbers");
}

TEST(quantize_command, refuses_what_a_codebook_would_ignore) {
  const scratch folder;
  const std::string code = folder.file("code.txt", "-1\n0\n1\n");
  for (const char* option : {"--rounding up", "--overflow saturate", "--random 3"}) {
    const std::string name = program::words(option).front();
    program::expect_refused("quantize codebook:" + code + " 0.3 " + option,
                            "quantize: " + name + " is for formats such as bfloat16");
  }
}

}  // namespace
