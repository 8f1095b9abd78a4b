#include "ktln2/cost/many.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cost/shifted_sum.hpp"
#include "ktln2/cost/inference.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;

row_model alike(std::size_t d, double w, double sigma_xi = 1) {
  row_model made;
  made.w.assign(d, w);
  made.mu.assign(d, 0.0);
  made.covariance = equally_correlated(std::vector<double>(d, 1.0), 0);
  made.sigma_xi = sigma_xi;
  return made;
}

TEST(many_cost, one_feature_is_the_paper_s_regression) {
  const register_formats formats = one_format(float_format{24, 8});
  const many_computation many =
      many_regression_cost(formats, {alike(1, 2), 100}, entropy_kind::exact);
  const computation one = regression_cost(formats, {2, 1, 1}, 100);
  EXPECT_NEAR(many.priced.device.erased().value.value(), one.device.erased().value.value(), 1e-8);
  EXPECT_EQ(many.priced.device.precision(), one.device.precision());
  EXPECT_NEAR(many.bits_per_parameter().value(), one.device.erased().value.value(), 1e-8);
}

TEST(many_cost, one_coefficient_of_sgd_is_the_paper_s) {
  const register_formats formats = one_format(float_format{24, 8});
  const many_computation many =
      many_sgd_cost(formats, alike(1, 2), {0.05, 10, {1.0}, false}, 50, entropy_kind::exact);
  const computation one = sgd_cost(formats, {2, 1, 1}, {0.05, 10, 1.0, 0}, 50, sgd_model::moments);
  EXPECT_NEAR(many.priced.device.erased().value.value(), one.device.erased().value.value(), 1e-8);
}

/// The exact bill of correlated features beside the closed forms.
void compare_with_closed_forms(bool intercept) {
  row_model model = alike(3, 0.5, 0.8);
  model.covariance = autoregressive({1, 2, 0.5}, 0.6);
  if (intercept) model.b = 0.3;
  const register_formats formats = one_format(float_format{24, 8});
  const least_squares task{model, 25, intercept, 0};
  const many_computation exact = many_regression_cost(formats, task, entropy_kind::exact);
  const many_computation smooth = many_regression_cost(formats, task, entropy_kind::smooth);
  // Half a bit for each register of a row and of the model [thm:steps].
  EXPECT_NEAR(exact.row.value.value.value(), smooth.row.value.value.value(), 2);
  EXPECT_NEAR(exact.model.value.value.value(), smooth.model.value.value.value(), 2);
  for (const joint_bits& one : {exact.row, exact.model}) {
    EXPECT_LE(one.low - one.value.error, one.value.value);
    EXPECT_LE(one.value.value, one.high + one.value.error);
  }
  EXPECT_LT(exact.output_share(), 0.2);
  EXPECT_EQ(exact.coefficients, intercept ? 4 : 3);
}

TEST(many_cost, closed_forms_are_near_and_brackets_hold_the_value) {
  compare_with_closed_forms(false);
}
TEST(many_cost_campaign, closed_forms_are_near_with_an_intercept_too) {
  compare_with_closed_forms(true);
}

TEST(many_cost, sgd_s_stored_vector_matches_the_reference) {
  // H of the stored vector, normal law with exact moments, by the identity.
  row_model model = alike(2, 0);
  model.w = {2, 1};
  model.covariance = equally_correlated({1, 1}, 0.5);
  const many_computation made = many_sgd_cost(one_format(float_format{24, 8}), model,
                                              {0.1, 2, {0, 0}, false}, 30, entropy_kind::exact);
  EXPECT_NEAR(made.model.value.value.value(), 45.1743469117351, 1e-10);
}

TEST(many_cost, a_prediction_from_two_features_matches_the_reference) {
  // Enumeration with dyadic weights, and Q(w·X) of the X that was not rounded.
  struct prediction_case {
    int p;
    int exponent_bits;
    double stored;
    double ideal;
  };
  row_model model = alike(2, 0);
  model.w = {1.125, 0.6875};
  for (const prediction_case& one : {prediction_case{3, 3, 4.9413732842009015, 4.933988443853653},
                                     prediction_case{6, 4, 0, 8.412144683876333},
                                     prediction_case{8, 4, 10.403204908143874, 0}}) {
    const many_prediction made =
        many_prediction_cost(one_format(float_format{one.p, one.exponent_bits}), model);
    if (one.stored > 0) {
      EXPECT_EQ(made.how, many_prediction::method::enumeration);
      EXPECT_NEAR(made.erased().value.value(), one.stored, 1e-10) << one.p;
    }
    if (one.ideal > 0) {
      EXPECT_NEAR(made.ideal().value.value(), one.ideal, 1e-11) << one.p;
    }
  }
}

