#include "ktln2/cost/computations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "ktln2/distribution/law.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "message_of.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

double parameter(const nlohmann::json& entry, const char* name, double otherwise = 0) {
  const auto& parameters = entry.at("params");
  return parameters.contains(name) ? reference_number(parameters.at(name)) : otherwise;
}

float_format format_of(const nlohmann::json& entry) {
  return {static_cast<int>(parameter(entry, "p")), static_cast<int>(parameter(entry, "E", 8))};
}

linear_model model_of(const nlohmann::json& entry) {
  return {parameter(entry, "w"), parameter(entry, "sigx", 1), parameter(entry, "sigxi", 1)};
}

descent descent_of(const nlohmann::json& entry) {
  return {parameter(entry, "eta"), parameter(entry, "B"), parameter(entry, "what0", 1)};
}

const kelvin room{4e-21 / boltzmann_constant.value()};  // k_B T = 4e-21 J, as in the paper

computation smooth_regression(const nlohmann::json& entry) {
  return regression_cost(one_format(format_of(entry)), model_of(entry), parameter(entry, "n", 1),
                         entropy_kind::smooth);
}
computation exact_regression(const nlohmann::json& entry) {
  return regression_cost(one_format(format_of(entry)), model_of(entry), parameter(entry, "n", 1));
}
computation smooth_sgd(const nlohmann::json& entry, sgd_model model) {
  const double steps = parameter(entry, "k", parameter(entry, "tau", 1));
  return sgd_cost(one_format(format_of(entry)), model_of(entry), descent_of(entry), steps, model,
                  entropy_kind::smooth);
}

/// The quantities of tests/reference/costs.json that are about whole computations.
const std::map<std::string, std::function<double(const nlohmann::json&)>>& quantities() {
  static const std::map<std::string, std::function<double(const nlohmann::json&)>> all = {
      {"Ht_s^w(What_fp)",
       [](const auto& e) { return smooth_regression(e).device.output_entropy().value.value(); }},
      {"dE_min^Ex/(kB T ln2) = n Ht_s(X,Y) - Ht_s^w(What)",
       [](const auto& e) { return smooth_regression(e).device.erased().value.value(); }},
      {"dE_min^Ex [J], kBT=4e-21",
       [](const auto& e) { return smooth_regression(e).device.cost(room).value.value(); }},
      {"exact quantised cost n H(X_fp,Y_fp) - H(What_fp) [bits]",
       [](const auto& e) { return exact_regression(e).device.erased().value.value(); }},
      {"H(X_fp,Y_fp) exact joint, FP32",
       [](const auto& e) { return exact_regression(e).device.input_entropy().value.value(); }},
      {"exact quantised cost n H(X_fp,Y_fp) - H(What_fp) [bits], FP32",
       [](const auto& e) { return exact_regression(e).device.erased().value.value(); }},
      {"Ht_s^{mu~(k)}(What_fp,k)",
       [](const auto& e) {
         return smooth_sgd(e, sgd_model::ou).device.output_entropy().value.value();
       }},
      {"dE_min^SGD(k)/(kBT ln2), nonasymptotic",
       [](const auto& e) { return smooth_sgd(e, sgd_model::ou).device.erased().value.value(); }},
      {"dE_min^SGD/(kBT ln2), asymptotic",
       [](const auto& e) {
         return smooth_sgd(e, sgd_model::stationary).device.erased().value.value();
       }},
      {"averaging/summing: (n-1) Ht_s^0(p) [bits]",
       [](const auto& e) {
         return average_cost(format_of(e), format_of(e), {}, parameter(e, "n"),
                             entropy_kind::smooth)
             .device.erased()
             .value.value();
       }},
      {"precision contribution (2n-1)p [bits]",
       [](const auto& e) {
         return regression_cost(one_format(format_of(e)), {}, parameter(e, "n"),
                                entropy_kind::smooth)
             .device.precision()
             .value();
       }},
      {"precision contribution (2kB-1)p [bits]",
       [](const auto& e) {
         return sgd_cost(one_format(format_of(e)), {.w = 2}, {.batch = parameter(e, "B")},
                         parameter(e, "k"), sgd_model::ou, entropy_kind::smooth)
             .device.precision()
             .value();
       }},
      {"precision contribution [J], kBT=4e-21",
       [](const auto& e) {
         const bits share =
             regression_cost(one_format(format_of(e)), {}, parameter(e, "n"), entropy_kind::smooth)
                 .device.precision();
         return landauer_cost(share, room).value();
       }},
  };
  return all;
}

