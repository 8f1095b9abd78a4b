// sweep: rows of another command, in order, on the screen or in a file that can be gone on with.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

namespace fs = std::filesystem;
using program::json;
using program::lines;
using program::object;
using program::output;

std::string content(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

TEST(sweep, gives_the_rows_that_the_command_gives_one_by_one) {
  const auto rows = lines(output("sweep entropy p11e5 normal:mu=1 --over sigma=0.5:2:3:log"));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0], "sigma,value,error,warnings");
  const json one = object("entropy p11e5 normal:mu=1,sigma=2");
  EXPECT_EQ(rows[3].find("2," + one.at("value").dump() + ","), 0U) << rows[3];
}

TEST(sweep, works_for_every_command_that_has_an_answer) {
  for (const char* line :
       {"law student --over dof=1:3:3", "cost exact p4e4 --over n=1:5",
        "cost sgd p4e4 --steps 3 --over eta=0.01,0.1", "cost average p4e4 --over mu=0,1",
        "cost inference p4e4 --over slope=1,1.5",
        "scaling exact p8e4 --energy-price 5e16 --inference-price 10 --entropy smooth --over w=1,2",
        "mismatch exact p8e4 --entropy smooth --over alpha=1,2",
        "mismatch islands p2e1 --constant 9 --over sigma-x=1,2",
        "mismatch ctmc erase --over duration=10,20",
        "simulate slope p6e4 --trials 2000 --over n=3,5"}) {
    SCOPED_TRACE(line);
    const program::outcome result = program::run(std::string("sweep ") + line);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_GE(lines(result.out).size(), 3U);
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
      {"sweep", "sweep: expected law, entropy, cost"},
      {"sweep entropi p4e4 normal --over p=1:2",
       "sweep: expected law, entropy, cost, scaling, mismatch or simulate, got 'entropi': did you "
       "mean entropy?"},
      {"sweep entropy p4e4 normal", "sweep: needs --over"},
      {"sweep entropy p4e4 normal --over", "entropy: --over needs a value"},
      {"sweep entropy p4e4 normal --over sigma=-1:1:3",
       "sweep: at sigma=-1: normal: sigma must be"},
      {"sweep entropy p4e4 normal --over sigma=1:2:2 --threads 0", "sweep: --threads must be"},
      {"sweep entropy p4e4 normal --over sigma=1,2 --columns value,",
       "sweep: --columns: expected a name, got ''"},
      {"sweep entropy p4e4 normal --over sigma=1,2 --out rows.txt",
       "sweep: --out must end in .csv or .npz, got 'rows.txt'"},
      {"sweep entropy p4e4 normal --over sigma=1,2 --out rows.csv --json", "sweep: --json shows"},
      {"sweep entropy p4e4 normal --over sigma=1:2:2 --json --csv",
       "entropy: --json excludes --csv"}};
  for (const auto& [query, message] : cases) program::expect_refused(query, message);
}

TEST(sweep, writes_the_rows_before_a_mistake) {
  const program::outcome result =
      program::run("sweep entropy p4e4 normal --over sigma=2,1,-1,3 --threads 2");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(lines(result.out).size(), 3U);
  EXPECT_EQ(result.err,
            "ktln2: sweep: at sigma=-1: normal: sigma must be finite and > 0, got -1\n");
}

TEST(sweep, leaves_complete_rows_after_an_interrupt) {
  const program::outcome result = program::run_interrupted(
      "sweep entropy p24e8 normal --over sigma=1:2:1e6",
      [](const program::process& running) { return running.lines_written() >= 2; });
  EXPECT_EQ(result.status, 130);
  EXPECT_TRUE(program::has(result.err,
                           "^ktln2: warning: interrupted: [0-9]+ of 1000000 rows are complete"));
  ASSERT_FALSE(result.out.empty());
  EXPECT_EQ(result.out.back(), '\n');
  for (const std::string& row : lines(result.out)) {
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), 3) << row;
  }
}

// Files.

const std::string long_sweep = "sweep entropy p11e5 normal --over sigma=1:2:3000 --out ";

TEST(sweep_file, says_what_it_is_and_has_the_rows_of_the_screen) {
  const scratch here;
  const std::string file = here.path("rows.csv");
  EXPECT_EQ(output(long_sweep + file), "");
  const std::string text = content(file);
  EXPECT_TRUE(
      program::has(text, "^# ktln2 [0-9.]+ sweep entropy p11e5 normal --over sigma=1:2:3000\n"));
  EXPECT_EQ(text.substr(text.find('\n') + 1),
            output("sweep entropy p11e5 normal --over sigma=1:2:3000"));
  EXPECT_FALSE(fs::exists(file + ".part"));
}

