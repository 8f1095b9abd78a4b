// What a person sees: loose checks of the structure, so that wording can change.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

using program::has;
using program::lines;
using program::output;

/// The columns on the screen at which words end, and at which they begin; a word may contain single
/// blanks.
struct edges {
  std::vector<std::size_t> begin;
  std::vector<std::size_t> end;
};

edges edges_of(const std::string& line) {
  edges found;
  std::size_t column = 0;
  std::size_t blanks = 2;
  for (const char c : line) {
    if ((static_cast<unsigned char>(c) & 0xc0U) == 0x80U) continue;  // inside a character
    if (c == ' ') {
      if (++blanks == 2 && !found.begin.empty()) found.end.push_back(column - 1);
    } else {
      if (blanks >= 2) found.begin.push_back(column);
      blanks = 0;
    }
    ++column;
  }
  if (blanks < 2) found.end.push_back(column - blanks);
  return found;
}

/// The lines of the table with that heading: down to the next empty line.
std::vector<std::string> table_at(const std::string& text, const std::string& heading) {
  const std::vector<std::string> all = lines(text);
  const auto first = std::find_if(all.begin(), all.end(),
                                  [&](const std::string& line) { return has(line, heading); });
  return {first, std::find(first, all.end(), "")};
}

/// Every column has a common left or a common right edge.
void expect_aligned(const std::vector<std::string>& table) {
  ASSERT_GE(table.size(), 2U);
  const edges heading = edges_of(table[0]);
  std::vector<bool> left(heading.begin.size(), true);
  std::vector<bool> right(heading.end.size(), true);
  for (const std::string& line : table) {
    const edges row = edges_of(line);
    ASSERT_GE(row.begin.size(), 2U) << line;
    for (std::size_t i = 0; i < std::min(row.begin.size(), heading.begin.size()); ++i) {
      if (row.begin[i] != heading.begin[i]) left[i] = false;
      if (row.end[i] != heading.end[i]) right[i] = false;
    }
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_TRUE(left[i] || right[i]) << "column " << i + 1 << " of: " << table[0];
  }
}

TEST(text_of_entropy, has_value_error_bar_and_unit) {
  const std::string text = output("entropy p24e8 normal:mu=0,sigma=1");
  EXPECT_TRUE(has(lines(text)[0], "26\\.46373399078[0-9]* ± [0-9](\\.[0-9])?e-[0-9]+ bits"));
  EXPECT_TRUE(has(text, "p24e8"));
  EXPECT_TRUE(has(text, "normal:mu=0,sigma=1"));
  EXPECT_TRUE(has(text, " J at 300 K"));
  for (const char* part : {"sign", "exponent", "mantissa", "register"}) {
    EXPECT_TRUE(has(text, std::string("\n  ") + part + " +[0-9]+ +[0-9]")) << part;
  }
  EXPECT_FALSE(has(text, "bit +entropy")) << "only with --bits";
}

TEST(text_of_entropy, does_not_show_digits_that_mean_nothing) {
  for (const char* tolerance : {"1e-3", "1e-6", "1e-9"}) {
    const std::string text = output(std::string("entropy p24e8 normal --tolerance ") + tolerance);
    const auto match = program::match(text, "\\.([0-9]+) ± [^ ]+e-0*([0-9]+) ");
    ASSERT_EQ(match.size(), 3U) << text;
    EXPECT_LE(match[1].size(), std::stoul(match[2]) + 2) << text;
  }
}

TEST(text_of_entropy, has_a_row_for_each_bit) {
  const std::string text = output("entropy p11e5 normal --bits");
  const auto table = table_at(text, "^  bit +entropy");
  EXPECT_EQ(table.size(), 17U);
  expect_aligned(table);
  for (const std::string& line : table) EXPECT_FALSE(has(line, "-0\\.0")) << line;
}

