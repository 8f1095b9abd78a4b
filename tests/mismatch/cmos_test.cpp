#include "ktln2/mismatch/cmos.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "ktln2/mismatch/markov.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;
using namespace ktln2::mismatch;

const cmos_bit small_bit{.vdd = 2, .capacitance = 3, .slope = 1.2, .rate = 0.7};

TEST(cmos, every_transistor_obeys_detailed_balance) {
  for (const cmos_bit& bit : {small_bit, cmos_bit{}, cmos_bit{.vdd = 20, .capacitance = 0.5}}) {
    const cmos_node node{bit};
    for (std::size_t k = 0; k + 1 < node.states(); ++k) {
      for (const double input : {0.0, bit.vdd / 3, bit.vdd}) {
        const auto p = node.through_p(k, input);
        const auto n = node.through_n(k, input);
        const double rise = node.energy(k + 1) - node.energy(k);
        const double little = 1e-12 * (1 + std::fabs(node.energy(k)) + bit.vdd);
        EXPECT_NEAR(std::log(p.with / p.back), bit.vdd - rise, little);
        EXPECT_NEAR(std::log(n.with / n.back), rise, little);
        EXPECT_NEAR(p.heat, bit.vdd - rise, little);
        EXPECT_NEAR(n.heat, rise, little);
      }
    }
  }
}

TEST(cmos, the_mean_current_is_that_below_the_threshold) {
  const cmos_bit bit{.vdd = 3, .capacitance = 200, .slope = 1.5, .rate = 2};
  const cmos_node node{bit};
  for (std::size_t k = 100; k + 1 < node.states(); k += 97) {
    const double input = 1.1;
    const double middle = (node.voltage(k) + node.voltage(k + 1)) / 2;
    const auto n = node.through_n(k, input);
    EXPECT_NEAR(n.with - n.back, 2 * std::exp(input / 1.5) * (1 - std::exp(-middle)), 1e-10);
    const auto p = node.through_p(k, input);
    EXPECT_NEAR(p.with - p.back, 2 * std::exp((3 - input) / 1.5) * (1 - std::exp(middle - 3)),
                1e-10);
  }
}

TEST(cmos, without_a_supply_the_node_is_in_equilibrium) {
  const cmos_node node{{.vdd = 0, .capacitance = 7}};
  double z = 0;
  for (std::size_t k = 0; k < node.states(); ++k) z += std::exp(-node.energy(k));
  for (const double input : {-2.0, 0.0, 3.0}) {
    const std::vector<double> law = node.steady(input);
    for (std::size_t k = 0; k < node.states(); ++k) {
      EXPECT_NEAR(law[k], std::exp(-node.energy(k)) / z, 1e-14);
    }
    EXPECT_EQ(node.idle(input), nats{0});
  }
}

/// e^{At} x by squaring.
class dense {
 public:
  explicit dense(std::size_t size) : n_{size}, at_(size * size) {}
  double& operator()(std::size_t i, std::size_t j) { return at_[i * n_ + j]; }
  [[nodiscard]] dense times(const dense& other) const {
    dense made{n_};
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < n_; ++k) {
        for (std::size_t j = 0; j < n_; ++j) {
          made.at_[i * n_ + j] += at_[i * n_ + k] * other.at_[k * n_ + j];
        }
      }
    }
    return made;
  }
  [[nodiscard]] dense exponential() const {
    constexpr int halvings = 24;
    dense small = *this;
    for (double& one : small.at_) one = std::ldexp(one, -halvings);
    dense sum{n_};  // e^A - 1, so that squaring does not lose it
    dense term{n_};
    for (std::size_t i = 0; i < n_; ++i) term(i, i) = 1;
    for (int k = 1; k < 12; ++k) {
      term = term.times(small);
      for (std::size_t i = 0; i < at_.size(); ++i) sum.at_[i] += (term.at_[i] /= k);
    }
    for (int k = 0; k < halvings; ++k) {
      const dense square = sum.times(sum);
      for (std::size_t i = 0; i < at_.size(); ++i) sum.at_[i] = 2 * sum.at_[i] + square.at_[i];
    }
    for (std::size_t i = 0; i < n_; ++i) sum(i, i) += 1;
    return sum;
  }

 private:
  std::size_t n_;
  std::vector<double> at_;
};

