// cost: the bill, and what the contract asks of it.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::json;
using program::number;
using program::object;
using program::output;

TEST(cost, has_what_the_contract_asks_for) {
  for (const std::string query :
       {"exact p11e5 --n 20 --w 0.5 --sigma-x 1 --sigma-xi 1",
        "sgd p11e5 --steps 30 --batch 4 --eta 0.05 --w0 1 --w 2 --law moments",
        "average p11e5 --n 57 --mu -1 --sigma 2 --sum", "inference p11e5 --slope -1.5"}) {
    SCOPED_TRACE(query);
    const json cost = object("cost " + query);
    EXPECT_NEAR(number(cost, "bits"), number(cost, "input_bits") - number(cost, "output_bits"),
                1e-9);
    EXPECT_NEAR(number(cost, "joules") / number(cost, "bits"), 1.380649e-23 * 300 * std::log(2.0),
                1e-33);
    EXPECT_TRUE(cost.contains("precision_bits"));
    EXPECT_LE(number(cost, "error"), 1e-3);
    EXPECT_EQ(cost.at("entropy"), "exact");
    EXPECT_EQ(cost.at("applies"), true);
  }
}

TEST(cost, of_a_stream_telescopes) {
  const json small = object("cost streaming p3e3 --n 20 --w 0.5");
  double sum = 0;
  for (const json& step : small.at("steps")) sum += number(step, "bits");
  EXPECT_EQ(small.at("steps").size(), 21U);
  EXPECT_NEAR(sum, number(small, "bits"), 1e-9);
  EXPECT_NEAR(number(small, "bits"), number(small, "input_bits") - number(small, "output_bits"),
              1e-9);
  EXPECT_NEAR(number(small, "separately_bits"),
              number(small, "bits") + number(small, "shared_data") + number(small, "shared_steps") +
                  number(small, "shared_sums") + number(small, "shared_slope"),
              1e-9);
  EXPECT_EQ(small.at("method"), "all states");
  const json large = object("cost streaming p24e8 --n 1000");
  EXPECT_NEAR(number(large, "bits"), 52406.3720161239603606, 1e-8);  // as all at once
  EXPECT_NEAR(number(large, "shared_data"), 500, 1e-3);
  EXPECT_EQ(large.at("method"), "smooth sums");
  EXPECT_EQ(large.at("applies"), true);
}

TEST(cost, of_a_stream_promises_nothing_where_its_formula_does_not_apply) {
  const program::outcome result = program::run("cost streaming p24e8 --sigma-xi 1e-30 --json");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(program::has(result.err, "warning: the formula for the sums does not apply"));
  const json made = json::parse(result.out);
  EXPECT_EQ(made.at("applies"), false);
  EXPECT_GE(number(made, "shared_steps_error"), number(made, "shared_steps"));
}

TEST(cost, of_exact_regression_in_single_precision) {
  const json exact = object("cost exact p24e8 --n 1000 --w 1");
  EXPECT_NEAR(number(exact, "bits"), 52406.3720161239603606, 1e-9);
  EXPECT_EQ(number(exact, "precision_bits"), 47976);
  const json smooth = object("cost exact p24e8 --n 1000 --w 0.5 --entropy smooth --kbt 4e-21");
  EXPECT_NEAR(number(smooth, "joules"), 1.4623e-16, 1e-20);
  EXPECT_EQ(smooth.at("entropy"), "smooth");
}

TEST(cost, kbt_and_temperature_say_the_same) {
  const json by_kbt = object("cost exact p8e8 --kbt 4.141947e-21");
  const json by_temperature = object("cost exact p8e8 --temperature 300");
  EXPECT_NEAR(number(by_kbt, "joules") / number(by_temperature, "joules"), 1, 1e-14);
}

TEST(cost, data_and_model_may_have_different_formats) {
  const json cost = object("cost exact p8e8 --n 100 --model-format p24e8 --y-format p11e5");
  EXPECT_EQ(cost.at("model_format"), "p24e8");
  EXPECT_EQ(number(cost, "precision_bits"), 100 * (8 + 11) - 24);
}

