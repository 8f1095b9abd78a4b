// ktln2 law: keys, defaults, values.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>
#include <string>

#include "program.hpp"

namespace {

using program::json;
using program::object;

TEST(law_command, has_the_promised_keys) {
  const json answer = object("law normal:mu=2,sigma=3 --at 2 -1");
  EXPECT_EQ(answer.at("distribution"), "normal:mu=2,sigma=3");
  EXPECT_EQ(answer.at("mean"), 2);
  EXPECT_EQ(answer.at("deviation"), 3);
  EXPECT_NEAR(answer.at("differential_entropy").get<double>(),
              0.5 * std::log2(2 * std::numbers::pi * std::numbers::e * 9), 1e-14);
  EXPECT_EQ(answer.at("at"), json({2, -1}));
  ASSERT_EQ(answer.at("pdf").size(), 2U);
  ASSERT_EQ(answer.at("cdf").size(), 2U);
  EXPECT_NEAR(answer.at("pdf")[1].get<double>(),
              std::exp(-0.5) / (3 * std::sqrt(2 * std::numbers::pi)), 1e-16);
  EXPECT_EQ(answer.at("cdf")[0], 0.5);
  EXPECT_NEAR(answer.at("cdf")[1].get<double>(), 0.5 * std::erfc(std::sqrt(0.5)), 1e-16);
  EXPECT_FALSE(object("law normal").contains("pdf"));
}

TEST(law_command, fills_in_missing_keys) {
  const std::map<std::string, std::string> full = {
      {"normal", "normal:mu=0,sigma=1"},       {"student", "student:dof=5,loc=0,scale=1"},
      {"uniform", "uniform:low=0,high=1"},     {"laplace", "laplace:loc=0,scale=1"},
      {"logistic", "logistic:loc=0,scale=1"},  {"slope", "slope:n=10,w=1,sigma_x=1,sigma_xi=1"},
      {"normal:mu=0", "normal:sigma=1,mu=0"},  {"student:dof=5", "student:scale=1,loc=0"},
      {"slope:w=1", "slope:sigma_xi=1,n=1e1"},
  };
  for (const auto& [brief, complete] : full) {
    const json a = object("law " + brief + " --at -0.3 0.7");
    const json b = object("law " + complete + " --at -0.3 0.7");
    for (const char* key : {"mean", "deviation", "differential_entropy", "pdf", "cdf"}) {
      EXPECT_EQ(a.at(key), b.at(key)) << brief << ": " << key;
    }
  }
}

TEST(law_command, prints_csv) {
  const auto points = program::rows("law normal --at -1 0 1");
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0][0], "x");
  EXPECT_EQ(points[0][1], "pdf");
  EXPECT_EQ(points[0][2], "cdf");
  EXPECT_EQ(std::strtod(points[1][1].c_str(), nullptr), object("law normal --at -1").at("pdf")[0]);
}

TEST(law_command, understands_blanks_behind_colons_and_commas) {
  const auto rows = [](const char* law) {
    return program::run(program::arguments{"law", law, "--at", "0.5", "--csv"});
  };
  EXPECT_EQ(rows("normal: mu=0, sigma=2").out, rows("normal:mu=0,sigma=2").out);
  EXPECT_EQ(rows("truncated: low=-1, high=1@normal: sigma=2").out,
            rows("truncated:low=-1,high=1@normal:sigma=2").out);
  EXPECT_EQ(rows("relu: normal: sigma=2").out, rows("relu:normal:sigma=2").out);
  EXPECT_EQ(rows("normal: mu=0, sigma=2").err, "");
}

}  // namespace
