#include "ktln2/mismatch/variational.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>

#include "message_of.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;
using namespace ktln2::mismatch;

double parameter(const nlohmann::json& entry, const char* name, double otherwise = 0) {
  const auto& parameters = entry.at("params");
  return parameters.contains(name) ? reference_number(parameters.at(name)) : otherwise;
}

entropy_production production_of(const nlohmann::json& entry) {
  const register_formats formats = one_format({static_cast<int>(parameter(entry, "p")), 8});
  const entropy_flow flow = quadratic_flow(0, parameter(entry, "alpha"));
  if (entry.at("params").at("model") == "exact") {
    return regression_production(formats, parameter(entry, "w"), parameter(entry, "n"), flow,
                                 entropy_kind::smooth);
  }
  const bool stationary = entry.at("params").at("mode") == "asym";
  const descent how{parameter(entry, "eta"), parameter(entry, "B"), parameter(entry, "what0")};
  return sgd_production(formats, parameter(entry, "w"), how, parameter(entry, "tau"),
                        stationary ? sgd_model::stationary : sgd_model::ou, flow,
                        entropy_kind::smooth);
}

TEST(eq_mmc_var_opt, a_random_start_of_SGD_is_erased_whatever_the_data) {
  const register_formats formats = one_format({24, 8});
  const descent point{.eta = 0.05, .batch = 4};
  const descent spread{.eta = 0.05, .batch = 4, .w0_sigma = 0.3};
  const auto erased = [&](const descent& how, sgd_model which) {
    return sgd_production(formats, 2, how, 6, which, quadratic_flow(0, 1)).erased(1.5, 0.8).value;
  };
  const bits start = start_entropy(formats, spread).entropy.value;
  // The limit law has forgotten the start; the others hold some of it.
  const bits gap = erased(spread, sgd_model::stationary) - erased(point, sgd_model::stationary);
  EXPECT_NEAR(gap.value(), start.value(), 1e-9);
  EXPECT_LT(erased(spread, sgd_model::moments) - erased(point, sgd_model::moments), start);
  const auto steps = sgd_step_productions(formats, {2, 1.5, 0.8}, spread, 6, sgd_model::moments,
                                          quadratic_flow(0, 1));
  nats sum{0};
  for (const auto& one : steps) sum += one.value;
  const entropy_production whole =
      sgd_production(formats, 2, spread, 6, sgd_model::moments, quadratic_flow(0, 1));
  EXPECT_NEAR(sum.value(), whole(1.5, 0.8).value.value(), 1e-8);
}

TEST(eq_mmc_var_opt, optima_and_costs_match_the_reference) {
  int compared = 0;
  for (const auto& entry : reference_file("mismatch.json")) {
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const entropy_production production = production_of(entry);
    const auto optima = variational_optima(production, {});
    ASSERT_EQ(lowest(optima).size(), 1U);
    const variational_optimum& best = optima.front();
    const std::string quantity = entry.at("quantity");
    const double truth = reference_value(entry);
    ++compared;
    if (quantity.starts_with("sigma_x*")) {
      EXPECT_EQ(best.sigma_x, truth);
      EXPECT_TRUE(best.sigma_x_at_bound);
    } else if (quantity.starts_with("sigma_xi*")) {
      // the noise of the slope over the curvature of ΔS_tot, which is at least 1
      EXPECT_NEAR(best.sigma_xi, truth, 4 * production.noise / 0.02 * truth);
      EXPECT_FALSE(best.sigma_xi_at_bound);
    } else {
      const bounded<nats> mmc = variational_mismatch(production, parameter(entry, "sigx"),
                                                     parameter(entry, "sigxi"), best);
      EXPECT_NEAR(mmc.value.value(), truth, mmc.error.value());
      EXPECT_LT(mmc.error.value(), 1e-10);
    }
  }
  EXPECT_GE(compared, 40);
}

