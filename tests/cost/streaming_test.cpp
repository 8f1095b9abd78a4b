#include "ktln2/cost/streaming.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "ktln2/cost/computations.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;

/// By recurrence and the asymptotic series.
double digamma(double x) {
  double sum = 0;
  for (; x < 20; ++x) sum -= 1 / x;
  return sum + std::log(x) - 1 / (2 * x) - 1 / (12 * x * x) + 1 / (120 * x * x * x * x);
}

double value_of(const bounded<bits>& h) { return h.value.value(); }

/// The obvious way: every sequence of stored points, one by one, and the entropies of whatever is
/// asked of it, counted in maps.
class all_sequences {
 public:
  all_sequences(const float_format& format, const linear_model& model, int n) : format_{format} {
    std::vector<double> values;
    for (register_code i = 1; i <= format.size(); ++i) {
      values.push_back(format.value_at(i).to_double());
    }
    const regression_pair pair{model};
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) {
        points_.push_back({values[i], values[j], mass(pair, values, i, j)});
      }
    }
    extend({}, 1, n);
  }

  using key = std::vector<double>;
  struct sequence {
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> xy;  ///< the sums after each point
    std::vector<double> xx;
    double mass;
  };
  [[nodiscard]] double entropy(const std::function<key(const sequence&)>& of) const {
    std::map<key, double> found;
    for (const sequence& one : all_) found[of(one)] += one.mass;
    double h = 0;
    for (const auto& [at, p] : found) h -= p > 0 ? p * std::log2(p) : 0;
    return h;
  }
  [[nodiscard]] double stored(double x) const {
    return format_.value(format_.quantize(x)).to_double();
  }

 private:
  struct point {
    double x;
    double y;
    double mass;
  };

  /// By Simpson's rule, cell by cell.
  static double mass(const regression_pair& pair, const std::vector<double>& values, std::size_t i,
                     std::size_t j) {
    const auto edges = [&values](std::size_t k) {
      return std::pair{k == 0 ? -50.0 : (values[k - 1] + values[k]) / 2,
                       k + 1 == values.size() ? 50.0 : (values[k] + values[k + 1]) / 2};
    };
    const auto [left, right] = edges(i);
    const auto [low, high] = edges(j);
    constexpr int pieces = 4000;
    double sum = 0;
    for (int k = 0; k <= pieces; ++k) {
      const double x = left + (right - left) * k / pieces;
      const double weight = k == 0 || k == pieces ? 1 : k % 2 == 1 ? 4 : 2;
      const auto above = [&](double edge) {
        return std::erfc((edge - pair.w() * x) / pair.sigma_xi() / std::sqrt(2)) / 2;
      };
      sum += weight * std::exp(-x * x / (2 * pair.sigma_x() * pair.sigma_x())) *
             (above(low) - above(high));
    }
    return sum * (right - left) / (3 * pieces) / (pair.sigma_x() * std::sqrt(2 * M_PI));
  }

  void extend(const sequence& begin, double mass, int left) {
    if (left == 0) {
      all_.push_back(begin);
      all_.back().mass = mass;
      return;
    }
    for (const point& next : points_) {
      sequence one = begin;
      one.x.push_back(next.x);
      one.y.push_back(next.y);
      const double xy = stored(next.x * next.y);
      const double xx = stored(next.x * next.x);
      one.xy.push_back(begin.xy.empty() ? xy : stored(begin.xy.back() + xy));
      one.xx.push_back(begin.xx.empty() ? xx : stored(begin.xx.back() + xx));
      extend(one, mass * next.mass, left - 1);
    }
  }

  float_format format_;
  std::vector<point> points_;
  std::vector<sequence> all_;
};

