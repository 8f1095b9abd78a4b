// cost --internal: internal entropies of the states of registers [eq:phys_ent].
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "program.hpp"
#include "scratch_folder.hpp"

namespace {

using program::expect_refused;
using program::json;
using program::number;
using program::object;

namespace fs = std::filesystem;

const char* const costs[] = {"cost exact p4e4 --n 7 --w 2", "cost sgd p4e4 --steps 9 --batch 3",
                             "cost average p4e4 --n 5 --mu 1 --sum",
                             "cost inference p4e4 --slope -1.3"};

TEST(cost_internal, that_is_equal_changes_nothing) {
  for (const std::string query : costs) {
    SCOPED_TRACE(query);
    const json without = object(query);
    const json with = object(query + " --internal 12.5 --reset 3");
    for (const char* key : {"bits", "error", "joules", "joules_error", "input_bits"}) {
      EXPECT_EQ(with.at(key), without.at(key)) << key;
    }
    EXPECT_EQ(number(with.at("internal"), "bits"), 0);
    EXPECT_EQ(number(with.at("internal"), "loaded_bits"),
              number(with.at("internal"), "computed_bits"));
    EXPECT_FALSE(without.contains("internal"));
    // All in one state's terms: a 0 as much as a 1.
    const json by_bits = object(query + " --internal 2*ones+2*(width-ones)");
    EXPECT_EQ(by_bits.at("joules"), without.at("joules"));
  }
  const std::string large = "cost exact p24e8 --n 100";
  EXPECT_EQ(object(large + " --internal 7").at("joules"), object(large).at("joules"));
}

TEST(cost_internal, is_in_the_bill) {
  for (const std::string query : costs) {
    SCOPED_TRACE(query);
    const json cost = object(query + " --internal abs(x)+index/9 --kbt 4e-21");
    const json& internal = cost.at("internal");
    const double lost = number(internal, "bits");
    EXPECT_GT(std::fabs(lost), 0.01);
    EXPECT_NEAR(lost, number(internal, "loaded_bits") - number(internal, "computed_bits"), 1e-9);
    EXPECT_NEAR(number(cost, "bits"),
                number(cost, "input_bits") - number(cost, "output_bits") + lost, 1e-9);
    EXPECT_NEAR(number(cost, "joules") / number(cost, "bits"), 4e-21 * std::log(2.0), 1e-33);
    EXPECT_NEAR(number(internal, "joules") / lost, 4e-21 * std::log(2.0), 1e-33);
    EXPECT_LT(number(internal, "error"), 1e-9);
    double loaded = 0;  // Σ count·mean of the inputs, and the outputs as they are reset
    for (const json& group : internal.at("input")) {
      loaded += number(group, "count") * number(group, "mean");
    }
    for (const json& group : internal.at("output")) {
      loaded += number(group, "count") * number(group, "reset");
    }
    EXPECT_NEAR(number(internal, "loaded_bits"), loaded, 1e-9);
  }
}

TEST(cost_internal, of_a_sign_and_of_an_exponent_is_what_the_law_says) {
  // P(X < 0) = 0.3 of the numbers; their mean is N(…, 1/4) and P(mean < 0) that of its own.
  const json sign = object("cost average p24e8 --n 4 --mu 0.52440051270804078 --internal sign");
  EXPECT_NEAR(number(sign.at("internal").at("input")[0], "mean"), 0.3, 1e-14);
  EXPECT_NEAR(number(sign.at("internal").at("output")[0], "mean"),
              std::erfc(0.52440051270804078 * 2 / std::sqrt(2.0)) / 2, 1e-14);
  // A power of two moves the exponent and nothing else.
  const json moved = object("cost inference p24e8 --slope 8 --internal exponent");
  EXPECT_NEAR(number(moved.at("internal"), "bits"), -3, 1e-12);
  EXPECT_NEAR(number(moved, "bits"), -3, 1e-9);
}

TEST(cost_internal, does_not_depend_on_the_entropies) {
  const std::string query = "cost exact p24e8 --n 100 --w 2 --internal exponent";
  const json exact = object(query);
  const json smooth = object(query + " --entropy smooth");
  EXPECT_EQ(smooth.at("internal"), exact.at("internal"));
  EXPECT_LE(number(smooth, "least_bits"), number(exact, "bits"));
  EXPECT_GE(number(smooth, "most_bits"), number(exact, "bits"));
}

TEST(cost_internal, counts_from_the_state_that_registers_are_reset_to) {
  const json low = object("cost average p4e4 --n 5 --internal exponent");
  const json high = object("cost average p4e4 --n 5 --internal exponent --reset 1");
  EXPECT_NEAR(number(low, "bits") - number(high, "bits"), 4 * 7, 1e-9);  // 2^-7 and 2^0
}

TEST(cost_internal, last_step_of_sgd_has_its_own) {
  // One step is the last step.
  const json one = object("cost sgd p4e4 --steps 1 --internal abs(x)+1 --reset 2");
  EXPECT_NEAR(number(one, "last_step_bits"), number(one, "bits"), 1e-9);
}

class cost_internal_file : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return folder_.path("s.txt"); }
  /// A command that reads a file with this text.
  [[nodiscard]] std::string query(const std::string& text) const {
    std::ofstream(path()) << text;
    return "cost average p2e1 --n 3 --mu 2.2 --sigma 0.3 --internal file:" + path();
  }
  void refuses(const std::string& text, const std::string& message) const {
    expect_refused(query(text), "cost: --internal: " + path() + message);
  }

 private:
  scratch folder_;
};

