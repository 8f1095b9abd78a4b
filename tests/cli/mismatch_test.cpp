// ktln2 mismatch: keys, numbers, warnings and mistakes.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

using program::json;
using program::object;
using program::real;

/// The object of a command that warns.
json warned(const std::string& line) {
  const program::outcome result = program::run(line + " --json");
  EXPECT_EQ(result.status, 0) << result.err;
  json answer = json::parse(result.out);
  EXPECT_FALSE(answer.at("warnings").empty()) << line;
  return answer;
}

TEST(mismatch_command, has_the_promised_keys_and_numbers) {
  const json answer =
      warned("mismatch exact p24e8 --sigma-x 1 --sigma-xi 1 --entropy smooth --constant 400");
  EXPECT_EQ(answer.at("command"), "mismatch");
  EXPECT_EQ(answer.at("kind"), "exact");
  EXPECT_EQ(answer.at("sigma_x_star"), 0.75);
  EXPECT_NEAR(real(answer.at("sigma_xi_star")), 1.070557, 5e-7);
  EXPECT_NEAR(real(answer.at("mmc_nats")), 1.404724157066652, 1e-10);
  EXPECT_NEAR(real(answer.at("mmc")) / (1.380649e-23 * real(answer.at("mmc_nats"))), 1, 1e-14);
  EXPECT_NEAR(
      real(answer.at("production_star")) / (1.380649e-23 * real(answer.at("production_star_nats"))),
      1, 1e-14);
  EXPECT_EQ(answer.at("unique"), true);
  EXPECT_EQ(answer.at("optima").size(), 1U);
  EXPECT_EQ(answer.at("warnings").size(), 1U);  // n = 10 is few for Approximation 3

  const json descent =
      warned("mismatch sgd p24e8 --steps 50 --batch 1 --w 1 --entropy smooth --law stationary");
  EXPECT_NEAR(real(descent.at("sigma_xi_star")), 1.794124, 5e-7);
  EXPECT_NEAR(real(descent.at("mmc_nats")), 10.93639404232965, 1e-9);
  EXPECT_NEAR(real(descent.at("sum_of_steps_nats")), real(descent.at("production_nats")), 1e-8);
}

TEST(mismatch_command, exact_entropies_are_the_default) {
  const json answer = object("mismatch exact p4e4 --constant 400 --bounds 0.75,2,0.5,2");
  EXPECT_EQ(answer.at("entropy"), "exact");
  EXPECT_EQ(answer.at("applies"), true);
  EXPECT_GE(real(answer.at("mmc_nats")), 0);
  EXPECT_LT(real(answer.at("error_nats")), 1e-8);
}

TEST(mismatch_command, reads_expressions) {
  const std::string base = "mismatch exact p24e8 --entropy smooth --constant 400 --alpha 2.5";
  const json standard = warned(base);
  const json same = warned(base + " --environment constant+alpha*(sigma_x^2+sigma_xi^2)+0*(n+w)");
  EXPECT_NEAR(real(same.at("sigma_xi_star")), real(standard.at("sigma_xi_star")), 1e-9);
  EXPECT_NEAR(real(same.at("mmc_nats")), real(standard.at("mmc_nats")), 1e-10);
  const json other = warned(base + " --environment 400+(sigma_x-2)^2*9+(sigma_xi-2)^2*9");
  EXPECT_EQ(other.at("optima").at(0).at("sigma_x_at_bound"), false);
  EXPECT_NEAR(real(other.at("sigma_x_star")), 2, 0.5);
}

TEST(mismatch_command, warns_of_a_broken_second_law_and_of_places_outside_the_bounds) {
  const json negative = warned("mismatch exact p24e8 --entropy smooth");
  EXPECT_EQ(negative.at("warnings").size(), 2U);
  EXPECT_LT(real(negative.at("production_star")), 0);
  const json outside = warned("mismatch exact p24e8 --entropy smooth --sigma-x 9 --constant 999");
  EXPECT_TRUE(program::has(outside.at("warnings").dump(), "outside the bounds"));
}

