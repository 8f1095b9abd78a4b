#include "ktln2/mismatch/markov.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ktln2/distribution/normal.hpp"
#include "ktln2/format/float_format.hpp"
#include "ktln2/mismatch/driven.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;
using namespace ktln2::mismatch;

/// A quantized normal: what each state of a register holds.
std::vector<double> stored_normal(const float_format& format, double sigma) {
  const auto size = static_cast<std::size_t>(format.size());
  const normal law{0, sigma};
  std::vector<double> p;
  double below = 0;
  for (std::size_t i = 1; i < size; ++i) {
    const double edge = (format.value_at(i).to_double() + format.value_at(i + 1).to_double()) / 2;
    p.push_back(cdf(law, edge) - below);
    below = cdf(law, edge);
  }
  p.push_back(
      ccdf(law, (format.value_at(size - 1).to_double() + format.value_at(size).to_double()) / 2));
  return p;
}

void expect_consistent(const markov_process& process, const std::vector<double>& start) {
  const markov_path path = follow(process, start);
  const double size = std::fabs(path.environment.value()) + std::fabs(path.system.value());
  EXPECT_NEAR(path.total.value(), (path.system + path.environment).value(), 1e-9 * size);
  // and the change of the entropy, from its ends
  const nats change = entropy_of(path.end) - entropy_of(start);
  EXPECT_NEAR(path.system.value(), change.value(), 1e-9 * size);
  EXPECT_GE(path.total, nats{0});
}

TEST(eq_CTMC, two_states_with_constant_rates_relax_exponentially) {
  const double up = 0.3;
  const double down = 0.9;
  const markov_process process{2, 1.7, [=](double) {
                                 rate_matrix rates{2};
                                 rates(1, 0) = up;
                                 rates(0, 0) = -up;
                                 rates(0, 1) = down;
                                 rates(1, 1) = -down;
                                 return rates;
                               }};
  const std::vector<double> start{0.2, 0.8};
  const markov_path path = follow(process, start);
  const double limit = up / (up + down);
  const double p1 = limit + (0.8 - limit) * std::exp(-(up + down) * 1.7);
  EXPECT_NEAR(path.end[1], p1, 1e-10);
  // Each jump downwards gives ln(down/up) to the environment.
  EXPECT_NEAR(path.environment.value(), (0.8 - p1) * std::log(down / up), 1e-10);
  // The production is the loss of divergence from the stationary law.
  const std::vector<double> stationary{1 - limit, limit};
  EXPECT_NEAR(path.total.value(),
              (divergence(start, stationary) - divergence(path.end, stationary)).value(), 1e-10);
}

TEST(eq_CTMC, rates_that_change_in_time_are_followed_to_the_tolerance) {
  // dp/dt = π(t) - p with π = 0.3 + 0.1 t is solved by p = 0.2 + 0.1 t + c e^-t.
  const markov_process process{2, 4, [](double t) {
                                 rate_matrix rates{2};
                                 rates(1, 0) = 0.3 + 0.1 * t;
                                 rates(0, 0) = -rates(1, 0);
                                 rates(0, 1) = 1 - rates(1, 0);
                                 rates(1, 1) = -rates(0, 1);
                                 return rates;
                               }};
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    const markov_path path = follow(process, {0.1, 0.9}, tolerance);
    EXPECT_NEAR(path.end[1], 0.6 + 0.7 * std::exp(-4), 10 * tolerance);
    EXPECT_LT(path.steps, 10 / std::pow(tolerance, 0.25));  // a method of order 4
  }
}

TEST(eq_CTMC, stiff_rates_do_not_need_short_steps) {
  // One pair of states is a million times faster than the other.
  const markov_process process{3, 10, [](double t) {
                                 rate_matrix rates{3};
                                 const double fast = 1e6;
                                 const double slow = 1 + 0.5 * std::sin(t);
                                 rates(1, 0) = fast;
                                 rates(0, 1) = 2 * fast;
                                 rates(2, 1) = slow;
                                 rates(1, 2) = 0.1 * slow;
                                 for (std::size_t from = 0; from < 3; ++from) {
                                   double out = 0;
                                   for (std::size_t to = 0; to < 3; ++to) {
                                     if (to != from) out += rates(to, from);
                                   }
                                   rates(from, from) = -out;
                                 }
                                 return rates;
                               }};
  const std::vector<double> start{0.5, 0.3, 0.2};
  const markov_path path = follow(process, start, 1e-9);
  EXPECT_LT(path.steps, 20000U);  // an explicit method needs 1e7
  const nats change = entropy_of(path.end) - entropy_of(start);
  EXPECT_NEAR(path.system.value(), change.value(), 1e-7);
  EXPECT_NEAR(path.end[0] / path.end[1], 2, 1e-5);
}