TEST(sec_exact, costs_match_the_reference) {
  int compared = 0;
  for (const auto& entry : reference_file("costs.json")) {
    const auto found = quantities().find(entry.at("quantity"));
    if (found == quantities().end()) continue;
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const double truth = reference_value(entry);
    // Twelve digits, or what the table itself vouches for.
    const double tolerance = 1e-12 * std::fabs(truth) + reference_number(entry.at("est_error"));
    EXPECT_NEAR(found->second(entry), truth, tolerance);
    ++compared;
  }
  EXPECT_GE(compared, 89);
}

TEST(eq_exact_landauer, is_the_entropy_of_the_data_less_that_of_the_slope) {
  const float_format format{5, 4};
  const linear_model model{.w = 0.7, .sigma_x = 2, .sigma_xi = 0.5};
  const cyclic_device device = regression_cost(one_format(format), model, 20).device;
  // H(X, Y) by tests/oracle, H(slope) by tools/reference.py, for the double next to 0.7
  const double truth = 20 * 13.322833498131032167 - 2.977124822988197198;
  EXPECT_NEAR(device.erased().value.value(), truth, device.erased().error.value());
  EXPECT_GE(device.erased().error,
            20 * joint_entropy(format_pair{format, format}, {0.7, 2, 0.5}).joint.error);
}

TEST(sec_exact, one_and_two_points_have_infinite_variance_and_finite_cost) {
  for (const double n : {1.0, 2.0}) {
    const cyclic_device device = regression_cost(one_format({24, 8}), {}, n).device;
    EXPECT_TRUE(std::isfinite(device.erased().value.value()));
    EXPECT_GT(device.erased().value, bits{0});
  }
}

TEST(sec_exact, a_billion_points_cost_a_billion_times_as_much_less_one_slope) {
  const bounded<bits> erased = regression_cost(one_format({24, 8}), {}, 1e9).device.erased();
  const double slope = exact_entropy({24, 8}, slope_law({}, 1e9)).value.value();
  // The joint entropy of a point is known to half a unit of its last digit.
  EXPECT_NEAR(erased.value.value(), 1e9 * 52.426937662714 - slope,
              erased.error.value() + 1e9 * 0.5e-12);
}

TEST(sec_exact, data_and_model_may_have_different_formats) {
  const register_formats formats{format_pair{{8, 8}, {8, 8}}, float_format{24, 8}};
  const cyclic_device device = regression_cost(formats, {}, 100).device;
  EXPECT_EQ(device.precision(), bits{100 * 16 - 24});
  const bounded<bits> slope = device.output_entropy();
  EXPECT_NEAR(slope.value.value(), 22.23963152003918882, slope.error.value());  // by mpmath
}

TEST(eq_one_step_L_campaign, steps_add_up_to_the_whole) {
  const register_formats formats = one_format({11, 5});
  for (const sgd_model model : {sgd_model::ou, sgd_model::moments, sgd_model::exact}) {
    for (const double w0_sigma : {0.0, 0.3}) {
      bounded<bits> sum{bits{0}, bits{0}};
      const linear_model data{.w = 2};
      const descent how{.eta = 0.05, .batch = 4, .w0_sigma = w0_sigma};
      for (int steps = 1; steps <= 6; ++steps) {
        sum += sgd_step_cost(formats, data, how, steps, model).device.erased();
      }
      const bounded<bits> whole = sgd_cost(formats, data, how, 6, model).device.erased();
      EXPECT_TRUE(overlap(sum, whole)) << sum.value.value() << " " << whole.value.value();
    }
  }
}

TEST(eq_sgd_landauer_noneq, the_register_of_a_random_start_is_erased_too) {
  const register_formats formats{format_pair{{11, 5}, {11, 5}}, float_format{8, 8}};
  const linear_model data{.w = 2};
  const descent how{.eta = 0.05, .batch = 4, .w0 = 1.5, .w0_sigma = 0.3};
  for (const entropy_kind kind : {entropy_kind::exact, entropy_kind::smooth}) {
    const cyclic_device device = sgd_cost(formats, data, how, 6, sgd_model::moments, kind).device;
    ASSERT_EQ(device.input().size(), 2U);
    const bounded<bits> start = device.input()[1].entropy();
    EXPECT_EQ(start.value, entropy_of(formats.model, law{normal{1.5, 0.3}}, kind).value);
    EXPECT_GT(start.value, bits{5});
    const bits rest = device.input_entropy().value - device.input()[0].entropy().value;
    EXPECT_NEAR(rest.value(), start.value.value(), 1e-10);
  }
  EXPECT_EQ(start_entropy(formats, {}).entropy.value, bits{0});
}