TEST(mismatch_command, a_landscape_is_rows) {
  const program::outcome result =
      program::run("mismatch exact p24e8 --entropy smooth --constant 400 --landscape 5 --csv");
  EXPECT_EQ(result.status, 0);
  const auto lines = program::lines(result.out);
  ASSERT_EQ(lines.size(), 26U);
  EXPECT_EQ(lines[0], "sigma_x,sigma_xi,production_nats,mmc_nats");
  EXPECT_TRUE(lines[1].starts_with("0.75,0.5,"));
  const json answer = warned("mismatch exact p24e8 --entropy smooth --constant 400 --landscape 5");
  ASSERT_EQ(answer.at("landscape").size(), 25U);
  for (const json& point : answer.at("landscape")) EXPECT_GE(real(point.at("mmc_nats")), 0);
}

TEST(mismatch_command, islands_tell_mismatch_from_excess) {
  const json answer = object("mismatch islands p2e2 --constant 2");
  EXPECT_EQ(answer.at("states"), 256);
  EXPECT_EQ(answer.at("islands"), 16);
  EXPECT_NEAR(real(answer.at("mmc_nats")), 0.8759461, 5e-8);
  EXPECT_NEAR(real(answer.at("mismatch_nats")), 0.3840690, 5e-8);
  EXPECT_NEAR(real(answer.at("excess_nats")), 1.6018961, 5e-8);
  EXPECT_NEAR(real(answer.at("corrected_nats")), 0.286143, 5e-7);
  EXPECT_NEAR(real(answer.at("least_constant")), 1.303076562, 5e-10);
  EXPECT_EQ(answer.at("paper_bound_holds"), false);
  const json steps = object("mismatch islands p2e2 --algorithm sgd --steps 2 --constant 9");
  EXPECT_EQ(steps.at("states"), 65536);
  EXPECT_LE(real(steps.at("corrected_nats")), real(steps.at("mismatch_nats")));
  warned("mismatch islands p2e2");  // the second law
}

TEST(mismatch_command, islands_know_all_logical_states_and_every_step) {
  const json answer = object("mismatch islands p2e2 --constant 5");
  const json& logical = answer.at("logical_states");
  EXPECT_EQ(logical.at("states"), 4096);
  EXPECT_NEAR(real(logical.at("mismatch_nats")), real(answer.at("mismatch_nats")) + std::log(16.0),
              1e-11);
  EXPECT_NEAR(real(logical.at("least_constant")),
              real(answer.at("least_constant")) + std::log(16.0), 1e-11);
  EXPECT_FALSE(answer.contains("per_step"));

  const json sgd =
      object("mismatch islands p2e2 --algorithm sgd --steps 2 --per-step --constant 10");
  const json& sum = sgd.at("per_step").at("sum");
  EXPECT_EQ(sgd.at("per_step").at("steps").size(), 2U);
  EXPECT_NEAR(real(sum.at("production_nats")), real(sgd.at("production_nats")), 1e-10);
  EXPECT_NEAR(real(sum.at("mmc_nats")), real(sgd.at("mmc_nats")), 1e-9);
  EXPECT_GT(real(sum.at("mismatch_nats")), real(sgd.at("mismatch_nats")));
  EXPECT_LE(real(sum.at("corrected_nats")), real(sum.at("mismatch_nats")));
  program::expect_refused("mismatch islands p2e2 --per-step",
                          "mismatch: --per-step is for --algorithm sgd");
}

