// ktln2 simulate: keys, reproducibility, mistakes, and what happens after Ctrl-C.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"

namespace {

using program::json;
using program::object;
using program::output;
using program::real;

TEST(simulate_command, has_the_promised_keys) {
  for (const char* line : {"simulate slope p5e4 --trials 2e4", "simulate sgd p5e4 --trials 1e3",
                           "simulate average p5e4 --trials 1000",
                           "simulate sgd p5e4 --trials 2e3 --arithmetic format"}) {
    SCOPED_TRACE(line);
    const json answer = object(line);
    EXPECT_EQ(answer.at("command"), "simulate");
    EXPECT_EQ(answer.at("format"), "p5e4");
    EXPECT_EQ(answer.at("finished"), answer.at("trials"));
    EXPECT_EQ(answer.at("seed"), 1);
    for (const char* moment : {"mean", "variance"}) {
      EXPECT_TRUE(answer.at("moments").at(moment).at("value").is_number());
      EXPECT_TRUE(answer.at("moments").at(moment).at("error").is_number());
    }
    const json& histogram = answer.at("histogram");
    EXPECT_EQ(histogram.at("edges").size(), histogram.at("counts").size() + 1);
    std::uint64_t total =
        histogram.at("below").get<std::uint64_t>() + histogram.at("above").get<std::uint64_t>();
    for (const json& count : histogram.at("counts")) total += count.get<std::uint64_t>();
    EXPECT_EQ(total, answer.at("trials"));
    ASSERT_EQ(answer.at("entropy").size(), 4U);
    for (const json& estimator : answer.at("entropy")) {
      EXPECT_TRUE(estimator.at("value").is_number());
      EXPECT_TRUE(estimator.at("error").is_number());
    }
    EXPECT_FALSE(answer.at("codes").at("undersampled"));
    for (const char* test : {"kolmogorov_smirnov", "chi_square"}) {
      EXPECT_TRUE(answer.at("fit").at(test).at("statistic").is_number());
      EXPECT_TRUE(answer.at("fit").at(test).at("p_value").is_number());
    }
  }
}

TEST(simulate_command, echoes_its_parameters) {
  const json slope =
      object("simulate slope p5e4 --n 1e1 --w -2 --sigma-x 3 --sigma-xi .5 --trials 1e3 --seed 7");
  EXPECT_EQ(slope.at("n"), 10);
  EXPECT_EQ(slope.at("w"), -2);
  EXPECT_EQ(slope.at("sigma_x"), 3);
  EXPECT_EQ(slope.at("sigma_xi"), 0.5);
  EXPECT_EQ(slope.at("trials"), 1000);
  EXPECT_EQ(slope.at("seed"), 7);
  EXPECT_EQ(slope.at("fit").at("law"), "slope:n=10,w=-2,sigma_x=3,sigma_xi=0.5");
  const json sgd = object(
      "simulate sgd p3e2 --steps 5 --batch 2 --eta 0.1 --w0 -1 --w 3 --trials 1e3 "
      "--arithmetic format");
  EXPECT_EQ(sgd.at("steps"), 5);
  EXPECT_EQ(sgd.at("batch"), 2);
  EXPECT_EQ(sgd.at("eta"), 0.1);
  EXPECT_EQ(sgd.at("w0"), -1);
  EXPECT_EQ(sgd.at("arithmetic"), "format");
  const json sum = object("simulate average p5e4 --n 4 --mu -1 --sigma 2 --sum --trials 1e4");
  EXPECT_EQ(sum.at("sum"), true);
  EXPECT_EQ(sum.at("fit").at("law"), "normal:mu=-4,sigma=4");
}

/// Entropy by simulation and by the exact sum; the law of the slope.
TEST(lem_compute_f_z, is_what_simulate_finds) {
  const json answer = object("simulate slope p4e3 --n 6 --w 2 --trials 2e5");
  const json exact = object("entropy p4e3 slope:n=6,w=2");
  for (const json& estimator : answer.at("entropy")) {
    EXPECT_NEAR(real(estimator.at("value")), real(exact.at("value")),
                4 * real(estimator.at("error")));
  }
  EXPECT_GT(real(answer.at("fit").at("kolmogorov_smirnov").at("p_value")), 1e-3);
  EXPECT_GT(real(answer.at("fit").at("chi_square").at("p_value")), 1e-3);
  const json& mean = answer.at("moments").at("mean");
  EXPECT_NEAR(real(mean.at("value")), 2, 4 * real(mean.at("error")));
}

TEST(sec_nonstationarysgd_campaign, is_refuted_where_the_exact_law_is_not) {
  const std::string line = "simulate sgd p6e5 --trials 1e4";
  const auto p_value = [](const json& answer) {
    return real(answer.at("fit").at("kolmogorov_smirnov").at("p_value"));
  };
  EXPECT_EQ(object(line).at("law"), "moments");
  EXPECT_LT(p_value(object(line + " --law ou")), 1e-9);
  EXPECT_LT(p_value(object(line + " --law stationary")), 1e-9);
  const json exact = object(line + " --law exact");
  EXPECT_GT(p_value(exact), 1e-3);
  EXPECT_TRUE(exact.at("fit").at("law").get<std::string>().ends_with(",law=exact"));
}

TEST(simulate_command, says_that_a_moment_does_not_exist) {
  const json one = object("simulate slope p3e2 --n 1 --trials 1e4");
  EXPECT_TRUE(one.at("moments").at("mean").at("value").is_null());
  EXPECT_EQ(one.at("moments").at("variance").at("value"), "inf");
  const json two = object("simulate slope p3e2 --n 2 --trials 1e4");
  EXPECT_TRUE(two.at("moments").at("mean").at("value").is_number());
  EXPECT_EQ(two.at("moments").at("mean").at("error"), "inf");
  EXPECT_EQ(two.at("moments").at("variance").at("value"), "inf");
  const std::string text = output("simulate slope p3e2 --n 1 --trials 1e4");
  EXPECT_TRUE(program::has(text, "mean +does not exist"));
  EXPECT_TRUE(program::has(text, "variance +infinite"));
  EXPECT_FALSE(program::has(text, "nan"));
}

TEST(simulate_command, is_the_same_on_any_number_of_threads) {
  for (const char* line :
       {"simulate slope p6e4 --trials 3e3 --n 5 --csv", "simulate sgd p6e4 --trials 1e3 --csv",
        "simulate average p6e4 --trials 777 --arithmetic format --csv"}) {
    const std::string one = output(std::string(line) + " --threads 1");
    EXPECT_EQ(output(std::string(line) + " --threads 2"), one);
    EXPECT_EQ(output(std::string(line) + " --threads 5"), one);
    EXPECT_NE(output(std::string(line) + " --seed 2"), one);
  }
}

TEST(simulate_command, prints_the_histogram_as_csv) {
  const auto rows =
      program::rows("simulate average p6e4 --n 1 --trials 1e5 --bins 4 --low -2 --high 2");
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"low", "high", "count", "density", "theory"}));
  EXPECT_EQ(rows[1][0], "-inf");
  EXPECT_EQ(rows[1][1], "-2");
  EXPECT_EQ(rows[3][0], "-1");
  EXPECT_EQ(rows[6][1], "inf");
  double total = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) total += std::stod(rows[i][2]);
  EXPECT_EQ(total, 1e5);
  EXPECT_NEAR(std::stod(rows[3][4]), 0.34134, 1e-5);
  EXPECT_NEAR(std::stod(rows[3][3]), 0.34134, 4 * std::sqrt(0.34134 / 1e5));
  // an end that is not given is found
  EXPECT_EQ(program::rows("simulate average p6e4 --trials 100 --low 50").size(), 23U);
  EXPECT_EQ(program::rows("simulate average p6e4 --trials 100 --high -50").size(), 23U);
}

