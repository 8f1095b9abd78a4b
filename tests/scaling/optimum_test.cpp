#include "ktln2/scaling/optimum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "random_case.hpp"
#include "scaling/settings.hpp"
#include "sgd_case.hpp"

namespace {

using namespace ktln2;
using namespace scaling_test;

double best_n(const profit_curve& curve) { return find_best_size(curve).best.value().n; }

TEST(eq_nstar_ex, optima_match_the_reference) {
  int compared = 0;
  for (const auto& entry : reference_file("scaling.json")) {
    const std::string quantity = entry.at("quantity");
    if (quantity.find('*') == std::string::npos) continue;
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const best_size found = find_best_size(curve_of(entry));
    const double truth = reference_value(entry);
    if (quantity.starts_with("n~*")) {
      // u' is zero to 1e-15 of its terms; u'' n is about as large as they are.
      EXPECT_NEAR(found.relaxed.value(), truth, 1e-11 * truth);
    } else if (quantity.starts_with("n*")) {
      EXPECT_EQ(found.best.value().n, truth);
    } else {
      EXPECT_NEAR(found.best.value().profit, truth, 1e-12 * truth);
    }
    ++compared;
  }
  EXPECT_EQ(compared, 31);
}

TEST(fig_profit_ex, the_best_size_falls_as_energy_gets_dearer) {
  EXPECT_EQ(best_n(paper_regression(1e16)), 84);
  EXPECT_EQ(best_n(paper_regression(5e16)), 38);
  EXPECT_EQ(best_n(paper_regression(1e17)), 27);
  EXPECT_EQ(best_n(paper_sgd(1e16)), 420);
  EXPECT_EQ(best_n(paper_sgd(5e16)), 250);
  EXPECT_EQ(best_n(paper_sgd(1e17)), 160);
}

TEST(sec_scaling, exact_regression_does_not_always_need_fewer_points_than_sgd) {
  EXPECT_LE(best_n(paper_regression(1.5e17)), best_n(paper_sgd(1.5e17)));
  EXPECT_EQ(best_n(paper_regression(2e17)), 20);
  EXPECT_EQ(best_n(paper_sgd(2e17)), 10);
}

TEST(fig_profit_sgd_eta, a_smaller_learning_rate_does_not_always_want_more_points) {
  EXPECT_EQ(best_n(paper_sgd(5e16, 0.03)), 300);
  EXPECT_EQ(best_n(paper_sgd(5e16, 0.025)), 310);
  EXPECT_EQ(best_n(paper_sgd(5e16, 0.02)), 300);
  EXPECT_EQ(best_n(paper_sgd(5e16, 0.015)), 140);
  const best_size corner = find_best_size(paper_sgd(5e16, 0.01));
  EXPECT_EQ(corner.place, best_place::corner);
  EXPECT_EQ(corner.best.value().n, 10);
}

TEST(sec_scaling_laws_app, profit_of_sgd_may_have_two_maxima) {
  const best_size found = find_best_size(paper_sgd(5e16, 0.05, 5));
  ASSERT_EQ(found.optima.size(), 2U);
  EXPECT_EQ(found.optima[0].point.n, 10);
  EXPECT_NEAR(found.optima[0].point.profit, 0.579, 5e-4);
  EXPECT_TRUE(found.optima[0].is_corner);
  EXPECT_FALSE(found.optima[0].is_global);
  EXPECT_EQ(found.optima[1].point.n, 530);
  EXPECT_NEAR(found.optima[1].point.profit, 5.526, 5e-4);
  EXPECT_TRUE(found.optima[1].is_global);
}

TEST(sec_scaling_laws_app, profit_of_exact_regression_has_one_maximum) {
  // (n-1)² u' falls, as docs/scaling.md proves: so u' changes its sign once.
  for (const double price : {1e14, 5e16, 1e19}) {
    const profit_curve curve = paper_regression(price);
    double before = INFINITY;
    for (double n = 3; n < 1e6; n *= 1.01) {
      const double here = (n - 1) * (n - 1) * curve.derivative(n);
      EXPECT_LT(here, before) << n;
      before = here;
    }
    EXPECT_EQ(find_best_size(curve).optima.size(), 1U);
  }
}

/// All feasible sizes up to 1e6, one by one.
double best_profit_by_enumeration(const profit_curve& curve) {
  double best = -INFINITY;
  for (double n = curve.first(); n <= 1e6; n += curve.step()) {
    best = std::max(best, curve.profit(n));
  }
  return best;
}

TEST(eq_scaling_opt_campaign, the_best_size_is_that_of_enumeration) {
  random_settings draw{3};
  int corners = 0;
  int several = 0;
  for (int i = 0; i < 120; ++i) {
    SCOPED_TRACE(i);
    const profit_curve curve = draw.curve();
    const best_size found = find_best_size(curve);
    ASSERT_TRUE(found.best.has_value());
    ASSERT_LE(found.best->n, 1e6);
    EXPECT_TRUE(found.is_exhaustive);
    const double truth = best_profit_by_enumeration(curve);
    // Less than the rounding of revenue and cost is no difference.
    const double rounding =
        0x1p-50 * (found.best->revenue + found.best->n * curve.bit_price() * 110);
    EXPECT_NEAR(curve.profit(found.best->n), truth, rounding);
    corners += found.place == best_place::corner ? 1 : 0;
    several += found.optima.size() > 1 ? 1 : 0;
  }
  EXPECT_GE(corners, 10);  // all kinds of settings were met
  EXPECT_GE(several, 5);
}

TEST(eq_scaling_opt, a_jump_that_no_derivative_shows_is_found) {
  // Users want a model below an error of 1.0201, and then one only: 1/(n-2) < 0.0201 from n = 52
  // on.
  market prices = paper_prices(5e16);
  prices.wanted = demand::custom([](double mse) { return mse < 1.0201 ? 1.0 : 0.0; },
                                 [](double) { return 0.0; });
  const profit_curve curve{prices, one_format({24, 8}), regression_training{{.w = 2}},
                           entropy_kind::smooth};
  const best_size found = find_best_size(curve);
  EXPECT_EQ(found.best.value().n, 52);
  EXPECT_EQ(found.place, best_place::interior);
  EXPECT_EQ(found.optima.size(), 2U);
}

/// Neighboring sizes that earn the same, up to rounding.
struct plateau {
  double first;
  double last;
};

constexpr double most_enumerated = 2e5;

/// All feasible sizes up to there that earn at least as much as their neighbors, as far as SGD that
/// diverges stays within double's range.
std::vector<plateau> optima_by_enumeration(const profit_curve& curve) {
  std::vector<plateau> optima;
  double before = -INFINITY;
  double here = curve.profit(curve.first());
  for (double n = curve.first(); n <= most_enumerated; n += curve.step()) {
    const double after = curve.profit(n + curve.step());
    if (!std::isfinite(after)) break;
    if (here >= before && here >= after) {
      const bool is_next =
          !optima.empty() && n - optima.back().last <= 2 * curve.step() &&
          std::fabs(curve.profit(optima.back().last) - here) <= 1e-12 * std::fabs(here);
      if (!is_next) optima.push_back({n, n});
      optima.back().last = n;
    }
    before = here;
    here = after;
  }
  return optima;
}

void expect_all_found(const profit_curve& curve, const std::vector<plateau>& expected) {
  std::vector<local_optimum> found = find_best_size(curve).optima;
  std::erase_if(found, [](const local_optimum& one) { return one.point.n > most_enumerated; });
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_GE(found[i].point.n, expected[i].first);
    EXPECT_LE(found[i].point.n, expected[i].last);
  }
}