TEST(mismatch_command, a_file_of_rates_is_followed) {
  const scratch folder;
  const std::string file = folder.path("bit.rates");
  const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
  write("duration = 30\nrates:\n*, 2\n0.5, *\n");
  const json answer = object("mismatch ctmc " + file);
  EXPECT_EQ(answer.at("states"), 2);
  EXPECT_EQ(answer.at("protocol"), file);
  // The bit relaxes to (0.8, 0.2): S_sys and S_env are differences between the ends.
  const double entropy = -0.8 * std::log(0.8) - 0.2 * std::log(0.2);
  EXPECT_NEAR(real(answer.at("system_nats")), entropy - std::log(2.0), 1e-9);
  EXPECT_NEAR(real(answer.at("environment_nats")), 0.3 * std::log(4.0), 1e-9);
  EXPECT_NEAR(real(answer.at("mismatch_nats")) + real(answer.at("residual_nats")),
              real(answer.at("production_nats")), 1e-8);

  write("duration = 1\nrates:\n*, 1, 0\n1, *, 0\n0, 0, *\n");  // a state of its own
  const program::outcome apart = program::run("mismatch ctmc " + file + " --json");
  EXPECT_EQ(apart.status, 0);
  EXPECT_TRUE(json::parse(apart.out).at("mismatch_nats").is_null());
  EXPECT_TRUE(program::has(apart.err, "some states do not lead to some others"));

  write("duration = 1\nrates:\n*, 1\n-1, *\n");
  program::expect_refused("mismatch ctmc " + file,
                          "mismatch: " + file +
                              ":4: the rate from state 1 to 2 must be finite and >= 0, got -1 at "
                              "t = 0");
  program::expect_refused("mismatch ctmc " + file + " --duration 3",
                          "mismatch: --duration is for erase and reset; a file says it all");
  std::filesystem::remove(file);
}

TEST(mismatch_command, a_markov_chain_obeys_the_second_law) {
  const json answer = object("mismatch ctmc erase --duration 1000");
  EXPECT_EQ(answer.at("protocol"), "erase");
  EXPECT_NEAR(real(answer.at("production_nats")),
              real(answer.at("system_nats")) + real(answer.at("environment_nats")), 1e-9);
  EXPECT_GT(real(answer.at("heat_joules")), real(answer.at("landauer_joules")));
  EXPECT_NEAR(real(answer.at("slope")), -1, 0.02);
  EXPECT_NEAR(real(answer.at("mismatch_nats")) + real(answer.at("residual_nats")),
              real(answer.at("production_nats")), 1e-9);
  const json reset = object("mismatch ctmc reset --register p2e1 --loaded 3 --duration 20");
  EXPECT_EQ(reset.at("states"), 8);
  EXPECT_GT(real(reset.at("mismatch_nats")), 0.01);
}

TEST(mismatch_command, a_bit_of_cmos_has_error_bars) {
  const json answer = object("mismatch ctmc cmos --vdd 2 --capacitance 10 --duration 20");
  EXPECT_EQ(answer.at("protocol"), "cmos");
  EXPECT_EQ(real(answer.at("input")), 1);
  const double heat = real(answer.at("environment_nats"));
  EXPECT_NEAR(heat, real(answer.at("stored_nats")) + real(answer.at("supply_nats")), 1e-9);
  EXPECT_NEAR(real(answer.at("production_nats")), real(answer.at("system_nats")) + heat, 1e-9);
  EXPECT_GT(heat, -real(answer.at("system_nats")));
  for (const char* name :
       {"system_nats", "environment_nats", "production_nats", "erased_bits", "error_probability"}) {
    const double error = real(answer.at(name + std::string("_error")));
    EXPECT_GT(error, 0) << name;
    EXPECT_LT(error, 1e-6) << name;
  }
  const json& best = answer.at("best");
  EXPECT_LT(real(best.at("environment_nats")) / real(best.at("erased_bits")),
            heat / real(answer.at("erased_bits")));

  const program::outcome early = program::run("mismatch ctmc cmos --duration 0.1 --json");
  EXPECT_TRUE(program::has(early.err, "the bit is not erased: in the end it reads 1 with"));
  EXPECT_EQ(program::lines(program::output("mismatch ctmc cmos --csv")).size(), 4U);
}

TEST(mismatch_command, answers_first_and_then_the_table) {
  for (const char* line :
       {"mismatch islands p2e2 --constant 2", "mismatch ctmc erase", "mismatch ctmc cmos"}) {
    const auto lines = program::lines(program::output(line));
    ASSERT_GT(lines.size(), 4U);
    EXPECT_TRUE(program::has(lines[0], "J")) << lines[0];
    EXPECT_EQ(lines[1], "");
  }
}

