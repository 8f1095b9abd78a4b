// What the command line promises to programs that use it: keys, types, numbers, exit status.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"

namespace {

using program::json;
using program::object;
using program::output;

const std::vector<std::string> commands = {"format",   "quantize", "law", "entropy",
                                           "simulate", "explain",  "tour"};

std::string digits17(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

double sum(const json& list) {
  double total = 0;
  for (const auto& entry : list) {
    total += (entry.is_object() ? entry.at("entropy") : entry).get<double>();
  }
  return total;
}

// Every command

TEST(json_output, has_version_command_and_warnings) {
  for (const char* line :
       {"format p24e8", "quantize p24e8 0.1", "law normal", "entropy p24e8 normal",
        "entropy p24e8 normal --bits", "explain", "explain eq:loss", "tour"}) {
    SCOPED_TRACE(line);
    const json answer = object(line);
    ASSERT_TRUE(answer.is_object());
    EXPECT_EQ(answer.at("program"), "ktln2");
    EXPECT_EQ("ktln2 " + answer.at("version").get<std::string>() + "\n", output("--version"));
    EXPECT_EQ(answer.at("command"), program::words(line)[0]);
    EXPECT_EQ(answer.at("warnings"), json::array());
  }
}

TEST(json_output, is_one_object_and_a_line_end) {
  for (const char* line :
       {"format p4e4 --values", "law slope:n=1 --at 0", "explain eq:loss", "tour"}) {
    const std::string text = output(std::string(line) + " --json");
    ASSERT_GT(text.size(), 3U);
    EXPECT_EQ(text.front(), '{');
    EXPECT_EQ(text.substr(text.size() - 2), "}\n");
    EXPECT_TRUE(json::accept(text));
  }
}

TEST(version, is_three_numbers) {
  EXPECT_TRUE(program::has(output("--version"), "^ktln2 [0-9]+\\.[0-9]+\\.[0-9]+\n$"));
}

TEST(help, names_every_command) {
  const std::string text = output("--help");
  for (const std::string& command : commands) {
    EXPECT_TRUE(program::has(text, "\n +" + command + " ")) << command;
  }
}

TEST(help, has_an_example_that_runs) {
  for (const std::string& command : commands) {
    SCOPED_TRACE(command);
    const std::vector<std::string> text = program::lines(output(command + " --help"));
    int examples = 0;
    bool after_heading = false;
    for (const std::string& line : text) {
      if (line.starts_with("Example")) after_heading = true;
      const std::string prompt = "  ktln2 ";
      if (!after_heading || !line.starts_with(prompt)) continue;
      ++examples;
      EXPECT_EQ(line.find(command), prompt.size()) << "an example of another command";
      EXPECT_NE(output(line.substr(prompt.size())), "") << line;
    }
    EXPECT_GE(examples, 1);
  }
}

TEST(help, does_not_need_the_arguments) {
  for (const std::string& command : commands) {
    EXPECT_EQ(output(command + " -h"), output(command + " --help"));
  }
  EXPECT_EQ(output("-h"), output("--help"));
}

TEST(unwritable_output, is_a_failure_and_not_a_mistake) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "this system has no /dev/full";
  for (const char* line :
       {"--version", "--help", "entropy --help", "tour", "tour --json", "format p4e4 --values",
        "quantize p24e8 1 --csv", "law normal", "entropy p24e8 normal --bits"}) {
    const program::outcome result = program::run(program::words(line), "/dev/full");
    EXPECT_EQ(result.status, 1) << line;
    EXPECT_EQ(result.err, "ktln2: cannot write to standard output\n") << line;
  }
}

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
    line += " " + digits17(x);
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

// format

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

// quantize

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

// law

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

// entropy

TEST(entropy_command, has_the_promised_keys) {
  const json answer = object("entropy p24e8 normal:mu=0,sigma=1 --tolerance 1e-10");
  EXPECT_EQ(answer.at("format"), "p24e8");
  EXPECT_EQ(answer.at("distribution"), "normal:mu=0,sigma=1");
  EXPECT_EQ(answer.at("tolerance"), 1e-10);
  EXPECT_TRUE(answer.at("value").is_number());
  EXPECT_TRUE(answer.at("error").is_number());
  EXPECT_TRUE(answer.at("proved").is_boolean());
  EXPECT_EQ(answer.at("unit"), "bit");
  EXPECT_TRUE(answer.at("method").is_string());
  EXPECT_EQ(answer.at("differential_entropy"), object("law normal").at("differential_entropy"));
  for (const char* key : {"sign", "exponent", "mantissa"}) {
    EXPECT_TRUE(answer.at("fields").at(key).is_number()) << key;
  }
  ASSERT_TRUE(answer.at("approximations").is_array());
  for (const json& entry : answer.at("approximations")) {
    for (const char* key : {"label", "value", "status", "applies", "condition"}) {
      EXPECT_TRUE(entry.contains(key)) << key;
    }
  }
  ASSERT_TRUE(answer.at("bounds").is_array());
  for (const json& entry : answer.at("bounds")) {
    for (const char* key : {"label", "value"}) EXPECT_TRUE(entry.contains(key)) << key;
  }
  EXPECT_FALSE(answer.contains("bits"));
}

struct known_entropy {
  const char* query;
  double truth;  ///< from tests/oracle: quadruple precision, estimated error below 1e-24
};

const known_entropy known[] = {
    {"p24e8 normal:mu=0,sigma=1", 26.4637339907885226313284233564},
    {"p24e8 normal:mu=1,sigma=1e-8", 0.0156706256954650287150353363672},
    {"p53e11 normal:mu=2.5,sigma=0.01", 46.4032393954059164369930866024},
    {"p24e8 student:dof=1e6", 26.4637347055451488245362588286},
    {"p24e8 slope:n=10", 24.1331586325964531627904800625},
    {"p64e15 normal", 66.463733980233209485314154933},
    {"p7e0 normal", 2.48316275807930851849667784095},
    {"p1e0 normal", 1},
};

TEST(entropy_command, has_the_truth_inside_its_error_bar) {
  for (const auto& [query, truth] : known) {
    const json answer = object(std::string("entropy ") + query);
    const double error = answer.at("error").get<double>();
    EXPECT_LE(error, 1e-11) << query;
    EXPECT_LE(std::fabs(answer.at("value").get<double>() - truth), error) << query;
  }
}

TEST(entropy_command, keeps_a_loose_tolerance_honestly) {
  for (const auto& [query, truth] : known) {
    const json answer = object(std::string("entropy ") + query + " --tolerance 1e-3");
    const double error = answer.at("error").get<double>();
    EXPECT_LE(error, 1e-3) << query;
    EXPECT_LE(std::fabs(answer.at("value").get<double>() - truth), error) << query;
  }
}

TEST(entropy_command, has_parts_that_add_up) {
  for (const char* query : {"p24e8 normal:mu=0,sigma=1", "p24e8 normal:mu=1,sigma=1e-8",
                            "p53e11 laplace", "p7e0 normal", "p1e8 logistic", "p1e0 normal",
                            "p11e5 uniform:low=-1,high=3", "p64e15 student:dof=1"}) {
    SCOPED_TRACE(query);
    const json answer = object(std::string("entropy ") + query + " --bits");
    const double value = answer.at("value").get<double>();
    const double slack = 1e-12 + answer.at("error").get<double>();
    EXPECT_NEAR(sum(answer.at("fields")), value, slack);
    EXPECT_NEAR(sum(answer.at("bits")), value, slack);
  }
}

TEST(entropy_command, names_the_bits_from_the_top) {
  const json bits = object("entropy p3e2 normal --bits").at("bits");
  std::vector<std::string> names;
  for (const json& bit : bits) {
    names.push_back(bit.at("name"));
    const double h = bit.at("entropy").get<double>();
    EXPECT_GE(h, 0);
    EXPECT_LE(h, 1 + 1e-12);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"sign", "exponent 1", "exponent 0", "mantissa 1",
                                             "mantissa 0"}));
}

