// paper: the figures and the claims, as a program that others call sees them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

namespace fs = std::filesystem;

/// Put together, so that nothing takes it for a citation.
const std::string no_label = std::string("fig:") + "nothing";
using program::expect_refused;
using program::json;
using program::outcome;

/// A directory of its own, and no drawings: they are tested with the library.
class paper : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("KTLN2_PYTHON", "/bin/false", 1);
    fs::create_directories(out);
  }
  void TearDown() override { unsetenv("KTLN2_PYTHON"); }

  outcome run(const std::string& options) const {
    return program::run("paper --quick --out " + out.string() + " " + options);
  }

  scratch folder;
  const fs::path out = folder.path("out");
};

TEST_F(paper, prints_the_claims_with_verdicts) {
  const outcome result = run("--only fig:fp_exact_approx_sigma --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json object = json::parse(result.out);
  EXPECT_EQ(object.at("command"), "paper");
  EXPECT_EQ(object.at("figures"), 1);
  EXPECT_EQ(object.at("computed"), 1);
  ASSERT_FALSE(object.at("claims").empty());
  for (const json& claim : object.at("claims")) {
    const std::string verdict = claim.at("verdict");
    EXPECT_TRUE(verdict == "holds" || verdict == "holds with a qualification" ||
                verdict == "fails");
    for (const char* key : {"id", "label", "claim", "paper", "found"}) {
      EXPECT_FALSE(claim.at(key).get<std::string>().empty()) << claim;
    }
  }
  ASSERT_EQ(object.at("warnings").size(), 1U);
  EXPECT_NE(object.at("warnings")[0].get<std::string>().find("install matplotlib"),
            std::string::npos);
  EXPECT_TRUE(fs::exists(out / "index.html"));
}

TEST_F(paper, says_that_there_is_nothing_to_do) {
  ASSERT_EQ(run("--only fig:fp_exact_approx_sigma").status, 0);
  // The same figure by its name without the prefix.
  const outcome again = run("--only fp_exact_approx_sigma");
  EXPECT_EQ(again.out.find("Figures  0 computed, 1 up to date"), 0U) << again.out;
}

TEST_F(paper, ends_with_status_1_if_a_claim_is_not_as_expected) {
  const fs::path file = out / "claims.toml";
  std::ofstream(file) << "[[claim]]\nid = 'offset'\nlabel = 'eq:single_mean_0'\nsays = 's'\n"
                         "paper = 'p'\nhow = 'h'\ncheck = 'zero_mean_offset'\n"
                         "figures = ['fig:fp_exact_approx_sigma']\n"
                         "numbers = {value = 2.64, tolerance = 0.005}\n";
  const outcome result = run("--only fig:fp_exact_approx_sigma --claims " + file.string());
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("claim 'offset' [eq:single_mean_0] fails"), std::string::npos)
      << result.err;
  EXPECT_NE(result.out.find("Report"), std::string::npos);
}

TEST_F(paper, refuses_what_it_does_not_know) {
  const std::string start = "paper --quick --out " + out.string() + " ";
  expect_refused(start + "--only " + no_label, "paper: --only must name figures of the paper");
  expect_refused(start + "--set nonsense", "paper: --set must be LABEL.NAME=VALUE");
  expect_refused(start + "--set fig:profit_ex.w=x", "paper: --set fig:profit_ex.w");
  expect_refused(start + "--set fig:profit_ex.nothing=1", "paper: no parameter 'nothing'");
  expect_refused(start + "--set " + no_label + ".w=1", "paper: --set must name a figure");
  expect_refused(start + "--seed -1", "paper: --seed");
  expect_refused(start + "--threads 0", "paper: --threads must be from 1 to 1024, got 0");
  expect_refused(start + "--claims " + (out / "nothing").string(), "paper: --claims: cannot read");
}

TEST_F(paper, complains_of_a_directory_that_it_cannot_make) {
  std::ofstream(out / "file") << "here";
  expect_refused("paper --quick --only fig:C0_vs_p --out " + (out / "file").string(),
                 "paper: --out: cannot make the directory " + (out / "file/data").string());
}

/// A claim about a figure that is quickly made.
std::string claim_with(const std::string& says, const std::string& check,
                       const std::string& numbers) {
  return "[[claim]]\nid = 'mine'\nlabel = 'eq:single_mean_0'\nsays = '" + says +
         "'\npaper = 'p'\nhow = 'h'\ncheck = '" + check +
         "'\nfigures = ['fig:fp_exact_approx_sigma']\nnumbers = " + numbers + "\n";
}

TEST_F(paper, refuses_claims_whose_numbers_make_no_sense) {
  const fs::path file = out / "claims.toml";
  const std::string deep = "$" + std::string(4400, '(') + "x" + std::string(4400, ')') + "$";
  const std::pair<std::string, std::string> mistakes[] = {
      {claim_with(deep, "zero_mean_offset", "{}"), "more than 100 levels"},
      {claim_with("s", "zero_mean_offset", "{}"), "numbers.value must have 1 at least, got 0"},
      {claim_with("s", "zero_mean_offset", "{value = []}"), "numbers.value must have 1 at least"},
      {claim_with("s", "zero_mean_offset", "{value = [1, 2]}"), "value must be one number, got 2"},
      {claim_with("s", "zero_mean_offset", "{value = nan}"), "numbers.value must be finite"},
      {claim_with("s", "snr_values", "{snr = [1], tolerance = 1}"), "snr must have 5 at least"},
      {claim_with("s", "joint_onset", "{p = [2, 7], noise = [1]}"), "noise must have 2 at least"},
      {claim_with("s", "joint_onset", "{p = [1e300], noise = [1]}"), "p must be a whole number"}};
  for (const auto& [text, message] : mistakes) {
    std::ofstream(file) << text;
    const outcome result = run("--only fig:fp_exact_approx_sigma --claims " + file.string());
    EXPECT_EQ(result.status, 2) << message;
    EXPECT_NE(result.err.find(message), std::string::npos) << message << "\n" << result.err;
  }
}

TEST_F(paper, may_go_to_a_directory_that_looks_like_an_option) {
  const fs::path dash = "-ktln2-dash";
  const outcome result = program::run("paper --quick --only fig:C0_vs_p --out " + dash.string());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(fs::exists(dash / "index.html"));
  fs::remove_all(dash);
}

/// A Python that says that it has matplotlib, and then draws and draws. A shell starts what runs in
/// the background deaf to interrupts, and so it is here: the harder case.
TEST_F(paper, leaves_no_child_behind_when_a_signal_ends_the_drawing) {
  std::signal(SIGINT, SIG_IGN);
  const fs::path python = out / "python";
  const fs::path pid = out / "pid";
  std::ofstream(python) << "#!/bin/sh\n[ \"$2\" = -c ] && exit 0\necho $$ > " << pid.string()
                        << "\nexec sleep 600\n";
  fs::permissions(python, fs::perms::owner_all);
  setenv("KTLN2_PYTHON", python.c_str(), 1);
  for (const int signal : {SIGTERM, SIGINT}) {
    fs::remove(pid);
    const program::process started(
        program::words("paper --quick --only fig:C0_vs_p --out " + (out / "report").string()));
    std::string child;
    while (child.empty() && !started.is_over()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::getline(std::ifstream(pid), child);
    }
    ASSERT_FALSE(child.empty());
    started.signal(signal);
    EXPECT_EQ(started.wait().status, 128 + signal);
    EXPECT_NE(kill(std::stoi(child), 0), 0) << "the drawing goes on";
  }
  std::signal(SIGINT, SIG_DFL);
}

TEST(paper_command, lists_what_only_can_name) {
  const std::string text = program::output("paper --list");
  EXPECT_TRUE(program::has(text, "fig:scaling_laws +Figure 5 "));
  EXPECT_TRUE(program::has(text, "\n    fig:profit_ex +Figure 5a +Profit"));
  const program::json list = program::object("paper --list").at("figures");
  EXPECT_GT(list.size(), 90U);
  EXPECT_EQ(program::lines(program::output("paper --list --csv")).size(), list.size() + 1);
}

}  // namespace