markov_process erasing(double duration, double bias = 20) {
  return as_markov_process(bit_erasure(duration, bias));
}

TEST(eq_s_env_campaign, the_three_entropies_agree_along_the_path) {
  for (const double duration : {0.1, 3.0, 100.0, 10000.0}) {
    SCOPED_TRACE(duration);
    expect_consistent(erasing(duration), {0.5, 0.5});
    expect_consistent(erasing(duration, 8), {0.9, 0.1});
  }
  const float_format format{2, 2};
  const auto prepared = stored_normal(format, 1.5);
  const markov_process reset = as_markov_process(register_reset(prepared, 8, 50));
  expect_consistent(reset, prepared);
  expect_consistent(reset, stored_normal(format, 2.5));
}

/// The slope of ln(excess) against ln(duration), between two slow protocols.
double slope_of_excess(const std::function<markov_process(double)>& protocol,
                       const std::vector<double>& start, double shorter, double longer) {
  const nats first = follow(protocol(shorter), start).total;
  const nats last = follow(protocol(longer), start).total;
  return std::log(last / first) / std::log(longer / shorter);
}

TEST(eq_Landauer_campaign, is_reached_as_one_over_the_duration) {
  const auto erase = [](double duration) { return erasing(duration); };
  EXPECT_NEAR(slope_of_excess(erase, {0.5, 0.5}, 1e3, 1e4), -1, 0.02);
  // and the heat comes down to k_B T ln 2 · ΔH
  const markov_path slow = follow(erase(1e5), {0.5, 0.5});
  const nats landauer = entropy_of({0.5, 0.5}) - entropy_of(slow.end);
  EXPECT_GT(slow.environment, landauer);
  EXPECT_NEAR(slow.environment / landauer, 1, 1e-3);

  const auto prepared = stored_normal({2, 2}, 1.5);
  const auto reset = [&](double duration) {
    return as_markov_process(register_reset(prepared, 8, duration));
  };
  EXPECT_NEAR(slope_of_excess(reset, prepared, 1e3, 1e4), -1, 0.02);
}

TEST(eq_MMC_campaign, is_the_loss_of_divergence_from_the_best_start) {
  const float_format format{2, 2};
  const auto prepared = stored_normal(format, 1.5);
  for (const double duration : {1.0, 20.0}) {
    SCOPED_TRACE(duration);
    const markov_process process = as_markov_process(register_reset(prepared, 8, duration, 10));
    const markov_channel channel = channel_of(process);
    const std::vector<double> best = optimal_start(channel);
    const markov_path from_best = follow(process, best);
    for (const double sigma : {1.5, 0.9, 3.0}) {
      const auto start = stored_normal(format, sigma);
      const markov_path path = follow(process, start);
      // two roads to ΔS_tot
      EXPECT_NEAR(production(channel, start).value(), path.total.value(),
                  1e-9 * (1 + path.environment.value()));
      const nats lost = divergence(start, best) - divergence(path.end, from_best.end);
      EXPECT_NEAR((path.total - from_best.total).value(), lost.value(),
                  1e-9 * (1 + path.environment.value()));
      EXPECT_GT(lost, nats{0});
    }
  }
}

TEST(markov, names_what_is_wrong) {
  const auto with_rates = [](double forth, double back, double stay) {
    return markov_process{2, 1, [=](double) {
                            rate_matrix rates{2};
                            rates(1, 0) = forth;
                            rates(0, 0) = stay;
                            rates(0, 1) = back;
                            rates(1, 1) = -back;
                            return rates;
                          }};
  };
  const auto message = [](const markov_process& process, const std::vector<double>& start) {
    return message_of([&] { (void)follow(process, start); });
  };
  const std::vector<double> half{0.5, 0.5};
  EXPECT_EQ(message(with_rates(1, 1, -0.5), half), "rates: column 0 must sum to 0, got 0.5");
  EXPECT_EQ(message(with_rates(-1, 1, 1), half),
            "rates: the rate from state 0 to 1 must be finite and >= 0, got -1");
  EXPECT_EQ(message(with_rates(1, 0, -1), half),
            "rates: state 0 leads to 1, but there is no way back");
  EXPECT_EQ(message(erasing(1), {1, 0}), "markov: probability must be finite and > 0, got 0");
  EXPECT_EQ(message(erasing(1), {0.5, 0.6}), "markov: the probabilities must add up to 1, got 1.1");
  EXPECT_EQ(message(erasing(1), {1}), "markov: 1 probabilities for 2 states");
  EXPECT_EQ(message_of([] { (void)erasing(0); }), "markov: duration must be finite and > 0, got 0");
}

}  // namespace
