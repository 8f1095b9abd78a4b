#include "ktln2/cost/internal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "ktln2/cost/computations.hpp"
#include "ktln2/cost/internal_bill.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;

/// Of the states, from the lowest on, by their values.
internal_table table_of(const float_format& format, const std::function<double(double)>& entropy,
                        double reset = 0) {
  std::vector<double> all;
  for (register_code i = 1; i <= format.size(); ++i) {
    all.push_back(entropy(format.value_at(i).to_double()));
  }
  return {format, all, reset};
}

internal_tables tables_of(const float_format& format, const std::function<double(double)>& entropy,
                          double reset = 0) {
  const internal_table one = table_of(format, entropy, reset);
  return {one, one, one};
}

/// P(X < x), X ~ N(μ, σ²).
long double below(long double x, double mu, double sigma) {
  return std::erfc((mu - x) / (sigma * std::sqrt(2.0L))) / 2;
}

/// What the definition says of a stored normal number, and of Q(slope·x_fp). Of the library only
/// the list of values takes part.
double mean_by_definition(const float_format& format, const std::function<double(double)>& entropy,
                          double mu, double sigma, double slope = 1) {
  std::vector<long double> values;
  for (register_code i = 1; i <= format.size(); ++i) {
    values.push_back(format.value_at(i).to_double());
  }
  const auto nearest = [&](long double x) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
      const long double gain = std::fabs(values[best] - x) - std::fabs(values[i] - x);
      if (gain > 0 || (gain == 0 && x >= 0)) best = i;
    }
    return best;
  };
  long double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const long double left = i == 0 ? 0 : below((values[i - 1] + values[i]) / 2, mu, sigma);
    const long double right =
        i + 1 == values.size() ? 1 : below((values[i] + values[i + 1]) / 2, mu, sigma);
    sum += (right - left) * entropy(static_cast<double>(values[nearest(slope * values[i])]));
  }
  return static_cast<double>(sum);
}

double some_entropy(double x) { return 2 + std::sin(3 * x) + (x < 0 ? 0.25 : 0); }

TEST(internal_table, means_are_what_the_definition_says) {
  for (const float_format& format : {float_format{1, 2}, {3, 3}, {5, 4}, {4, 0}}) {
    const internal_table table = table_of(format, some_entropy, 1);
    for (const double mu : {0.0, 0.7, -2.0}) {
      const internal_mean mean = table.of(normal{mu, 1.3});
      EXPECT_NEAR(mean.mean().value.value(), mean_by_definition(format, some_entropy, mu, 1.3),
                  mean.excess.error.value() + 1e-15)
          << format.name() << " " << mu;
      EXPECT_LE(mean.excess.error, bits{1e-13});
      const double reset = format.value(format.quantize(1)).to_double();
      EXPECT_EQ(mean.reset, bits{some_entropy(reset)});
    }
  }
}

TEST(internal_table, means_of_predictions_are_what_the_definition_says) {
  for (const float_format& format : {float_format{1, 2}, {3, 3}, {5, 4}, {8, 3}}) {
    const internal_table table = table_of(format, some_entropy);
    for (const double slope : {1.0, -1.0, 0.5, 1.5, -0.75, 1.25, 3.0, 1.0625, 100.0, 1e-3, 0.0}) {
      const internal_mean mean = table.of_product(slope, 1.3);
      // Slope 0 stores +0, which is the value next to it.
      const double truth =
          mean_by_definition(format, some_entropy, 0, 1.3, slope == 0 ? 1e-30 : slope);
      const double zero = some_entropy(format.min_positive().to_double());
      EXPECT_NEAR(mean.mean().value.value(), slope == 0 ? zero : truth,
                  mean.excess.error.value() + 2e-15)
          << format.name() << " " << slope;
    }
  }
}

TEST(internal_table, states_of_a_binade_may_be_one) {
  const float_format format{4, 3};
  const auto level = [](double x) { return std::ilogb(x) * (x < 0 ? 0.5 : 1); };
  std::vector<double> groups;
  for (std::size_t run = 0; run < format.run_count(); ++run) {
    groups.push_back(level(format.run(run).start.to_double()));
  }
  const internal_table by_binade{format, groups, 1, format.p() - 1};
  const internal_table by_state = table_of(format, level, 1);
  EXPECT_EQ(by_binade.reset(), by_state.reset());
  const auto expect_same = [](const internal_mean& a, const internal_mean& b) {
    EXPECT_TRUE(overlap(a.mean(), b.mean())) << a.mean().value.value();
    EXPECT_LT((a.excess + b.excess).error, bits{1e-13});
  };
  for (const double mu : {0.0, 0.3, -40.0}) {
    expect_same(by_binade.of(normal{mu, 2}), by_state.of(normal{mu, 2}));
    EXPECT_EQ(by_binade.at(mu), by_state.at(mu));
  }
  for (const double slope : {1.5, -0.3, 1e3}) {
    expect_same(by_binade.of_product(slope, 2), by_state.of_product(slope, 2));
  }
  // One number for all states is for formats of any size.
  const internal_table flat{{24, 8}, {7}, 0, 32};
  EXPECT_EQ(flat.of(normal{1, 2}).mean().value, bits{7});
  EXPECT_EQ(flat.of_product(1.5, 1).mean().value, bits{7});
}