/// H of the first `count` of five bits, the codes having these probabilities.
double leading_bits_entropy(const std::vector<double>& probability, int count) {
  std::map<std::size_t, double> groups;
  for (std::size_t code = 0; code < probability.size(); ++code) {
    groups[code >> (5 - count)] += probability[code];
  }
  double h = 0;
  for (const auto& [prefix, q] : groups) h -= q > 0 ? q * std::log2(q) : 0;
  return h;
}

TEST(entropy_command, agrees_with_the_definition_of_every_part) {
  // All 32 values and their codes as the program tells them, and their cells of a normal law.
  const auto values = object("format p3e2 --values").at("values").get<std::vector<double>>();
  std::string query = "quantize p3e2";
  for (const double value : values) query += " " + digits17(value);
  const auto codes = object(query).at("codes").get<std::vector<std::size_t>>();
  const double mu = 0.6;
  const double sigma = 1.5;
  const auto above = [&](double x) { return 0.5 * std::erfc((x - mu) / (sigma * std::sqrt(2))); };
  std::vector<double> probability(32);
  for (std::size_t i = 0; i < 32; ++i) {
    const double left = i == 0 ? 1 : above((values[i - 1] + values[i]) / 2);
    const double right = i == 31 ? 0 : above((values[i] + values[i + 1]) / 2);
    probability.at(codes[i]) = left - right;
  }

  const json answer = object("entropy p3e2 normal:mu=0.6,sigma=1.5 --bits");
  const auto h = [&](int count) { return leading_bits_entropy(probability, count); };
  EXPECT_NEAR(answer.at("value").get<double>(), h(5), 1e-12);
  const json& fields = answer.at("fields");
  EXPECT_NEAR(fields.at("sign").get<double>(), h(1), 1e-12);
  EXPECT_NEAR(fields.at("exponent").get<double>(), h(3) - h(1), 1e-12);
  EXPECT_NEAR(fields.at("mantissa").get<double>(), h(5) - h(3), 1e-12);
  for (int bit = 1; bit <= 5; ++bit) {
    EXPECT_NEAR(answer.at("bits").at(static_cast<std::size_t>(bit - 1)).at("entropy").get<double>(),
                h(bit) - h(bit - 1), 1e-12);
  }
}