TEST(sweep_file, is_gone_on_with_wherever_it_was_cut) {
  const scratch here;
  const std::string whole = here.path("whole.csv");
  const std::string file = here.path("rows.csv");
  (void)output(long_sweep + whole);
  const std::string text = content(whole);
  for (const std::size_t kept : {std::size_t{0}, std::size_t{5}, text.find('\n') + 7,
                                 text.size() / 3, text.size() / 2, text.size() - 1, text.size()}) {
    fs::remove(file);
    write(file + ".part", text.substr(0, kept));
    EXPECT_EQ(output(long_sweep + file), "");
    EXPECT_EQ(content(file), text) << "cut after " << kept << " bytes";
  }
}

TEST(sweep_file, is_gone_on_with_after_an_interrupt_and_a_kill) {
  const scratch here;
  const std::string whole = here.path("whole.csv");
  (void)output(long_sweep + whole);
  const std::string file = here.path("rows.csv");
  for (const int signal : {SIGINT, SIGKILL}) {
    fs::remove(file);
    const program::process started(program::words(long_sweep + file + " --threads 1"));
    while (!started.is_over() &&
           !(fs::exists(file + ".part") && fs::file_size(file + ".part") > 5000)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    started.signal(signal);
    const program::outcome result = started.wait();
    ASSERT_FALSE(fs::exists(file)) << "it was too quick to be interrupted";
    if (signal == SIGINT) {
      EXPECT_EQ(result.status, 130);
      EXPECT_TRUE(program::has(result.err, "the same command goes on from there"));
    }
    EXPECT_EQ(output(long_sweep + file), "");
    EXPECT_EQ(content(file), content(whole));
  }
}

TEST(sweep_file, that_is_complete_is_left_alone) {
  const scratch here;
  const std::string file = here.path("rows.csv");
  (void)output(long_sweep + file);
  const auto before = fs::last_write_time(file);
  const program::outcome again = program::run(long_sweep + file);
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.err, "ktln2: warning: " + file + " is complete already\n");
  EXPECT_EQ(fs::last_write_time(file), before);
}

TEST(sweep_file, of_another_sweep_or_of_somebody_is_not_touched) {
  const scratch here;
  const std::string file = here.path("rows.csv");
  (void)output(long_sweep + file);
  const std::string text = content(file);
  program::expect_refused("sweep entropy p11e5 normal --over sigma=1:3:3000 --out " + file,
                          "sweep: " + file + " belongs to another sweep: ktln2 ");
  EXPECT_EQ(content(file), text);

  const std::string other = here.path("precious.csv");
  write(other, "a,b\n1,2\n");
  program::expect_refused(long_sweep + other,
                          "sweep: " + other + " is there already and was not written by a sweep");
  EXPECT_EQ(content(other), "a,b\n1,2\n");

  const std::string part = here.path("begun.csv");
  write(part + ".part", "# something else\n1,2\n");
  program::expect_refused(long_sweep + part, "sweep: " + part + ".part belongs to another sweep");
  EXPECT_EQ(content(part + ".part"), "# something else\n1,2\n");
}

TEST(sweep_file, is_refused_where_there_is_no_place_for_it) {
  program::expect_refused(
      long_sweep + "/nowhere/rows.csv",
      "sweep: --out: cannot write /nowhere/rows.csv: there is no folder /nowhere");
}

