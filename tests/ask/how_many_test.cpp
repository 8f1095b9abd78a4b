#include "ask/how_many.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using ktln2::ask::how_many;

TEST(how_many, counts_one_as_one) {
  EXPECT_EQ(how_many(1, "row"), "1 row");
  EXPECT_EQ(how_many(1.0, "row"), "1 row");
  EXPECT_EQ(how_many(0, "row"), "0 rows");
  EXPECT_EQ(how_many(std::uint64_t{2}, "row"), "2 rows");
  EXPECT_EQ(how_many(1e16, "row"), "1e+16 rows");
  EXPECT_EQ(how_many(1.5, "step"), "1.5 steps");
  EXPECT_EQ(how_many(1, "infinity", "infinities"), "1 infinity");
  EXPECT_EQ(how_many(3, "infinity", "infinities"), "3 infinities");
}

}  // namespace