TEST(many_cost, a_prediction_erases_all_but_one_of_its_registers) {
  for (const std::size_t d : {std::size_t{2}, std::size_t{10}, std::size_t{100}}) {
    const many_prediction made =
        many_prediction_cost(one_format(float_format{24, 8}), alike(d, 0.3));
    const double smooth = static_cast<double>(d - 1) * smooth_entropy_zero_mean(24).value();
    EXPECT_NEAR(made.smooth.value().value(), smooth, 1e-12 * smooth);
    EXPECT_NEAR(made.erased().value.value(), smooth, 1e-3 * static_cast<double>(d));
    EXPECT_EQ(made.how, many_prediction::method::bracket);
  }
}

TEST(many_cost, a_prediction_from_one_feature_is_the_one_that_has_its_own_command) {
  for (const float_format& where : {float_format{4, 3}, float_format{24, 8}}) {
    for (const double w : {1.5, -0.7, 2.0}) {
      row_model model = alike(1, w);
      const many_prediction made = many_prediction_cost(one_format(where), model);
      EXPECT_EQ(made.how, many_prediction::method::one);
      EXPECT_DOUBLE_EQ(made.erased().value.value(),
                       inference(where, w, 1).device.erased().value.value());
      model.b = 0.25;  // by another road
      const bounded<bits> moved = many_prediction_cost(one_format(where), model).erased();
      EXPECT_LE(moved.error.value(), where.width() <= 24 ? 1e-9 : 6);
      EXPECT_GE((moved.value + moved.error).value(), 0);
    }
  }
  // Without an intercept enumeration says what collisions say.
  row_model almost = alike(1, 1.5);
  almost.mu = {0x1p-1000};
  const bounded<bits> counted =
      many_prediction_cost(one_format(float_format{4, 3}), almost).erased();
  EXPECT_NEAR(counted.value.value(), 0.174411351788903, 1e-11);
}

TEST(many_cost, a_prediction_from_a_format_without_a_closed_form_has_none) {
  const many_prediction made =
      many_prediction_cost(one_format(storage{parse_storage("bfloat16")}), alike(2, 1));
  EXPECT_FALSE(made.smooth.has_value());
}

/// What a register keeps of a sum of what other registers keep, by all values and by how far they
/// are off.
TEST(many_prediction_campaign, a_bracket_covers_what_enumeration_finds) {
  std::mt19937 random{1811};
  const auto any = [&](double from, double to) {
    return std::uniform_real_distribution<double>{from, to}(random);
  };
  double widest = 0;
  for (int i = 0; i < 400; ++i) {
    const auto d = static_cast<std::size_t>(1 + i % 3);
    const int exponent_bits = i % 4 == 0 ? 2 : 3;
    const float_format where{2 + i / 3 % (d == 3 ? 3 : 6), exponent_bits};
    row_model model = alike(d, 1);
    for (std::size_t j = 0; j < d; ++j) {
      // Slopes in simple proportions share phases with the cells, others do not.
      model.w[j] = i % 2 == 0 ? std::round(any(1, 4)) / 2 : any(-2, 2);
      model.mu[j] = i % 5 == 0 ? any(-3, 3) : 0;
      const double deviation = std::exp2(any(-4, 3));
      model.covariance.set(j, j, deviation * deviation);
    }
    model.b = i % 7 == 0 ? any(-2, 2) : 0;
    const many_prediction truth = many_prediction_cost(one_format(where), model);
    if (truth.how == many_prediction::method::bracket) continue;
    const bounded<bits> bar = shifted_sum_entropy(storage_pair{where, where}, normal_row{model},
                                                  truth.ideal_output, truth.features);
    const double off = std::fabs((bar.value - truth.output.value).value());
    EXPECT_LE(off, bar.error.value() + 1e-11) << where.name() << ", case " << i;
    widest = std::max(widest, off / bar.error.value());
  }
  EXPECT_GT(widest, 0.05);
}

TEST(many_cost, what_ridge_keeps_may_be_anything_where_no_law_is_known) {
  const register_formats formats = one_format(float_format{24, 8});
  const row_model model = alike(5, 0.5);
  EXPECT_DOUBLE_EQ(best_penalty(model), 4);
  const many_computation made =
      many_regression_cost(formats, {model, 20, false, best_penalty(model)}, entropy_kind::smooth);
  EXPECT_EQ(made.model.value.value, bits{80});
  EXPECT_EQ(made.model.value.error, bits{80});
  EXPECT_EQ(made.model.high, bits{5 * 32});
  EXPECT_GE(made.priced.device.erased().error, bits{80});
  EXPECT_EQ(message_of([] { best_penalty(alike(2, 0)); }),
            "ridge: there is no best penalty for w = 0");
}

}  // namespace
