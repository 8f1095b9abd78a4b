#include "ktln2/scaling/profit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ktln2/scaling/optimum.hpp"
#include "message_of.hpp"
#include "scaling/settings.hpp"
#include "sgd_case.hpp"

namespace {

using namespace ktln2;
using namespace scaling_test;

TEST(eq_u_ex, profit_and_derivative_match_the_reference) {
  int compared = 0;
  for (const auto& entry : reference_file("scaling.json")) {
    const std::string quantity = entry.at("quantity");
    const bool is_value = quantity == "u_Ex(n)" || quantity == "u_SGD(n)";
    const bool is_derivative = quantity == "u_Ex'(n)" || quantity == "u_SGD'(n)";
    if (!is_value && !is_derivative) continue;
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const profit_curve curve = curve_of(entry);
    const double n = parameter(entry, "n");
    const double found = is_value ? curve.profit(n) : curve.derivative(n);
    // Both are differences of a revenue and a cost: the digits are those of the larger.
    const double cost = curve.bit_price() * curve.data_entropy().value();
    const double scale = is_value ? revenue(curve.prices(), curve.mse(n)) + n * cost : cost;
    EXPECT_NEAR(found, reference_value(entry), 1e-12 * (scale + std::fabs(found)));
    ++compared;
  }
  EXPECT_EQ(compared, 83);
}

market hasty_prices(double energy_price) {
  market prices = paper_prices(energy_price);
  prices.speed = {.memory_price = 3e2, .time_price = 5e3, .relaxation = 1e-9};
  return prices;
}

/// The duration, and the best size with it, by looking at many of both.
TEST(pace, best_size_and_duration_are_those_of_a_search_over_both) {
  for (const entropy_kind kind : {entropy_kind::smooth, entropy_kind::exact}) {
    const market prices = hasty_prices(3e16);
    const profit_curve curve{prices, one_format({11, 5}), regression_training{{.w = 2}}, kind};
    const profit_curve free{paper_prices(3e16), one_format({11, 5}), regression_training{{.w = 2}},
                            kind};
    double best = -INFINITY;
    double best_n = 0;
    double best_duration = 0;
    for (double n = 3; n < 200; ++n) {
      const double erased = (n * curve.data_entropy() - curve.model_entropy(n)).value();
      const double without = free.profit(n);
      for (double tau = 1e-10; tau < 1e-5; tau *= 1.001) {
        const double haste = prices.energy_price * 4e-21 * 1e-9 / tau * erased;
        const double rent = (3e2 * (32 * n + 16) + 5e3) * tau;
        const double profit = without - haste - rent;
        if (profit <= best) continue;
        best = profit;
        best_n = n;
        best_duration = tau;
      }
    }
    const best_size found = find_best_size(curve);
    ASSERT_TRUE(found.best);
    EXPECT_EQ(found.best->n, best_n);
    EXPECT_NEAR(found.best->profit, best, 1e-5 * std::fabs(best));
    EXPECT_NEAR(found.best->duration, best_duration, 2e-3 * best_duration);
    EXPECT_LT(best_n, find_best_size(free).best->n);
    EXPECT_NEAR(prices.energy_price * found.best->excess.value(), found.best->rent,
                1e-12 * found.best->rent);
  }
}

TEST(pace, derivative_is_that_of_the_profit) {
  const profit_curve regression{hasty_prices(1e16), one_format({24, 8}),
                                regression_training{{.w = 2}}, entropy_kind::smooth};
  const profit_curve sgd{hasty_prices(1e16), one_format({24, 8}),
                         sgd_training{{.w = 2}, {.eta = 0.05}, sgd_model::ou},
                         entropy_kind::smooth};
  for (const profit_curve& curve : {regression, sgd}) {
    for (const double n : {30.0, 100.0, 1000.0}) {
      const double h = 1e-4 * n;
      const double slope = (curve.profit(n + h) - curve.profit(n - h)) / (2 * h);
      EXPECT_NEAR(curve.derivative(n), slope, 1e-6 * std::fabs(slope)) << n;
    }
  }
}

TEST(pace, costs_nothing_where_haste_or_time_does_not) {
  const profit_curve free = paper_regression(1e16);
  for (const pace& speed : {pace{}, pace{1, 1, 0}, pace{0, 0, 1e-9}}) {
    market prices = paper_prices(1e16);
    prices.speed = speed;
    const profit_curve curve{prices, one_format({24, 8}), regression_training{{.w = 2}},
                             entropy_kind::smooth};
    EXPECT_EQ(curve.profit(50), free.profit(50));
  }
  market bad = paper_prices(1);
  bad.speed.relaxation = -1;
  EXPECT_EQ(message_of([&] { require_valid(bad); }),
            "market: relaxation must be finite and >= 0, got -1");
}

TEST(eq_exact_error, is_infinite_up_to_two_points_and_falls_to_the_noise) {
  EXPECT_EQ(regression_mse(1, 3), INFINITY);
  EXPECT_EQ(regression_mse(2, 3), INFINITY);
  EXPECT_EQ(regression_mse(3, 3), 18);
  EXPECT_NEAR(regression_mse(1e12, 3), 9, 1e-10);
}

TEST(sec_scaling, the_error_of_sgd_is_that_of_its_laws) {
  struct known {  // by mpmath, the exact one step by step
    double k, process, exact;
  };
  for (const auto& [k, process, exact] : {known{1, 17.172786795551081176, 17.081347656249999790},
                                          known{7, 5.203054398083761610, 5.040481850325319447},
                                          known{300, 1.014062500000000001, 1.015358361774744028}}) {
    const linear_model model{.w = 2, .sigma_x = 1.5};
    const descent how{.eta = 0.05, .batch = 4, .w0 = -1};
    EXPECT_NEAR(sgd_mse(model, how, k, sgd_model::ou), process, 1e-13);
    EXPECT_NEAR(sgd_mse(model, how, k, sgd_model::moments), exact, 1e-13);
  }
}

TEST(sec_scaling, the_relaxed_laws_of_sgd_agree_with_the_laws_at_whole_steps) {
  for (const double k : {1.0, 2.0, 50.0, 1000.0}) {
    const sgd_case problem{
        {.w = 2, .sigma_xi = 0.7}, {.eta = 0.3, .batch = 3, .w0 = 0.1, .w0_sigma = 0.4}, k};
    const sgd_moments exact = exact_moments(problem.model, problem.how, problem.steps);
    const sgd_state moments = relaxed_sgd(problem.model, problem.how, k, sgd_model::moments);
    EXPECT_NEAR(moments.mean, exact.mean, 1e-14);
    EXPECT_NEAR(std::sqrt(moments.variance), exact.deviation, 1e-14);
    const normal process = sgd_ou_law(problem.model, problem.how, problem.steps);
    const sgd_state ou = relaxed_sgd(problem.model, problem.how, k, sgd_model::ou);
    EXPECT_NEAR(ou.mean, process.location(), 1e-14);
    EXPECT_NEAR(std::sqrt(ou.variance), process.scale(), 1e-14);
  }
}

/// Richardson's extrapolation of central differences: the error is that of the sixth power of h.
template <class F>
double numerical_derivative(F f, double x, double h) {
  const auto slope = [&](double by) { return (f(x + by) - f(x - by)) / (2 * by); };
  const double a = slope(h);
  const double b = slope(h / 2);
  const double c = slope(h / 4);
  return (64 * c - 20 * b + a) / 45;
}

TEST(eq_ddn_profit_ex, closed_form_derivatives_are_those_of_the_profit) {
  random_settings draw{1};
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    const profit_curve curve = draw.curve();
    const double n = curve.first() * std::exp(draw.between(0.1, 6));
    if (std::fabs(n - curve.pole()) < 0.2 * n) continue;
    const double h = 0.04 * n / (1 + curve.prices().wanted.steepness());
    // Revenue and cost apart, so that neither hides in the rounding of the other.
    const double earned_slope =
        numerical_derivative([&](double x) { return revenue(curve.prices(), curve.mse(x)); }, n, h);
    const double entropy_slope =
        numerical_derivative([&](double x) { return curve.model_entropy(x).value(); }, n, 0.02 * n);
    const double cost_slope = curve.bit_price() * (curve.data_entropy().value() - entropy_slope);
    // Eight digits of the terms; their sum may cancel.
    const double scale = std::fabs(earned_slope) + std::fabs(cost_slope) +
                         1e-6 * revenue(curve.prices(), curve.mse(n)) / n;
    EXPECT_NEAR(curve.derivative(n), earned_slope - cost_slope, 1e-8 * scale);
  }
}

