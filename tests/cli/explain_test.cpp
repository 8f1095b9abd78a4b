// ktln2 explain: the labels of the paper, for people and for programs.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::json;
using program::object;
using program::output;

TEST(explain_command, shows_formula_status_claims_use_and_command) {
  const std::string text = output("explain eq:landauer_avg");
  EXPECT_EQ(text.find("eq:landauer_avg, Equation 143: Bits erased by averaging\n"
                      "\n"
                      "  ΔH = (n - 1) H̃ₛ⁰(p) ≈ (n - 1)(p + 2.46)\n"
                      "\n"
                      "Of n registers one is kept, and all hold the same entropy: only n and p "
                      "matter.\n"
                      "\n"
                      "  status   exact given Approximations 1 and 2\n"
                      "  needs    normal numbers with mean 0; others for large n by the central "
                      "limit\n"
                      "           theorem\n"
                      "  claim    Averaging"),
            0U)
      << text;
  EXPECT_TRUE(program::has(text, "\n           holds: ")) << text;
  EXPECT_TRUE(
      text.ends_with("  used in  cost/computations.hpp: average_cost\n"
                     "  try      ktln2 cost average p24e8 --n 10\n"))
      << text;
}

TEST(explain_command, gives_the_verdict_on_each_claim) {
  const json claims = object("explain eq:var_bound").at("claims");
  ASSERT_GE(claims.size(), 2U);
  std::set<std::string> verdicts;
  for (const json& claim : claims) {
    EXPECT_EQ(claim.at("label"), "eq:var_bound");
    verdicts.insert(claim.at("verdict"));
  }
  // True of the difference of productions, false of the relative entropies.
  EXPECT_EQ(verdicts, (std::set<std::string>{"fails", "holds"}));
}

TEST(explain_command, says_where_the_paper_is_wrong) {
  EXPECT_TRUE(program::has(output("explain lem:compute_f_z"), "erratum +In the proof"));
  EXPECT_EQ(object("explain eq:Landauer").at("erratum"), nullptr);
}

TEST(explain_command, is_one_json_object) {
  const json about = object("explain eq:single_mean_0");
  EXPECT_EQ(about.at("command"), "explain");
  EXPECT_EQ(about.at("label"), "eq:single_mean_0");
  EXPECT_EQ(about.at("formula"), "H̃ₛ⁰(p) = p + ½ log₂(2πe) + γ/(2 ln 2) ≈ p + 2.46");
  EXPECT_EQ(about.at("uses")[0].at("header"), "ktln2/entropy/approximations.hpp");
  EXPECT_EQ(about.at("uses")[0].at("name"), "smooth_entropy_zero_mean");
  EXPECT_EQ(about.at("figures")[0], "fig:fp_exact_approx_sigma");
  EXPECT_TRUE(about.at("example").is_string());
}

TEST(explain_command, lists_all_labels_without_one) {
  const json list = object("explain").at("labels");
  ASSERT_EQ(list.size(), 230U);
  EXPECT_EQ(list[0].at("label"), "sec:prelim");
  const std::string text = output("explain");
  const std::string csv = output("explain --csv");
  for (const json& entry : list) {
    const auto label = entry.at("label").get<std::string>();
    EXPECT_NE(text.find(label + " "), std::string::npos);
    EXPECT_NE(csv.find("\n" + label + ","), std::string::npos);
  }
}

TEST(explain_command, refuses_unknown_labels_in_one_line) {
  program::expect_refused("explain nothing_like_it",
                          "explain: the paper has no label 'nothing_like_it': the nearest are ");
  program::expect_refused(
      "explain eq:loss more",
      "explain: the paper has no label 'eq:loss more': the nearest are eq:loss");
  program::expect_refused("explain Figure 99", "the paper has no label for Figure 99: it has ");
}

TEST(explain_command, finds_what_a_reader_of_the_printed_paper_sees) {
  for (const char* query : {"Figure 3", "fig. 3", "fig:ex_landauer", "ex_landauer"}) {
    const json about = object(std::string("explain ") + query);
    EXPECT_EQ(about.at("label"), "fig:ex_landauer") << query;
    EXPECT_EQ(about.at("number"), "Figure 3") << query;
  }
  const program::outcome quoted = program::run(program::arguments{"explain", "Table 1"});
  EXPECT_EQ(quoted.out.find("tab:cyclic_device, Table I: "), 0U) << quoted.out << quoted.err;
}

TEST(explain_command, shows_numbers_beside_labels) {
  const std::string all = output("explain");
  EXPECT_TRUE(program::has(all, "\n  eq:loss +Equation 2 +The loss\n"));
  EXPECT_TRUE(program::has(output("explain fig:profit_ex"), "fig:scaling_laws \\(Figure 5\\)"));
  EXPECT_TRUE(program::has(output("explain app:FPN"), "sec:illustrative_approx, Section III-C"));
}

TEST(explain_command, searches_titles_and_labels) {
  const json found = object("explain profit");
  EXPECT_EQ(found.at("search"), "profit");
  std::set<std::string> labels;
  for (const json& one : found.at("labels")) labels.insert(one.at("label").get<std::string>());
  EXPECT_TRUE(labels.contains("fig:profit_ex"));
  EXPECT_TRUE(labels.contains("eq:u_ex")) << "by its title";
  EXPECT_FALSE(labels.contains("eq:loss"));
  EXPECT_EQ(program::lines(output("explain PROFIT")).size(), labels.size());
  // What is no name for one thing is one for each word.
  const std::string both = output("explain eq:loss thm:steps");
  EXPECT_EQ(both, output("explain eq:loss") + "\n" + output("explain thm:steps"));
  const json objects = object("explain eq:loss single_mean_0").at("labels");
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_EQ(objects[1].at("label"), "eq:single_mean_0");
  EXPECT_EQ(objects[1].at("formula"), object("explain eq:single_mean_0").at("formula"));
  EXPECT_EQ(program::lines(output("explain eq:loss thm:steps --csv")).size(), 3U);
  // one alone is explained
  EXPECT_EQ(output("explain single_mean"), output("explain eq:single_mean_0"));
  EXPECT_EQ(output("explain the regression problem"), output("explain sec:prelim"));
}

TEST(explain_command_campaign, shows_commands_that_run) {
  std::set<std::string> commands;
  const json list = object("explain").at("labels");
  for (const json& entry : list) {
    const auto label = entry.at("label").get<std::string>();
    // They come from one pattern: the smallest and the largest stand for all.
    if (label.find("app_mu_") != std::string::npos && !label.ends_with("_E0") &&
        !label.ends_with("_E7")) {
      continue;
    }
    if (entry.at("example").is_string()) commands.insert(entry.at("example").get<std::string>());
  }
  ASSERT_GT(commands.size(), 50U);
  for (const std::string& command : commands) {
    ASSERT_EQ(command.find("ktln2 "), 0U) << command;
    const program::outcome result = program::run(command.substr(6));
    EXPECT_EQ(result.status, 0) << command << "\n" << result.err;
    EXPECT_NE(result.out, "") << command;
  }
}

}  // namespace
