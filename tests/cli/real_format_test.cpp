// Formats that people own, on the command line.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "program.hpp"
#include "scratch_folder.hpp"

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
  program::expect_refused("quantize int8 nan", "quantize: X: int8 has no NaN");
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

TEST(compare, draws_a_picture) {
  const scratch folder;
  for (const char* kind : {"svg", "pdf", "png"}) {
    const std::string file = folder.path(std::string("bars.") + kind);
    EXPECT_EQ(program::run("compare normal e4m3 e5m2 --plot " + file).status, 0);
    EXPECT_GT(std::filesystem::file_size(file), 1000U);
  }
  program::expect_refused("compare normal --plot bars.jpg",
                          "compare: --plot must end with .svg, .pdf or .png, got 'bars.jpg'");
  EXPECT_EQ(program::run("compare normal e4m3 --plot " + folder.path("no/x.svg")).status, 2);
}

TEST(compare, shows_how_far_rounding_is_off) {
  const json rows = object("compare normal binary16 p11e5 e2m1 mxfp4").at("rows");
  ASSERT_EQ(rows.size(), 4U);
  for (const json& row : rows) {
    const bool is_block = row.at("format") == "mxfp4";
    for (const char* key : {"mean_square_error", "relative_error"}) {
      SCOPED_TRACE(row.at("format").get<std::string>() + " " + key);
      EXPECT_EQ(row.at(key).is_null(), is_block);
      EXPECT_EQ(row.at(std::string(key) + "_error").is_null(), is_block);
      if (!is_block) {
        EXPECT_GT(row.at(key).get<double>(), 0);
      }
    }
    EXPECT_EQ(row.at("exponent").is_null(), is_block);
  }
  // Twelve cells to a unit, at the most: E (Q(X) - X)² of e2m1 by hand is near 1/50.
  EXPECT_NEAR(rows[3].at("mean_square_error").get<double>(), 0.02, 0.01);
  // Cauchy's law has no second moment, and some of it is too large for e5m2.
  for (const json& row : object("compare student:dof=1 p11e5 e5m2").at("rows")) {
    EXPECT_TRUE(row.at("mean_square_error").is_null());
    EXPECT_GT(row.at("relative_error").get<double>(), 0);
  }
}

TEST(compare, takes_blocks) {
  const json rows = object("compare normal nvfp4 block:mxint8 mxint8").at("rows");
  ASSERT_EQ(rows.size(), 3U);
  for (const json& row : rows) {
    const std::string name = row.at("format");
    if (name == "nvfp4") {
      EXPECT_EQ(row.at("bits"), 4.5);
      EXPECT_EQ(row.at("entropy"), object("entropy nvfp4 normal").at("value"));
    } else if (!row.at("exponent").is_null()) {
      EXPECT_EQ(row.at("bits"), 8);
    } else {
      EXPECT_EQ(row.at("bits"), 8.25);
      EXPECT_EQ(row.at("entropy"), object("entropy block:mxint8 normal").at("value"));
    }
  }
  EXPECT_EQ(program::rows("compare normal nvfp4 e2m1").size(), 3U);
}

/// With or without warnings.
json answer_to(const std::string& question) {
  return json::parse(program::run(question + " --json").out);
}

void expect_approximation_by_cell_widths(const std::vector<std::string>& formats) {
  for (const std::string& format : formats) {
    for (const char* law : {"normal", "normal:sigma=1e-6", "normal:sigma=1e5", "uniform"}) {
      SCOPED_TRACE(format + " " + law);
      const json answer = answer_to("entropy " + format + " " + law);
      const json first = answer.at("approximations").at(0);
      EXPECT_EQ(first.at("label"), "eq:diff_approx");
      const double off = first.at("value").get<double>() - answer.at("value").get<double>();
      EXPECT_LE(std::fabs(off), first.at("at_most").get<double>());
    }
  }
}

TEST(real_format_campaign, has_the_approximation_by_cell_widths) {
  expect_approximation_by_cell_widths({"bfloat16", "binary32", "posit16", "e8m0"});
}

TEST(real_format, has_the_approximation_by_cell_widths) {
  expect_approximation_by_cell_widths({"e4m3", "e4m3fnuz", "int8"});
  const auto applies = [](const char* question) {
    return answer_to(question).at("approximations").at(0).at("applies").get<bool>();
  };
  EXPECT_TRUE(applies("entropy bfloat16 normal"));
  EXPECT_FALSE(applies("entropy e2m1 normal:sigma=1e5")) << "clipped";
  EXPECT_FALSE(applies("entropy bfloat16 normal:sigma=1e-42")) << "stored as zero";
  EXPECT_EQ(object("entropy e4m3 normal --rounding stochastic").at("approximations"),
            json::array());
}

