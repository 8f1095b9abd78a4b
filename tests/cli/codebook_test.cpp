// codebook:FILE in the place of a format: ktln2 entropy, format and quantize.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

using program::expect_refused;
using program::json;
using program::object;

namespace fs = std::filesystem;

class codebook_command : public ::testing::Test {
 protected:
  /// "codebook:FILE" for a file with this text.
  [[nodiscard]] std::string written(const std::string& text, const char* name = "u.txt") const {
    return "codebook:" + folder_.file(name, text);
  }
  [[nodiscard]] std::string path(const char* name) const { return folder_.path(name); }

 private:
  scratch folder_;
};

TEST_F(codebook_command, has_the_entropy_of_its_cells) {
  const json coin = object("entropy " + written("-7\n7\n") + " normal:mu=1.2815515655446004");
  EXPECT_NEAR(coin.at("value").get<double>(), 0.46899559358928117, 1e-14);
  EXPECT_EQ(coin.at("size"), 2);
  EXPECT_EQ(coin.at("width"), 1);
  for (const char* key : {"format", "distribution", "tolerance", "error", "proved", "unit",
                          "method", "differential_entropy", "approximations", "bounds",
                          "mean_square_error", "lloyd_max", "equal_mass", "warnings"}) {
    EXPECT_TRUE(coin.contains(key)) << key;
  }
  const json nothing = object("entropy " + written("3\n") + " student:dof=1");
  EXPECT_EQ(nothing.at("value"), 0);
  EXPECT_EQ(nothing.at("error"), 0);
  EXPECT_EQ(nothing.at("mean_square_error"), "inf");
  EXPECT_TRUE(nothing.at("lloyd_max").is_null()) << "no deviation";
}

TEST_F(codebook_command, has_the_best_codebooks_beside_it) {
  const json answer = object("entropy " + written("-1.5\n-0.5\n0.5\n1.5\n") + " normal");
  const json& best = answer.at("lloyd_max");
  EXPECT_NEAR(best.at("values").at(3).get<double>(), 1.5104176, 1e-7);
  EXPECT_NEAR(best.at("mean_square_error").get<double>(), 0.1174818, 1e-7);
  EXPECT_LT(best.at("mean_square_error"), answer.at("mean_square_error"));
  EXPECT_NEAR(answer.at("equal_mass").at("entropy").get<double>(), 2, 1e-12);
  EXPECT_LT(answer.at("value").get<double>(), 2);
  const std::string text = program::output("entropy " + written("-2\n0\n2\n") + " normal");
  EXPECT_TRUE(program::has(text, "Lloyd-Max: loses least"));
}

TEST_F(codebook_command, keeps_given_edges) {
  // P(X < 0.25) for a uniform X is 1/4.
  const json answer = object("entropy " + written("0.1 0.25\n0.9\n") + " uniform");
  EXPECT_NEAR(answer.at("value").get<double>(), 0.25 * 2 + 0.75 * std::log2(4.0 / 3), 1e-14);
  const json cells = object("format " + written("0.1 0.25\n0.9\n") + " --values");
  EXPECT_EQ(cells.at("edges"), json::parse("[0.25]"));
  EXPECT_EQ(cells.at("values"), json::parse("[0.1, 0.9]"));
}

TEST_F(codebook_command, of_a_format_s_values_is_the_format) {
  const json format = object("format p3e2 --values");
  std::string text;
  for (const json& u : format.at("values")) text += u.dump() + "\n";
  const std::string code = written(text);
  for (const char* law : {"normal", "laplace:loc=1", "student:dof=2"}) {
    const json listed = object("entropy " + code + " " + law);
    const json known = object(std::string("entropy p3e2 ") + law);
    EXPECT_NEAR(listed.at("value").get<double>(), known.at("value").get<double>(), 1e-14) << law;
  }
  const json stored = object("quantize " + code + " 0.3 -5 100");
  EXPECT_EQ(stored.at("values"), object("quantize p3e2 0.3 -5 100").at("values"));
  EXPECT_EQ(stored.at("codes").at(2), 31);
}

TEST_F(codebook_command, shows_single_values) {
  const json some = object("format " + written("1\n2\n4\n") + " --index 3 1");
  EXPECT_EQ(some.at("indexed"), json::parse("[4, 1]"));
  EXPECT_EQ(some.at("cells"), json::parse("[[3, null], [null, 1.5]]"));
  expect_refused("format " + written("1\n2\n4\n") + " --index 4",
                 "format: --index must be from 1 to 3, got 4");
}

TEST_F(codebook_command, can_be_swept) {
  const auto rows = program::rows("entropy " + written("-1\n1\n") + " normal");
  EXPECT_EQ(rows.at(1).at(0), "this");
  const std::string swept = program::output("sweep entropy " + written("-1\n1\n") +
                                            " normal --over mu=0,1,2 --columns value");
  const auto lines = program::lines(swept);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines.at(0), "mu,value");
  EXPECT_EQ(lines.at(1), "0,1");
  const std::string two = written("-1\n0\n1\n", "three.txt");
  const std::string formats = program::output("sweep entropy p2e1 normal --over format=p1e0," +
                                              written("-1\n1\n") + "," + two + " --columns value");
  EXPECT_EQ(program::lines(formats).size(), 4U) << formats;
}

TEST_F(codebook_command, shows_the_terms_of_the_identity) {
  const json answer = object("entropy " + written("-2\n0\n1\n3\n") + " normal --terms");
  double sum = 0;
  for (const json& term : answer.at("terms")) {
    if (term.at("name") == "sum") sum = term.at("value").get<double>();
  }
  EXPECT_NEAR(sum, answer.at("value").get<double>(), 1e-11);
}

TEST_F(codebook_command, names_the_line_of_a_mistake) {
  const std::string where = "codebook " + path("u.txt");
  expect_refused("entropy " + written("1\n2\nx\n") + " normal",
                 where + ", line 3: expected a number, got 'x'");
  expect_refused("quantize " + written("2\n1\n") + " 0",
                 where + ", line 2: each value must be greater than the one before, got 1 after 2");
  expect_refused("format " + written("# nothing\n"), where + ": there must be at least one value");
  expect_refused("format " + written("1 2\n2 nan\n3"),
                 where + ", line 2: expected a number, got 'nan'");
  expect_refused("format codebook:" + path("none"),
                 "codebook " + path("none") + ": cannot be read");
  expect_refused("format codebook:" + path(""), "codebook " + path("") + ": cannot be read");
  expect_refused("format codebook:/dev/zero", "codebook /dev/zero: must not be larger than 64 MiB");
  expect_refused("format codebook:", "codebook: expected codebook:FILE");
}

TEST_F(codebook_command, is_refused_where_a_format_is_needed) {
  const std::string code = written("-1\n1\n");
  for (const std::string command : {"cost exact ", "cost average ", "cost inference ",
                                    "scaling exact --energy-price 1 --inference-price 1 ",
                                    "mismatch exact ", "simulate slope "}) {
    expect_refused(command + code, "'" + code + "' is a list of values: expected a format");
  }
  expect_refused("entropy " + code + " normal --bits", "entropy: --bits is for formats");
  expect_refused("entropy " + code + " normal --certify", "entropy: --certify is for formats");
  expect_refused("entropy " + code + " pair", "entropy: a codebook holds one variable, got pair");
  expect_refused("entropy p4e4 pair --y-format " + code, "'" + code + "' is a list of values");
  expect_refused("sweep entropy " + code + " normal --over p=1,2", "sweep: at p=1: '" + code);
}

}  // namespace
