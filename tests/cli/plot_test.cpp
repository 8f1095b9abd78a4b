// --plot: pictures of answers, the numbers in them, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

namespace fs = std::filesystem;
using program::json;
using program::number;
using program::outcome;

std::string text_of_file(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Sets a variable of the environment for as long as it lives.
class with_variable {
 public:
  with_variable(const char* name, const std::string& value) : name_{name} {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~with_variable() {
    if (before_.empty()) {
      unsetenv(name_);
    } else {
      setenv(name_, before_.c_str(), 1);
    }
  }
  with_variable(const with_variable&) = delete;
  with_variable& operator=(const with_variable&) = delete;
  with_variable(with_variable&&) = delete;
  with_variable& operator=(with_variable&&) = delete;

 private:
  const char* name_;
  std::string before_;
};

/// A program in the place of Python that says that it has matplotlib, and then does something else.
std::string false_python(const scratch& folder, const std::string& does) {
  const std::string file =
      folder.file("python", "#!/bin/sh\n[ \"$2\" = -c ] && exit 0\n" + does + "\n");
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

/// A table that was to be drawn: numbers by column, and words.
struct drawn_table {
  std::map<std::string, std::vector<std::string>> columns;

  [[nodiscard]] double at(const std::string& column, std::size_t row) const {
    return std::stod(columns.at(column).at(row));
  }
  [[nodiscard]] double sum(const std::string& column) const {
    double all = 0;
    for (const std::string& one : columns.at(column)) all += std::stod(one);
    return all;
  }
  [[nodiscard]] std::size_t rows() const { return columns.begin()->second.size(); }
};

/// A line of CSV; what is in quotes may have commas.
std::vector<std::string> entries_of(const std::string& line) {
  std::vector<std::string> made{""};
  bool is_quoted = false;
  for (const char sign : line) {
    if (sign == '"') {
      is_quoted = !is_quoted;
    } else if (sign == ',' && !is_quoted) {
      made.emplace_back();
    } else {
      made.back() += sign;
    }
  }
  return made;
}

drawn_table read_table(const fs::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("no table " + file.string());
  drawn_table made;
  std::vector<std::string> names;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("#")) continue;
    const std::vector<std::string> entries = entries_of(line);
    const bool is_head = names.empty();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (is_head) {
        names.push_back(entries[i]);
        made.columns[entries[i]];
      } else {
        made.columns[names.at(i)].push_back(entries[i]);
      }
    }
  }
  return made;
}

/// What a command hands over to be drawn.
class handed_over {
 public:
  explicit handed_over(const std::string& line) {
    const with_variable python{
        "KTLN2_PYTHON",
        false_python(folder_, "cp \"$(dirname \"$2\")\"/rows*.csv " + folder_.path("") +
                                  "\necho \"$3 $4 $5\" > " + folder_.path("asked") +
                                  "\nfor last; do :; done; echo picture > \"$last\"")};
    const std::string picture = folder_.path("a.svg");
    const outcome done = program::run(line + " --plot " + picture);
    EXPECT_EQ(done.status, 0) << line << ": " << done.err;
    EXPECT_EQ(text_of_file(picture), "picture\n") << line;
  }

  [[nodiscard]] drawn_table table(const std::string& name = "") const {
    return read_table(folder_.path(name.empty() ? "rows.csv" : "rows." + name + ".csv"));
  }
  /// "--plot KIND --title=..."
  [[nodiscard]] std::string asked() const { return text_of_file(folder_.path("asked")); }

 private:
  scratch folder_;
};