TEST(mismatch_command, names_what_is_wrong) {
  const auto refused = [](const std::string& line) {
    const program::outcome result = program::run(line);
    EXPECT_EQ(result.status, 2) << line;
    EXPECT_EQ(result.out, "") << line;
    EXPECT_EQ(program::lines(result.err).size(), 1U) << result.err;
    return result.err;
  };
  const std::string exact = "mismatch exact p24e8 --entropy smooth ";
  EXPECT_EQ(refused(exact + "--environment sigma_z"),
            "ktln2: mismatch: --environment: unknown name 'sigma_z': expected alpha, constant, n, "
            "sigma_x, sigma_xi, w\n");
  EXPECT_TRUE(program::has(refused(exact + "--environment 2*"), "cannot read '2\\* *'"));
  EXPECT_EQ(refused(exact + "--environment n=3"),
            "ktln2: mismatch: --environment: expected one expression, got an assignment: 'n=3'\n");
  EXPECT_EQ(refused(exact + "--environment n,3"),
            "ktln2: mismatch: --environment: expected one expression, got a list: 'n,3'\n");
  EXPECT_EQ(refused(exact + "--environment log(sigma_x-2)"),
            "ktln2: entropy flow: not finite at sigma_x = 1, sigma_xi = 1\n");
  for (const std::string& line : {exact, std::string("mismatch islands p2e2 --n 1 ")}) {
    EXPECT_TRUE(program::has(refused(line + "--constant 1e300"),
                             "constant must be at most 1e12 in size, or its rounding hides all "
                             "else, got 1e\\+300"));
  }
  EXPECT_EQ(refused(exact + "--bounds 5,1,1,2"),
            "ktln2: bounds: no sigma_x lies between 5 and 1\n");
  EXPECT_EQ(refused(exact + "--bounds 1,2"),
            "ktln2: mismatch: --bounds needs four numbers (sigma_x from, to, sigma_xi from, to), "
            "got '1,2'\n");
  EXPECT_EQ(refused(exact + "--bounds 0,1,1,2"),
            "ktln2: bounds: lower bound of sigma_x must be finite and > 0, got 0\n");
  EXPECT_EQ(
      refused(exact + "--eta 1"),
      "ktln2: mismatch: exact has no option --eta, which sgd and islands take (see ktln2 mismatch "
      "exact --help)\n");
  EXPECT_EQ(refused("mismatch lasso p24e8"),
            "ktln2: mismatch: unknown kind 'lasso': expected exact, sgd, islands or ctmc\n");
  EXPECT_EQ(refused("mismatch ctmc melt"),
            "ktln2: mismatch: ctmc needs erase, reset, cmos or a file of rates, got 'melt', which "
            "cannot be read\n");
  EXPECT_EQ(refused("mismatch ctmc erase --duration 0"),
            "ktln2: markov: duration must be finite and > 0, got 0\n");
  EXPECT_EQ(refused("mismatch ctmc cmos --duration -1"),
            "ktln2: cmos: duration must be finite and > 0, got -1\n");
  EXPECT_EQ(refused("mismatch ctmc cmos --capacitance 0"),
            "ktln2: cmos: capacitance must be finite and > 0, got 0\n");
  EXPECT_EQ(refused("mismatch ctmc cmos --capacitance 1000"),
            "ktln2: cmos: the node has 4597 states, at most 1024 can be followed: lower vdd or "
            "capacitance\n");
  EXPECT_EQ(refused("mismatch ctmc cmos --bias 3"),
            "ktln2: mismatch: --bias is for erase and reset, got cmos\n");
  EXPECT_EQ(refused("mismatch ctmc reset --vdd 3"),
            "ktln2: mismatch: --vdd is for cmos, got reset\n");
  EXPECT_EQ(refused("mismatch islands p4e4 --n 2"),
            "ktln2: islands: 2 points in p4e4 and p4e4 have 2^32 states, at most 2^20 can be "
            "listed\n");
  EXPECT_EQ(refused("mismatch islands p2e2 --algorithm lasso"),
            "ktln2: mismatch: --algorithm must be exact or sgd, got 'lasso'\n");
  EXPECT_EQ(refused("mismatch exact p24e8 --temperature 0"),
            "ktln2: mismatch: --temperature must be > 0, got 0\n");
}

}  // namespace
