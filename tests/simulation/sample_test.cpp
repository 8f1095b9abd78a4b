#include "ktln2/simulation/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/simulation/trial.hpp"
#include "message_of.hpp"

namespace {

using ktln2::infinity;

using ktln2::simulation::sample;
using ktln2::simulation::sample_moments;
using ktln2::simulation::simulate;

TEST(moments, are_those_of_the_textbook) {
  const sample_moments found = moments_of(sample({4, 1, 2, 1}));
  EXPECT_EQ(found.mean.value, 2);
  EXPECT_EQ(found.variance.value, 2);  // (4 + 1 + 0 + 1)/3
  EXPECT_DOUBLE_EQ(found.mean.error, std::sqrt(2.0 / 4));
  // fourth moment (16 + 1 + 0 + 1)/4
  EXPECT_DOUBLE_EQ(found.variance.error, std::sqrt((4.5 - 1.0 / 3 * 4) / 4));
  EXPECT_EQ(found.median, 1.5);
  EXPECT_EQ(found.lower_quartile, 1);
  EXPECT_EQ(found.upper_quartile, 2.5);
}

TEST(moments, keep_their_digits_far_from_zero_and_at_any_scale) {
  const sample_moments far = moments_of(sample({0x1p50, 0x1p50 + 1, 0x1p50 + 2}));
  EXPECT_EQ(far.mean.value, 0x1p50 + 1);
  EXPECT_EQ(far.variance.value, 1);
  const sample_moments large = moments_of(sample({-1e150, 0, 1e150}));
  EXPECT_EQ(large.mean.value, 0);
  EXPECT_DOUBLE_EQ(large.variance.value, 1e300);
  EXPECT_TRUE(std::isfinite(large.variance.error));
  EXPECT_EQ(moments_of(sample({3, 3, 3})).variance.value, 0);
}

TEST(moments, of_heavy_tails_say_so) {
  const sample cauchy(simulate(ktln2::simulation::slope_trial{.n = 1}, {.trials = 10'000}));
  const sample_moments n1 = moments_of(cauchy, 1);
  EXPECT_TRUE(std::isnan(n1.mean.value));
  EXPECT_TRUE(std::isnan(n1.mean.error));
  EXPECT_EQ(n1.variance.value, infinity);
  EXPECT_NEAR(n1.median, 1, 4 * 1.5708 / 100);  // 1/(2 f(0) √N)
  const sample_moments n2 = moments_of(cauchy, 2);
  EXPECT_TRUE(std::isfinite(n2.mean.value));
  EXPECT_EQ(n2.mean.error, infinity);
  EXPECT_EQ(n2.variance.value, infinity);
  EXPECT_TRUE(std::isnan(n2.variance.error));
  const sample_moments n3 = moments_of(cauchy, 3);
  EXPECT_TRUE(std::isfinite(n3.mean.error));
  EXPECT_TRUE(std::isfinite(n3.variance.value));
  EXPECT_EQ(n3.variance.error, infinity);
  EXPECT_TRUE(std::isfinite(moments_of(cauchy, 5).variance.error));
}

TEST(moments, of_infinite_values_do_not_exist) {
  const sample_moments found = moments_of(sample({1, 2, infinity}));
  EXPECT_TRUE(std::isnan(found.mean.value));
  EXPECT_EQ(found.variance.value, infinity);
  EXPECT_EQ(found.median, 2);
}

TEST(moments, of_one_value_have_no_error) {
  const sample_moments found = moments_of(sample({5}));
  EXPECT_EQ(found.mean.value, 5);
  EXPECT_FALSE(found.mean.error > 0);
}

/// One in a hundred error bars of 2.58 misses, more or less.
TEST(moments, have_error_bars_that_hold) {
  int mean_missed = 0;
  int variance_missed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const sample_moments found = moments_of(sample(simulate(
        ktln2::simulation::average_trial{.n = 1, .sigma = 2}, {.trials = 2000, .seed = seed})));
    if (std::fabs(found.mean.value) > 1.96 * found.mean.error) ++mean_missed;
    if (std::fabs(found.variance.value - 4) > 1.96 * found.variance.error) ++variance_missed;
  }
  // 20 expected, deviation 4.4
  EXPECT_NEAR(mean_missed, 20, 15);
  EXPECT_NEAR(variance_missed, 20, 15);
}

TEST(histogram, counts_every_value_once) {
  const auto found = histogram_of(sample({-1, 0, 0.5, 1, 1.999, 2, 2.5, 3, 4, infinity}), 0, 3, 3);
  EXPECT_EQ(found.below, 1U);
  EXPECT_EQ(found.counts, (std::vector<std::uint64_t>{2, 2, 3}));
  EXPECT_EQ(found.above, 2U);
  EXPECT_EQ(found.edge(0), 0);
  EXPECT_EQ(found.edge(2), 2);
  EXPECT_EQ(found.edge(3), 3);
}

TEST(histogram, refuses_an_empty_range) {
  const sample some({1, 2});
  EXPECT_EQ(message_of([&] { static_cast<void>(histogram_of(some, 1, 1, 3)); }),
            "histogram: high must be > low, got 1 and 1");
  EXPECT_EQ(message_of([&] { static_cast<void>(histogram_of(some, 0, 1, 0)); }),
            "histogram: bins must be from 1 to 1000000, got 0");
  EXPECT_EQ(message_of([&] { static_cast<void>(histogram_of(some, 0, infinity, 1)); }),
            "histogram: high must be finite, got inf");
}

TEST(bulk, is_a_range_whatever_the_sample) {
  for (const std::vector<double>& values : {std::vector<double>{0},
                                            {1, 1, 1, 1, 1, 1, 9},
                                            {-1e308, 1e308},
                                            {infinity, infinity},
                                            {-infinity, 1, infinity},
                                            {1e-320}}) {
    const auto range = bulk_of(sample(values));
    EXPECT_LT(range.low, range.high);
    EXPECT_TRUE(std::isfinite(range.low) && std::isfinite(range.high));
  }
}

TEST(sample, has_something_in_it) {
  EXPECT_EQ(message_of([] { sample({}); }), "sample: size must be > 0, got 0");
  EXPECT_EQ(message_of([] { sample({1, NAN}); }), "sample: values must be numbers, got nan");
  EXPECT_EQ(message_of([] { static_cast<void>(sample({1}).quantile(2)); }),
            "quantile: q must be from 0 to 1, got 2");
}

TEST(sample, is_stored_value_by_value) {
  const sample kept = stored(ktln2::float_format{3, 2}, sample({0, -9, 1.1}));
  EXPECT_EQ(std::vector(kept.sorted().begin(), kept.sorted().end()),
            (std::vector<double>{-7, 0.5, 1}));
}

}  // namespace
