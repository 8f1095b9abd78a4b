#include "core/parse.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "message_of.hpp"

namespace {

using namespace ktln2;

TEST(parse_number, reads_decimals) {
  EXPECT_EQ(parse_number("x", "0"), 0);
  EXPECT_EQ(parse_number("x", "-3"), -3);
  EXPECT_EQ(parse_number("x", "+.5"), 0.5);
  EXPECT_EQ(parse_number("x", "2."), 2);
  EXPECT_EQ(parse_number("x", "1e-9"), 1e-9);
  EXPECT_EQ(parse_number("x", "-1.5E+3"), -1500);
  EXPECT_EQ(parse_number("x", "0e999"), 0);
  EXPECT_EQ(parse_number("x", "5e-324"), 5e-324);
}

TEST(parse_number, refuses_everything_else) {
  for (const char* bad :
       {"",  " ",  "1 ", " 1",  "a",   "1a",  "0x10", "nan",   "inf",    "-",     "+",
        ".", "e5", "1e", "1e+", "--1", "1,5", "1e5.", "1e999", "-1e999", "1e-999"}) {
    EXPECT_THROW(parse_number("x", bad), std::domain_error) << "'" << bad << "'";
  }
}

TEST(parse_number, says_what_where_and_what_was_expected) {
  try {
    parse_number("normal: sigma", "1x");
    FAIL();
  } catch (const std::domain_error& error) {
    EXPECT_STREQ(error.what(), "normal: sigma: expected a number, got '1x'");
  }
}

TEST(parse_count, reads_whole_numbers_in_any_notation_exactly) {
  EXPECT_TRUE(parse_count("n", "0") == 0);
  EXPECT_TRUE(parse_count("n", "007") == 7);
  EXPECT_TRUE(parse_count("n", "1e6") == 1000000);
  EXPECT_TRUE(parse_count("n", "2.50e1") == 25);
  EXPECT_TRUE(parse_count("n", "100e-2") == 1);
  EXPECT_TRUE(parse_count("n", "0e-5") == 0);
  EXPECT_TRUE(parse_count("n", "18446744073709551616") == uint128{1} << 64);
}

TEST(parse_count, refuses_fractions_signs_and_giants) {
  for (const char* bad : {"", "-1", "1.5", "1e-1", "nan", "1e39", "1e99999999999999999999"}) {
    EXPECT_THROW(parse_count("n", bad), std::domain_error) << bad;
  }
}

TEST(parse_described, takes_name_and_settings_apart) {
  const described given = parse_described("normal:mu=-1,sigma=2e3");
  EXPECT_EQ(given.name, "normal");
  ASSERT_EQ(given.settings.size(), 2U);
  EXPECT_EQ(given.settings[1].key, "sigma");
  EXPECT_EQ(given.settings[1].text, "2e3");
  EXPECT_TRUE(parse_described("normal").settings.empty());
}

TEST(parse_described, skips_blanks_behind_the_colon_and_commas) {
  const described given = parse_described("normal: mu=0,  sigma=1");
  ASSERT_EQ(given.settings.size(), 2U);
  EXPECT_EQ(given.settings[0].key, "mu");
  EXPECT_EQ(given.settings[1].key, "sigma");
  EXPECT_EQ(given.settings[1].text, "1");
}

TEST(fill_settings, puts_numbers_and_texts_where_they_belong) {
  double mu = 1;
  double sigma = 1;
  std::string law = "ou";
  const auto fill = [&](const char* text) {
    fill_settings(parse_described(text), {{"mu", &mu}, {"sigma", &sigma}, {"law", &law}});
  };
  fill("some:law=exact,sigma=2e3");
  EXPECT_EQ(mu, 1);
  EXPECT_EQ(sigma, 2000);
  EXPECT_EQ(law, "exact");
  EXPECT_EQ(message_of([&] { fill("some:mu=1x"); }), "some: mu: expected a number, got '1x'");
  EXPECT_EQ(message_of([&] { fill("some:nu=1"); }),
            "some: unknown key 'nu': expected mu, sigma, law");
}

TEST(parse_described, refuses_what_is_not_of_that_form) {
  for (const char* bad : {"", ":mu=1", "normal:", "normal:mu", "normal:=1", "normal:mu=",
                          "normal:mu=1,", "normal:mu=1,,sigma=2", "normal:mu=1,mu=1"}) {
    EXPECT_THROW(parse_described(bad), std::domain_error) << bad;
  }
}

TEST(line_reader, shows_the_lines_that_hold_something) {
  line_reader lines{"# a comment\n  1 2 \r\n\n3,4# five\n\t#\nlast"};
  const std::vector<std::pair<std::size_t, std::string>> expected{
      {2, "1 2"}, {4, "3,4"}, {6, "last"}};
  for (const auto& [number, text] : expected) {
    const auto line = lines.next();
    ASSERT_TRUE(line);
    EXPECT_EQ(line->number, number);
    EXPECT_EQ(line->text, text);
  }
  EXPECT_FALSE(lines.next());
  EXPECT_FALSE(lines.next());
  EXPECT_FALSE(line_reader{""}.next());
}

TEST(take_column, ends_at_blanks_and_commas) {
  std::string_view line = " 1.5,\t-2  x";
  EXPECT_EQ(take_column(line), "1.5");
  EXPECT_EQ(take_column(line), "-2");
  EXPECT_EQ(take_column(line), "x");
  EXPECT_EQ(take_column(line), "");
}

}  // namespace