TEST(eq_mmc_var_opt, has_the_optima_of_the_errata) {
  const register_formats formats = one_format({24, 8});
  const descent sgd{.eta = 0.01, .batch = 1, .w0 = 1};
  struct known {
    double alpha;
    double exact;
    double sgd;
  };
  for (const known& of :
       {known{0.5, 1.265119, 2.127571}, {1, 1.070557, 1.794124}, {2.5, 0.833538, 1.413285}}) {
    const entropy_flow flow = quadratic_flow(0, of.alpha);
    const auto exact =
        variational_optima(regression_production(formats, 1, 10, flow, entropy_kind::smooth), {});
    EXPECT_EQ(exact.front().sigma_x, 0.75);
    EXPECT_NEAR(exact.front().sigma_xi, of.exact, 5e-7);  // the digits given
    const auto descent = variational_optima(
        sgd_production(formats, 1, sgd, 50, sgd_model::ou, flow, entropy_kind::smooth), {});
    EXPECT_EQ(descent.front().sigma_x, 0.75);
    EXPECT_NEAR(descent.front().sigma_xi, of.sgd, 5e-7);
  }
}

TEST(eq_mmc_var_opt, needs_a_constant_for_the_second_law) {
  const register_formats formats = one_format({24, 8});
  const auto least = [&](const entropy_production& production) {
    return variational_optima(production, {}).front().production.value.value();
  };
  EXPECT_NEAR(
      least(regression_production(formats, 1, 10, quadratic_flow(0, 1), entropy_kind::smooth)),
      -346.1, 0.05);
  EXPECT_NEAR(least(sgd_production(formats, 1, {.eta = 0.01, .batch = 1, .w0 = 1}, 50,
                                   sgd_model::ou, quadratic_flow(0, 1), entropy_kind::smooth)),
              -1811.3, 0.05);
}

TEST(eq_mmc_var_opt, the_landscape_is_nowhere_below_the_optimum) {
  const entropy_production production =
      regression_production(one_format({24, 8}), 1, 10, quadratic_flow(0, 1), entropy_kind::smooth);
  const auto optima = variational_optima(production, {});
  const auto points = production_landscape(production, {}, 41);
  ASSERT_EQ(points.size(), 41U * 41U);
  EXPECT_EQ(points.front().sigma_x, 0.75);
  EXPECT_EQ(points.back().sigma_xi, 5);
  for (const landscape_point& point : points) {
    EXPECT_GE(point.production, optima.front().production.value);
  }
}

TEST(eq_mmc_var_opt, without_a_flow_the_smooth_optimum_of_regression_is_a_ray) {
  // The smooth entropies depend on σ_x/σ_ξ only.
  const entropy_production production =
      regression_production(one_format({24, 8}), 1, 10, quadratic_flow(0, 0), entropy_kind::smooth);
  const auto best = lowest(variational_optima(production, {}));
  ASSERT_GT(best.size(), 1U);
  const double ratio = best.front().sigma_xi / best.front().sigma_x;
  for (const variational_optimum& one : best) {
    EXPECT_NEAR(one.sigma_xi / one.sigma_x, ratio, 1e-6 * ratio);
  }
}

TEST(eq_mmc_var_opt, finds_every_valley) {
  // Two valleys of the flow of equal depth, and one on the edge that is less deep.
  const entropy_production production{
      [](double, double) {
        return bounded<bits>{bits{0}, bits{0}};
      },
      [](double x, double xi) {
        return (x - 1) * (x - 1) * (x - 3) * (x - 3) * (1 + 0.1 * x) + (xi - 2) * (xi - 2);
      }};
  const auto optima = variational_optima(production, {});
  const auto best = lowest(optima);
  ASSERT_EQ(best.size(), 2U);
  // In ln σ the differences leave h⁶ f⁽⁷⁾/140 of the slope, h = 0.02, and f⁽⁷⁾/f″ is below 4e5.
  EXPECT_NEAR(best[0].sigma_x + best[1].sigma_x, 4, 2e-7);
  EXPECT_NEAR(best[0].sigma_xi, 2, 1e-8);
  const entropy_production edge{
      [](double, double) {
        return bounded<bits>{bits{0}, bits{0}};
      },
      [](double x, double xi) { return std::cos(2 * x) - 0.01 * x + xi; }};
  const auto both = variational_optima(edge, {});
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(lowest(both).size(), 1U);
  EXPECT_NEAR(both[0].sigma_x, 1.5 * std::acos(-1.0) + std::asin(0.005) / 2, 1e-6);
  EXPECT_TRUE(both[0].sigma_xi_at_bound);
  EXPECT_EQ(both[0].sigma_xi, 0.5);
}