TEST(eq_ddn_profit_ex, the_entropy_of_the_slope_is_one_function_across_the_start_of_its_series) {
  const profit_curve curve = paper_regression(5e16);
  for (const double n : {31.999999, 32.0, 40.0, 1000.0}) {
    const double h = differential_entropy(student_t{n, 2, 1 / std::sqrt(n)}).value();
    EXPECT_NEAR(curve.model_entropy(n).value(), h + 23 - 0.5, 1e-13) << n;
  }
}

TEST(eq_u_ex_campaign, costs_are_those_of_the_bill) {
  const market prices = paper_prices(5e16);
  for (const entropy_kind kind : {entropy_kind::exact, entropy_kind::smooth}) {
    const profit_curve exact{prices, one_format({11, 5}), regression_training{{.w = 2}}, kind};
    const joules cost =
        regression_cost(one_format({11, 5}), {.w = 2}, 40, kind).device.cost(room).value;
    EXPECT_NEAR(exact.at(40).energy / cost, 1, 1e-13);
    const sgd_case problem{{.w = 2}, {.eta = 0.05, .batch = 4, .w0_sigma = 0.2}, 12};
    for (const sgd_model model : {sgd_model::ou, sgd_model::moments, sgd_model::exact}) {
      const profit_curve sgd{prices, one_format({11, 5}),
                             sgd_training{problem.model, problem.how, model}, kind};
      const joules sgd_joules =
          sgd_cost(one_format({11, 5}), problem.model, problem.how, problem.steps, model, kind)
              .device.cost(room)
              .value;
      EXPECT_NEAR(sgd.at(48).energy / sgd_joules, 1, 1e-13);
    }
  }
}

