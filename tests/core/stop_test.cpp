#include "ktln2/core/stop.hpp"

#include <gtest/gtest.h>

namespace ktln2 {
namespace {

TEST(stop_token, without_a_flag_it_never_stops) {
  EXPECT_FALSE(stop_token{}.stop_requested());
  EXPECT_NO_THROW(throw_if_stopped({}));
}

TEST(stop_token, a_copy_sees_the_same_flag) {
  std::atomic<bool> flag = false;
  const stop_token token{flag};
  const stop_token copy = token;
  EXPECT_FALSE(copy.stop_requested());
  flag = true;
  EXPECT_TRUE(copy.stop_requested());
  EXPECT_THROW(throw_if_stopped(copy), stopped);
  flag = false;
  EXPECT_FALSE(token.stop_requested());
}

}  // namespace
}  // namespace ktln2
