#include "ktln2/core/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include "message_of.hpp"

namespace {

using limits = std::numeric_limits<double>;

TEST(Check, NumbersAreShownAsTheShortestDecimalThatReadsBack) {
  EXPECT_EQ(ktln2::shown(0.0), "0");
  EXPECT_EQ(ktln2::shown(-1.0), "-1");
  EXPECT_EQ(ktln2::shown(30.0), "30");
  EXPECT_EQ(ktln2::shown(0.1), "0.1");
  EXPECT_EQ(ktln2::shown(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(ktln2::shown(1e300), "1e+300");
  EXPECT_EQ(ktln2::shown(limits::max()), "1.7976931348623157e+308");
  EXPECT_EQ(ktln2::shown(limits::denorm_min()), "5e-324");
  EXPECT_EQ(ktln2::shown(limits::infinity()), "inf");
  EXPECT_EQ(ktln2::shown(-limits::infinity()), "-inf");
  EXPECT_EQ(ktln2::shown(limits::quiet_NaN()), "nan");
}

TEST(Check, LimitsAreShownInSixDigitsThatLieWithin) {
  EXPECT_EQ(ktln2::shown_limit(0.7999999999999998), "0.8");
  EXPECT_EQ(ktln2::shown_limit(1.5384615384615383), "1.53846");
  EXPECT_EQ(ktln2::shown_limit(5.0 / 3), "1.66666");
  EXPECT_EQ(ktln2::shown_limit(-2.0 / 3), "-0.666666");
  EXPECT_EQ(ktln2::shown_limit(1.25), "1.25");
  EXPECT_EQ(ktln2::shown_limit(2e-9 / 3), "6.66666e-10");
  EXPECT_EQ(ktln2::shown_limit(0.0), "0");
  EXPECT_EQ(ktln2::shown_limit(limits::infinity()), "inf");
  std::mt19937_64 random{23};
  std::lognormal_distribution<double> any{0, 20};
  for (int i = 0; i < 2000; ++i) {
    const double limit = any(random);
    const double told = std::strtod(ktln2::shown_limit(limit).c_str(), nullptr);
    EXPECT_LE(told, limit * (1 + 1e-12)) << limit;
    EXPECT_GE(told, limit * (1 - 1e-5)) << limit;
  }
}

TEST(Check, EveryShownNumberReadsBack) {
  std::mt19937_64 random{17};
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t bits = random();
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    if (std::isfinite(x)) {
      EXPECT_EQ(std::strtod(ktln2::shown(x).c_str(), nullptr), x);
    }
  }
}

TEST(Check, WhatIsFinitePassesAndTheRestIsNamed) {
  EXPECT_NO_THROW(ktln2::require_finite("normal", "mu", -limits::max()));
  EXPECT_EQ(message_of([] { ktln2::require_finite("normal", "mu", limits::infinity()); }),
            "normal: mu must be finite, got inf");
  EXPECT_EQ(message_of([] { ktln2::require_finite("normal", "mu", limits::quiet_NaN()); }),
            "normal: mu must be finite, got nan");
}

TEST(Check, WhatIsPositivePassesAndTheRestIsNamed) {
  EXPECT_NO_THROW(ktln2::require_positive("normal", "sigma", limits::denorm_min()));
  const auto message = [](double value) {
    return message_of([=] { ktln2::require_positive("normal", "sigma", value); });
  };
  EXPECT_EQ(message(-1), "normal: sigma must be finite and > 0, got -1");
  EXPECT_EQ(message(0), "normal: sigma must be finite and > 0, got 0");
  EXPECT_EQ(message(limits::infinity()), "normal: sigma must be finite and > 0, got inf");
  EXPECT_EQ(message(limits::quiet_NaN()), "normal: sigma must be finite and > 0, got nan");
}

TEST(Check, RangesIncludeBothEnds) {
  EXPECT_NO_THROW(ktln2::require_in_range("format", "p", 1, 1, 64));
  EXPECT_NO_THROW(ktln2::require_in_range("format", "p", 64, 1, 64));
  EXPECT_EQ(message_of([] { ktln2::require_in_range("format", "p", 0, 1, 64); }),
            "format: p must be from 1 to 64, got 0");
  EXPECT_EQ(message_of([] { ktln2::require_in_range("format", "p", 65, 1, 64); }),
            "format: p must be from 1 to 64, got 65");
}

}  // namespace