TEST(simulate_command, calls_one_thing_by_its_singular) {
  const std::string text = program::run("simulate slope p6e4 --trials 1").out;
  EXPECT_TRUE(program::has(text, "slope in p6e4: 1 trial with"));
  EXPECT_TRUE(program::has(text, "\n  1 code seen, 1 of them"));
  EXPECT_TRUE(program::has(program::run("simulate slope p6e4 --trials 2").out, ": 2 trials with"));
  EXPECT_TRUE(program::has(program::run("cost exact p24e8 --features 1").out,
                           "erased for each of 1 coefficient;"));
  EXPECT_TRUE(program::has(program::run("cost exact p24e8 --features 2").out,
                           "erased for each of 2 coefficients;"));
}

TEST(simulate_command, warns_of_too_few_trials) {
  const program::outcome result = program::run("simulate slope p24e8 --trials 1e3 --json");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(program::has(result.err, "^ktln2: warning: too few trials for the entropy"));
  const json answer = json::parse(result.out);
  EXPECT_EQ(answer.at("warnings").size(), 1U);
  EXPECT_TRUE(answer.at("codes").at("undersampled"));
  EXPECT_TRUE(answer.at("entropy").at("plug_in").at("value").is_null());
  EXPECT_GT(real(answer.at("entropy").at("chao_shen").at("error")), 10);
}

TEST(simulate_command, warns_of_divergence) {
  const program::outcome result =
      program::run("simulate sgd p6e4 --eta 10 --batch 1 --steps 3000 --trials 100 --law ou");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(program::has(result.err, "100 trials left the range of double"));
  EXPECT_FALSE(program::has(result.out, "nan"));
}

