#include "mismatch/minimize.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "message_of.hpp"

namespace {

using namespace ktln2;
using namespace ktln2::mismatch;

TEST(minimize, finds_a_smooth_minimum_far_beyond_the_root_of_epsilon) {
  const auto found = local_minima(
      [](double x, double y) {
        return 100 + std::cosh(x - 0.3) + std::exp(y - 0.7) - y + 0.5 * (x - 0.3) * (y - 0.7);
      },
      {{-2, -2}, {2, 2}});
  ASSERT_EQ(found.size(), 1U);
  // noise 1.4e-14 of values near 100, over a step of 0.02 and a curvature of 0.5
  EXPECT_NEAR(found[0].x, 0.3, 1e-10);
  EXPECT_NEAR(found[0].y, 0.7, 1e-10);
  EXPECT_FALSE(found[0].x_at_bound);
}

TEST(minimize, knows_edges_and_corners) {
  const auto corner = local_minima([](double x, double y) { return x - y; }, {{0, 0}, {1, 3}});
  ASSERT_EQ(corner.size(), 1U);
  EXPECT_EQ(corner[0].x, 0);
  EXPECT_EQ(corner[0].y, 3);
  EXPECT_TRUE(corner[0].x_at_bound && corner[0].y_at_bound);
  // Two corners of a saddle.
  EXPECT_EQ(local_minima([](double x, double y) { return x * y; }, {{-1, -1}, {1, 1}}).size(), 2U);
}

TEST(minimize, does_not_take_a_minimum_near_the_edge_for_one_on_it) {
  for (const double at : {1e-2, 1e-3, 1e-4}) {
    const auto found = local_minima(
        [at](double x, double y) { return (x - at) * (x - at) + y * y; }, {{0, -1}, {1, 1}});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0].x, at, 1e-5);
    EXPECT_FALSE(found[0].x_at_bound);
  }
}

TEST(minimize, a_box_may_be_a_line) {
  const auto found =
      local_minima([](double x, double y) { return x + (y - 1) * (y - 1); }, {{2, 0}, {2, 3}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].x, 2);
  EXPECT_NEAR(found[0].y, 1, 1e-10);
}

TEST(minimize, goes_from_a_start_that_is_nearly_right_with_few_looks) {
  int looks = 0;
  const auto bowl = [&looks](double x, double y) {
    ++looks;
    return std::cosh(x - 0.3) + std::cosh(y - 0.7) + 0.3 * (x - 0.3) * (y - 0.7);
  };
  const auto found =
      local_minima(bowl, {{-2, -2}, {2, 2}}, {.grid = 5, .starts = {{0.301, 0.699}}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].x, 0.3, 1e-10);
  EXPECT_NEAR(found[0].y, 0.7, 1e-10);
  EXPECT_LE(looks, 90);
}

TEST(minimize, a_start_does_not_hide_other_minima) {
  const auto two = [](double x, double y) { return (x * x - 1) * (x * x - 1) + 0.1 * x + y * y; };
  const auto found = local_minima(two, {{-2, -2}, {2, 2}}, {.grid = 5, .starts = {{0.99, 0.01}}});
  EXPECT_EQ(found.size(), 2U);
}

TEST(minimize, names_what_is_wrong) {
  const auto one = [](double, double) { return 1.0; };
  EXPECT_EQ(message_of([&] {
              local_minima(one, {{1, 0}, {0, 1}});
            }),
            "minimum: the bounds are empty");
  EXPECT_EQ(message_of([&] {
              local_minima(one, {{0, 0}, {1, 1}}, {.grid = 1});
            }),
            "minimum: grid must be from 2 to 1000, got 1");
  EXPECT_EQ(message_of([] {
              local_minima([](double, double) { return NAN; }, {{0, 0}, {1, 1}});
            }),
            "minimum: the function is undefined at (0, 0)");
}

}  // namespace