TEST(app_mmc, steps_of_sgd_add_up_to_the_whole) {
  const register_formats formats = one_format({11, 5});
  const entropy_flow flow = quadratic_flow(3, 1);
  const descent how{.eta = 0.05, .batch = 2, .w0 = 0.5};
  for (const entropy_kind kind : {entropy_kind::exact, entropy_kind::smooth}) {
    bounded<nats> sum{nats{0}, nats{0}};
    const auto steps = sgd_step_productions(formats, {}, how, 7, sgd_model::ou, flow, kind);
    ASSERT_EQ(steps.size(), 7U);
    for (const bounded<nats>& step : steps) sum += step;
    const auto whole = sgd_production(formats, 1, how, 7, sgd_model::ou, flow, kind)(1, 1);
    EXPECT_NEAR(sum.value.value(), whole.value.value(), 1e-12 * std::fabs(whole.value.value()));
  }
}

TEST(eq_mmc_var_opt_campaign, exact_entropies_move_the_optimum_a_little) {
  const register_formats formats = one_format({11, 5});
  const auto smooth = variational_optima(
      regression_production(formats, 1, 10, quadratic_flow(0, 1), entropy_kind::smooth), {});
  const auto start = std::chrono::steady_clock::now();
  const entropy_production exact = regression_production(formats, 1, 10, quadratic_flow(0, 1));
  const auto optima = variational_optima(exact, {}, {.grid = 7, .starts = smooth});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 60);
  EXPECT_NEAR(optima.front().sigma_xi, smooth.front().sigma_xi, 0.05);
  EXPECT_EQ(optima.front().sigma_x, 0.75);
  EXPECT_NE(optima.front().sigma_xi, smooth.front().sigma_xi);
  EXPECT_GE(variational_mismatch(exact, 1, 1, optima.front()).value, nats{0});
  RecordProperty("seconds", std::to_string(taken.count()));
}

TEST(eq_mmc_var_opt, a_slow_production_has_its_optimum_next_to_a_quick_one) {
  for (const double alpha : {1.0, 8.0}) {  // at a bound, and inside
    const entropy_production quick = regression_production(
        one_format({24, 8}), 1, 10, quadratic_flow(0, alpha), entropy_kind::smooth);
    int looks = 0;
    entropy_production slow = quick;
    slow.flow = [&looks, alpha](double x, double xi) {
      ++looks;
      return alpha * (x * x + xi * xi) + 0.1 * std::cos(x + 2 * std::log(xi));
    };
    const variational_optimum found =
        slow_optima(slow, quick, {}, {variational_optima(quick, {}).front()}).front();
    EXPECT_LE(looks, 24);
    const variational_optimum best = variational_optima(slow, {}).front();
    EXPECT_NEAR(found.sigma_x, best.sigma_x, 1e-4);
    EXPECT_NEAR(found.sigma_xi, best.sigma_xi, 1e-4);
    EXPECT_EQ(found.sigma_x_at_bound, best.sigma_x_at_bound);
    EXPECT_TRUE(overlap(found.production, best.production));
    EXPECT_LT(found.production.error, nats{1e-4});
  }
}

TEST(mismatch, names_what_is_wrong) {
  const entropy_production production =
      regression_production(one_format({24, 8}), 1, 10, quadratic_flow(0, 1), entropy_kind::smooth);
  EXPECT_EQ(message_of([&] { (void)variational_optima(production, {.sigma_x_low = 6}); }),
            "bounds: no sigma_x lies between 6 and 5");
  EXPECT_EQ(message_of([&] { (void)variational_optima(production, {.sigma_xi_low = 0}); }),
            "bounds: lower bound of sigma_xi must be finite and > 0, got 0");
  EXPECT_EQ(message_of([] { (void)quadratic_flow(0, INFINITY); }),
            "entropy flow: alpha must be finite, got inf");
  EXPECT_EQ(message_of([&] {
              const entropy_production bad{production.erased,
                                           [](double x, double) { return std::log(x - 2); }};
              (void)bad(1, 1);
            }),
            "entropy flow: not finite at sigma_x = 1, sigma_xi = 1");
}

}  // namespace