TEST(eq_sgd_landauer_noneq, a_law_that_is_there_is_priced_as_one_that_is_made) {
  const register_formats formats = one_format({11, 5});
  const linear_model data{.w = 2};
  const descent how{.eta = 0.05, .batch = 4};
  const law before = sgd_law(data, how, 5, sgd_model::moments);
  const law after = sgd_law(data, how, 6, sgd_model::moments);
  for (const entropy_kind kind : {entropy_kind::exact, entropy_kind::smooth}) {
    const computation made = sgd_cost(formats, data, how, 6, sgd_model::moments, kind);
    const computation given = sgd_cost(formats, data, how, 6, after, kind);
    EXPECT_EQ(made.device.erased().value, given.device.erased().value);
    EXPECT_EQ(made.applies, given.applies);
    const computation step = sgd_step_cost(formats, data, how, 6, sgd_model::moments, kind);
    const computation step_given = sgd_step_cost(formats, data, how, before, after, kind);
    EXPECT_EQ(step.device.erased().value, step_given.device.erased().value);
  }
  const bits first =
      sgd_step_cost(formats, data, how, std::nullopt, before).device.input_entropy().value;
  EXPECT_EQ(first, 4 * entropy_of(formats.data, regression_pair{data}, entropy_kind::exact).value);
}

TEST(eq_landauer_avg, mean_and_sum_cost_the_same_around_zero_only) {
  const float_format format{24, 8};
  averaging problem;
  const bounded<bits> mean = average_cost(format, format, problem, 64).device.erased();
  problem.sum = true;
  // 64 is a power of four: the sum is the mean, six exponents up
  EXPECT_TRUE(overlap(average_cost(format, format, problem, 64).device.erased(), mean));
  const averaging offset{.mu = 3, .sigma = 0.1};
  averaging offset_sum = offset;
  offset_sum.sum = true;
  const bits offset_mean = average_cost(format, format, offset, 50).device.erased().value;
  const bits sum = average_cost(format, format, offset_sum, 50).device.erased().value;
  EXPECT_GT(std::fabs((offset_mean - sum).value()), 0.1);
}

TEST(eq_landauer_avg, the_smooth_form_does_not_depend_on_sigma) {
  const float_format format{24, 8};
  const averaging narrow{.sigma = 1e-3};
  const averaging wide_one{.sigma = 1e3};
  const auto cost = [&](const averaging& problem) {
    return average_cost(format, format, problem, 5, entropy_kind::smooth)
        .device.erased()
        .value.value();
  };
  EXPECT_NEAR(cost(narrow), cost(wide_one), 1e-12);
  EXPECT_NEAR(cost(narrow), 105.85387469527629871, 1e-12);  // by mpmath
}

TEST(cost, a_smooth_form_says_where_it_may_not_be_trusted) {
  EXPECT_TRUE(regression_cost(one_format({24, 8}), {.w = 5}, 1000, entropy_kind::smooth).applies);
  EXPECT_FALSE(regression_cost(one_format({4, 4}), {.w = 5}, 1000, entropy_kind::smooth).applies);
  EXPECT_TRUE(regression_cost(one_format({4, 4}), {.w = 5}, 1000).applies);
}

TEST(cost, names_what_is_wrong) {
  static const float_format tiny{4, 4};
  EXPECT_EQ(message_of([] { average_cost(tiny, tiny, {}, 2.5); }),
            "average: n must be a whole number from 1 to 1e15, got 2.5");
  EXPECT_EQ(message_of([] { average_cost(tiny, tiny, {.sigma = 0}, 10); }),
            "average: sigma must be finite and > 0, got 0");
  EXPECT_EQ(message_of([] {
              regression_cost(one_format({4, 4}), {}, 0);
            }),
            "slope: n must be a whole number from 1 to 1e15, got 0");
}

}  // namespace