/// What the device of parts pays is what its parts hold when they are erased, added up.
TEST(streaming_campaign, is_what_all_sequences_of_points_say) {
  for (const auto& [format, model] : {std::pair{float_format{1, 2}, linear_model{0.7, 1.3, 0.5}},
                                      std::pair{float_format{2, 1}, linear_model{-1, 1, 1}},
                                      std::pair{float_format{2, 2}, linear_model{1, 0.6, 0.2}}}) {
    SCOPED_TRACE(format.name());
    const int n = format.width() < 4 ? 3 : 2;
    const all_sequences all{format, model, n};
    using key = all_sequences::key;
    const auto at = static_cast<std::size_t>(n - 1);
    const double input = all.entropy([](const auto& one) {
      key result = one.x;
      result.insert(result.end(), one.y.begin(), one.y.end());
      return result;
    });
    const double slope =
        all.entropy([&](const auto& one) { return key{all.stored(one.xy[at] / one.xx[at])}; });
    double separately = all.entropy([&](const auto& one) { return key{one.xy[at]}; }) +
                        all.entropy([&](const auto& one) { return key{one.xx[at]}; });
    for (std::size_t i = 0; i <= at; ++i) {
      const double held = all.entropy([i](const auto& one) { return key{one.xy[i], one.xx[i]}; });
      const double with_point = all.entropy([i](const auto& one) {
        return key{one.xy[i], one.xx[i], one.x[i], one.y[i]};
      });
      const double point = all.entropy([i](const auto& one) { return key{one.x[i], one.y[i]}; });
      const double before = i == 0 ? 0 : all.entropy([i](const auto& one) {
        return key{one.xy[i - 1], one.xx[i - 1]};
      });
      separately += before + point - with_point;  // the sums change, the point is known
      separately += all.entropy([i](const auto& one) { return key{one.x[i]}; });
      separately += all.entropy([i](const auto& one) { return key{one.y[i]}; });
      EXPECT_GE(held, before - 3);
    }
    const streaming_cost ours = streamed_regression(format, model, n);
    EXPECT_NEAR(value_of(ours.least()), input - slope, 1e-8);
    EXPECT_NEAR(value_of(ours.separately()), separately, 1e-8);
    EXPECT_LT(ours.separately().error.value(), 1e-9);
  }
}

TEST(streaming, telescopes) {
  const streaming_cost ours = streamed_regression({3, 3}, {1, 1, 0.5}, 12);
  ASSERT_EQ(ours.steps().size(), 13U);
  EXPECT_NEAR(value_of(sum_of(ours.steps())), value_of(ours.least()), 1e-10);
  // A point that is added is forgotten, but for what the sums keep of it.
  for (const bounded<bits>& step : ours.steps()) EXPECT_GT(value_of(step), 0);
}

TEST(streaming, data_are_those_of_the_device_that_does_all_at_once) {
  const linear_model model{0.8, 1.5, 0.4};
  const streaming_cost ours = streamed_regression({4, 3}, model, 5);
  const computation whole = regression_cost(one_format({4, 3}), model, 5);
  EXPECT_TRUE(overlap(5 * ours.data, whole.device.input_entropy()));
  EXPECT_LT(ours.data.error.value(), 1e-9);
  // Rounded sums give another slope.
  EXPECT_NEAR(value_of(ours.slope), value_of(whole.device.output_entropy()), 0.5);
}

TEST(streaming, parts_never_cost_less) {
  for (const double w : {0.0, 1.0, -3.0}) {
    for (const double sigma_xi : {0.1, 1.0, 10.0}) {
      const streaming_cost ours = streamed_regression({2, 3}, {w, 1, sigma_xi}, 6);
      for (const bounded<bits>& share :
           {ours.shared_data, ours.shared_steps, ours.shared_sums, ours.slope}) {
        EXPECT_GE(value_of(share), -share.error.value());
      }
    }
  }
  // Independent data share nothing, but for the signs and sizes that the sums see.
  EXPECT_NEAR(value_of(streamed_regression({3, 3}, {0, 1, 1}, 1).shared_data), 0, 1e-12);
}

/// The two roads meet: at p = 2 with enough exponents, within what smoothing and rounding do there.
TEST(streaming_campaign, smooth_formula_is_near_the_enumeration) {
  for (const double w : {0.5, 2.0}) {
    for (const double n : {1.0, 4.0, 16.0}) {
      SCOPED_TRACE(testing::Message() << "w " << w << ", n " << n);
      const linear_model model{w, 1, 1};
      const streaming_cost exact = streamed_regression({2, 5}, model, n);
      const streaming_cost smooth = smooth_streamed_regression({2, 5}, model, n);
      EXPECT_NEAR(value_of(exact.shared_data), value_of(smooth.shared_data), 0.05);
      EXPECT_NEAR(value_of(exact.shared_steps), value_of(smooth.shared_steps), 0.9);
    }
  }
}

