#include "paper/claims/claims.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <stdexcept>

#include "paper/figures/figures.hpp"
#include "paper/typeset/formula.hpp"
#include "paper_labels.hpp"

namespace ktln2::paper::testing {
namespace {

const claim& named(const std::string& id) {
  const auto found = std::find_if(claims().begin(), claims().end(),
                                  [&](const claim& one) { return one.id == id; });
  if (found == claims().end()) throw std::logic_error("there is no claim " + id);
  return *found;
}

/// What is outside of $mathematics$, `code` and [labels].
std::string words_of(const std::string& prose) {
  return std::regex_replace(prose, std::regex(R"(\$[^$]*\$|`[^`]*`|\[[A-Za-z]+:[^\]]*\])"), "");
}

/// Mathematics is between dollars, and can be shown on a page and on a terminal.
void expect_typeset(const std::string& text) {
  EXPECT_NO_THROW(prose_to_html(text)) << text;
  EXPECT_NO_THROW(prose_to_text(text)) << text;
  const std::string words = words_of(text);
  const auto is_mathematics = [](char c) {
    return static_cast<unsigned char>(c) > 127 || std::string_view("$^_=<>\\").find(c) < 7;
  };
  EXPECT_TRUE(std::none_of(words.begin(), words.end(), is_mathematics)) << text;
}

class every_claim : public ::testing::TestWithParam<std::string> {};

TEST_P(every_claim, gets_the_verdict_that_its_erratum_says_in_texts_that_can_be_shown) {
  const checked_claim result = examine(named(GetParam()), effort{.quick = true});
  EXPECT_TRUE(result.is_expected()) << name_of(result.result) << ": " << result.found.found;
  EXPECT_FALSE(result.found.found.empty());
  EXPECT_EQ(result.found.found.find("nan"), std::string::npos) << result.found.found;
  EXPECT_TRUE(result.result == verdict::holds || !result.found.counterexample.empty());
  EXPECT_TRUE(result.result != verdict::qualified || !result.found.qualification.empty());
  for (const std::string* text :
       {&result.what.says, &result.what.paper, &result.what.how, &result.what.erratum,
        &result.found.found, &result.found.qualification, &result.found.counterexample}) {
    expect_typeset(*text);
  }
}

std::vector<std::string> ids() {
  std::vector<std::string> result;
  for (const claim& one : claims()) result.push_back(one.id);
  return result;
}

INSTANTIATE_TEST_SUITE_P(of_the_paper, every_claim, ::testing::ValuesIn(ids()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(claims, are_at_least_forty) { EXPECT_GE(claims().size(), 40U); }

TEST(claims, cite_labels_of_the_paper) {
  const std::set<std::string> labels = labels_of_the_paper();
  ASSERT_GT(labels.size(), 100U);
  for (const claim& one : claims()) {
    EXPECT_TRUE(labels.contains(one.label)) << one.id << ": " << one.label;
    for (const std::string& figure : one.figures) {
      const bool is_extra = figure.starts_with("extra:") && !chosen({figure}).empty();
      EXPECT_TRUE(labels.contains(figure) || is_extra) << one.id << ": " << figure;
    }
  }
}

/// Quick runs are looked at one by one above.
TEST(claims_campaign, come_out_so_with_full_effort) {
  for (const claim& one : claims()) {
    const checked_claim found = examine(one, {});
    EXPECT_TRUE(found.is_expected())
        << one.id << ": " << name_of(found.result) << ": " << found.found.found;
    EXPECT_FALSE(found.found.found.empty()) << one.id;
    EXPECT_TRUE(found.result == verdict::holds || !found.found.counterexample.empty()) << one.id;
  }
}

TEST(claims_campaign, name_commands_that_run) {
  std::set<std::string> commands;
  for (const claim& one : claims()) commands.insert(one.command);
  commands.erase("");
  for (const std::string& command : commands) {
    ASSERT_TRUE(command.starts_with("ktln2 ")) << command;
    const std::string line = KTLN2_PROGRAM + command.substr(5) + " > /dev/null 2>&1";
    EXPECT_EQ(std::system(line.c_str()), 0) << command;  // NOLINT: our own commands
  }
}

struct change {
  std::string id;
  std::string number;
  double value;
};

class changed_number : public ::testing::TestWithParam<change> {};

TEST_P(changed_number, is_found_out) {
  claim wrong = named(GetParam().id);
  ASSERT_TRUE(wrong.numbers.contains(GetParam().number));
  wrong.numbers[GetParam().number] = {GetParam().value};
  const checked_claim result = examine(wrong, effort{.quick = true});
  EXPECT_FALSE(result.is_expected()) << name_of(result.result) << ": " << result.found.found;
}

INSTANTIATE_TEST_SUITE_P(
    of_every_kind, changed_number,
    ::testing::Values(change{"zero-mean-offset", "value", 2.47},        // a value
                      change{"zero-cells-value", "value", 0.17},        //
                      change{"single-value-count", "value", 4.4e9},     //
                      change{"needs-enumeration", "bits", 11},          // a count
                      change{"ieee-fields", "mantissa", 24},            //
                      change{"one-step-costs", "paying", 2},            //
                      change{"equal-internal-entropies", "one", 1.1},   //
                      change{"exponent-range", "base", 3},              // a constant of a formula
                      change{"boundary-cells", "factor", 2},            //
                      change{"boundary-ratio-limit", "limit", 0.95},    //
                      change{"mercator-remainder", "factor", 0.5},      // of a bound
                      change{"tail-mass", "factor", 3},                 //
                      change{"width-ratios", "bound", 0.4},             //
                      change{"slope-density", "power", 1},              // a law's parameter
                      change{"slope-moments", "less", 1},               //
                      change{"gradient-variance", "power", 1},          //
                      change{"joint-falls-with-snr", "below", 50},      // a threshold
                      change{"joint-well-within", "close", 1e-6},       //
                      change{"precision-share", "share", 0.8},          // a share
                      change{"averaging-cost", "offset", 2.5},          //
                      change{"half-bit-over-mu", "bits", 0.4},          //
                      change{"any-codebook", "tolerance", 1e-17},       //
                      change{"central-limit", "close", 1e-4},           //
                      change{"exponents-on-top", "E", 3},               //
                      change{"drift", "power", 1},                      // of a simulation
                      change{"effective-temperature", "two", 1},        //
                      change{"smoothing-theorem-pairs", "half", -0.5},  //
                      change{"zeros-are-maxima", "other_w", 2},         // one too mild
                      change{"ou-tracks", "k", 500},                    //
                      change{"exponent-entropy", "tolerance", 0.005},   //
                      change{"smoothing-theorem", "half", 1}),          //
    [](const auto& test) {
      std::string name = test.param.id + "_" + test.param.number;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

/// An erratum does not tell a qualified claim from a false one, but the verdict does.
TEST(claims, lose_their_qualification_with_a_wrong_threshold) {
  for (const change& wrong :
       {change{"joint-snr-4", "p", 3}, change{"joint-snr-10000", "p", 6},
        change{"slope-near-zero", "nearer", 0.5}, change{"improves-with-precision", "most", 0.9},
        change{"zero-cells-negligible", "negligible", 1e-5}}) {
    claim changed = named(wrong.id);
    EXPECT_EQ(examine(changed, effort{.quick = true}).result, verdict::qualified) << wrong.id;
    changed.numbers[wrong.number] = {wrong.value};
    EXPECT_EQ(examine(changed, effort{.quick = true}).result, verdict::fails) << wrong.id;
  }
}

const std::string good = R"([[claim]]
id = "one"
label = "eq:Landauer"
says = "s"
paper = "p"
check = "landauer_formula"
how = "h"
numbers = { temperature = 300, list = [1, 2] }
)";

/// What parse_claims says against a text.
std::string complaint(const std::string& toml) {
  try {
    parse_claims(toml, "mine.toml");
  } catch (const std::domain_error& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(claims_file, is_read) {
  const std::vector<claim> read = parse_claims(good, "mine.toml");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].number("temperature"), 300);
  EXPECT_EQ(read[0].list("list"), (std::vector<double>{1, 2}));
  EXPECT_THROW(static_cast<void>(read[0].number("list")), std::logic_error);
  EXPECT_THROW(static_cast<void>(read[0].number("other")), std::logic_error);
}

TEST(claims_file, errors_are_one_line_with_file_line_and_what_was_expected) {
  const auto says = [](const std::string& toml, const std::string& line, const std::string& what) {
    const std::string message = complaint(toml);
    EXPECT_EQ(message.rfind("mine.toml, line " + line, 0), 0U) << message;
    EXPECT_NE(message.find(what), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  };
  says(replaced(good, "how = \"h\"\n", ""), "1, claim 'one'", "expected how = ");
  says(replaced(good, "id = \"one\"\n", ""), "1", "expected id = ");
  says(replaced(good, "\"s\"", "7"), "1, claim 'one'", "expected says = ");
  says(good + "verdict = \"holds\"\n", "1, claim 'one'", "unknown key 'verdict'");
  says(replaced(good, "landauer_formula", "magic"), "1, claim 'one'", "no check 'magic'");
  says(good + good, "9", "two claims 'one'");
  says(good + "erratum = 3\n", "1, claim 'one'", "expected erratum = ");
  says(replaced(good, "\"s\"", "\"5 $\""), "1, claim 'one'", "says: prose: '$' at character 3");
  says(good + "figures = \"fig:MMC\"\n", "1, claim 'one'", "expected figures = [");
  says(good + "figures = [3]\n", "1, claim 'one'", "list of labels");
  says(replaced(good, "300", "\"hot\""), "1, claim 'one'", "numbers.temperature must be a number");
  says(replaced(good, "{ temperature = 300, list = [1, 2] }", "5"), "1, claim 'one'",
       "expected numbers = {");
  says(replaced(good, "\"s\"", "\"s"), "4", "");
  says("claim = 5\n", "1", "expected a list of [[claim]]");
  says("\n[claim]\nid = \"one\"\n", "2", "expected a list of [[claim]]");
  says("", "1", "expected a list of [[claim]]");
  says("[*", "1", "expected bare key");
  says("# ŵ\na = 'ŵ'\nŵ = 1\n", "3", "letters beyond ASCII");
}

}  // namespace
}  // namespace ktln2::paper::testing