TEST(eq_ddn_profit_ex, with_exact_entropies_the_derivative_is_near_the_smooth_one) {
  const market prices = paper_prices(5e16);
  const profit_curve smooth{prices, one_format({24, 8}), regression_training{{.w = 3}},
                            entropy_kind::smooth};
  const profit_curve exact{prices, one_format({24, 8}), regression_training{{.w = 3}},
                           entropy_kind::exact};
  // Around 3 there is no binade boundary: from some hundred points on only the ripple of the joint
  // entropy is between them.
  for (const double n : {300.0, 1234.5}) {
    const double cost = exact.bit_price() * exact.data_entropy().value();
    EXPECT_NEAR(exact.derivative(n), smooth.derivative(n), 1e-3 * cost);
  }
}

TEST(sec_scaling, the_upper_bound_is_above_the_profit) {
  random_settings draw{7};
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const profit_curve curve = draw.curve();
    const double a = curve.first() * std::exp(draw.between(0, 5));
    const double b = a * std::exp(draw.between(0, 2));
    const double bound = curve.upper_bound(a, b);
    const double tail = curve.tail_bound(a);
    for (int j = 0; j <= 20; ++j) {
      const double n = a + (b - a) * j / 20;
      EXPECT_LE(curve.profit(n), bound + 1e-13 * std::fabs(bound));
      if (n < 2 * a) {
        EXPECT_LE(curve.profit(n), tail + 1e-13 * std::fabs(tail));
      }
    }
  }
}