TEST(plot_campaign, draws_each_command) {
  const scratch folder;
  const std::string codebook = folder.file("levels.txt", "-1\n0\n1\n");
  const std::vector<std::pair<std::string, std::string>> all{
      {"entropy p4e3 normal", "normal in p4e3: "},
      {"entropy bfloat16 normal:sigma=0.02", "mantissa: "},
      {"entropy mxfp4 normal", "32 elements, given the scale"},
      {"entropy codebook:" + codebook + " normal", "register"},
      {"entropy p4e3 pair", "y, given x"},
      {"cost exact p24e8 --n 100", "mantissa of the inputs"},
      {"cost streaming p3e3 --n 5", "every part by itself"},
      {"scaling exact p24e8 --energy-price 5e16 --inference-price 10 --w 2 --entropy smooth",
       "data points"},
      {"mismatch exact p24e8 --constant 500 --entropy smooth", "deviation of the noise"},
      {"mismatch islands p2e1 --constant 5", "islands"},
      {"sweep entropy p8e5 normal --over sigma=0.1:10:5:log", "entropy \\(bits\\)"},
      {"sweep entropy p8e5 normal --over sigma=0.1:10:3:log --over p=2:4", "precision"},
      {"sweep entropy p8e5 normal --over format=p8e5,bfloat16", "bfloat16"}};
  for (const auto& [line, says] : all) {
    SCOPED_TRACE(line);
    const std::string picture = folder.path("a.svg");
    fs::remove(picture);
    const outcome done = program::run(line + " --plot " + picture);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_NE(done.out, "");
    EXPECT_TRUE(program::has(text_of_file(picture), says));
  }
  for (const char* name : {"a.png", "a.pdf"}) {
    const std::string picture = folder.path(name);
    EXPECT_EQ(program::run("entropy int8 normal:sigma=9 --plot " + picture).status, 0);
    EXPECT_GT(fs::file_size(picture), 1000U);
  }
}

TEST(plot, shows_the_bits_that_the_answer_has) {
  for (const std::string line : {"entropy p6e4 normal:mu=3", "entropy e4m3 laplace:scale=2"}) {
    SCOPED_TRACE(line);
    const json answer = program::object(line + " --bits");
    const handed_over made{line};
    const drawn_table boxes = made.table();
    ASSERT_EQ(boxes.rows(), answer.at("bits").size());
    for (std::size_t i = 0; i < boxes.rows(); ++i) {
      EXPECT_EQ(boxes.columns.at("part")[i], answer.at("bits")[i].at("name"));
      EXPECT_EQ(boxes.at("entropy", i), number(answer.at("bits")[i], "entropy"));
    }
    EXPECT_NEAR(boxes.sum("entropy"), number(answer, "value"), 1e-9);
    EXPECT_TRUE(program::has(made.asked(), "^--plot entropy --title="));
  }
}

/// The cells of a coarse format hold all there is, and so does the density.
TEST(plot, shows_the_law_over_the_values) {
  const handed_over made{"entropy p3e2 normal"};
  const drawn_table cells = made.table("cells");
  const json format = program::object("format p3e2 --values");
  EXPECT_NEAR(cells.sum("probability"), 1, 0.002);  // but for what is out of sight
  double held = 0;
  for (std::size_t i = 0; i < cells.rows(); ++i) {
    const double value = cells.at("value", i);
    EXPECT_LE(cells.at("left", i), value);
    EXPECT_LE(value, cells.at("right", i));
    const json& values = format.at("values");
    EXPECT_TRUE(std::any_of(values.begin(), values.end(),
                            [&](const json& one) { return program::real(one) == value; }));
    const double p = cells.at("probability", i);
    if (p > 0) held -= p * std::log2(p);
  }
  EXPECT_NEAR(held, number(program::object("entropy p3e2 normal"), "value"), 0.03);
  const drawn_table steps = made.table("steps");
  double mass = 0;
  for (std::size_t i = 0; i < steps.rows(); ++i) {
    mass += steps.at("density", i) * (steps.at("right", i) - steps.at("left", i));
  }
  EXPECT_NEAR(mass, 1, 0.002);
}