TEST(cmos, constant_rates_are_those_of_the_matrix_exponential) {
  const cmos_node node{small_bit};
  const std::size_t n = node.states();
  for (const double duration : {0.05, 1.0, 30.0}) {
    SCOPED_TRACE(duration);
    dense rates{n + 1};  // the last row gathers the heat
    for (std::size_t k = 0; k + 1 < n; ++k) {
      const auto p = node.through_p(k, small_bit.vdd);
      const auto m = node.through_n(k, small_bit.vdd);
      rates(k + 1, k) = duration * (p.with + m.back);
      rates(k, k + 1) = duration * (p.back + m.with);
      rates(n, k) += duration * (p.with * p.heat - m.back * m.heat);
      rates(n, k + 1) += duration * (m.with * m.heat - p.back * p.heat);
    }
    for (std::size_t k = 0; k < n; ++k) {
      if (k > 0) rates(k, k) -= rates(k - 1, k);
      if (k + 1 < n) rates(k, k) -= rates(k + 1, k);
    }
    dense moved = rates.exponential();
    const std::vector<double> start = node.mixture();
    std::vector<double> end(n + 1);
    for (std::size_t i = 0; i <= n; ++i) {
      for (std::size_t k = 0; k < n; ++k) end[i] += moved(i, k) * start[k];
    }
    const cmos_path path = follow({small_bit, duration, small_bit.vdd});
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(path.end[k], end[k], 1e-11);
    EXPECT_NEAR(path.environment.value.value(), end[n], 1e-9 * (1 + end[n]));
    EXPECT_LT(path.environment.error.value(), 1e-7 * (1 + end[n]));
  }
}

/// Both transistors as one: all that a chain with one bath knows.
markov_process merged(const cmos_erasure& erasure) {
  const cmos_node node{erasure.bit};
  return {node.states(), erasure.duration, [=](double t) {
            const double share = t / erasure.duration;
            const double input = (1 - share) * erasure.first_input() + share * erasure.bit.vdd;
            rate_matrix made{node.states()};
            for (std::size_t k = 0; k + 1 < node.states(); ++k) {
              const auto p = node.through_p(k, input);
              const auto n = node.through_n(k, input);
              made(k + 1, k) = p.with + n.back;
              made(k, k + 1) = p.back + n.with;
              made(k, k) -= made(k + 1, k);
              made(k + 1, k + 1) -= made(k, k + 1);
            }
            return made;
          }};
}

TEST(cmos, the_solver_of_any_chain_finds_the_same_law) {
  const cmos_erasure erasure{{.vdd = 2, .capacitance = 1.5}, 4, 0.5};
  const cmos_path path = follow(erasure);
  const markov_path other = follow(merged(erasure), cmos_node{erasure.bit}.mixture(), 1e-9);
  for (std::size_t k = 0; k < path.end.size(); ++k) EXPECT_NEAR(path.end[k], other.end[k], 1e-8);
  EXPECT_NEAR(path.system.value.value(), other.system.value(), 1e-7);
  // It does not see what passes from the supply to ground.
  EXPECT_GT(path.environment.value, other.environment + nats{1});
}