const std::string most_states = "-3 9\n-2 4\n-1.5 2.25\n-1 1\n1 1\n1.5,2.25\n\n2 4 # four\n";

TEST_F(cost_internal_file, is_the_same_as_an_expression) {
  json table = object(query(most_states + "3 9\n"));
  json formula = object("cost average p2e1 --n 3 --mu 2.2 --sigma 0.3 --internal x^2");
  table.at("internal").erase("of");
  formula.at("internal").erase("of");
  EXPECT_EQ(table, formula);
}

TEST_F(cost_internal_file, says_what_is_wrong_and_where) {
  refuses(most_states, ": expected all 8 states of p2e1, there is no line for 3\n");
  refuses("", ": expected all 8 states of p2e1, there is no line for -3\n");
  refuses("1 2\n2.5 1\n", ", line 2: 2.5 is no state of p2e1, the nearest is 3\n");
  refuses("1 2\n# one\n1 3\n", ", line 3: the state 1 is in line 1 already\n");
  refuses("1\n", ", line 1: expected the value of a state and its internal entropy\n");
  refuses("1 2 3\n", ", line 1: expected the value of a state and its internal entropy\n");
  refuses("1 nan\n", ", line 1: expected a number, got 'nan'\n");
  refuses("1 inf\n", ", line 1: expected a number, got 'inf'\n");
  refuses("x 1\n", ", line 1: expected a number, got 'x'\n");
  refuses("1 1e200\n", ", line 1: an internal entropy must be from -1e100 to 1e100, got 1e+200\n");
  const std::string one = query(most_states + "3 9\n");
  expect_refused(one + " --model-format p3e3",
                 "cost: --internal: a file lists the states of one format, expected p2e1 for all "
                 "registers, or an expression\n");
}

TEST(cost_internal, refuses_what_it_cannot_do) {
  const std::string start = "cost average p4e4 --internal ";
  expect_refused(start + "z",
                 "cost: --internal: unknown name 'z': expected exponent, index, mantissa, ones, "
                 "sign, width, x\n");
  expect_refused(start + "x=3", "cost: --internal: expected one expression, got an assignment");
  expect_refused(start + "2*", "cost: --internal: cannot read");
  expect_refused(start + "1/(x-1)",
                 "cost: --internal: '1/(x-1)' must be from -1e100 to 1e100, got inf in the state 1 "
                 "of p4e4\n");
  expect_refused(start + "ln(x)",
                 "cost: --internal: 'ln(x)' must be from -1e100 to 1e100, got nan in the state "
                 "-480 of p4e4\n");
  expect_refused(start + "file:",
                 "cost: --internal: expected file:FILE, with a line for each state");
  expect_refused("cost exact p24e8 --internal ones",
                 "cost: --internal: p24e8 has 2^32 states, at most 2^20 can be listed: expected a "
                 "smaller format, or an expression of sign, exponent and width alone\n");
  expect_refused("cost exact p4e4 --model-format p24e8 --internal x",
                 "cost: --internal: p24e8 has");
  expect_refused("cost inference p4e15 --internal x",
                 "cost: --internal: x = -2.2307465537948096e4932");
  expect_refused("cost average p4e4 --reset 1",
                 "cost: --reset is for --internal, which is not given\n");
  expect_refused("cost streaming p3e3 --internal 1", "cost: ");
}

}  // namespace