/// Wherever a law is, and however narrow: numbers that can be drawn.
TEST(plot, shows_laws_of_all_sizes) {
  for (const std::string line :
       {"entropy p64e15 normal", "entropy p2e1 normal", "entropy p24e8 normal:mu=1e6,sigma=1e-3",
        "entropy p8e8 normal:mu=1,sigma=1e-9", "entropy int8 normal:sigma=1e4",
        "entropy p8e8 student:dof=1", "entropy p11e5 lognormal:sigma=4",
        "entropy p53e11 normal:sigma=1e300", "entropy binary64 normal:mu=1,sigma=1e-17",
        "entropy p8e5 relu:normal", "entropy p8e5 --rounding toward-zero exponential",
        "entropy e4m3 normal --rounding stochastic", "entropy p8e0 uniform"}) {
    SCOPED_TRACE(line);
    const handed_over made{line};
    const bool by_chance = line.find("stochastic") != std::string::npos;
    const drawn_table cells = made.table("cells");
    for (std::size_t i = 0; i < cells.rows(); ++i) {
      EXPECT_LT(cells.at("left", i), cells.at("right", i));
    }
    for (const char* name : {"", "steps", "cells", "bands", "view"}) {
      const drawn_table one = made.table(name);
      for (const auto& [column, entries] : one.columns) {
        if (column == "part") continue;
        for (const std::string& entry : entries) {
          const bool may_miss = column == "value" || (column == "probability" && by_chance);
          EXPECT_TRUE(entry.empty() ? may_miss : std::isfinite(std::stod(entry)))
              << name << " " << column << " '" << entry << "'";
        }
      }
    }
  }
}

TEST(plot, shows_the_bill_that_the_answer_has) {
  const std::string line = "cost exact p24e8 --n 100 --w 2";
  const json answer = program::object(line);
  const drawn_table bill = handed_over{line}.table();
  ASSERT_EQ(bill.columns.at("role").back(), "sum");
  const std::size_t last = bill.rows() - 1;
  EXPECT_EQ(bill.at("bits", last), number(answer, "bits"));
  EXPECT_EQ(bill.at("joules", last), number(answer, "joules"));
  EXPECT_NEAR(bill.sum("bits") - number(answer, "bits"), number(answer, "bits"), 1e-6);
  EXPECT_EQ(bill.at("bits", 2), number(answer.at("fields"), "mantissa"));
}

TEST(plot, shows_the_bill_of_many_features) {
  const std::string line = "cost exact p24e8 --n 20 --features 3 --w 1/-2/0.5";
  const json answer = program::object(line);
  const drawn_table bill = handed_over{line}.table();
  const std::size_t last = bill.rows() - 1;
  EXPECT_EQ(bill.at("bits", 0), number(answer, "input_bits"));
  EXPECT_EQ(bill.at("bits", 1), -number(answer, "output_bits"));
  EXPECT_EQ(bill.at("bits", last), number(answer, "bits"));
  const std::string one = "cost inference p4e3 --features 3";
  const drawn_table prediction = handed_over{one}.table();
  EXPECT_EQ(prediction.at("bits", 2), number(program::object(one), "bits"));
}

TEST(plot, shows_the_registers_of_rows_and_estimates) {
  const std::string line = "entropy p24e8 row:d=3,ar=0.5";
  const json answer = program::object(line);
  const drawn_table parts = handed_over{line}.table();
  ASSERT_EQ(parts.rows(), 5U);
  EXPECT_EQ(parts.columns.at("part")[2], "x3");
  EXPECT_EQ(parts.at("entropy", 3), number(answer.at("registers")[3], "entropy"));
  EXPECT_EQ(parts.at("entropy", 4), number(answer, "conditional"));
  EXPECT_EQ(handed_over{"entropy p24e8 row:d=40"}.table().rows(), 10U);

  const std::string estimate = "entropy p24e8 ols:n=20,d=3";
  const drawn_table found = handed_over{estimate}.table();
  ASSERT_EQ(found.rows(), 4U);
  EXPECT_EQ(found.columns.at("part")[0], "w1");
  EXPECT_NEAR(3 * found.at("entropy", 3), number(program::object(estimate), "value"), 1e-12);
}

