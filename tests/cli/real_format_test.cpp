// Formats that people own, on the command line.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::json;
using program::object;
using program::output;

TEST(real_format, holds_what_the_headline_values_say) {
  const std::map<std::string, double> headline{{"binary16", 13.463723065320678},
                                               {"bfloat16", 10.464425472421054},
                                               {"tf32", 13.463820445387991},
                                               {"binary32", 26.463733990788522631},
                                               {"binary64", 55.463733980233210},
                                               {"e4m3", 6.450363225378607},
                                               {"e5m2", 5.485307749201558},
                                               {"e3m2", 5.107801843},
                                               {"e2m3", 5.053733110},
                                               {"e2m1", 3.216366424},
                                               {"binary8p4se", 6.462145959},
                                               {"posit8", 6.421548235},
                                               {"posit16", 14.410617367},
                                               {"posit32", 30.410574132}};
  for (const auto& [format, bits] : headline) {
    const json answer = object("entropy " + format + " normal:mu=0,sigma=1");
    EXPECT_NEAR(answer.at("value").get<double>(), bits, 6e-10) << format;
    EXPECT_LT(answer.at("error").get<double>(), 1e-12) << format;
  }
  EXPECT_NEAR(object("entropy e4m3 normal:sigma=80").at("value").get<double>(), 6.473811, 5e-7);
  // Much is too large here, and the program says so.
  for (const auto& [line, bits] :
       {std::pair{"entropy e4m3 normal:sigma=300 --json", 6.035728},
        {"entropy e4m3 normal:sigma=300 --overflow nan --json", 6.139693}}) {
    const auto outcome = program::run(line);
    EXPECT_TRUE(program::has(outcome.err, "13.5 % of the mass is beyond the largest number"));
    EXPECT_NEAR(json::parse(outcome.out).at("value").get<double>(), bits, 5e-7);
  }
}

TEST(real_format, has_the_parts_that_the_contract_names) {
  const json answer = object("entropy bfloat16 normal:sigma=0.02 --bits");
  const json& fields = answer.at("fields");
  const double sum = fields.at("sign").get<double>() + fields.at("exponent").get<double>() +
                     fields.at("mantissa").get<double>();
  EXPECT_NEAR(sum, answer.at("value").get<double>(), 1e-12);
  double of_bits = 0;
  for (const json& bit : answer.at("bits")) of_bits += bit.at("entropy").get<double>();
  EXPECT_NEAR(of_bits, answer.at("value").get<double>(), 1e-12);
  EXPECT_NEAR(answer.at("marginals").at("exponent").get<double>(), 2.5453, 1e-4);
  EXPECT_NEAR(answer.at("marginals").at("low_byte").get<double>(), 7.9692, 1e-4);
  EXPECT_EQ(answer.at("masses").at("beyond_max"), 0);
  EXPECT_EQ(answer.at("rounding"), "nearest-even");
  EXPECT_EQ(answer.at("overflow"), "infinity");
  const json posit = object("entropy posit8 normal").at("fields");
  EXPECT_NEAR(posit.at("regime").get<double>() + posit.at("posit_exponent").get<double>(),
              posit.at("exponent").get<double>(), 1e-12);
}

TEST(real_format, stores_numbers_infinities_and_nan) {
  const json answer = object("quantize e5m2 0x1.8p3 61440 -inf nan -0");
  EXPECT_EQ(answer.at("codes"), json({74, 124, 252, 126, 128}));
  EXPECT_EQ(answer.at("values"), json({12, "inf", "-inf", "nan", 0}));
  program::expect_refused("quantize int8 nan", "int8 has no NaN");
  program::expect_refused("quantize e4m3 1x", "quantize: X: expected a number, got '1x'");
  program::expect_refused("quantize p4e4 1 --overflow nan",
                          "quantize: --overflow is for formats such as bfloat16");
}

TEST(real_format, goes_by_the_names_that_people_type) {
  for (const char* name : {"float16", "FP16", "half", "Binary16"}) {
    EXPECT_EQ(object(std::string("format ") + name).at("format"), "binary16");
  }
}

TEST(real_format, values_are_listed_in_order) {
  const json answer = object("format e2m1 --values --index 1 16");
  EXPECT_EQ(answer.at("values"),
            json({-6, -4, -3, -2, -1.5, -1, -0.5, 0, 0, 0.5, 1, 1.5, 2, 3, 4, 6}));
  EXPECT_EQ(answer.at("indexed"), json({-6, 6}));
  program::expect_refused("format e2m1 --index 17", "format: --index must be from 1 to 16, got 17");
  program::expect_refused("format binary32 --values", "format: binary32 has up to 2^32 values");
}

