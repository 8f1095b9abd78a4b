#include "core/number_list.hpp"

#include <gtest/gtest.h>

#include "message_of.hpp"

namespace {

using namespace ktln2;

TEST(parse_numbers, reads_what_stands_between_strokes) {
  EXPECT_EQ(parse_numbers("w", "1/-2/0.5"), (std::vector<double>{1, -2, 0.5}));
  EXPECT_EQ(parse_numbers("w", "1/-2/0.5", 3), (std::vector<double>{1, -2, 0.5}));
  EXPECT_EQ(parse_numbers("w", "4e-1"), (std::vector<double>{0.4}));
}

TEST(parse_numbers, one_number_stands_for_all) {
  EXPECT_EQ(parse_numbers("w", "-2", 3), (std::vector<double>{-2, -2, -2}));
}

TEST(parse_numbers, says_what_is_wrong) {
  EXPECT_EQ(message_of([] { parse_numbers("row: w", "1/2", 3); }),
            "row: w: expected one number or 3, as in 1/-2/0.5, got 2");
  EXPECT_EQ(message_of([] { parse_numbers("row: w", "1//2", 3); }),
            "row: w: expected a number, got ''");
  EXPECT_EQ(message_of([] { parse_numbers("row: w", "1/2/", 3); }),
            "row: w: expected a number, got ''");
}

}  // namespace