/// What NumPy finds in the file.
std::string numpy(const std::string& file, const std::string& expression) {
  const std::string command = "/usr/bin/python3 -c \"import numpy as np; a = np.load('" + file +
                              "'); print(" + expression + ")\"";
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  char block[256];
  while (std::fgets(block, sizeof block, pipe) != nullptr) text += block;
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

TEST(sweep_file, can_be_numpys) {
  const scratch here;
  const std::string file = here.path("rows.npz");
  const std::string swept =
      "sweep law student --over dof=1:3 --over law=student,laplace --columns "
      "mean,deviation,differential_entropy,warnings --out ";
  EXPECT_EQ(program::run(swept + here.path("mistake.npz")).status, 2) << "dof is no key of laplace";
  const std::string good =
      "sweep law student --over dof=1:3 --columns mean,deviation,distribution,warnings --out ";
  EXPECT_EQ(output(good + file), "");
  EXPECT_EQ(numpy(file, "sorted(a.files)"),
            "['deviation', 'distribution', 'dof', 'mean', 'question', 'warnings']\n");
  EXPECT_EQ(numpy(file, "(a['dof'].tolist(), a['mean'].tolist(), a['deviation'].tolist())"),
            "([1.0, 2.0, 3.0], [nan, 0.0, 0.0], [inf, inf, 1.7320508075688772])\n");
  EXPECT_EQ(numpy(file, "(a['distribution'].tolist(), a['warnings'].tolist())"),
            "(['student:dof=1', 'student:dof=2', 'student:dof=3'], ['', '', ''])\n");
  EXPECT_TRUE(program::has(numpy(file, "a['question']"), "^ktln2 .* sweep law student --over"));

  // The same bytes whenever they are made, and nobody else's work written over.
  const std::string again = here.path("again.npz");
  EXPECT_EQ(output(good + again), "");
  EXPECT_EQ(content(again), content(file));
  EXPECT_EQ(program::run(good + file).err, "ktln2: warning: " + file + " is complete already\n");
  program::expect_refused("sweep law student --over dof=1:4 --out " + file,
                          "sweep: " + file + " belongs to another sweep: ktln2 ");
}

// Sizes and places.

TEST(sweep, stays_finite_between_ends_that_are_further_apart_than_double_reaches) {
  const auto first = [](const std::string& axis) {
    std::vector<std::string> found;
    for (const auto& row : program::rows("sweep law normal --columns mean --over " + axis)) {
      found.push_back(row[0]);
    }
    return found;
  };
  using list = std::vector<std::string>;
  EXPECT_EQ(first("mu=-1e308:1e308:3"), (list{"mu", "-1e+308", "0", "1e+308"}));
  EXPECT_EQ(first("sigma=1e-300:1e300:3:log"), (list{"sigma", "1e-300", "1", "1e+300"}));
  EXPECT_EQ(first("sigma=1e300:1e-300:3:log"), (list{"sigma", "1e+300", "1", "1e-300"}));
}

TEST(sweep, of_any_size_begins_at_once_and_streams) {
  const std::string endless = "sweep law normal --over mu=0:1:1e9 --over sigma=1:2:1e9";
  const auto has_begun = [](const program::process& running) {
    return running.lines_written() >= 100;
  };
  const program::outcome rows = program::run_interrupted(endless, has_begun);
  EXPECT_TRUE(program::has(rows.err, "of 1000000000000000000 rows are complete")) << rows.err;
  const program::outcome object = program::run_interrupted(endless + " --json", has_begun);
  const json whole = json::parse(object.out);
  EXPECT_EQ(object.status, 130);
  EXPECT_GE(whole.at("rows").size(), 50U);
  EXPECT_EQ(whole.at("warnings"), json::array({"interrupted"}));
  program::expect_refused(endless + " --over p=1:2", "sweep: --over: ");
  program::expect_refused(
      "sweep entropy p4e4 normal --over mu=0:1:1e9 --over sigma=1:2:1e9 --over p=1:64",
      "sweep: there would be more than 2^63 rows");
}

TEST(sweep_file, is_refused_before_the_first_row_is_computed) {
  const scratch here;
  // The first row alone would take minutes.
  const std::string slow = "sweep simulate slope p6e4 --n 1e4 --trials 1e9 --over w=1,2 --out ";
  const auto refused = [&](const std::string& file) {
    const program::process started(program::words(slow + file));
    const program::outcome result = started.wait();
    EXPECT_NE(result.status, 0);
    return result.err;
  };
  EXPECT_TRUE(program::has(refused(here.path("rows.txt")), "must end in .csv or .npz"));
  EXPECT_TRUE(
      program::has(refused("/nowhere/rows.csv"), "cannot write /nowhere/rows.csv: there is"));
  write(here.path("rows.csv"), "somebody's\n");
  EXPECT_TRUE(program::has(refused(here.path("rows.csv")), "was not written by a sweep"));
}

TEST(sweep_file, may_begin_with_a_dash) {
  const std::string file = "-ktln2-dash.csv";
  EXPECT_EQ(output("sweep law normal --over mu=1,2 --out " + file), "");
  EXPECT_EQ(lines(content(file)).size(), 4U);
  fs::remove(file);
}

TEST(sweep, says_how_many_threads_the_system_grants) {
  const auto under_limit = [](const std::string& threads) {
    const std::string line = "ulimit -v 150000; exec " + std::string(KTLN2_PROGRAM) +
                             " sweep law normal --over mu=1:2:2000 " + threads +
                             " 2>&1 >/dev/null; echo status $?";
    std::FILE* shell = popen(line.c_str(), "r");
    std::string text(200, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), shell));
    pclose(shell);
    return text;
  };
  EXPECT_TRUE(program::has(under_limit("--threads 200"),
                           "^ktln2: cannot start 200 threads: the system grants [0-9]+\n$"));
  EXPECT_EQ(under_limit("--threads 1"), "");
}

}  // namespace