TEST(simulate_command, refuses_mistakes_in_one_line) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"slope", "simulate: FORMAT"},
      {"line p4e4", "simulate: unknown kind 'line': expected slope, sgd, ols or average"},
      {"-1 p4e4", "simulate: unknown kind '-1'"},
      {"slope p4", "unknown format 'p4'"},
      {"slope p4e4 --eta 1", "simulate: slope has no option --eta"},
      {"sgd p4e4 --n 1", "simulate: --n must be a multiple of --batch, 10, got 1"},
      {"slope p4e4 --sum", "simulate: slope has no option --sum"},
      {"slope p4e4 --n 0", "slope: n must be"},
      {"slope p4e4 --n 1.5", "simulate: --n: expected a whole number, got '1.5'"},
      {"slope p4e4 --n -3", "simulate: --n: expected a whole number, got '-3'"},
      {"slope p4e4 --sigma-x -3", "slope: sigma_x must be"},
      {"slope p4e4 --w nan", "simulate: --w"},
      {"slope p4e4 --w 1e200", "slope: w must be from -1e100 to 1e100, got 1e+200"},
      {"slope p4e4 --trials 0", "simulate: trials must be from 1"},
      {"slope p4e4 --trials 1e12", "simulate: trials must be from 1"},
      {"slope p4e4 --threads 0", "simulate: --threads must be from 1 to 1024, got 0"},
      {"slope p4e4 --threads 1e20", "simulate: --threads"},
      {"slope p4e4 --seed 1e20", "simulate: --seed must be below 2^64, got 1e20"},
      {"slope p4e4 --seed -1", "simulate: --seed"},
      {"slope p4e4 --bins 0", "simulate: --bins must be from 1"},
      {"slope p4e4 --low 1 --high 1", "simulate: --high must be > --low, 1, got 1"},
      {"slope p4e4 --low x", "simulate: --low"},
      {"slope p4e4 --arithmetic exact",
       "simulate: unknown arithmetic 'exact': expected ideal, format"},
      {"slope p27e8 --arithmetic format", "simulate: arithmetic: p must be from 1 to 26, got 27"},
      {"slope p4e0 --arithmetic format", "simulate: arithmetic: E must be from 1 to 10, got 0"},
      {"sgd p4e4 --steps 1e15 --batch 2", "sgd: steps times batch must be"},
      {"sgd p4e4 --eta 0", "sgd: eta must be"},
      {"sgd p4e4 --law normal", "sgd: unknown law 'normal"},
      {"slope p4e4 --law ou", "simulate: slope has no option --law"},
      {"average p4e4 --sigma 0", "average: sigma"},
      {"average p4e4 --sum=1", "simulate: --sum takes no value"},
      {"slope p4e4 --n 3 --n 4", "simulate: --n is given twice"},
      {"slope p4e4 --n", "simulate: --n needs a value"},
      {"slope p4e4 p4e4", "simulate: not expected: 'p4e4'"},
      {"slope p4e4 --json --csv", "simulate: --json excludes --csv"},
  };
  for (const auto& [line, message] : mistakes) {
    program::expect_refused("simulate " + line, message);
  }
}

TEST(simulate_command, knows_the_option_values_that_look_like_options) {
  EXPECT_EQ(object("simulate slope p3e2 --w -1.5 --trials 1e3").at("w"), -1.5);
  EXPECT_EQ(object("simulate slope p3e2 --w=-1.5 --trials 1e3").at("w"), -1.5);
  EXPECT_EQ(output("simulate --trials 100 slope --w -1e0 p4e4 --csv"),
            output("simulate --w -1 --trials 1e2 --csv -- slope p4e4"));
}

TEST(simulate_command, keeps_what_is_done_after_an_interrupt) {
  // it prints nothing before its end: when it has worked for two seconds, some trials are done
  const program::outcome result = program::run_interrupted(
      "simulate slope p3e2 --n 1e4 --trials 1e9 --json", [](const program::process& running) {
        return running.time_at_work() > std::chrono::seconds(2);
      });
  EXPECT_EQ(result.status, 130);
  EXPECT_TRUE(program::has(result.err,
                           "^ktln2: warning: interrupted: [0-9]+ of 1000000000 trials finished"));
  const json answer = json::parse(result.out);
  EXPECT_EQ(answer.at("trials"), 1'000'000'000);
  const auto finished = answer.at("finished").get<std::uint64_t>();
  EXPECT_GT(finished, 0U);
  EXPECT_LT(finished, 1'000'000'000U);
  // the first ones, as if only they had been asked for
  const json again = object("simulate slope p3e2 --n 1e4 --trials " + std::to_string(finished));
  EXPECT_EQ(again.at("moments"), answer.at("moments"));
  EXPECT_EQ(again.at("entropy"), answer.at("entropy"));
}

}  // namespace