TEST(sec_scaling, what_the_derivative_of_a_stored_slope_adds_is_in_the_error) {
  const profit_curve plain = paper_regression(5e16);
  const profit_curve stored{paper_prices(5e16), one_format({24, 8}), regression_training{{.w = 2}},
                            entropy_kind::smooth, 0.25};
  EXPECT_NEAR(stored.mse(10), plain.mse(10) + 0.25, 1e-15);
}

TEST(sec_scaling, the_entropy_of_the_slope_moves_by_less_than_its_bound) {
  double tightest = 0;
  for (const auto& [p, E] : {std::pair{1, 3}, {2, 8}, {4, 4}, {24, 8}}) {
    for (const double w : {0.0, 1.0, 1.5, 3.0}) {
      const profit_curve curve{
          {}, one_format({p, E}), regression_training{{.w = w}}, entropy_kind::exact};
      for (const double n : {3.0, 10.0, 200.0, 5000.0, 1e6}) {
        const double h = n / 1000;
        const double moved =
            std::fabs((curve.model_entropy(n + h) - curve.model_entropy(n)).value());
        const double bound = curve.entropy_slope_bound(n).value() * h;
        EXPECT_LE(moved, bound + 1e-12);
        tightest = std::max(tightest, moved / bound);
      }
    }
  }
  EXPECT_GT(tightest, 0.1);  // it is no idle bound
}

TEST(sec_scaling, a_profit_that_surely_rises_does) {
  int known = 0;
  for (const char* wanted : {"inverse", "power:a=3", "threshold:at=1.05,a=40,most=2"}) {
    for (const double price : {1e10, 1e15, 5e16}) {
      market prices{.energy_price = price, .wanted = parse_demand(wanted)};
      prices.inference = {10, 0.5};
      const profit_curve curve{prices, one_format({5, 5}), regression_training{{.w = 1.5}},
                               entropy_kind::exact};
      for (double a = 3; a < 1e5; a = std::ceil(a * 1.3)) {
        const double b = std::ceil(a * 1.1);
        const auto rises = curve.surely_rises(a, b);
        if (!rises) continue;
        ++known;
        const double middle = std::floor((a + b) / 2);
        for (const auto& [from, to] : {std::pair{a, middle}, {middle, b}}) {
          if (from == to) continue;
          EXPECT_EQ(curve.profit(to) > curve.profit(from), *rises) << from << ' ' << to;
        }
      }
    }
  }
  EXPECT_GT(known, 100);
  const profit_curve smooth{
      {}, one_format({5, 5}), regression_training{{.w = 1.5}}, entropy_kind::smooth};
  EXPECT_FALSE(smooth.surely_rises(3, 4).has_value());
}

TEST(scaling, names_what_is_wrong) {
  const register_formats formats = one_format({24, 8});
  EXPECT_EQ(message_of([&] {
              const profit_curve made{
                  {.energy_price = -1}, formats, regression_training{}, entropy_kind::smooth};
            }),
            "market: energy price must be finite and >= 0, got -1");
  EXPECT_EQ(
      message_of([&] {
        const profit_curve made{{}, formats, sgd_training{{}, {.batch = 0}}, entropy_kind::smooth};
      }),
      "sgd: batch must be a whole number from 1 to 1e15, got 0");
  EXPECT_EQ(
      message_of([&] {
        const profit_curve made{
            {}, formats, sgd_training{{}, {.eta = 1}, sgd_model::moments}, entropy_kind::smooth};
      }),
      "scaling: with the exact moments of SGD eta sigma_x^2 must be below 1, got 1");
  EXPECT_EQ(message_of([&] {
              const profit_curve made{
                  {.temperature = kelvin{0}}, formats, regression_training{}, entropy_kind::smooth};
            }),
            "market: temperature must be finite and > 0, got 0");
}

}  // namespace