TEST(eq_scaling_opt, every_local_optimum_is_found) {
  random_settings draw{4};
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const profit_curve curve = draw.curve(1e15);
    expect_all_found(curve, optima_by_enumeration(curve));
  }
}

// KTLN2_SCALING_CASES=3000 KTLN2_SCALING_SEED=… runs the long version.
TEST(eq_scaling_opt_campaign, every_local_optimum_of_many_markets_is_found) {
  random_settings draw{static_cast<unsigned>(from_environment("KTLN2_SCALING_SEED", 11))};
  const int cases = from_environment("KTLN2_SCALING_CASES", 100);
  int several = 0;
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(i);
    const profit_curve curve = draw.curve(1e15);
    const std::vector<plateau> expected = optima_by_enumeration(curve);
    expect_all_found(curve, expected);
    several += expected.size() > 1 ? 1 : 0;
  }
  std::printf("%d markets, %d with several optima\n", cases, several);
}

TEST(eq_scaling_opt, free_energy_means_no_best_size) {
  market prices = paper_prices(0);
  const profit_curve exact{prices, one_format({24, 8}), regression_training{}, entropy_kind::exact};
  EXPECT_EQ(find_best_size(exact).place, best_place::infinity);
  EXPECT_FALSE(find_best_size(exact).best.has_value());
  EXPECT_EQ(find_best_size(paper_sgd(0)).place, best_place::infinity);
  EXPECT_EQ(find_best_size(paper_regression(1e-16)).place, best_place::beyond);
  // SGD that starts at the optimum only gets worse.
  const profit_curve at_w{prices, one_format({24, 8}),
                          sgd_training{{.w = 2}, {.w0 = 2}, sgd_model::ou}, entropy_kind::smooth};
  EXPECT_EQ(find_best_size(at_w).place, best_place::corner);
  EXPECT_EQ(find_best_size(paper_regression(1e25)).place, best_place::corner);
}

