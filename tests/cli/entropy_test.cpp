// ktln2 entropy and ktln2 tour: keys, values within their error bars, parts that add up.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::json;
using program::object;

double sum(const json& list) {
  double total = 0;
  for (const auto& entry : list) {
    total += (entry.is_object() ? entry.at("entropy") : entry).get<double>();
  }
  return total;
}

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

TEST(entropy_command, has_an_error_for_every_part) {
  const json answer = object("entropy p11e5 student:dof=0.3,loc=2 --bits");
  for (const auto& [name, h] : answer.at("fields").items()) {
    const double error = answer.at("field_errors").at(name).get<double>();
    EXPECT_GT(error, 0) << name;
    EXPECT_LE(error, 1e-11) << name;
    EXPECT_GE(h.get<double>(), -error) << name;
  }
  for (const json& bit : answer.at("bits")) {
    EXPECT_LE(bit.at("error").get<double>(), 1e-11);
    EXPECT_GE(bit.at("entropy").get<double>(), -bit.at("error").get<double>());
  }
}

TEST(entropy_command, meets_a_loose_tolerance_where_it_meets_a_tight_one) {
  const std::string query = "entropy p6e6 student:dof=0.05,scale=7.6304479347534e-09 --tolerance ";
  for (const char* tolerance : {"0.1", "1e-3", "1e-12"}) {
    const program::outcome result = program::run(query + tolerance + " --json");
    const json answer = json::parse(result.out);
    EXPECT_LE(answer.at("error").get<double>(), std::strtod(tolerance, nullptr));
    EXPECT_FALSE(program::has(result.err, "tolerance")) << result.err;
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
  for (const double value : values) query += " " + program::digits17(value);
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
        "p24e8 slope:n=1e9,w=1e300", "p53e11 normal:mu=1e15,sigma=1",
        "p24e11 student:dof=2,loc=1e300,scale=1e-9", "p8e11 student:dof=0.01,loc=1e80,scale=1e-300",
        "p24e8 student:dof=1,loc=-1e308,scale=5e-324"}) {
    SCOPED_TRACE(query);
    const json answer = json::parse(program::run(std::string("entropy ") + query + " --json").out);
    const auto width = object("format " + program::words(query)[0]).at("width").get<double>();
    ASSERT_TRUE(answer.at("value").is_number());
    ASSERT_TRUE(answer.at("error").is_number());
    EXPECT_GE(answer.at("value").get<double>(), 0);
    EXPECT_LE(answer.at("value").get<double>(), width);
    EXPECT_LE(answer.at("error").get<double>(), 1e-11);
    EXPECT_TRUE(answer.at("differential_entropy").is_number());
  }
}

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

double term(const json& answer, const std::string& name) {
  for (const json& one : answer.at("terms")) {
    if (one.at("name") == name) return one.at("value").get<double>();
  }
  ADD_FAILURE() << "no term " << name;
  return 0;
}

TEST(entropy_command, shows_terms_that_add_up) {
  for (const char* query : {"p4e4 normal:mu=3,sigma=1", "p7e0 laplace", "p24e8 student:dof=1",
                            "p6e3 uniform:low=-1,high=4 --rounding toward-zero"}) {
    SCOPED_TRACE(query);
    const json answer = object(std::string("entropy ") + query + " --terms");
    const double sum = term(answer, "differential") - term(answer, "log_width") +
                       term(answer, "divergence") + term(answer, "clipped");
    EXPECT_NEAR(sum, term(answer, "sum"), 1e-12);
    EXPECT_NEAR(sum, answer.at("value").get<double>(),
                term(answer, "sum_error") + answer.at("error").get<double>());
    EXPECT_LE(term(answer, "sum_error"), 1e-10);
    for (const json& one : answer.at("terms")) {
      for (const char* key : {"name", "value", "unit", "formula", "says"}) {
        EXPECT_TRUE(one.contains(key)) << key;
      }
    }
  }
  EXPECT_FALSE(object("entropy p4e4 normal").contains("terms"));
}

TEST(entropy_command, shows_the_terms_of_the_paper) {
  const json answer = object("entropy p24e4 normal:mu=2,sigma=0.5 --terms");
  const double a = std::ldexp(1 + std::ldexp(1, -24), -7);
  EXPECT_NEAR(term(answer, "zero_cells_constant"), 2 * a * (23.5 + 1 / std::log(2)), 1e-12);
  EXPECT_NEAR(term(answer, "far_from_mean"), std::erfc(2 / std::sqrt(2)), 1e-15);
  EXPECT_GE(term(answer, "far_from_mean_bound"), term(answer, "far_from_mean"));
  EXPECT_NEAR(term(answer, "smoothing_bound"), 0.5 + term(answer, "zero_cells"), 1e-15);
  // G of N(0, 1), in bits: -(γ + ln 2)/(2 ln 2) - 1/2
  const double G = -0.5772156649015329 / std::log(4) - 1;
  EXPECT_NEAR(term(object("entropy p8e8 normal --terms"), "log_magnitude"), G, 1e-14);
}

TEST(entropy_command, takes_floor_cells) {
  // Every number goes to the next value toward zero; 0 is the edge in the middle.
  const auto values = object("format p3e2 --values").at("values").get<std::vector<double>>();
  const std::size_t half = values.size() / 2;
  double h = 0;
  for (std::size_t i = half; i < values.size(); ++i) {
    const double low = i == half ? 0 : values[i];
    const double above = i + 1 == values.size() ? 0 : std::erfc(values[i + 1] / std::sqrt(2)) / 2;
    const double P = std::erfc(low / std::sqrt(2)) / 2 - above;
    h -= 2 * P * std::log2(P);
  }
  const json answer = object("entropy p3e2 normal --rounding toward-zero --bits");
  EXPECT_NEAR(answer.at("value").get<double>(), h, 1e-13);
  EXPECT_EQ(answer.at("rounding"), "toward-zero");
  EXPECT_NEAR(sum(answer.at("fields")), h, 1e-12);
  EXPECT_NEAR(sum(answer.at("bits")), h, 1e-12);
  EXPECT_EQ(object("entropy p3e2 normal").at("rounding"), "nearest");
}

TEST(entropy_command, refuses_what_floor_cells_and_pairs_have_not) {
  program::expect_refused("entropy p3e2 normal --rounding up",
                          "entropy: --rounding of the paper's formats is nearest or toward-zero");
  program::expect_refused("entropy p3e2 normal --rounding toward-zero --certify",
                          "entropy: --certify is for --rounding nearest");
  program::expect_refused("entropy p3e2 pair --terms", "entropy: --terms is for one register");
  program::expect_refused("entropy p3e2 pair --rounding toward-zero",
                          "entropy: --rounding is for one register");
}

}  // namespace
