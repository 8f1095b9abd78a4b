// Numbers as the command line reads and writes them, and where options may stand.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::json;
using program::object;
using program::output;

// Numbers as arguments

TEST(number_arguments, are_decimal_or_scientific_also_for_integers) {
  const json answer = object("format p4e4 --index 1e2 100 1.0e2 +100 1000e-1 2.56e2");
  EXPECT_EQ(answer.at("index"), json({100, 100, 100, 100, 100, 256}));
  EXPECT_EQ(answer.at("indexed"), json({-0.09375, -0.09375, -0.09375, -0.09375, -0.09375, 480}));
  EXPECT_EQ(object("law slope:n=1e6").at("mean"), 1);
  EXPECT_EQ(object("law slope:n=1e6").at("deviation"),
            object("law slope:n=1000000").at("deviation"));
  EXPECT_EQ(object("quantize p4e4 1E0 +1 1. .1e1 10e-1").at("values"), json({1, 1, 1, 1, 1}));
}

TEST(number_arguments, may_be_negative_positionals) {
  const json answer = object("quantize p24e8 -1.5 -.5 -2e0 -1e-3 3");
  EXPECT_EQ(answer.at("x"), json({-1.5, -0.5, -2, -1e-3, 3}));
  EXPECT_EQ(answer.at("values"), json({-1.5, -0.5, -2, -0.0010000000474974513, 3}));
}

TEST(number_arguments, may_be_negative_option_values) {
  EXPECT_EQ(object("law normal --at -1 -2e0 -.5").at("at"), json({-1, -2, -0.5}));
  EXPECT_EQ(object("law normal --at=-1").at("at"), json({-1}));
  EXPECT_EQ(object("law normal:mu=-1").at("mean"), -1);
}

TEST(number_arguments, may_be_very_long) {
  const program::outcome result =
      program::run({"quantize", "p24e8", "0." + std::string(100000, '9'), "--json"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(json::parse(result.out).at("values"), json({1}));
}

TEST(options, stand_before_or_after_positionals) {
  const std::vector<std::vector<std::string>> same = {
      {"quantize p24e8 -1.5 2 --json", "quantize --json p24e8 -1.5 2",
       "quantize p24e8 --json -1.5 2", "quantize --json -- p24e8 -1.5 2",
       "quantize p24e8 --json -- -1.5 2", "quantize p24e8 -1.5 --json -- 2"},
      {"law normal --at -1 2 --json", "law --json normal --at -1 2", "law --at -1 2 --json normal",
       "law --at -1 2 --json -- normal", "law --at -1 --json --at 2 -- normal"},
      {"entropy p4e4 normal --tolerance 1e-9 --bits --json",
       "entropy --bits --json --tolerance 1e-9 p4e4 normal",
       "entropy p4e4 --tolerance=1e-9 --json normal --bits",
       "entropy --tolerance 1e-9 --bits --json -- p4e4 normal"},
      {"format p4e4 --index 3 4 --json", "format --index 3 4 --json p4e4",
       "format --index 3 4 --json -- p4e4"}};
  for (const auto& lines : same) {
    for (const std::string& line : lines) EXPECT_EQ(output(line), output(lines[0])) << line;
  }
}

// Numbers as answers

TEST(number_answers, round_trip) {
  std::mt19937_64 random(20240229);
  std::string line = "quantize p53e11";
  std::vector<double> expected;
  while (expected.size() < 200) {
    const auto x = std::bit_cast<double>(random());
    if (!std::isnormal(x)) continue;
    expected.push_back(x);
    line += " " + program::digits17(x);
  }
  const json answer = object(line);
  EXPECT_EQ(answer.at("x").get<std::vector<double>>(), expected);
  EXPECT_EQ(answer.at("values").get<std::vector<double>>(), expected);
  const auto rows = program::rows(line);
  ASSERT_EQ(rows.size(), expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::strtod(rows[i + 1][1].c_str(), nullptr), expected[i]);
  }
}

TEST(number_answers, beyond_double_are_strings) {
  EXPECT_EQ(object("format p53e11").at("max"), "3.5953862697246314e308");
  EXPECT_EQ(object("format p53e11").at("min_positive"), 0x1p-1023);  // subnormal, but exact
  const json extended = object("format p64e15 --index 1 604462909807314587353088");
  EXPECT_EQ(extended.at("min_positive"), "1.6810515715560468e-4932");
  EXPECT_EQ(extended.at("max"), "2.3794629907144635e4932");
  EXPECT_EQ(extended.at("indexed"), json({"-2.3794629907144635e4932", "2.3794629907144635e4932"}));
  EXPECT_EQ(object("quantize p2e15 0").at("values"), json({"1.6810515715560468e-4932"}));
}

TEST(number_answers, undefined_is_null_and_infinite_is_inf) {
  const json cauchy = object("law slope:n=1");
  EXPECT_TRUE(cauchy.at("mean").is_null());
  EXPECT_EQ(cauchy.at("deviation"), "inf");
  EXPECT_EQ(object("law student:dof=2").at("mean"), 0);
  EXPECT_EQ(object("law student:dof=2").at("deviation"), "inf");
  EXPECT_EQ(object("law uniform --at 2").at("pdf").at(0), 0);
}

TEST(number_answers, are_never_nan) {
  for (const char* line : {"law student:dof=1", "law slope:n=1 --at 1e308", "law uniform --at -1 2",
                           "entropy p1e0 normal", "format p1e0"}) {
    for (const char* style : {"", " --csv", " --json"}) {
      EXPECT_FALSE(program::has(output(line + std::string(style)), "\\bnan\\b")) << line << style;
    }
  }
}

}  // namespace