TEST(entropy_command, warns_of_a_tolerance_out_of_reach) {
  const program::outcome text = program::run("entropy p24e8 normal --tolerance 1e-16");
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out, "");
  const program::outcome result = program::run("entropy p24e8 normal --tolerance 1e-16 --json");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, text.err);
  const json warnings = json::parse(result.out).at("warnings");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ("ktln2: warning: " + warnings[0].get<std::string>() + "\n", result.err);
  EXPECT_NE(result.err.find("1e-16"), std::string::npos);
}

TEST(entropy_command, prints_csv) {
  const json answer = object("entropy p24e8 normal --bits");
  const auto parts = program::rows("entropy p24e8 normal");
  ASSERT_EQ(parts.size(), 5U);
  EXPECT_EQ(std::strtod(parts[1][1].c_str(), nullptr), answer.at("value"));
  EXPECT_EQ(std::strtod(parts[1][2].c_str(), nullptr), answer.at("error"));
  const auto bits = program::rows("entropy p24e8 normal --bits");
  ASSERT_EQ(bits.size(), 33U);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(bits[i + 1][0], answer.at("bits")[i].at("name"));
    EXPECT_EQ(std::strtod(bits[i + 1][1].c_str(), nullptr), answer.at("bits")[i].at("entropy"));
  }
}

TEST(entropy_command, takes_extreme_parameters) {
  for (const char* query :
       {"p24e8 normal:sigma=1e-300", "p53e11 normal:sigma=1e300", "p64e15 normal:mu=1e308 --bits",
        "p64e15 normal:mu=1e308,sigma=1e300", "p1e15 student:dof=1e18", "p64e0 laplace:scale=1e300",
        "p53e11 student:dof=0.1", "p2e15 uniform:low=-1e-300,high=1e300 --bits",
        "p24e8 slope:n=1e9,w=1e300", "p53e11 normal:mu=1e15,sigma=1"}) {
    SCOPED_TRACE(query);
    const json answer = object(std::string("entropy ") + query);
    const auto width = object("format " + program::words(query)[0]).at("width").get<double>();
    ASSERT_TRUE(answer.at("value").is_number());
    ASSERT_TRUE(answer.at("error").is_number());
    EXPECT_GE(answer.at("value").get<double>(), 0);
    EXPECT_LE(answer.at("value").get<double>(), width);
    EXPECT_LE(answer.at("error").get<double>(), 1e-11);
    EXPECT_TRUE(answer.at("differential_entropy").is_number());
  }
}

// tour

TEST(tour_command, agrees_with_entropy) {
  const json tour = object("tour");
  const auto csv = program::rows("tour");
  ASSERT_GE(tour.at("rows").size(), 5U);
  ASSERT_EQ(csv.size(), tour.at("rows").size() + 1);
  for (std::size_t i = 0; i < tour.at("rows").size(); ++i) {
    const json& row = tour.at("rows")[i];
    const auto format = row.at("format").get<std::string>();
    const json answer =
        object("entropy " + format + " " + tour.at("distribution").get<std::string>());
    EXPECT_EQ(row.at("value"), answer.at("value"));
    EXPECT_EQ(row.at("error"), answer.at("error"));
    EXPECT_EQ(csv[i + 1][0], format);
    double nearest = 0;  // a column that is the value as far as its error bar goes
    for (const std::string& entry : csv[i + 1]) {
      const double number = std::strtod(entry.c_str(), nullptr);
      const double value = row.at("value").get<double>();
      if (std::fabs(number - value) < std::fabs(nearest - value)) nearest = number;
    }
    EXPECT_NEAR(nearest, row.at("value").get<double>(), row.at("error").get<double>());
  }
}

}  // namespace
