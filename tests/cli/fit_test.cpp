// A line through a table, as a user asks for it: Hubble's nebulae of 1929.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

using program::json;

class fit_program : public testing::Test {
 protected:
  fit_program()
      : path_(folder_.file(
            "hubble.csv",
            "distance,velocity\n.032,170\n.034,290\n.214,-130\n.263,-70\n.275,-185\n.275,-220\n"
            ".45,200\n.5,290\n.5,270\n.63,200\n.8,300\n.9,-30\n.9,650\n.9,150\n.9,500\n1,920\n"
            "1.1,450\n1.1,500\n1.4,500\n1.7,960\n2,500\n2,850\n2,800\n2,1090\n")) {}
  [[nodiscard]] program::arguments line(const program::arguments& more) const {
    program::arguments all{"fit", path_, "--x", "distance", "--y", "velocity"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

 private:
  scratch folder_;

 protected:
  std::string path_;
};

TEST_F(fit_program, finds_the_line_and_its_bill) {
  const program::outcome made = program::run(line({"--json"}));
  ASSERT_EQ(made.status, 0) << made.err;
  const json answer = json::parse(made.out);
  EXPECT_EQ(answer.at("rows"), 24);
  // As every book has it
  EXPECT_NEAR(answer.at("estimates").at("w").get<double>(), 423.94, 0.005);
  EXPECT_NEAR(answer.at("errors").at("w").get<double>(), 42.15, 0.005);
  for (const char* part : {"snr", "bits", "joules", "advice", "residuals", "law"}) {
    EXPECT_TRUE(answer.contains(part)) << part;
  }
  EXPECT_EQ(answer.at("warnings").size(), 4U);

  // Distances are positive numbers with three decimals, velocities whole numbers.
  const json& stored = answer.at("stored");
  EXPECT_EQ(stored.at("x").at("unit"), 0.001);
  EXPECT_EQ(stored.at("y").at("unit"), 1);
  ASSERT_EQ(stored.at("x").at("fields").size(), 3U);
  EXPECT_EQ(stored.at("x").at("fields")[0].at("measured"), 0);
  EXPECT_EQ(stored.at("x").at("fields")[2].at("counted_bits"), 7);
  const json& row = stored.at("row");
  // ½ log2((2πe)² det C) + log2 1000, where det C is the variance of x times that of the residuals
  // of a line with an intercept; without the bias of 24 rows, 3/(2·24 ln 2) bits
  EXPECT_NEAR(row.at("at_most").get<double>(), 21.3, 0.2);
  EXPECT_NEAR(row.at("modelled").get<double>(),
              answer.at("bits").at("exact").at("input").get<double>() / 24, 1e-9);

  const json shifted = json::parse(program::run(line({"--json", "--intercept"})).out);
  EXPECT_NEAR(shifted.at("estimates").at("w").get<double>(), 454.16, 0.005);
  EXPECT_NEAR(shifted.at("estimates").at("intercept").get<double>(), -40.78, 0.005);
}

TEST_F(fit_program, reads_standard_input_once) {
  const program::outcome file = program::run(line({"--json"}));
  const program::outcome stdin_ =
      program::run({"fit", "-", "--x", "1", "--y", "2", "--json"}, nullptr, path_.c_str());
  ASSERT_EQ(stdin_.status, 0) << stdin_.err;
  const json once = json::parse(stdin_.out);
  const json twice = json::parse(file.out);
  EXPECT_EQ(once.at("x"), "distance");
  EXPECT_NEAR(once.at("estimates").at("sigma_xi").get<double>(),
              twice.at("estimates").at("sigma_xi").get<double>(), 1e-10);
  EXPECT_TRUE(once.at("residuals").is_null());
}

TEST_F(fit_program, shows_text_and_rows) {
  const program::outcome text =
      program::run(line({"--energy-price", "5e16", "--inference-price", "1e7"}));
  EXPECT_TRUE(program::has(text.out, "^velocity = 423.937 distance, from 24 rows\n")) << text.out;
  EXPECT_TRUE(program::has(text.out, "\nAt these prices [0-9]+ ± [0-9]+ rows are worth it"))
      << text.out;
  const program::outcome rows = program::run(line({"--csv"}));
  EXPECT_TRUE(program::has(rows.out, "^name,value,error\nw,423\\.9")) << rows.out;
}

TEST(fit_program_of_columns, explains_a_bound_only_where_there_is_one) {
  const scratch folder;
  std::string table = "x,y\n1,2\n2,3\n3,5\n";
  for (const bool is_bounded : {false, true}) {
    if (is_bounded) table += "4,5\n5,8\n6,8\n";
    const std::string path = folder.file("few.csv", table);
    const std::string text = program::run({"fit", path, "--x", "x", "--y", "y"}).out;
    EXPECT_EQ(text.find("both, all bits") != std::string::npos, is_bounded) << text;
    EXPECT_EQ(text.find("\nAt most: for any law") != std::string::npos, is_bounded) << text;
  }
}

TEST_F(fit_program, says_that_the_intercept_is_in_no_bill) {
  const std::string said = "\nBits out are the slope's: the intercept is in no bill.\n";
  EXPECT_EQ(program::run(line({})).out.find(said), std::string::npos);
  EXPECT_NE(program::run(line({"--intercept"})).out.find(said), std::string::npos);
}

/// Of columns that nearly depend on each other, too, so that a warning has a name.
TEST(fit_program_of_columns, shows_no_control_character_of_a_name) {
  const scratch folder;
  std::string table = "a\a,\"b\033[31m\nc\",\033d\n";
  for (int i = 0; i < 30; ++i) {
    const double a = std::sin(12.9898 * i);
    table += std::to_string(a) + "," + std::to_string(std::cos(78.233 * i)) + "," +
             std::to_string(a + 1e-5 * std::sin(7.5 * i)) + "\n";
  }
  const std::string path = folder.file("names.csv", table);
  for (const char* const x : {"1", "1,3"}) {
    const program::outcome made = program::run({"fit", path, "--x", x, "--y", "2"});
    EXPECT_EQ(made.status, 0);
    for (const std::string& text : {made.out, made.err}) {
      EXPECT_EQ(text.find_first_of("\a\033"), std::string::npos) << text;
    }
    EXPECT_TRUE(made.out.starts_with("b?[31m?c ")) << made.out;
    EXPECT_EQ(made.err.find("column '?d' is a comb") != std::string::npos, x[1] != 0) << made.err;
  }
}

TEST_F(fit_program, names_the_formats_of_its_bits) {
  const auto has = [&](const program::arguments& more, const std::string& text) {
    const std::string said = program::run(line(more)).out;
    EXPECT_NE(said.find(text), std::string::npos) << said;
  };
  has({"--format", "p11e5"}, "of these sizes in p11e5, learning rate");
  has({"--y-format", "bfloat16", "--model-format", "e5m2"},
      "of these sizes in p24e8 (x), bfloat16 (y) and e5m2\n(the slope), learning rate");
}

/// One column and two, at a price of energy at which nothing is worth it.
TEST_F(fit_program, advises_against_a_loss) {
  const program::arguments prices{"--energy-price", "1e30", "--inference-price", "10"};
  const std::string line_text = program::run(line(prices)).out;
  EXPECT_TRUE(program::has(line_text,
                           "\nAt these prices do not train: even the smallest number of rows with "
                           "a finite\nerror, 3, loses money \\(profit -[0-9.e+]+\\).\n$"))
      << line_text;
  EXPECT_FALSE(program::has(line_text, "worth it")) << line_text;
  const scratch folder;
  const std::string path = folder.file(
      "two.csv", "a,b,y\n1,2,1\n2,3,5\n4,7,2\n5,9,2\n3,6,8\n7,1,3\n2,8,1\n9,4,4\n6,6,6\n");
  program::arguments two{"fit", path, "--x", "a,b", "--y", "y"};
  two.insert(two.end(), prices.begin(), prices.end());
  const std::string plane_text = program::run(two).out;
  EXPECT_TRUE(program::has(plane_text, "\nAt these prices no number of rows is worth it: above "))
      << plane_text;
}

TEST_F(fit_program, refuses_what_it_cannot_fit) {
  const auto refused = [](const program::arguments& words, const std::string& text) {
    const program::outcome made = program::run(words);
    EXPECT_EQ(made.status, 2);
    EXPECT_EQ(made.out, "");
    EXPECT_NE(made.err.find(text), std::string::npos) << made.err;
    EXPECT_EQ(std::count(made.err.begin(), made.err.end(), '\n'), 1) << made.err;
  };
  refused({"fit", path_, "--x", "distance"}, "fit: --y is needed");
  refused({"fit", path_, "--x", "distance", "--y", "mass"}, "no column is called 'mass'");
  refused({"fit", path_, "--x", "distance", "--y", "distance"}, "the points lie on a line");
  refused({"fit", "/", "--x", "a", "--y", "b"}, "is a directory, expected a file");
  refused({"fit", "none.csv", "--x", "a", "--y", "b"}, "none.csv: cannot be opened");
  refused(line({"--energy-price", "1"}), "advice needs both");
  refused(line({"--eta", "-1"}), "eta");
  refused(line({"--format", "nope"}), "nope");
}

TEST(fit_program_of_columns, finds_the_plane_and_its_bill) {
  const scratch folder;
  std::string table = "a;b;c;y\n";
  for (int i = 0; i < 60; ++i) {
    const double a = std::sin(12.9898 * i);
    const double b = std::cos(78.233 * i) + 0.5 * a;
    table += std::to_string(a) + ";" + std::to_string(b) + ";" + std::to_string(a) + ";" +
             std::to_string(1 + 2 * a - b + 0.3 * std::sin(43758.5453 * i)) + "\n";
  }
  const std::string path = folder.file("plane.csv", table);
  const program::outcome made =
      program::run({"fit", path, "--x", "a,b", "--y", "y", "--intercept", "--json",
                    "--energy-price", "1e15", "--inference-price", "10"});
  ASSERT_EQ(made.status, 0) << made.err;
  const json answer = json::parse(made.out);
  EXPECT_EQ(answer.at("features"), 2);
  EXPECT_NEAR(answer.at("estimates").at("w")[0].get<double>(), 2, 0.2);
  EXPECT_NEAR(answer.at("estimates").at("w")[1].get<double>(), -1, 0.2);
  EXPECT_NEAR(answer.at("estimates").at("intercept").get<double>(), 1, 0.2);
  EXPECT_EQ(answer.at("errors").at("covariance").size(), 3U);
  EXPECT_GT(answer.at("advice").at("n_star").get<double>(), 3);
  const std::string text = program::run("fit " + path + " --x a,b --y y").out;
  EXPECT_TRUE(program::has(text, "y by 2 columns, from 60 rows"));
  EXPECT_TRUE(program::has(text, "w of a"));
  const std::string csv = program::run("fit " + path + " --x 1,2 --y y --csv").out;
  EXPECT_EQ(csv.substr(0, 17), "name,value,error\n");

  const program::outcome bad = program::run("fit " + path + " --x a,b,c --y y");
  EXPECT_EQ(bad.status, 2);
  EXPECT_EQ(bad.out, "");
  EXPECT_TRUE(program::has(bad.err, "column 'c' is a combination of 'a': their")) << bad.err;
}

}  // namespace