TEST(real_format, shows_the_parts_of_wide_registers_alone) {
  const json alone = object("entropy binary32 normal").at("marginals");
  EXPECT_NEAR(alone.at("exponent").get<double>(), 2.5449, 1e-3);
  EXPECT_NEAR(alone.at("low_byte").get<double>(), 8, 1e-6);
  for (const char* key : {"mantissa", "high_byte"}) EXPECT_TRUE(alone.at(key).is_number()) << key;
  const json posit = object("entropy posit32 normal").at("marginals");
  EXPECT_TRUE(posit.at("high_byte").is_number());
  EXPECT_TRUE(posit.at("exponent").is_null());
}

TEST(real_format, can_be_swept) {
  const auto rows =
      program::rows("sweep entropy bfloat16 normal --over format=e4m3,e5m2,p4e4 --over sigma=1,2");
  EXPECT_EQ(rows.size(), 7U);  // and the headings
}

TEST(real_format, is_taken_by_whatever_computes) {
  const json pair = object("entropy bfloat16 pair:w=1,sigma_x=1,sigma_xi=0.5 --y-format e4m3");
  EXPECT_EQ(pair.at("y_format"), "e4m3");
  EXPECT_LE(pair.at("error").get<double>(), 1e-10);
  EXPECT_NEAR(pair.at("x").get<double>(), 10.464425472421054, 1e-11);
  const json bill = object("cost exact bfloat16 --n 10 --model-format binary32");
  EXPECT_EQ(bill.at("format"), "bfloat16");
  EXPECT_EQ(bill.at("model_format"), "binary32");
  const double each = object("entropy bfloat16 pair:w=1,sigma_x=1,sigma_xi=1").at("value");
  EXPECT_NEAR(bill.at("bits").get<double>() + bill.at("output_bits").get<double>(), 10 * each,
              1e-9);
  EXPECT_GT(object("cost sgd e4m3 --steps 5").at("bits"), 0);
  EXPECT_GT(object("cost inference e5m2 --slope 1.3").at("bits"), 0);
  EXPECT_GT(object("scaling exact bfloat16 --energy-price 1e17 --inference-price 1").at("n_star"),
            1);
  EXPECT_EQ(object("mismatch exact e2m1 --constant 50").at("unique"), true);
  EXPECT_EQ(program::rows("sweep cost average p8e8 --over format=p8e8,bfloat16,e4m3").size(), 4U);
}

TEST(real_format, is_what_simulated_results_are_stored_in) {
  const json found = object("simulate average e4m3 --n 4 --trials 20000");
  const double truth = object("entropy e4m3 normal:sigma=0.5").at("value");
  const json measured = found.at("entropy").at("grassberger");
  EXPECT_NEAR(measured.at("value").get<double>(), truth, 4 * measured.at("error").get<double>());
  // Every operation in e4m3: sums of many numbers stay where they are.
  const json rounded = object("simulate average e4m3 --n 4 --trials 2000 --arithmetic format");
  EXPECT_EQ(rounded.at("finished"), 2000);
  program::expect_refused("simulate slope binary64 --arithmetic format",
                          "simulate: arithmetic: p must be from 1 to 26, got 53");
}

TEST(real_format, is_refused_where_it_makes_no_sense) {
  program::expect_refused("entropy int8 pair", "joint entropy: the cells of int8 do not mirror");
  program::expect_refused("entropy bfloat16 pair --bits", "entropy: --bits is for one register");
  program::expect_refused("cost exact e4m3 --entropy smooth",
                          "smooth entropies: expected one of the paper's formats");
  program::expect_refused("cost exact mxfp4", "'mxfp4' stores whole blocks");
  program::expect_refused("mismatch islands e2m1 --n 1", "islands: expected one of the paper's");
  program::expect_refused("cost average e4m3 --internal 1", "cost: --internal: expected one of");
  program::expect_refused("simulate slope nope", "unknown format 'nope': expected p<P>e<E>");
  program::expect_refused("entropy bfloat16 normal --terms",
                          "entropy: --terms is for the paper's formats");
  program::expect_refused("entropy e4m3 normal --certify --rounding stochastic-a:3",
                          "entropy: --certify is for rounding to cells, got --rounding "
                          "stochastic-a:3");
  program::expect_refused("entropy posit8 normal --rounding up", "posit8 has no rounding 'up'");
  program::expect_refused("entropy e4m3 normal --rounding sideways",
                          "entropy: --rounding must be one of nearest-even");
  program::expect_refused("cost streaming bfloat16 --n 4",
                          "'bfloat16' is not one of the paper's idealized formats: did you mean "
                          "p8e8, the one of its size? expected p<P>e<E>, such as p24e8");
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
  EXPECT_EQ(stored.at("codes"), json::array({1, 9}));
  EXPECT_EQ(stored.at("random"), 5);
  EXPECT_EQ(object("quantize e2m1 0.3 --rounding stochastic-a:3 --random 3").at("codes"),
            json::array({0}));
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