TEST(plot, shows_the_profit_that_the_answer_has) {
  const std::string line =
      "scaling exact p24e8 --energy-price 5e16 --inference-price 10 --w 2 --kbt 4e-21 --entropy "
      "smooth --at 1000";
  const json answer = program::object(line);
  const handed_over made{line};
  const drawn_table optima = made.table("optima");
  ASSERT_EQ(optima.rows(), 1U);
  EXPECT_EQ(optima.at("n", 0), number(answer, "n_star"));
  EXPECT_EQ(optima.at("profit", 0), number(answer, "profit"));
  EXPECT_EQ(made.table("at").at("profit", 0), number(answer.at("at")[0], "profit"));
  const drawn_table curve = made.table();
  EXPECT_LT(curve.at("n", 0), number(answer, "n_star"));
  EXPECT_GT(curve.at("n", curve.rows() - 1), number(answer, "n_star"));
  for (std::size_t i = 0; i < curve.rows(); ++i) {
    EXPECT_LE(curve.at("profit", i), number(answer, "profit") * (1 + 1e-9));
    EXPECT_NEAR(curve.at("revenue", i) - curve.at("energy_cost", i), curve.at("profit", i),
                1e-9 * std::fabs(curve.at("revenue", i)));
  }
}

TEST(plot, shows_the_landscape_that_the_answer_has) {
  const std::string line = "mismatch exact p24e8 --constant 500 --entropy smooth";
  const auto answer_to = [](const std::string& words) {
    return json::parse(program::run(words + " --json").out);  // there are warnings
  };
  const json answer = answer_to(line + " --landscape 5");
  const handed_over made{line + " --landscape 5"};
  const drawn_table map = made.table();
  ASSERT_EQ(map.rows(), 25U);
  for (std::size_t i = 0; i < map.rows(); ++i) {
    EXPECT_EQ(map.at("mmc", i), number(answer.at("landscape")[i], "mmc_nats"));
  }
  const drawn_table marks = made.table("marks");
  EXPECT_EQ(marks.columns.at("what")[0], "here");
  EXPECT_EQ(marks.at("mmc", 0), number(answer, "mmc_nats"));
  EXPECT_EQ(marks.at("sigma_x", 1), number(answer, "sigma_x_star"));
  EXPECT_EQ(handed_over{line}.table().rows(), 61U * 61U);
  EXPECT_FALSE(answer_to(line).contains("landscape"));
}