TEST(cost, a_random_start_of_sgd_is_one_more_input) {
  const json cost = object("cost sgd p11e5 --steps 30 --w0-sigma 0.3");
  EXPECT_EQ(number(cost, "w0_sigma"), 0.3);
  EXPECT_NEAR(number(cost, "start_bits"),
              number(object("entropy p11e5 normal:mu=1,sigma=0.3"), "value"), 1e-9);
  const json& fields = cost.at("fields");
  EXPECT_NEAR(number(fields, "sign") + number(fields, "exponent") + number(fields, "mantissa") -
                  number(fields, "shared"),
              number(cost, "input_bits"), 1e-6);
  const json known = object("cost sgd p11e5 --steps 30");
  EXPECT_EQ(number(known, "start_bits"), 0);
  EXPECT_NEAR(number(cost, "input_bits") - number(known, "input_bits"), number(cost, "start_bits"),
              1e-9);
  EXPECT_NE(output("cost sgd p11e5 --steps 30 --w0-sigma 0.3").find("in: start"),
            std::string::npos);
}

TEST(cost, of_inference_has_its_smooth_and_its_ideal_value_beside_it) {
  const json cost = object("cost inference p8e5 --slope 1.7109375 --sigma-x 1");
  EXPECT_NEAR(number(cost, "bits"), 0.216775238825629, 1e-12);
  EXPECT_EQ(number(cost, "smooth_bits"), 0);
  EXPECT_TRUE(cost.contains("ideal_bits"));
  EXPECT_EQ(cost.at("slope_is_representable"), true);
  EXPECT_EQ(object("cost inference p8e5 --slope 0.1").at("slope_is_representable"), false);
}

TEST(cost_campaign, warns_where_a_law_or_a_formula_is_not_to_be_trusted) {
  const auto warnings = [](const std::string& query) {
    const program::outcome result = program::run(query + " --json");
    EXPECT_EQ(result.status, 0);
    const json cost = json::parse(result.out);
    EXPECT_EQ(cost.at("warnings").empty(), result.err.empty()) << result.err;
    return cost.at("warnings").size();
  };
  EXPECT_EQ(warnings("cost sgd p24e8 --w 5"), 0U);
  EXPECT_EQ(warnings("cost sgd p24e8 --w 5 --law ou"), 1U);
  EXPECT_EQ(warnings("cost sgd p24e8 --w 2 --law stationary"), 1U);
  EXPECT_EQ(warnings("cost sgd p24e8 --steps 1 --batch 1"), 1U);
  EXPECT_EQ(warnings("cost exact p11e5 --sigma-x 1e-6"), 2U);
  EXPECT_EQ(warnings("cost sgd p24e8 --w 5 --law exact"), 0U);
  EXPECT_EQ(warnings("cost exact p4e4 --n 1000 --w 5 --entropy smooth"), 1U);
}

TEST(cost, smooth_bars_reach_to_the_exact_bill) {
  for (const char* line : {"cost average p4e4 --mu 480 --sigma 0.1 --n 4",
                           "cost exact p24e8 --n 100 --w 2", "cost inference p8e4 --slope 1.5"}) {
    SCOPED_TRACE(line);
    const auto of = [&](const char* entropy) {
      return json::parse(program::run(std::string(line) + " --json --entropy " + entropy).out);
    };
    const json smooth = of("smooth");
    const json exact = of("exact");
    const double gap = smooth.at("bits").get<double>() - exact.at("bits").get<double>();
    EXPECT_LE(std::fabs(gap), smooth.at("error").get<double>() + exact.at("error").get<double>());
    EXPECT_TRUE(smooth.at("bits").get<double>() >= 0 || !smooth.at("applies").get<bool>());
    EXPECT_LE(smooth.at("least_bits"), exact.at("bits"));
    EXPECT_GE(smooth.at("most_bits"), exact.at("bits"));
  }
}

