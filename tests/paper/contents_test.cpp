#include "paper/figures/contents.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "message_of.hpp"

namespace ktln2::paper::testing {
namespace {

TEST(contents, fill_in_patterns) {
  const auto read = read_contents(
      "[[figure]]\nlabel = 'a@p'\nfor = { p = [1, 2] }\nchapter = 'c'\ntitle = 't'\n"
      "[[figure.panel]]\nlabel = 'a@p_@E'\nfor = { E = [7, 10] }\ntitle = '@E'\n"
      "caption = '@p, @E, @p'\nadds = 'more'\n"
      "[[figure]]\nlabel = 'b'\nchapter = 'd'\ntitle = 't'\ncaption = '@p'\n");
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0].whole.label, "a1");
  ASSERT_EQ(read[1].panels.size(), 2U);
  EXPECT_EQ(read[1].panels[1].label, "a2_10");
  EXPECT_EQ(read[1].panels[1].caption, "2, 10, 2");
  EXPECT_EQ(read[2].chapter, "d");
  EXPECT_EQ(read[2].whole.caption, "@p");
  EXPECT_TRUE(read[2].panels.empty());
}

TEST(contents, say_what_is_wrong) {
  const auto message = [](const std::string& toml) {
    return message_of<std::logic_error>([&] { read_contents(toml); });
  };
  EXPECT_EQ(message("\n[[figure]]\ntitle = 't'\n"), "figures.toml, line 2: label is missing");
  EXPECT_EQ(message("[[figure]]\nlabel = 'a'\ntitle = 't'\n"),
            "figures.toml, line 1: chapter is missing");
  EXPECT_EQ(message("[[figure]]\nfor = { p = 1 }\n"),
            "figures.toml, line 1: for needs one name and its values");
  EXPECT_EQ(message("[figure]\n"), "figures.toml, line 1: expected [[figure]]");
  EXPECT_EQ(message("[[figure\n").find("figures.toml, line 1: "), 0U);
}

}  // namespace
}  // namespace ktln2::paper::testing
