#include "ktln2/core/bit_cast.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace ktln2::testing {
namespace {

TEST(bit_cast, keeps_every_bit_there_and_back) {
  static_assert(bit_cast<std::uint64_t>(1.0) == 0x3ff0000000000000U);
  static_assert(bit_cast<float>(std::uint32_t{0xc0490fdbU}) < -3.14F);
  for (const std::uint64_t word :
       std::initializer_list<std::uint64_t>{0x8000000000000000U, 0x7ff8000000000123U, 1}) {
    EXPECT_EQ(bit_cast<std::uint64_t>(bit_cast<double>(word)), word);
  }
  EXPECT_EQ(bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity()), 0x7f800000U);
}

}  // namespace
}  // namespace ktln2::testing
