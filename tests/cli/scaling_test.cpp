// ktln2 scaling: the paper's optima, keys, choices, and mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "program.hpp"

namespace {

using program::has;
using program::json;
using program::object;
using program::outcome;
using program::output;
using program::real;

/// The constants of the paper's figures.
const std::string paper = " --inference-price 10 --kbt 4e-21 --w 2 --entropy smooth";
const std::string descent_of_paper = paper + " --w0 1 --eta 0.05 --batch 10";
const std::string sgd_paper = descent_of_paper + " --law ou";

/// Also where the program warns.
json loud_object(const std::string& line) {
  const outcome result = program::run(line + " --json");
  EXPECT_EQ(result.status, 0) << line << ": " << result.err;
  return json::parse(result.out);
}

TEST(scaling_command, finds_the_optima_of_the_figures) {
  const auto exact = [](const std::string& price) {
    return real(loud_object("scaling exact p24e8 --energy-price " + price + paper).at("n_star"));
  };
  EXPECT_EQ(exact("1e16"), 84);
  EXPECT_EQ(exact("5e16"), 38);
  EXPECT_EQ(exact("1e17"), 27);
  const auto sgd = [](const std::string& price) {
    return real(loud_object("scaling sgd p24e8 --energy-price " + price + sgd_paper).at("n_star"));
  };
  EXPECT_EQ(sgd("1e16"), 420);
  EXPECT_EQ(sgd("5e16"), 250);
  EXPECT_EQ(sgd("1e17"), 160);
}

TEST(scaling_command, has_the_promised_keys) {
  const json answer =
      object("scaling exact p11e5 --energy-price 5e16 --inference-price 10 --w 2 --at 3 40.5");
  EXPECT_EQ(answer.at("command"), "scaling");
  EXPECT_EQ(answer.at("kind"), "exact");
  EXPECT_EQ(answer.at("format"), "p11e5");
  EXPECT_EQ(answer.at("w"), 2);
  EXPECT_EQ(answer.at("energy_price"), 5e16);
  EXPECT_EQ(answer.at("inference_price"), 10);
  EXPECT_EQ(answer.at("demand"), "inverse");
  EXPECT_EQ(answer.at("entropy"), "exact");
  EXPECT_EQ(answer.at("temperature"), 300);
  for (const char* key : {"n_star", "n_relaxed", "profit", "mse", "energy_joules", "revenue"}) {
    EXPECT_TRUE(answer.at(key).is_number()) << key;
  }
  EXPECT_NEAR(real(answer.at("profit")),
              real(answer.at("revenue")) - 5e16 * real(answer.at("energy_joules")), 1e-12);
  ASSERT_EQ(answer.at("optima").size(), 1U);
  EXPECT_TRUE(answer.at("optima")[0].at("global"));
  EXPECT_EQ(answer.at("optima")[0].at("n"), answer.at("n_star"));
  ASSERT_EQ(answer.at("at").size(), 2U);
  EXPECT_EQ(answer.at("at")[1].at("n"), 40.5);
  EXPECT_LT(real(answer.at("at")[0].at("profit")), real(answer.at("profit")));
  EXPECT_GT(real(answer.at("at")[0].at("derivative")), 0);
}

TEST(scaling_command, shows_both_maxima_and_warns_of_the_process) {
  const std::string line =
      "scaling sgd p24e8 --energy-price 5e16 --inference-price 10 --kbt 4e-21 --w 5 --eta 0.05 "
      "--entropy smooth";
  const json answer = loud_object(line + " --law ou");
  ASSERT_EQ(answer.at("optima").size(), 2U);
  EXPECT_EQ(answer.at("optima")[0].at("n"), 10);
  EXPECT_TRUE(answer.at("optima")[0].at("corner"));
  EXPECT_EQ(answer.at("optima")[1].at("n"), 530);
  EXPECT_FALSE(answer.at("optima")[1].at("ou").at("trusted"));
  ASSERT_EQ(answer.at("warnings").size(), 1U);
  EXPECT_TRUE(has(answer.at("warnings")[0], "the law 'ou' is .* bits from the exact law here"));
  EXPECT_FALSE(answer.at("law_gap").at("applies"));
  const json moments = loud_object(line);
  EXPECT_EQ(moments.at("law"), "moments");
  EXPECT_TRUE(moments.at("law_gap").at("applies"));
  EXPECT_EQ(moments.at("warnings").size(), 0U);
  EXPECT_FALSE(moments.at("optima")[0].contains("ou"));
}

TEST(scaling_command, answers_the_question_first) {
  EXPECT_TRUE(
      has(output("scaling exact p24e8 --energy-price 5e16 --inference-price 10 --kbt 4e-21 --w 2"),
          "^Train on 38 points: profit 9\\.46"));
  EXPECT_TRUE(has(program::run("scaling sgd p24e8 --energy-price 5e17" + sgd_paper).out,
                  "^Train on 10 points, 1 step of 10: .*smallest size"));
  EXPECT_TRUE(has(output("scaling exact p24e8 --energy-price 1e25 --inference-price 10"),
                  "^Do not train: even the smallest size with a finite error, 3 points, loses"));
  EXPECT_TRUE(has(output("scaling exact p24e8 --energy-price 0 --inference-price 10"),
                  "^There is no best size"));
}

TEST(scaling_command, a_loss_is_said_of_the_sizes_that_were_looked_at) {
  // Less is lost on 1 and 2 points, whose error is infinite, and in a tenth of a step.
  const std::string unpaid = " p24e8 --energy-price 5e16 --inference-price 0 --at 1 2";
  const json exact = object("scaling exact" + unpaid);
  EXPECT_LT(real(exact.at("profit")), real(exact.at("at")[0].at("profit")));
  EXPECT_TRUE(has(output("scaling exact" + unpaid),
                  "^Do not train: even the smallest size with a finite error, 3 points, loses"));
  EXPECT_TRUE(
      has(program::run("scaling sgd" + unpaid).out,
          "^Do not train: even the smallest size in whole steps, 10 points, 1 step of 10,"));
  EXPECT_TRUE(has(output("scaling exact p24e8 --energy-price 2e17 --inference-price 1 --sigma-xi "
                         "1.02 --demand threshold:at=1.1,a=20,most=1"),
                  "^Do not train: even the best size with a finite error, 14 points, loses"));
}

TEST(scaling_command, no_best_size_is_an_answer) {
  const json endless = object("scaling exact p24e8 --energy-price 0 --inference-price 10");
  EXPECT_EQ(endless.at("place"), "infinity");
  EXPECT_EQ(endless.at("n_star"), "inf");
  EXPECT_EQ(endless.at("mse"), 1);
  const json beyond = object("scaling exact p24e8 --energy-price 1e-20 --inference-price 10");
  EXPECT_EQ(beyond.at("place"), "beyond");
  EXPECT_TRUE(beyond.at("n_star").is_null());
  const json corner = object("scaling exact p24e8 --energy-price 1e25 --inference-price 10");
  EXPECT_EQ(corner.at("place"), "corner");
  EXPECT_EQ(corner.at("n_star"), 3);
}

TEST(scaling_command, smooth_entropies_below_zero_are_not_to_be_trusted) {
  const json answer = loud_object(
      "scaling exact p2e2 --energy-price 5e16 --inference-price 10 --w 1e6 --entropy smooth");
  EXPECT_EQ(answer.at("n_star"), "inf");
  EXPECT_FALSE(answer.at("applies"));
  EXPECT_EQ(answer.at("warnings").size(), 1U);
}

TEST(scaling_command, a_better_choice_earns_no_less) {
  const std::string line = "scaling sgd p24e8 --energy-price 5e16" + descent_of_paper;
  const double plain = real(loud_object(line).at("profit"));
  const json eta = loud_object(line + " --optimize eta");
  const json batch = loud_object(line + " --optimize batch");
  const json both = loud_object(line + " --optimize eta,batch");
  EXPECT_GE(real(eta.at("profit")), plain);
  EXPECT_EQ(eta.at("optimized").at("batch"), 10);
  EXPECT_EQ(eta.at("eta"), 0.05);  // what was asked
  EXPECT_GE(real(batch.at("profit")), plain);
  EXPECT_GE(real(both.at("profit")), real(eta.at("profit")));
  EXPECT_GE(real(both.at("profit")), real(batch.at("profit")));
}

TEST(scaling_command, finds_the_precision_that_earns_most) {
  const json answer =
      loud_object("scaling exact p24e5 --energy-price 5e16 --optimize p" + paper + " --at 50");
  const int p = answer.at("optimized").at("p").get<int>();
  EXPECT_GT(p, 2);
  EXPECT_LT(p, 11);
  double best = 0;
  for (const json& one : answer.at("choices")) best = std::max(best, real(one.at("profit")));
  EXPECT_EQ(real(answer.at("profit")), best);
  EXPECT_LE(real(answer.at("at")[0].at("profit")), best);
}

TEST(scaling_command, demands_and_rising_prices_matter) {
  const std::string line = "scaling exact p24e8 --energy-price 5e16" + paper;
  const double plain = real(loud_object(line).at("n_star"));
  EXPECT_GT(real(loud_object(line + " --demand power:a=4").at("n_star")), plain);
  // [sec:scaling]: a price that rises with demand makes the best size larger.
  EXPECT_GT(real(loud_object(line + " --price-rise 10").at("n_star")), plain);
  const json threshold = loud_object(line + " --demand threshold:at=1.05,a=200,most=1");
  EXPECT_EQ(threshold.at("demand"), "threshold:at=1.05,a=200,most=1");
  EXPECT_LT(real(threshold.at("mse")), 1.05);
}

TEST(scaling_command, prints_rows) {
  const auto optima = program::rows("scaling exact p24e8 --energy-price 5e16 --inference-price 10");
  ASSERT_EQ(optima.size(), 2U);
  EXPECT_EQ(optima[0][0], "n");
  const auto at =
      program::rows("scaling exact p24e8 --energy-price 5e16 --inference-price 10 --at 3 4 5.5");
  ASSERT_EQ(at.size(), 4U);
  EXPECT_EQ(at[3][0], "5.5");
}

TEST(scaling_command, mistakes_take_one_line) {
  const std::string prices = " --energy-price 1 --inference-price 1";
  const auto message = [](const std::string& line) {
    const outcome result = program::run("scaling " + line);
    EXPECT_EQ(result.status, 2) << line;
    EXPECT_EQ(result.out, "") << line;
    EXPECT_EQ(program::lines(result.err).size(), 1U) << line;
    return result.err;
  };
  EXPECT_EQ(message("exact p24e8 --energy-price -1 --inference-price 1"),
            "ktln2: scaling: --energy-price must be >= 0, got -1\n");
  EXPECT_EQ(message("exact p24e8 --inference-price 1"),
            "ktln2: scaling: --energy-price is needed (see ktln2 scaling --help)\n");
  EXPECT_EQ(message("sgd p24e8 --batch 0" + prices),
            "ktln2: sgd: batch must be a whole number from 1 to 1e15, got 0\n");
  EXPECT_EQ(message("average p24e8" + prices),
            "ktln2: scaling: unknown kind 'average': expected exact, ridge or sgd\n");
  EXPECT_EQ(message("exact p24e8 --law ou" + prices),
            "ktln2: scaling: exact has no option --law, which sgd takes (see ktln2 scaling exact "
            "--help)\n");
  EXPECT_EQ(message("exact p24e8 --optimize eta" + prices),
            "ktln2: scaling: --optimize must be p for exact, got 'eta'\n");
  EXPECT_EQ(message("exact p24e8 --at -3" + prices),
            "ktln2: scaling: n must be finite and > 0, got -3\n");
  EXPECT_EQ(message("sgd p24e8 --law exact --at 11" + prices),
            "ktln2: scaling: the exact law of SGD is known at whole steps only: --at must be a "
            "multiple of 10, got 11\n");
  EXPECT_EQ(message("exact p24e8 --demand linear" + prices),
            "ktln2: unknown demand 'linear': expected inverse, power or threshold\n");
  EXPECT_EQ(message("sgd p24e8 --sigma-x 0" + prices),
            "ktln2: sgd: sigma_x must be finite and > 0, got 0\n");
}

}  // namespace
