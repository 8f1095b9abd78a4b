#include "ktln2/mismatch/driven.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "message_of.hpp"
#include "random_case.hpp"

namespace {

using namespace ktln2;
using namespace ktln2::mismatch;

double sum_of(const std::vector<double>& p) {
  double sum = 0;
  for (const double one : p) sum += one;
  return sum;
}

std::vector<double> random_distribution(random_numbers& random, std::size_t states, double span) {
  std::vector<double> p(states);
  for (double& one : p) one = random.log_uniform(std::exp(-span), 1);
  const double sum = sum_of(p);
  for (double& one : p) one /= sum;
  return p;
}

TEST(eq_s_env, a_driven_process_is_what_the_solver_of_any_chain_finds) {
  const std::vector<double> prepared{0.4, 0.3, 0.2, 0.1};
  const std::vector<double> start{0.1, 0.2, 0.3, 0.4};
  for (const double duration : {0.3, 20.0, 400.0}) {
    SCOPED_TRACE(duration);
    const driven_process process = register_reset(prepared, 1, duration, 8, 1.3);
    const markov_path path = follow(process, start);
    const markov_path other = follow(as_markov_process(process), start, 1e-10);
    EXPECT_NEAR(path.system.value(), other.system.value(), 1e-8);
    EXPECT_NEAR(path.environment.value(), other.environment.value(), 1e-8);
    EXPECT_NEAR(path.total.value(), other.total.value(), 1e-8);
    for (std::size_t x = 0; x < 4; ++x) EXPECT_NEAR(path.end[x], other.end[x], 1e-8);
    EXPECT_LT(path.steps, other.steps);
  }
}

TEST(eq_s_env, levels_that_stay_give_off_the_divergence_that_is_lost) {
  const std::vector<double> level{0, 0.5, 1.2, 3};
  const std::vector<double> start{0.1, 0.2, 0.3, 0.4};
  std::vector<double> gibbs;
  for (const double energy : level) gibbs.push_back(std::exp(-energy));
  const double z = sum_of(gibbs);
  for (double& one : gibbs) one /= z;
  const markov_path path = follow(driven({level, level}, 3, 0.4), start);
  for (std::size_t x = 0; x < 4; ++x) {
    EXPECT_NEAR(path.end[x], gibbs[x] + (start[x] - gibbs[x]) * std::exp(-1.2), 1e-15);
  }
  EXPECT_NEAR(path.total.value(), (divergence(start, gibbs) - divergence(path.end, gibbs)).value(),
              1e-12);
}

TEST(eq_Landauer, a_very_slow_erasure_loses_one_over_its_duration) {
  // ∫ Σ π'²/π ds / (Γτ): how much there is of it does not depend on the duration.
  const double first = follow(bit_erasure(1e6), {0.5, 0.5}).total.value() * 1e6;
  for (const double relaxations : {1e9, 1e15, 1e24}) {
    const markov_path path = follow(bit_erasure(relaxations, 20, 1), {0.5, 0.5});
    EXPECT_NEAR(path.total.value() * relaxations / first, 1, 1e-5);
    EXPECT_NEAR(path.environment.value(), std::numbers::ln2, 1e-6);
  }
}

TEST(eq_s_env, hardly_a_jump_gives_off_in_proportion) {
  // p does not move: Γτ times the mean of Σ (p - π)E, whatever that is.
  const double one = follow(bit_erasure(1e-6), {0.7, 0.3}).environment.value() / 1e-6;
  const double other = follow(bit_erasure(1e-12), {0.7, 0.3}).environment.value() / 1e-12;
  EXPECT_NEAR(one / other, 1, 1e-5);
}

TEST(eq_MMC, is_the_loss_of_divergence_from_the_best_start_of_a_driven_process) {
  random_numbers random(3);
  for (const double duration : {1e-3, 1.0, 20.0}) {
    SCOPED_TRACE(duration);
    const driven_process process =
        register_reset(random_distribution(random, 16, 4), 8, duration, 10);
    const relaxing_channel channel = channel_of(process);
    const std::vector<double> best = optimal_start(channel);
    const markov_path from_best = follow(process, best);
    for (int i = 0; i < 3; ++i) {
      const std::vector<double> start = random_distribution(random, 16, 4);
      const markov_path path = follow(process, start);
      EXPECT_NEAR(production(channel, start).value(), path.total.value(), 1e-10);
      const nats lost = divergence(start, best) - divergence(path.end, from_best.end);
      EXPECT_NEAR((path.total - from_best.total).value(), lost.value(), 1e-10);
      EXPECT_GT(lost, nats{0});
    }
  }
}

/// Rates and durations of any size, energies that move far beyond where e^-E is a number.
void expect_possible(random_numbers& random) {
  const auto states = static_cast<std::size_t>(random.whole(2, 8));
  const double bias = (random.chance(0.5) ? 1 : -1) * random.log_uniform(1e-3, 1e5);
  const double rate = random.log_uniform(1e-12, 1e12);
  const double duration = random.log_uniform(1e-12, 1e12);
  const std::vector<double> prepared = random_distribution(random, states, 300);
  const std::vector<double> start = random_distribution(random, states, 300);
  const std::string parameters =
      "bias " + std::to_string(bias) + ", " + std::to_string(rate * duration) + " relaxations";
  SCOPED_TRACE(parameters);
  const driven_process process = register_reset(prepared, 0, duration, bias, rate);
  const markov_path path = follow(process, start);
  EXPECT_GE(path.total, nats{0});
  EXPECT_NEAR(sum_of(path.end), 1, 1e-11);
  const double size = 1 + std::fabs(path.environment.value()) + std::fabs(path.system.value());
  EXPECT_NEAR(path.total.value(), (path.system + path.environment).value(), 1e-9 * size);
  EXPECT_NEAR(path.system.value(), (entropy_of(path.end) - entropy_of(start)).value(), 1e-9 * size);
  EXPECT_NEAR(production(channel_of(process), start).value(), path.total.value(), 1e-9 * size);
}

TEST(eq_CTMC, any_rate_duration_and_bias_is_followed) {
  random_numbers random(5);
  for (int i = 0; i < 5; ++i) expect_possible(random);
}

TEST(eq_CTMC_campaign, any_rate_duration_and_bias_is_followed) {
  random_numbers random(static_cast<unsigned>(from_environment("KTLN2_CAMPAIGN_SEED", 1)));
  const int cases = from_environment("KTLN2_CAMPAIGN_CASES", 40);
  for (int i = 0; i < cases; ++i) expect_possible(random);
}

TEST(driven, hears_a_stop) {
  const std::atomic<bool> flag{true};
  EXPECT_THROW((void)follow(bit_erasure(1), {0.5, 0.5}, stop_token{flag}), stopped);
}

}  // namespace