TEST(catalogue, lists_every_format_once) {
  const json formats = object("format").at("formats");
  EXPECT_GE(formats.size(), 24U);
  for (const json& one : formats) {
    EXPECT_EQ(object("format " + one.at("name").get<std::string>()).at("width"), one.at("bits"));
  }
}

TEST(compare, puts_those_that_hold_most_first) {
  const json rows = object("compare normal e2m1 binary16 p11e5 e4m3").at("rows");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].at("format"), "binary16");
  EXPECT_EQ(rows[1].at("format"), "p11e5");
  EXPECT_EQ(rows[3].at("format"), "e2m1");
  for (const json& row : rows) {
    EXPECT_NEAR(row.at("entropy").get<double>() + row.at("wasted").get<double>(),
                row.at("bits").get<double>(), 1e-12);
  }
  program::expect_refused("compare normal e2m1 nope", "unknown format 'nope'");
  program::expect_refused("compare pair", "compare: expected the law of one variable");
}

TEST(real_format, can_be_swept) {
  const auto rows =
      program::rows("sweep entropy bfloat16 normal --over format=e4m3,e5m2,p4e4 --over sigma=1,2");
  EXPECT_EQ(rows.size(), 7U);  // and the headings
}

TEST(real_format, is_refused_where_it_makes_no_sense) {
  program::expect_refused("entropy bfloat16 pair", "entropy: pairs are for the paper's formats");
  program::expect_refused("entropy bfloat16 normal --terms",
                          "entropy: --terms is for the paper's formats");
  program::expect_refused("entropy e4m3 normal --certify --rounding stochastic-a:3",
                          "entropy: --certify is for rounding to cells, got --rounding "
                          "stochastic-a:3");
  program::expect_refused("entropy posit8 normal --rounding up", "posit8 has no rounding 'up'");
  program::expect_refused("entropy e4m3 normal --rounding sideways",
                          "entropy: --rounding must be one of nearest-even");
  program::expect_refused("cost exact bfloat16", "unknown format 'bfloat16': did you mean p8e8");
}

TEST(real_format, can_be_rounded_by_chance) {
  const json answer = object("entropy e2m1 normal --rounding stochastic");
  EXPECT_EQ(answer.at("rounding"), "stochastic");
  EXPECT_NEAR(answer.at("value").get<double>(), 3.2344335823445, 1e-12);
  EXPECT_NEAR(answer.at("noise").get<double>(), 0.7197744114047, 1e-12);
  EXPECT_NEAR(answer.at("information").get<double>(), 2.51465917093981, 1e-12);
  EXPECT_FALSE(object("entropy e2m1 normal").contains("noise"));
  const json wide =
      object("entropy binary32 normal --rounding stochastic --bits --tolerance 1e-11");
  EXPECT_EQ(wide.at("bits").size(), 32U);
  EXPECT_NEAR(wide.at("value").get<double>(), 26.4637339907885, 1e-11);

  const json stored = object("quantize e2m1 0.3 -0.3 --rounding stochastic-a:3 --random 5");
  EXPECT_EQ(stored.at("codes"), json({1, 9}));
  EXPECT_EQ(stored.at("random"), 5);
  EXPECT_EQ(object("quantize e2m1 0.3 --rounding stochastic-a:3 --random 3").at("codes"),
            json({0}));
}

TEST(real_format, is_refused_by_chance_without_random_bits) {
  program::expect_refused("quantize e2m1 0.3 --rounding stochastic-a:3",
                          "quantize: --rounding stochastic-a:3 needs --random, from 0 to 7");
  program::expect_refused("quantize e2m1 0.3 --rounding stochastic-a:3 --random 8",
                          "quantize: --random must be from 0 to 7, got 8");
  program::expect_refused("quantize e2m1 0.3 --rounding stochastic",
                          "quantize: --rounding stochastic would take infinitely many");
  program::expect_refused("quantize e2m1 0.3 --random 1", "quantize: --random is for");
  program::expect_refused("quantize p24e8 0.3 --random 1", "quantize: --random is for formats");
  program::expect_refused("entropy e2m1 normal --rounding stochastic-a",
                          "entropy: --rounding stochastic-a needs its number of random bits");
  program::expect_refused("entropy posit8 normal --rounding stochastic",
                          "posit8 has no rounding 'stochastic'");
}

}  // namespace