TEST(eq_scaling_opt_campaign, sizes_far_beyond_enumeration_are_found_too) {
  // u' = 0 at (n-1)² = ρ_I/(ρ_J k_B T ln 2 H), but for the small term of h(Z).
  const profit_curve curve = paper_regression(1e4);
  const double expected = 1 + std::sqrt(10 / (curve.bit_price() * curve.data_entropy().value()));
  const best_size found = find_best_size(curve);
  EXPECT_NEAR(found.best.value().n / expected, 1, 1e-7);
  EXPECT_GT(expected, 5e7);
  const best_size exact = find_best_size(paper_regression(1e8, entropy_kind::exact));
  const best_size smooth = find_best_size(paper_regression(1e8));
  EXPECT_NEAR(exact.best.value().n / smooth.best.value().n, 1, 1e-3);
}

TEST(eq_scaling_opt_campaign, with_exact_entropies_the_best_size_is_that_of_enumeration) {
  for (const float_format format : {float_format{3, 4}, {11, 5}, {24, 8}}) {
    const market prices = paper_prices(2e17);
    const std::vector<profit_curve> curves{
        {prices, one_format(format), regression_training{{.w = 2}}, entropy_kind::exact},
        {prices, one_format(format),
         sgd_training{{.w = 2.5}, {.eta = 0.1, .batch = 2}, sgd_model::ou}, entropy_kind::exact},
        {prices, one_format(format),
         sgd_training{{.w = 2}, {.eta = 0.2, .batch = 3, .w0 = -1}, sgd_model::moments},
         entropy_kind::exact}};
    for (const profit_curve& curve : curves) {
      const best_size found = find_best_size(curve);
      EXPECT_TRUE(found.is_exhaustive);
      double best = curve.first();
      for (double n = curve.first(); n <= 300; n += curve.step()) {
        if (curve.profit(n) > curve.profit(best)) best = n;
      }
      EXPECT_EQ(found.best.value().n, best) << format.name();
    }
  }
}

TEST(eq_nstar_ex, exact_entropies_hardly_move_the_best_size_at_single_precision) {
  const best_size found = find_best_size(paper_regression(5e16, entropy_kind::exact));
  EXPECT_EQ(found.best.value().n, 38);
  EXPECT_NEAR(found.relaxed.value(), 38, 1);
}

TEST(sec_nonstationarysgd, the_process_is_not_to_be_trusted_at_the_paper_s_best_sizes) {
  const best_size found = find_best_size(paper_sgd(5e16));
  const local_optimum& best = found.optima.back();
  ASSERT_TRUE(best.is_global);
  EXPECT_FALSE(best.ou.value().trusted());
  sgd_case problem{{.w = 2}, {.eta = 0.05}, 25};
  EXPECT_NEAR(best.ou->deviation_ratio,
              compare_with_ou(problem.model, problem.how, problem.steps).deviation_ratio, 1e-9);
  problem.how.eta = 1e-3;
  problem.steps = 20000;
  EXPECT_TRUE(check_ou(problem.model, problem.how, problem.steps).trusted());
  // With exact moments the optimum moves by no more than a batch.
  EXPECT_NEAR(best_n(paper_sgd(5e16, 0.05, 2, sgd_model::moments)), 250, 10);
}

TEST(sec_nonstationarysgd_campaign, the_exact_law_has_a_best_size_of_its_own) {
  const best_size found =
      find_best_size(paper_sgd(5e16, 0.05, 2, sgd_model::exact, entropy_kind::exact));
  EXPECT_NEAR(found.best.value().n, 250, 10);
  EXPECT_FALSE(found.is_exhaustive);
  EXPECT_FALSE(found.relaxed.has_value());
}

TEST(sec_scaling, the_smooth_entropy_has_a_pole_where_the_mean_of_sgd_is_zero) {
  const profit_curve curve{
      paper_prices(1e17), one_format({24, 8}),
      sgd_training{{.w = 2}, {.eta = 0.02, .batch = 1, .w0 = -1}, sgd_model::ou},
      entropy_kind::smooth};
  EXPECT_NEAR(curve.pole(), std::log(1.5) / 0.02, 1e-12);
  const best_size found = find_best_size(curve);
  for (const local_optimum& one : found.optima) EXPECT_TRUE(std::isfinite(one.point.profit));
  ASSERT_TRUE(found.relaxed.has_value());
  EXPECT_GT(std::fabs(*found.relaxed - curve.pole()), 1);
}

}  // namespace