TEST(cost, closed_forms_that_say_the_impossible_are_no_headline) {
  // -19 ± 74 bits, where four registers of 8 bits are turned into one.
  const std::string line = "cost average p4e4 --mu 480 --sigma 0.1 --n 4 --entropy smooth";
  const program::outcome result = program::run(line + " --json");
  EXPECT_TRUE(program::has(result.err, "warning: the smooth entropies are not to be trusted"));
  const json found = json::parse(result.out);
  EXPECT_LT(number(found, "bits"), number(found, "least_bits"));
  EXPECT_GE(number(found, "least_bits"), -8);
  EXPECT_LE(number(found, "most_bits"), 32);
  EXPECT_TRUE(program::has(program::run(line).out, "^Averaging costs from [^ ]+ to [^ ]+ bits"));
  EXPECT_FALSE(program::has(program::run(line).out, "costs nothing"));
  EXPECT_TRUE(program::has(program::run("cost exact p24e8 --entropy smooth").out,
                           "^Exact regression costs at least"));
}

TEST(cost, of_a_sum_is_called_so) {
  EXPECT_TRUE(program::has(output("cost average p8e4 --n 4 --sum"), "^Summing costs"));
  EXPECT_TRUE(program::has(output("cost average p8e4 --n 4"), "^Averaging costs"));
}

TEST(cost, has_a_row_for_the_precision_where_that_is_what_precision_adds) {
  const auto row = [](const std::string& line) {
    const auto found = program::match(program::run("cost " + line).out, "precision p +([0-9.]+)");
    return found.empty() ? "none" : found[1];
  };
  const auto bits = [](const std::string& line) {
    return number(json::parse(program::run("cost " + line + " --json").out), "bits");
  };
  EXPECT_EQ(row("exact p24e8 --n 1000"), "47976.000000");
  EXPECT_EQ(row("exact bfloat16 --n 1000"), "15992.000000");
  EXPECT_EQ(row("average p24e8"), "216.000000");
  EXPECT_EQ(row("average q3.12"), "144.000000") << "more than all of it";
  EXPECT_EQ(row("inference p24e8"), "0.000000");
  EXPECT_EQ(row("exact p24e8 --entropy smooth"), "456.000000");
  // A product that is always 0 has no digits.
  EXPECT_EQ(row("inference p24e8 --slope 0"), "24.000000");
  EXPECT_EQ(row("inference bfloat16 --slope 0"), "8.000000");
  EXPECT_NEAR(bits("inference p25e8 --slope 0") - bits("inference p24e8 --slope 0"), 1, 1e-6);
  // x underflows; y is x, so to say; cells are coarser than the data.
  for (const char* line :
       {"exact p24e8 --sigma-x 1e-300", "exact p24e8 --sigma-xi 1e-9",
        "exact bfloat16 --sigma-xi 1e-9", "sgd p3e3", "average e2m1", "exact p1e0"}) {
    EXPECT_EQ(row(line), "none") << line;
    EXPECT_TRUE(program::has(program::run(std::string("cost ") + line).out,
                             "The precision p has no row: one bit of it adds [0-9.]+ bits? to"))
        << line;
  }
  EXPECT_TRUE(program::has(program::run("cost exact p24e8 --sigma-x 1e-300").out,
                           "one bit of it adds 10 bits to this, not 19\\."));
  EXPECT_NEAR(bits("exact p25e8 --sigma-x 1e-300") - bits("exact p24e8 --sigma-x 1e-300"), 10,
              1e-6);
}

TEST(cost, in_text_is_a_bill) {
  const std::string text = output("cost exact p24e8 --n 1000 --w 2");
  for (const char* part : {"costs at least", "data points", "out: slope", "per data point",
                           "mantissa of the inputs", "times as much as the bound"}) {
    EXPECT_TRUE(program::has(text, part)) << part;
  }
}