TEST(text_of_entropy, reads_well_at_the_edges) {
  EXPECT_FALSE(has(output("entropy p1e0 normal"), "\\b1 bits")) << "one bit, not 1 bits";
  for (const char* query : {"p1e0 normal", "p7e0 normal", "p1e8 normal", "p64e15 normal"}) {
    const std::string text = output(std::string("entropy ") + query);
    EXPECT_FALSE(has(text, "nan|inf[^o]")) << text;
  }
  // a law much narrower than a cell is stored without any choice
  EXPECT_FALSE(has(output("entropy p24e8 normal:mu=1.5,sigma=1e-9"), "[0-9]e[+]00 J"));
}

TEST(text_of_format, says_what_a_register_holds) {
  const std::string text = output("format p24e8");
  EXPECT_TRUE(has(lines(text)[0], "p24e8.*32 bits"));
  EXPECT_TRUE(has(text, "4294967296"));
  EXPECT_TRUE(has(text, "-127 .* 128"));
  EXPECT_TRUE(has(text, "5\\.87747175411143[0-9]*e-39"));
  EXPECT_TRUE(has(text, "6\\.80564693277057[0-9]*e\\+?38"));
  expect_aligned(table_at(output("format p3e2 --values"), "^ +i +u_i"));
  expect_aligned(table_at(output("format p3e2 --index 1 9 32"), "^ +i +u_i"));
  expect_aligned(table_at(text, "^  values "));
}

TEST(text_of_quantize, shows_value_code_and_fields) {
  const std::string text = output("quantize p24e8 0.1 -2.5 1e300");
  const auto table = table_at(text, "^ +x +stored +code");
  ASSERT_EQ(table.size(), 4U);
  expect_aligned(table);
  EXPECT_TRUE(has(text,
                  "0\\.1 +0\\.10000000149011612 +1036831949 +"
                  "0 01111011 10011001100110011001101"));
}

TEST(text_of_law, has_moments_unit_and_points) {
  const std::string text = output("law student:dof=3 --at -1 0 1e-9");
  EXPECT_TRUE(has(text, "mean +0\n"));
  EXPECT_TRUE(has(text, "deviation +1\\.73205"));
  EXPECT_TRUE(has(text, "differential entropy +2\\.558[0-9]* bits"));
  const auto table = table_at(text, "^ +x +pdf +cdf");
  ASSERT_EQ(table.size(), 4U);
  expect_aligned(table);
}

TEST(text_of_law, says_which_moments_do_not_exist) {
  const std::string text = output("law slope:n=1");
  EXPECT_TRUE(has(text, "mean +does not exist\n"));
  EXPECT_TRUE(has(text, "deviation +infinite\n"));
}

TEST(text_of_tour, is_one_aligned_table) {
  const std::string text = output("tour");
  const auto table = table_at(text, "^  format ");
  EXPECT_GE(table.size(), 6U);
  expect_aligned(table);
  EXPECT_TRUE(has(text, "in bits"));
  EXPECT_TRUE(has(text, "p24e8 +.*26\\.46373399"));
  // and what it tells the reader to try works
  int tried = 0;
  for (const std::string& line : lines(text)) {
    if (!line.starts_with("  ktln2 ")) continue;
    ++tried;
    EXPECT_NE(output(line.substr(8)), "") << line;
  }
  EXPECT_GE(tried, 1);
}

TEST(text_of_help, says_which_numbers_an_option_takes) {
  EXPECT_FALSE(has(output("entropy --help"), "TEXT"));
  EXPECT_FALSE(has(output("law --help"), "TEXT"));
}

TEST(text, calls_one_thing_by_its_singular) {
  EXPECT_TRUE(
      has(output("scaling exact p24e8 --features 1 --energy-price 1e15 --inference-price 10"),
          "^Train on [0-9]+ rows of 1 feature: "));
  EXPECT_TRUE(has(output("cost streaming p2e2 --n 1"), "^Regression as a stream of 1 point on "));
  const std::string trial = program::run("simulate average p7e0 --trials 1").out;
  EXPECT_TRUE(has(trial, "^average in p7e0: 1 trial with seed")) << trial;
  EXPECT_TRUE(has(trial, "\n  1 code seen, 1 of them once")) << trial;
}

}  // namespace
