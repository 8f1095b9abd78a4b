#include "data/cell_machine.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "data/decimal.hpp"
#include "libcsv_cells.hpp"
#include "random_case.hpp"

namespace {

using ktln2::data::cell;

/// A text of the characters given.
std::string random_text(random_numbers& random, std::string_view characters, int longest) {
  std::string text;
  const int length = random.whole(0, longest);
  for (int i = 0; i < length; ++i) {
    text += characters[static_cast<std::size_t>(
        random.whole(0, static_cast<int>(characters.size()) - 1))];
  }
  return text;
}

/// In every length of parts up to the text's own.
void expect_same(const std::string& text) {
  for (const char delimiter : {',', ';', '\t', '|'}) {
    for (std::size_t length = 1; length <= text.size() + 1; ++length) {
      EXPECT_TRUE(splits_like_libcsv(text, delimiter, length)) << text << "\n" << delimiter;
    }
  }
}

TEST(cell_machine, splits_like_libcsv) {
  for (const char* text : {"",
                           "\n",
                           "\r\n\r\n",
                           " \t\n",
                           ",",
                           "a",
                           " a b \t,c\n",
                           "\"a\"\n",
                           "\"\"",
                           "\"a\"\"b\",c",
                           "\"a\" \"b\"\t \n",
                           "\"a\"b\",c\n",
                           "a\"b\"\n",
                           "\"a",
                           "\"a\nb\r\",\" c \" \r\n",
                           "a,\n",
                           ",\n,",
                           "\" \"",
                           "\"\"\"\"",
                           "\t\ta",
                           "a\t\tb\t",
                           "\"a\"\t\"b\"\t",
                           "\" \"\" \" x \"",
                           "\" \" \" ,\n"}) {
    expect_same(text);
  }
}

TEST(cell_machine, splits_every_short_text_like_libcsv) {
  constexpr std::string_view characters = "a \"\t,\r\n";
  constexpr int longest = 6;
  for (int length = 1; length <= longest; ++length) {
    std::vector<std::size_t> which(length);
    const auto advance = [&] {
      std::size_t i = 0;
      while (i < which.size() && ++which[i] == characters.size()) which[i++] = 0;
      return i < which.size();
    };
    std::string text(length, ' ');
    do {
      for (std::size_t i = 0; i < which.size(); ++i) text[i] = characters[which[i]];
      ASSERT_TRUE(splits_like_libcsv(text, ',', text.size())) << text;
      ASSERT_TRUE(splits_like_libcsv(text, '\t', 1)) << text;
    } while (advance());
  }
}

TEST(cell_machine, splits_random_text_like_libcsv) {
  random_numbers random(from_environment("KTLN2_SEED", 18));
  for (int i = 0; i < from_environment("KTLN2_COUNT", 20000); ++i) {
    const std::string_view characters = random.chance(0.5)
                                            ? std::string_view("ab \"\"\t,;|\r\n")
                                            : std::string_view("1.\"\t ,\n\r\0\x80\xFF#", 12);
    const std::string text = random_text(random, characters, random.chance(0.9) ? 60 : 3000);
    const char delimiter = ",;\t|"[random.whole(0, 3)];
    const auto length = static_cast<std::size_t>(random.whole(1, 40));
    ASSERT_TRUE(splits_like_libcsv(text, delimiter, length)) << text << "\n" << delimiter;
  }
}

/// To the bit.
void expect_same_number(const std::string& text) {
  const cell expected = ktln2::data::decimal(text);
  const cell found = ktln2::data::decimal_by_strtod(text);
  EXPECT_EQ(found.what, expected.what) << text;
  EXPECT_EQ(std::memcmp(&found.value, &expected.value, sizeof(double)), 0) << text;
}

TEST(decimal, is_the_same_by_strtod) {
  for (const char* text : {"",
                           "-",
                           "+1",
                           "-+1",
                           "--1",
                           " 1",
                           "\n1",
                           "\v1",
                           "\f1",
                           "1 ",
                           "-0",
                           "0x10",
                           "-0X1p3",
                           "0x",
                           ".",
                           "-.",
                           ".5",
                           "5.",
                           "1e",
                           "1e+",
                           "1e-",
                           "1e+5",
                           "1E5",
                           "1e5.",
                           "1_0",
                           "inf",
                           "-INF",
                           "infinity",
                           "infinit",
                           "nan",
                           "-nan",
                           "NAN(abc)",
                           "nan(a-b)",
                           "nan(",
                           "1e308",
                           "1e309",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "1e-308",
                           "4.9e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "1e-999",
                           "-1e-999",
                           "0e-999",
                           "-0.000e999",
                           "0e999",
                           "1e99999999999999999999",
                           "1e-99999999999999999999",
                           "9007199254740993",
                           "9007199254740992.99999999999999999999999999999999999999999",
                           "2.2250738585072011e-308",
                           "1d5",
                           "1f",
                           "infx",
                           "n",
                           "i",
                           "N",
                           "1,5"}) {
    expect_same_number(text);
  }
  random_numbers random(from_environment("KTLN2_SEED", 18));
  for (int i = 0; i < from_environment("KTLN2_COUNT", 20000); ++i) {
    expect_same_number(random_text(random, "0123456789.-+eE xinfa", 8));
    std::string text = random_text(random, "0123456789", random.chance(0.9) ? 20 : 350);
    text.insert(static_cast<std::size_t>(random.whole(0, static_cast<int>(text.size()))), ".");
    expect_same_number(text);
    expect_same_number("-" + text + "e" + std::to_string(random.whole(-360, 330)));
  }
}

}  // namespace
