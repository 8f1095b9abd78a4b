// Codebooks as files have them.
#include "ktln2/format/codebook_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "message_of.hpp"

namespace {

using ktln2::codebook;
using ktln2::parse_codebook;
using ktln2::wide;

std::string mistake_in(std::string_view text) {
  return message_of([&] { (void)parse_codebook(text, "codebook u.txt"); });
}

TEST(codebook_text, is_one_value_a_line) {
  const codebook code = parse_codebook("# three values\n-2\n\n  1e0  # the middle\r\n\t4");
  EXPECT_EQ(code.values(), (std::vector<double>{-2, 1, 4}));
  ASSERT_EQ(code.edges().size(), 2U);
  EXPECT_TRUE(code.edges()[0] == wide(-0.5));
  EXPECT_TRUE(code.edges()[1] == wide(2.5));
}

TEST(codebook_text, may_be_a_single_value) {
  EXPECT_EQ(parse_codebook("7").values(), std::vector<double>{7});
  EXPECT_EQ(parse_codebook("-0.5\n0.25\n").values(), (std::vector<double>{-0.5, 0.25}));
}

TEST(codebook_text, has_the_upper_edge_in_a_second_column) {
  for (const char* text :
       {"-1.5 -1\n0 0.25\n2\n", "-1.5,-1\n0,0.25\n2", "-1.5\t-1\n0 , 0.25\n2 ,"}) {
    const codebook code = parse_codebook(text);
    EXPECT_EQ(code.values(), (std::vector<double>{-1.5, 0, 2})) << text;
    EXPECT_TRUE(code.edges()[0] == wide(-1.0)) << text;
    EXPECT_TRUE(code.edges()[1] == wide(0.25)) << text;
  }
}

TEST(codebook_text, names_the_line_of_a_mistake) {
  EXPECT_EQ(mistake_in("1\n2\nx\n"), "codebook u.txt, line 3: expected a number, got 'x'");
  EXPECT_EQ(mistake_in("1\nnan\n"), "codebook u.txt, line 2: expected a number, got 'nan'");
  EXPECT_EQ(mistake_in("-inf\n2\n"), "codebook u.txt, line 1: expected a number, got '-inf'");
  EXPECT_EQ(mistake_in("1\n0x10\n"), "codebook u.txt, line 2: expected a number, got '0x10'");
  EXPECT_EQ(mistake_in("1e999"),
            "codebook u.txt, line 1: '1e999' is beyond the range of double precision");
  EXPECT_EQ(
      mistake_in("1\n# so far\n1\n"),
      "codebook u.txt, line 3: each value must be greater than the one before, got 1 after 1");
  EXPECT_EQ(mistake_in("1\n0.5\n"),
            "codebook u.txt, line 2: each value must be greater than the one before, got 0.5 after "
            "1");
  EXPECT_EQ(mistake_in("1 2 3\n"),
            "codebook u.txt, line 1: expected a value and at most one edge, got more");
}

TEST(codebook_text, names_the_line_of_a_bad_edge) {
  EXPECT_EQ(mistake_in("1 1.5\n2\n3\n"),
            "codebook u.txt, line 2: has no upper edge, unlike line 1: all lines but the last need "
            "one, or none");
  EXPECT_EQ(mistake_in("1\n2 2.5\n3\n"),
            "codebook u.txt, line 2: has an upper edge, unlike line 1: all lines but the last need "
            "one, or none");
  EXPECT_EQ(mistake_in("1 1.5\n2 2.5"),
            "codebook u.txt, line 2: the last cell has no upper edge, got 2.5");
  EXPECT_EQ(mistake_in("1 2.5\n2\n"),
            "codebook u.txt, line 1: the upper edge of 1 must lie between it and the next value 2, "
            "got 2.5");
  EXPECT_EQ(mistake_in("1 2\n2 2\n3\n"),
            "codebook u.txt, line 2: each edge must be greater than the one before, got 2 after 2");
}

TEST(codebook_text, must_have_a_value) {
  for (const char* text : {"", "\n\n", "# nothing\n", " \t\r\n,"}) {
    EXPECT_EQ(mistake_in(text), "codebook u.txt: there must be at least one value") << text;
  }
}

TEST(codebook_text, ends_at_the_most_values) {
  std::string text;
  for (std::size_t i = 0; i < ktln2::most_codebook_values; ++i) text += std::to_string(i) + "\n";
  EXPECT_EQ(parse_codebook(text).size(), ktln2::most_codebook_values);
  EXPECT_EQ(mistake_in(text + "1e9\n"),
            "codebook u.txt, line 1048577: there must be at most 1048576 values");
}

TEST(codebook_text, takes_any_bytes) {
  EXPECT_NE(mistake_in(std::string_view("1\0\n2", 4)), "");
  EXPECT_NE(mistake_in("\xff\xfe"), "");
  EXPECT_NE(mistake_in(std::string(100000, '9')), "");
}

}  // namespace