/// Σ E max(0, log₂|A_{i-1}/A_i|) for ρ = 0.447 and 0.894, n = 16, from 400,000 random walks.
TEST(streaming, steps_lose_what_falling_sums_leave_behind) {
  const auto falls = [](double w) {
    const auto steps = [w](double n) {
      return value_of(smooth_streamed_regression({24, 8}, {w, 1, 1}, n).shared_steps);
    };
    // h(S_n) is known: what the rest adds between n = 4 and n = 16.
    return steps(16) - steps(4);
  };
  const auto h = [](double n) {  // of S_n, up to a constant
    return (n / 2 + std::lgamma(n / 2) + (1.5 - n / 2) * digamma(n / 2)) / std::log(2);
  };
  EXPECT_NEAR(falls(0.5) - (h(16) - h(4)), 2.2815 - 0.7813, 0.02);
  EXPECT_NEAR(falls(2) - (h(16) - h(4)), 0.1854 - 0.1382, 0.005);
}

/// I(Σxy; Σx²) for ρ = 0, 0.5, 0.9 by a program of its own, in nats/ln 2; and its limits.
TEST(streaming_campaign, shared_by_the_sums) {
  const auto shared = [](double n, double rho) {
    const double sigma_xi = rho == 0 ? 1 : std::sqrt(1 / (rho * rho) - 1);
    return smooth_streamed_regression({24, 8}, {rho == 0 ? 0.0 : 1.0, 1, sigma_xi}, n).shared_sums;
  };
  EXPECT_NEAR(value_of(shared(1, 0)), 0.6064243389953798, 1e-10);
  EXPECT_NEAR(value_of(shared(2, 0.5)), 0.5194912939862605, 1e-10);
  EXPECT_NEAR(value_of(shared(10, 0.9)), 1.6007979891731121, 1e-10);
  EXPECT_NEAR(value_of(shared(100, 0.5)), 0.36927230132640615, 1e-10);
  for (const double rho : {0.0, 0.5, 0.9}) {
    EXPECT_TRUE(overlap(shared(200, rho), shared(201, rho))) << rho;
  }
  const double little = std::sqrt(1 - 1e-2);
  EXPECT_TRUE(overlap(shared(5, little * (1 - 1e-9)), shared(5, little * (1 + 1e-9))));
}

TEST(streaming_campaign, smooth_formula_takes_any_noise_and_any_number_of_points) {
  for (const double sigma_xi : {1e-100, 1e-6, 1e6, 1e100}) {
    for (const double n : {1.0, 2.0, 1e3, 1e12}) {
      const streaming_cost smooth = smooth_streamed_regression({24, 8}, {1, 1, sigma_xi}, n);
      EXPECT_EQ(smooth.applies, sigma_xi > 1e-9 && sigma_xi < 1e9);
      if (!smooth.applies) continue;
      EXPECT_GT(value_of(smooth.shared_steps), 20);
      EXPECT_GE(value_of(smooth.shared_sums), -smooth.shared_sums.error.value());
      EXPECT_LT(smooth.shared_steps.error.value(), 1 + 0.02 * value_of(smooth.shared_steps));
    }
  }
}

TEST(streaming, says_what_it_cannot) {
  EXPECT_EQ(message_of([] {
              streamed_regression({24, 8}, {1, 1, 1}, 10);
            }),
            "streaming: exact entropies need a format of at most 7 bits with E ≥ 1, got p24e8");
  EXPECT_EQ(message_of([] {
              streamed_regression({4, 0}, {1, 1, 1}, 10);
            }),
            "streaming: exact entropies need a format of at most 7 bits with E ≥ 1, got p4e0");
  EXPECT_EQ(message_of([] {
              streamed_regression({3, 3}, {1, 1, 1}, 2.5);
            }),
            "streaming: n must be a whole number from 1 to 1e+04, got 2.5");
  EXPECT_THROW(streamed_regression({3, 3}, {1, -1, 1}, 2), std::domain_error);
  EXPECT_THROW(smooth_streamed_regression({24, 8}, {1, 1, 0}, 2), std::domain_error);
  const std::atomic<bool> flag = true;
  EXPECT_THROW(streamed_regression({3, 3}, {1, 1, 1}, 9, stop_token{flag}), stopped);
}

}  // namespace
