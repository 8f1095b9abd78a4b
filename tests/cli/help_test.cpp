// Help: of the program, of each command and of each kind, in 80 columns, with examples that run.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::has;
using program::lines;
using program::output;

/// The names in the first column below a heading.
std::vector<std::string> listed_below(const std::string& text, const std::string& heading) {
  std::vector<std::string> names;
  bool is_below = false;
  for (const std::string& line : lines(text)) {
    if (line.empty()) is_below = false;
    const auto name = program::match(line, "^  ([a-z0-9]+) ");
    if (is_below && !name.empty()) names.push_back(name[1]);
    if (line.starts_with(heading)) is_below = true;
  }
  return names;
}

/// "entropy", "cost", "cost exact", …: all that has a help of its own.
std::vector<std::string> everything() {
  std::vector<std::string> all;
  for (const std::string& command : listed_below(output("--help"), "Commands")) {
    all.push_back(command);
    for (const std::string& kind : listed_below(output(command + " --help"), "Kinds")) {
      all.push_back(command + " " + kind);
    }
  }
  return all;
}

std::vector<std::string> examples_of(const std::string& text) {
  std::vector<std::string> found;
  bool is_below = false;
  for (const std::string& line : lines(text)) {
    if (is_below && line.starts_with("  ktln2 ")) found.push_back(line.substr(8));
    if (line.starts_with("Example")) is_below = true;
  }
  return found;
}

/// The options below "Options", without their dashes.
std::vector<std::string> options_of(const std::string& text) {
  std::vector<std::string> names;
  for (const std::string& line : lines(text)) {
    const auto name = program::match(line, "^  --([a-z0-9-]+)");
    if (!name.empty()) names.push_back(name[1]);
  }
  return names;
}

TEST(help, is_there_for_all_commands_and_kinds) {
  const std::vector<std::string> all = everything();
  EXPECT_GE(all.size(), 29U);
  for (const char* one : {"format", "cost sgd", "cost streaming", "mismatch ctmc", "tour"}) {
    EXPECT_NE(std::find(all.begin(), all.end(), one), all.end()) << one;
  }
}

TEST(help, fits_80_columns) {
  std::vector<std::string> all = everything();
  for (std::string& one : all) one = "help " + one;
  all.emplace_back("");
  all.emplace_back("--help");
  for (const std::string& one : all) {
    for (const std::string& line : lines(output(one))) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(help, has_examples_that_run_without_a_warning) {
  for (const std::string& one : everything()) {
    if (one == "paper") continue;                    // its example writes files; paper_test runs it
    if (one == "measure" || one == "fit") continue;  // theirs are about the user's files
    SCOPED_TRACE(one);
    const std::vector<std::string> examples = examples_of(output(one + " --help"));
    EXPECT_GE(examples.size(), 1U);
    for (const std::string& example : examples) {
      EXPECT_TRUE(example.starts_with(one)) << "an example of something else: " << example;
      EXPECT_NE(output(example), "") << example;  // output() wants nothing on stderr
    }
  }
}

TEST(help, of_a_kind_shows_its_options_and_no_others) {
  const auto shows = [](const char* kind, const char* option) {
    const std::vector<std::string> all = options_of(output(std::string(kind) + " --help"));
    return std::find(all.begin(), all.end(), option) != all.end();
  };
  EXPECT_TRUE(shows("cost sgd", "eta"));
  EXPECT_FALSE(shows("cost exact", "eta"));
  EXPECT_TRUE(shows("cost exact", "internal"));
  EXPECT_FALSE(shows("cost streaming", "internal"));
  // and no paragraph about what it does not have
  EXPECT_TRUE(has(output("cost exact --help"), "What --internal may be"));
  EXPECT_FALSE(has(output("cost streaming --help"), "What --internal may be"));
  EXPECT_TRUE(has(output("mismatch ctmc --help"), "PROTOCOL +erase"));
  EXPECT_TRUE(has(output("cost sgd --help"), "--steps N +Steps of SGD \\(default 100\\)"));
  // the command shows all, each with the kinds that have it
  EXPECT_TRUE(has(output("cost --help"), "--slope W .*\\[inference\\]"));
}

TEST(help, can_be_asked_for_in_several_ways) {
  EXPECT_EQ(output("help"), output("--help"));
  EXPECT_EQ(output("-h"), output("--help"));
  EXPECT_EQ(output("-V"), output("--version"));
  EXPECT_EQ(output("help law"), output("law --help"));
  EXPECT_EQ(output("help cost sgd"), output("cost sgd --help"));
  for (const std::string& one : everything()) {
    EXPECT_EQ(output(one + " -h"), output(one + " --help")) << one;
  }
  program::expect_refused("help nothing", "unknown command 'nothing'");
  program::expect_refused("help cost nothing", "cost: unknown kind 'nothing'");
  program::expect_refused("help law normal", "help: not expected: 'normal'");
}

TEST(help, names_the_forms_of_answers) {
  for (const char* option : {"--json", "--csv", "--plot"}) {
    EXPECT_TRUE(has(output("--help"), std::string("\n  ") + option)) << option;
  }
}

TEST(help, explains_prices_with_a_household_tariff) {
  for (const char* command : {"scaling", "scaling exact", "scaling sgd", "fit"}) {
    EXPECT_TRUE(has(output(std::string(command) + " --help"), "0\\.30 EUR/kWh")) << command;
  }
  EXPECT_NEAR(0.30 / 3.6e6, 8.3e-8, 0.05e-8);
}

TEST(program_without_words, shows_three_examples_that_run) {
  const std::string text = output("");
  EXPECT_LE(lines(text).size(), 12U);
  int examples = 0;
  for (const std::string& line : lines(text)) {
    if (!line.starts_with("  ktln2 ")) continue;
    ++examples;
    EXPECT_NE(output(line.substr(8)), "") << line;
  }
  EXPECT_EQ(examples, 3);
  EXPECT_TRUE(has(text, "ktln2 --help"));
}

TEST(help, lists_the_distributions_that_a_command_takes) {
  const std::string compared = output("compare --help");
  EXPECT_TRUE(has(compared, "\n  normal:mu=0,sigma=1\n"));
  for (const char* law : {"pair", "row", "ols"}) {
    const std::string line = std::string("\n  ") + law + ":";
    EXPECT_EQ(compared.find(line), std::string::npos) << law;
    EXPECT_NE(output("entropy --help").find(line), std::string::npos) << law;
    EXPECT_EQ(program::run(std::string("compare ") + law).status, 2);
    EXPECT_EQ(output("--complete compare ").find(std::string(law) + ":"), std::string::npos);
  }
}

TEST(help, says_what_islands_give_to_the_environment) {
  const std::string islands = output("mismatch islands --help");
  EXPECT_TRUE(has(islands, "C [+] A E.x.2 [+] [(]y - w"));
  EXPECT_FALSE(has(islands, "sigma_x.2 [+]"));
  EXPECT_TRUE(has(output("mismatch exact --help"), "C [+] A[(]sigma_x.2 [+] *\n? *sigma_xi.2"));
}

}  // namespace