/// One way of the node through an erasure: heat, and where it ends.
struct walk {
  double heat;
  std::size_t end;
};
walk random_walk(const cmos_node& node, const cmos_erasure& erasure, std::mt19937_64& random) {
  std::uniform_real_distribution<double> even{0, 1};
  std::size_t k = 0;
  double left = even(random);
  for (const double p : node.mixture()) {
    left -= p;
    if (left < 0) break;
    ++k;
  }
  walk made{0, 0};
  const double vdd = erasure.bit.vdd;
  for (double t = 0;;) {
    // The rates of this state are at most these, whatever the input: others are thrown away.
    const auto list_at = [&](double input_p, double input_n) {
      const auto up_p = node.through_p(k, input_p);
      const auto up_n = node.through_n(k, input_n);
      const auto down_p = node.through_p(k - 1, input_p);
      const auto down_n = node.through_n(k - 1, input_n);
      return std::vector<cmos_node::jumps>{{up_p.with, 1, up_p.heat},
                                           {up_n.back, 1, -up_n.heat},
                                           {down_p.back, -1, -down_p.heat},
                                           {down_n.with, -1, down_n.heat}};
    };
    double most = 0;
    for (const auto& one : list_at(erasure.first_input(), vdd)) most += one.with;
    t -= std::log1p(-even(random)) / most;
    if (t >= erasure.duration) break;
    const double share = t / erasure.duration;
    const double input = (1 - share) * erasure.first_input() + share * vdd;
    double choice = even(random) * most;
    for (const auto& one : list_at(input, input)) {
      choice -= one.with;
      if (choice >= 0) continue;
      made.heat += one.heat;
      k = one.back > 0 ? k + 1 : k - 1;
      break;
    }
  }
  made.end = k;
  return made;
}

TEST(cmos, a_simulation_gives_the_same_heat_and_the_same_law) {
  const cmos_erasure erasure{{.vdd = 2, .capacitance = 4}, 3, 0.5};
  const cmos_node node{erasure.bit};
  const cmos_path path = follow(erasure);
  std::mt19937_64 random{20210331};
  constexpr int trials = 20000;
  double sum = 0;
  double squares = 0;
  std::vector<double> end(node.states());
  for (int i = 0; i < trials; ++i) {
    const walk one = random_walk(node, erasure, random);
    sum += one.heat;
    squares += one.heat * one.heat;
    end[one.end] += 1.0 / trials;
  }
  const double mean = sum / trials;
  const double error = std::sqrt((squares / trials - mean * mean) / trials);
  EXPECT_NEAR(mean, path.environment.value.value(), 4 * error);
  EXPECT_LT(error, 0.01 * mean);
  for (std::size_t k = 0; k < end.size(); ++k) {
    EXPECT_NEAR(end[k], path.end[k], 4.5 * std::sqrt(path.end[k] / trials) + 1.5 / trials) << k;
  }
  const double one = path.error.value;
  EXPECT_NEAR(node.one(end), one, 4 * std::sqrt(one * (1 - one) / trials));
}

TEST(cmos, it_does_not_matter_at_which_transistor_charges_are_counted) {
  // Where the input starts below half of vdd, they are counted at ground first.
  const cmos_path at_supply = follow({small_bit, 3, 1});
  const cmos_path at_both = follow({small_bit, 3, 1 - 1e-11});
  EXPECT_TRUE(overlap(at_supply.supplied, at_both.supplied));
  EXPECT_TRUE(overlap(at_supply.environment, at_both.environment));
  EXPECT_LT(at_both.supplied.error, 1e-7);
  EXPECT_GT(at_both.steps, at_supply.steps);
}

TEST(cmos, the_second_law_holds) {
  for (const cmos_bit& bit : {small_bit, cmos_bit{}, cmos_bit{.vdd = 1, .capacitance = 40}}) {
    for (const double duration : {0.01, 1.0, 100.0}) {
      for (const double input : {0.0, bit.vdd / 2, bit.vdd}) {
        const cmos_path path = follow({bit, duration, input});
        EXPECT_GT(path.total.value - path.total.error, nats{0});
      }
    }
  }
}

