#include "ktln2/scaling/market.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "message_of.hpp"

namespace {

using namespace ktln2;

TEST(demand, has_the_shape_that_its_name_says) {
  EXPECT_EQ(demand()(4), 0.25);
  EXPECT_EQ(parse_demand("inverse")(4), 0.25);
  EXPECT_NEAR(parse_demand("power:a=2")(4), 1.0 / 16, 1e-16);
  const demand threshold = parse_demand("threshold:at=2,a=50,most=7");
  EXPECT_NEAR(threshold(2), 3.5, 1e-15);
  EXPECT_NEAR(threshold(1), 7, 1e-13);
  EXPECT_NEAR(threshold(4), 0, 1e-13);
  EXPECT_EQ(threshold(INFINITY), 0);
  EXPECT_EQ(demand()(INFINITY), 0);
}

TEST(demand, slopes_are_derivatives) {
  const auto logistic = [](double mse) { return 1 / (1 + std::exp(3 * mse)); };
  for (const demand& d :
       {demand(), demand::power(0.7), demand::threshold(1.5, 12, 3), demand::custom(logistic)}) {
    for (const double mse : {0.4, 1.0, 1.5, 2.2}) {
      const double h = 1e-4 * mse;
      const double slope =
          (8 * (d(mse + h) - d(mse - h)) - (d(mse + 2 * h) - d(mse - 2 * h))) / (12 * h);
      EXPECT_NEAR(d.slope(mse), slope, 1e-9 * (std::fabs(slope) + d(mse)));
    }
    EXPECT_EQ(d.slope(INFINITY), 0);
  }
}

TEST(demand, a_given_slope_is_used) {
  const demand d = demand::custom([](double mse) { return -mse; }, [](double) { return -1.0; });
  EXPECT_EQ(d.slope(3), -1);
}

TEST(demand, descends_between_its_bounds) {
  for (const char* text :
       {"inverse", "power:a=0.3", "threshold:at=1.1,a=20,most=3", "threshold:at=2,a=0.5,most=1"}) {
    const demand wanted = parse_demand(text);
    for (const auto& [low, high] : {std::pair{0.5, 0.9}, {0.9, 1.3}, {1.09, 1.0901}, {2.0, 9.0}}) {
      const auto range = wanted.descent(low, high).value();
      double most = 0;
      for (int i = 0; i <= 1000; ++i) {
        const double slope = -wanted.slope(low + (high - low) * i / 1000);
        EXPECT_GE(slope, range.least * (1 - 1e-14));
        EXPECT_LE(slope, range.most * (1 + 1e-14));
        most = std::max(most, slope);
      }
      EXPECT_GT(most, 0.99 * range.most);
    }
  }
  EXPECT_FALSE(demand::custom([](double mse) { return 1 / mse; }).descent(1, 2).has_value());
}

TEST(market, a_price_may_rise_with_demand) {
  const market prices{.inference = {.base = 2, .rise = 3}};
  EXPECT_EQ(revenue(prices, 0.5), (2 + 3 * 2) * 2);
  const double h = 1e-6;
  EXPECT_NEAR(revenue_slope(prices, 0.5),
              (revenue(prices, 0.5 + h) - revenue(prices, 0.5 - h)) / (2 * h), 1e-7);
}

TEST(demand, names_what_is_wrong) {
  EXPECT_EQ(message_of([] { parse_demand("linear"); }),
            "unknown demand 'linear': expected inverse, power or threshold");
  EXPECT_EQ(message_of([] { parse_demand("power:a=-1"); }),
            "demand: a must be finite and > 0, got -1");
  EXPECT_EQ(message_of([] { parse_demand("threshold:a=1e4"); }),
            "demand: a must be at most 1000, got 1e+04");
  EXPECT_EQ(message_of([] { demand::custom({}); }), "demand: expected a function");
}

}  // namespace