TEST(cost, refuses_what_makes_no_sense) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"cost", "cost: "},
      {"cost exact", "cost: "},
      {"cost regression p4e4",
       "cost: unknown kind 'regression': expected exact, sgd, average, inference or"},
      {"cost exact p4e4 --n 0", "slope: n must be a whole number"},
      {"cost exact p4e4 --n 2.5", "slope: n must be a whole number"},
      {"cost exact p4e4 --sigma-x -1", ""},
      {"cost exact p4e4 --eta 0.1", "cost: exact has no option --eta"},
      {"cost exact p4e4 --temperature 0", "cost: --temperature must be > 0, got 0"},
      {"cost exact p4e4 --temperature 300 --kbt 1e-21", "cost: give --temperature or --kbt"},
      {"cost exact p4e4 --kbt -1", "cost: --kbt must be > 0"},
      {"cost exact p4e4 --entropy rough", "cost: --entropy must be exact or smooth, got 'rough'"},
      {"cost exact p4e4 --model-format q", ""},
      {"cost sgd p4e4 --batch 0", ""},
      {"cost sgd p4e4 --w0-sigma -1", "sgd: w0_sigma must be finite and >= 0, got -1"},
      {"cost sgd p4e4 --w0-sigma nan", ""},
      {"cost sgd p4e4 --law best", ""},
      {"cost sgd p4e4 --eta 0", ""},
      {"cost sgd p24e8 --eta 100 --steps 1000", "sgd: eta = 100 diverges: after "},
      {"cost inference p4e4 --slope inf", ""},
      {"cost inference p4e4 --sigma-x 0", ""},
      {"cost average p4e4 --sigma nan", ""}};
  for (const auto& [query, message] : cases) program::expect_refused(query, message);
}

TEST(cost_average, takes_numbers_of_any_law) {
  const json answer = object("cost average p11e5 --n 6 --of laplace:loc=0,scale=1");
  EXPECT_EQ(answer.at("of"), "laplace:loc=0,scale=1");
  EXPECT_EQ(answer.at("mu"), 0);
  EXPECT_NEAR(answer.at("sigma").get<double>(), std::sqrt(2), 1e-15);
  const json one = object("entropy p11e5 laplace:loc=0,scale=1");
  EXPECT_NEAR(answer.at("input_bits").get<double>(), 6 * one.at("value").get<double>(), 1e-11);
  const double gap = answer.at("central_limit").at("gap").get<double>();
  EXPECT_NEAR(answer.at("output_bits").get<double>() + gap,
              answer.at("central_limit").at("output_bits").get<double>(), 1e-12);
  EXPECT_LT(gap, -0.03);
  EXPECT_GT(gap, -0.1);
}

TEST(cost_average, of_normal_numbers_is_the_same_either_way) {
  const json given = object("cost average p11e5 --n 7 --of normal:mu=2,sigma=3 --sum");
  const json usual = object("cost average p11e5 --n 7 --mu 2 --sigma 3 --sum");
  EXPECT_NEAR(given.at("bits").get<double>(), usual.at("bits").get<double>(), 1e-11);
  EXPECT_NEAR(usual.at("central_limit").at("gap").get<double>(), 0, 1e-12);
  EXPECT_EQ(usual.at("of"), "normal:mu=2,sigma=3");
}

TEST(cost_average, of_cauchy_numbers_knows_no_central_limit) {
  const json answer = object("cost average p11e5 --n 1e9 --of student:dof=1");
  EXPECT_TRUE(answer.at("central_limit").is_null());
  EXPECT_TRUE(program::has(output("cost average p11e5 --n 5 --of student:dof=1"),
                           "no central limit theorem holds"));
}

TEST(cost_average, refuses_what_it_cannot_average) {
  program::expect_refused("cost average p4e4 --of laplace --mu 1",
                          "cost: --mu is for normal numbers, got --of laplace");
  program::expect_refused("cost average p4e4 --of pair", "");
  program::expect_refused("cost average p4e4 --of lapace", "unknown distribution 'lapace'");
  program::expect_refused("cost average p4e4 --of laplace --n 1e7",
                          "average: n must be a whole number from 1 to 1e6 where");
  program::expect_refused("cost average p4e4 --of laplace --n 0", "average: n must be a whole");
}

}  // namespace