TEST(cmos, the_error_bars_hold) {
  for (const double duration : {0.3, 5.0, 2000.0}) {
    const cmos_erasure erasure{{}, duration};
    const cmos_path fine = follow(erasure, 1e-12);
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      const cmos_path path = follow(erasure, tolerance);
      EXPECT_TRUE(overlap(path.environment, fine.environment)) << duration << ' ' << tolerance;
      EXPECT_TRUE(overlap(path.system, fine.system)) << duration << ' ' << tolerance;
      EXPECT_TRUE(overlap(path.supplied, fine.supplied)) << duration << ' ' << tolerance;
      EXPECT_TRUE(overlap(path.error, fine.error)) << duration << ' ' << tolerance;
      EXPECT_GT(path.environment.error, fine.environment.error);
    }
    EXPECT_LT(fine.environment.error.value(), 1e-9 * (10 + fine.environment.value.value()));
  }
}

TEST(cmos, slow_is_not_free) {
  // What is stored is lost; from then on charges leak, as long as it takes.
  const cmos_bit bit;
  const auto heat = [&](double duration) { return follow({bit, duration, bit.vdd}).environment; };
  const cmos_node node{bit};
  EXPECT_NEAR((heat(300).value - heat(100).value).value(), 200 * node.idle(bit.vdd).value(), 1e-6);
  const double stored = bit.capacitance * bit.vdd * bit.vdd / 4;
  EXPECT_NEAR((heat(100).value - 100 * node.idle(bit.vdd)).value(), stored, 0.02 * stored);
  // On average no more passes than by the mean current, off against vdd.
  EXPECT_LT(node.idle(bit.vdd).value(), bit.rate * bit.vdd);

  // So there is a best duration.
  const auto cost = [&](double duration) {
    const cmos_path path = follow({bit, duration});
    return path.environment.value / -path.system.value;
  };
  const double best = best_duration({bit});
  EXPECT_NEAR(best, 6.07, 0.05);
  EXPECT_LT(cost(best), cost(0.8 * best));
  EXPECT_LT(cost(best), cost(1.25 * best));
  EXPECT_GT(cost(best), 100);
}

TEST(cmos, a_low_supply_costs_less_and_errs_more) {
  double heat = 1e9;
  double error = 0;
  for (const double vdd : {6.0, 4.0, 2.0, 1.0}) {
    const cmos_erasure erasure{{.vdd = vdd, .capacitance = 5}};
    cmos_erasure best = erasure;
    best.duration = best_duration(erasure);
    const cmos_path path = follow(best);
    const double each = path.environment.value / -path.system.value;
    EXPECT_LT(each, heat);
    EXPECT_GT(each, 1);  // Landauer's bound
    const cmos_path slow = follow({erasure.bit, 1000});
    EXPECT_GT(slow.error.value, error);
    heat = each;
    error = slow.error.value;
  }
}

TEST(cmos, says_what_is_wrong) {
  const auto message = [](const cmos_erasure& erasure, double tolerance = 1e-9) {
    return message_of<std::domain_error>([&] { (void)follow(erasure, tolerance); });
  };
  EXPECT_EQ(message({{.vdd = -1}}), "cmos: vdd must be from 0 to 20, got -1");
  EXPECT_EQ(message({{.vdd = 0}}), "cmos: vdd must be finite and > 0, got 0");
  EXPECT_EQ(message({{.capacitance = 0}}), "cmos: capacitance must be finite and > 0, got 0");
  EXPECT_EQ(message({{.vdd = 2, .capacitance = 0.25}}),
            "cmos: the node must hold a charge or more at vdd, got capacitance * vdd = 0.5");
  EXPECT_EQ(message({{.slope = 0.5}}), "cmos: slope factor must be from 1 to 100, got 0.5");
  EXPECT_EQ(message({{.rate = 0}}), "cmos: rate must be from 1e-100 to 1e100, got 0");
  EXPECT_EQ(message({{}, -3}), "cmos: duration must be finite and > 0, got -3");
  EXPECT_EQ(message({{}, 1, 4.5}), "cmos: input must be from 0 to vdd, got 4.5");
  EXPECT_EQ(message({{}, 1}, 0), "cmos: tolerance must be from 1e-12 to 1e-3, got 0");
  EXPECT_EQ(
      message({{.capacitance = 1e300}}).find("cmos: the node has 4e+300 states, at most 1024"), 0U);
}

}  // namespace
