#include "ktln2/distribution/pair.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ktln2/distribution/catalogue.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;

TEST(eq_initial_dist, the_pair_knows_its_marginals) {
  const regression_pair pair{-2, 3, 8};
  EXPECT_EQ(pair.sigma_y(), 10);
  EXPECT_EQ(pair.gain(), 0.75);
  EXPECT_EQ(pair.snr(), 0.5625);
  EXPECT_EQ(pair.correlation(), -0.6);
  EXPECT_EQ(deviation(pair.y()), 10);
  EXPECT_EQ(mutual_information(pair).value(), std::log2(1.25));
}

TEST(regression_pair, exchanging_twice_gives_the_pair_back) {
  const regression_pair pair{1.7, 0.3, 0.9};
  const regression_pair twice = pair.exchanged().exchanged();
  EXPECT_NEAR(twice.w(), pair.w(), 8 * 0x1p-53);
  EXPECT_NEAR(twice.sigma_x(), pair.sigma_x(), 8 * 0x1p-53);
  EXPECT_NEAR(twice.sigma_xi(), pair.sigma_xi(), 8 * 0x1p-53);
  EXPECT_NEAR(pair.exchanged().gain(), pair.gain(), 8 * 0x1p-53);
}

TEST(regression_pair, differential_entropy_obeys_the_chain_rule) {
  const regression_pair pair{2, 1, 0.1};
  const double sum = (differential_entropy(pair.x()) + differential_entropy(pair.y())).value();
  EXPECT_NEAR(differential_entropy(pair).value(), sum - mutual_information(pair).value(), 1e-14);
}

TEST(regression_pair, a_weak_signal_shares_a_little_and_none_shares_nothing) {
  EXPECT_NEAR(mutual_information(regression_pair{1e-9, 1, 1}).value(), 5e-19 / std::log(2.0),
              1e-33);
  EXPECT_EQ(mutual_information(regression_pair{0, 1, 1}), bits{0});
}

TEST(regression_pair, may_have_means) {
  const regression_pair pair{{0.5, 1, 2}, {3, -1}};
  EXPECT_EQ(mean(pair.x()), 3);
  EXPECT_EQ(mean(pair.y()), 0.5);
  EXPECT_FALSE(pair.is_centered());
  EXPECT_TRUE((regression_pair{0.5, 1, 2}.is_centered()));
  const regression_pair parsed = parse_pair("pair:w=0.5,sigma_xi=2,mu_x=3,b=-1");
  EXPECT_EQ(parsed.mu_x(), 3);
  EXPECT_EQ(parsed.b(), -1);
  const regression_pair back = pair.exchanged().exchanged();
  EXPECT_NEAR(back.mu_x(), 3, 1e-14);
  EXPECT_NEAR(back.b(), -1, 1e-14);
}

TEST(parse_pair, missing_keys_take_their_defaults) {
  const regression_pair pair = parse_pair("pair");
  EXPECT_EQ(pair.w(), 1);
  EXPECT_EQ(pair.sigma_x(), 1);
  EXPECT_EQ(pair.sigma_xi(), 0.5);
  EXPECT_EQ(parse_pair("pair:w=-3,sigma_xi=2").w(), -3);
}

TEST(parse_pair, names_what_is_wrong) {
  EXPECT_EQ(message_of([] { parse_pair("pair:sigma_x=0"); }),
            "pair: sigma_x must be finite and > 0, got 0");
  EXPECT_EQ(message_of([] { parse_pair("pair:v=1"); }),
            "pair: unknown key 'v': expected w, sigma_x, sigma_xi, mu_x or b");
  EXPECT_EQ(message_of([] { parse_pair("pair:w=1e300,sigma_x=1e300"); }),
            "pair: deviation of y must be finite and > 0, got inf");
  EXPECT_EQ(message_of([] { parse_pair("normal:mu=1"); }),
            "expected a pair of variables, got 'normal:mu=1'");
}

}  // namespace