TEST(plot, shows_the_rows_of_a_sweep) {
  const std::string line = "sweep entropy p8e5 normal --over sigma=0.5,1,2";
  const auto rows = program::rows(line);
  const handed_over made{line};
  ASSERT_EQ(made.table().rows(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(made.table().columns.at("sigma")[i], rows[i + 1][0]);
    EXPECT_EQ(made.table().columns.at("value")[i], rows[i + 1][1]);
  }
  EXPECT_EQ(made.table("axes").columns.at("key"), std::vector<std::string>{"sigma"});
  EXPECT_EQ(made.table("columns").columns.at("column"), std::vector<std::string>{"value"});
  EXPECT_EQ(made.table("columns").columns.at("error"), std::vector<std::string>{"error"});
  EXPECT_EQ(made.table("axes").columns.at("is_log")[0], "0");
  const handed_over ratios{"sweep entropy p8e5 normal --over sigma=0.5:2:3:log"};
  EXPECT_EQ(ratios.table("axes").columns.at("is_log")[0], "1");
}

/// Also of those that an interrupted sweep had left in its file.
TEST(plot, shows_the_rows_of_a_file) {
  const scratch folder;
  const std::string line =
      "sweep entropy p8e5 normal --over sigma=1,2 --out " + folder.path("a.csv");
  EXPECT_EQ(handed_over{line}.table().rows(), 2U);
  const outcome again = program::run(line + " --plot " + folder.path("b.svg"));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_GT(fs::file_size(folder.path("b.svg")), 1000U);
}

TEST(plot, refuses_what_it_cannot_draw_before_anything_is_computed) {
  for (const char* line :
       {"entropy p24e8 normal", "cost exact p24e8", "mismatch exact p24e8",
        "scaling exact p24e8 --energy-price 1 --inference-price 1", "measure nothing.npy"}) {
    const std::string command = program::words(line)[0];
    for (const char* name : {"a.jpg", "a", "a.svg.gz", ".svg"}) {
      program::expect_refused(
          std::string(line) + " --plot " + name,
          command + ": --plot must end with .svg, .pdf or .png, got '" + name + "'");
    }
  }
  program::expect_refused("mismatch ctmc erase --plot a.svg",
                          "mismatch: ctmc has no option --plot");
  program::expect_refused("law normal --plot a.svg", "law: unknown option --plot");
  program::expect_refused("mismatch sgd p8e8 --law exact --plot a.svg",
                          "mismatch: --plot by --law exact needs --landscape N");
  const std::string sweep = "sweep entropy p8e5 normal --plot a.svg";
  program::expect_refused(sweep + " --over sigma=1:9:3 --over mu=1:9:3 --over p=1:9",
                          "sweep: --plot draws one axis or two, got 3");
  program::expect_refused(sweep + " --over sigma=1:9:1000000",
                          "sweep: --plot draws up to 100000 rows");
  program::expect_refused(sweep + " --over sigma=1:9:3 --json",
                          "sweep: --json shows whole answers");
  program::expect_refused(sweep + " --over sigma=1:9:3 --out a.npz",
                          "sweep: --plot draws rows of CSV: --out must end in .csv");
  program::expect_refused("sweep entropy p8e5 normal --over plot=a.svg,b.svg",
                          "sweep: --over: unknown parameter 'plot'");
}

TEST(plot, says_in_one_line_what_is_missing) {
  const scratch folder;
  const auto expect_failure = [](const std::string& line, const std::string& message) {
    const outcome done = program::run(line);
    EXPECT_EQ(done.status, 1);
    EXPECT_EQ(done.out, "");
    EXPECT_EQ(done.err, message + "\n");
  };
  // Where there is no place for it, that is told before hours of work.
  for (const char* line : {"entropy p8e5 normal", "cost exact p8e5",
                           "sweep simulate slope p6e4 --n 1e4 --trials 1e9 --over w=1,2"}) {
    const std::string command = std::string(line).substr(0, std::string(line).find(' '));
    program::expect_refused(line + (" --plot " + folder.path("no/a.svg")),
                            command + ": --plot: cannot write " + folder.path("no/a.svg") +
                                ": there is no folder " + folder.path("no"));
  }
  fs::create_directory(folder.path("b.svg"));
  program::expect_refused(
      "entropy p8e5 normal --plot " + folder.path("b.svg"),
      "entropy: --plot: cannot write " + folder.path("b.svg") + ": it is a folder");
  const with_variable python{"KTLN2_PYTHON", "/bin/false"};
  for (const char* line :
       {"entropy p8e5 normal", "compare normal", "sweep entropy p8e5 normal --over sigma=1,2"}) {
    expect_failure(std::string(line) + " --plot " + folder.path("a.svg"),
                   "ktln2: for --plot install matplotlib (on Debian: apt install "
                   "python3-matplotlib) and run the same command again");
  }
}

TEST(plot, leaves_nothing_where_the_drawing_fails) {
  const scratch folder;
  const with_variable scratch_space{"TMPDIR", folder.path("")};
  const with_variable python{"KTLN2_PYTHON", false_python(folder, "echo half > \"$7\"; exit 1")};
  const outcome done = program::run("entropy p8e5 normal --plot " + folder.path("a.svg"));
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(program::has(done.err, "ktln2: drawing failed"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path("")), fs::directory_iterator()), 1);
}

TEST(plot, ends_with_the_program) {
  std::signal(SIGINT, SIG_IGN);  // as a shell starts what runs in the background
  for (const int signal : {SIGTERM, SIGINT}) {
    const scratch folder;
    const with_variable scratch_space{"TMPDIR", folder.path("")};
    const std::string pid = folder.path("pid");
    const with_variable python{"KTLN2_PYTHON", false_python(folder, "trap '' INT TERM\necho $$ > " +
                                                                        pid + "\nexec sleep 600")};
    const program::process started(
        program::words("entropy p8e5 normal --plot " + folder.path("a.svg")));
    std::string child;
    while (child.empty() && !started.is_over()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::getline(std::ifstream(pid), child);
    }
    ASSERT_FALSE(child.empty());
    started.signal(signal);
    EXPECT_EQ(started.wait().status, 128 + signal);
    EXPECT_NE(kill(std::stoi(child), 0), 0) << "the drawing goes on";
    fs::remove(pid);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path("")), fs::directory_iterator()), 1);
  }
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace
