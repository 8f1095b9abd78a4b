// sweep: rows of another command, in order.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"

namespace {

using program::json;
using program::lines;
using program::object;
using program::output;

TEST(sweep, gives_the_rows_that_the_command_gives_one_by_one) {
  const auto rows = lines(output("sweep entropy p11e5 normal:mu=1 --over sigma=0.5:2:3:log"));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0], "sigma,tolerance,value,error,differential_entropy");
  const json one = object("entropy p11e5 normal:mu=1,sigma=2");
  EXPECT_EQ(rows[3].find("2,1e-12," + one.at("value").dump() + ","), 0U) << rows[3];
}

TEST(sweep, takes_two_parameters_the_first_one_outside) {
  const auto rows = lines(output("sweep cost average p4e4 --over n=1:100:3:log --over p=3:4:2"));
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_EQ(rows[0].find("n,p,"), 0U);
  const std::vector<std::string> starts{"1,3,", "1,4,", "10,3,", "10,4,", "100,3,", "100,4,"};
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_EQ(rows[i + 1].find(starts[i]), 0U) << rows[i + 1];
  }
}

TEST(sweep, does_not_depend_on_the_number_of_threads) {
  const std::string query = "sweep entropy p6e4 pair --over sigma_xi=0.01:1:7:log --threads ";
  EXPECT_EQ(output(query + "1"), output(query + "5"));
}

TEST(sweep, in_json_has_the_whole_answers) {
  const json swept = object("sweep law student --over dof=1:3:3");
  ASSERT_EQ(swept.at("rows").size(), 3U);
  EXPECT_EQ(swept.at("rows")[0].at("dof"), 1);
  EXPECT_EQ(swept.at("rows")[0].at("result").at("mean"), nullptr);
  EXPECT_EQ(swept.at("rows")[1].at("result").at("deviation"), "inf");
}

TEST(sweep, refuses_what_makes_no_sense) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"sweep", "sweep: expected entropy, law, cost"},
      {"sweep tour --over p=1:2:2", "sweep: expected entropy, law, cost"},
      {"sweep entropy p4e4 normal", "sweep: needs --over"},
      {"sweep entropy p4e4 normal --over", "sweep: --over needs a value"},
      {"sweep entropy p4e4 normal --over sigma", "sweep: --over must be KEY=FROM:TO:COUNT"},
      {"sweep entropy p4e4 normal --over sigma=1:2", "sweep: --over must be KEY=FROM:TO:COUNT"},
      {"sweep entropy p4e4 normal --over sigma=1:2:3:lin", "sweep: --over must be"},
      {"sweep entropy p4e4 normal --over sigma=1:x:3", "sweep: --over sigma"},
      {"sweep entropy p4e4 normal --over sigma=1:2:0", "sweep: --over sigma: COUNT must be"},
      {"sweep entropy p4e4 normal --over sigma=0:2:3:log", "sweep: --over sigma: a logarithmic"},
      {"sweep entropy p4e4 normal --over sigma=-1:1:3",
       "sweep: at sigma=-1: normal: sigma must be"},
      {"sweep entropy p4e4 normal --over rho=1:2:3", "sweep: at rho=1: normal: unknown key 'rho'"},
      {"sweep cost exact p4e4 --over eta=1:2:3",
       "sweep: at eta=1: cost: exact has no option --eta"},
      {"sweep entropy p4e4 normal --over sigma=1:2:2 --threads 0", "sweep: --threads must be"},
      {"sweep entropy p4e4 normal --over sigma=1:2:2 --json --csv",
       "sweep: --json excludes --csv"}};
  for (const auto& [query, message] : cases) program::expect_refused(query, message);
}

TEST(sweep, leaves_complete_rows_after_an_interrupt) {
  const program::outcome result = program::run_interrupted(
      "sweep entropy p24e8 normal --over sigma=1:2:1e5",
      [](const program::process& running) { return running.lines_written() >= 2; });
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(
      program::has(result.err, "^ktln2: warning: interrupted: [0-9]+ of 100000 rows are complete"));
  ASSERT_FALSE(result.out.empty());
  EXPECT_EQ(result.out.back(), '\n');
  for (const std::string& row : lines(result.out)) {
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), 4) << row;
  }
}

}  // namespace