TEST(eq_phys_ent, equal_internal_entropies_are_as_if_there_were_none) {
  const float_format format{5, 4};
  const linear_model model{.w = 2};
  const descent how{.batch = 3};
  const law last = sgd_law(model, how, 20, sgd_model::moments);
  const internal_tables flat = tables_of(
      format, [](double) { return 7.0; }, 1.5);
  const normal one{1, 2};
  const normal total{1, 1};
  const std::vector<std::pair<cyclic_device, internal_bill>> all{
      {regression_cost(one_format(format), model, 10).device, regression_internal(flat, model, 10)},
      {sgd_cost(one_format(format), model, how, 20, last).device,
       sgd_internal(flat, model, how, 20, last)},
      {average_cost(format, format, one, total, 4, total_of::mean).device,
       average_internal(flat.x, flat.model, one, total, 4, total_of::mean)}};
  for (const auto& [device, internal] : all) {
    const cyclic_device same{device.input(), device.output(), internal.above_reset()};
    const cyclic_device means{
        device.input(), device.output(), {exactly(bits{7}), exactly(bits{7})}};
    EXPECT_EQ(internal.loaded().value, internal.computed().value);
    EXPECT_GT(internal.loaded().value, bits{7});
    EXPECT_EQ(same.cost(kelvin{300}).value, device.cost(kelvin{300}).value);
    EXPECT_EQ(same.cost(kelvin{300}).value, means.cost(kelvin{300}).value);
    EXPECT_EQ(same.cost(kelvin{300}).error, device.cost(kelvin{300}).error);
  }
}

TEST(eq_phys_ent, a_register_that_is_reset_gives_back_what_it_had_beyond_that) {
  const float_format format{3, 3};
  const internal_tables tables = tables_of(format, some_entropy, -2);
  const linear_model model{.w = 0.5};
  const internal_bill bill = regression_internal(tables, model, 10);
  const double x = mean_by_definition(format, some_entropy, 0, 1);
  const double y = mean_by_definition(format, some_entropy, 0, std::sqrt(1.25));
  const double slope = tables.model.of(slope_law(model, 10)).mean().value.value();
  const double fixed = some_entropy(-2);
  EXPECT_NEAR(bill.loaded().value.value(), 10 * (x + y) + fixed, 1e-12);
  EXPECT_NEAR(bill.computed().value.value(), 20 * fixed + slope, 1e-12);
  const internal_entropies above = bill.above_reset();
  EXPECT_NEAR((above.loaded - above.computed).value.value(),
              (bill.loaded() - bill.computed()).value.value(), 1e-12);
}

TEST(eq_one_step_L, internal_entropies_of_the_steps_telescope) {
  const internal_tables tables = tables_of({4, 3}, some_entropy, 0.5);
  const linear_model model{.w = 2};
  const descent how{.batch = 2, .w0 = -1};
  const auto law_after = [&](int k) { return sgd_law(model, how, k, sgd_model::moments); };
  const auto lost = [](const internal_bill& bill) {
    return (bill.above_reset().loaded - bill.above_reset().computed).value.value();
  };
  double sum = lost(sgd_step_internal(tables, model, how, {}, law_after(1)));
  for (int k = 2; k <= 5; ++k) {
    sum += lost(sgd_step_internal(tables, model, how, law_after(k - 1), law_after(k)));
  }
  EXPECT_NEAR(lost(sgd_internal(tables, model, how, 5, law_after(5))), sum, 1e-12);
  EXPECT_EQ(sgd_internal(tables, model, how, 5, law_after(5)).input[1].each.mean().value,
            bits{some_entropy(-1)});
}

TEST(internal_table, refuses_what_is_no_table) {
  const float_format format{2, 1};
  EXPECT_EQ(message_of([&] {
              internal_table(format, {1, 2, 3});
            }),
            "internal entropies: p2e1 needs 2^3, and there may be 2^20, got 3");
  EXPECT_EQ(message_of([&] { internal_table(format, std::vector<double>(8, NAN)); }),
            "internal entropies: each must be from -1e100 to 1e100, got nan");
  EXPECT_THROW(internal_table({24, 8}, {1}), std::domain_error);
  EXPECT_THROW(internal_table(format, {1, 2}, 0, 4), std::domain_error);
  EXPECT_THROW(internal_table(format, std::vector<double>(8, 1), NAN), std::domain_error);
}

TEST(place_of_state, is_where_the_value_stands) {
  for (const float_format& format : {float_format{1, 0}, {3, 2}, {4, 0}}) {
    for (register_code i = 0; i < format.size(); ++i) {
      const register_fields state = state_at_place(format, i);
      EXPECT_EQ(format.value(state), format.value_at(i + 1));
      EXPECT_EQ(place_of_state(format, state), i);
    }
  }
}

}  // namespace
