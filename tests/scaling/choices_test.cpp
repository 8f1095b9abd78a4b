#include "ktln2/scaling/choices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "ktln2/format/partition.hpp"
#include "scaling/settings.hpp"

namespace {

using namespace ktln2;
using namespace scaling_test;

double profit_of(const sgd_profit_curve& curve, double eta, double batch) {
  return find_best_size(curve.with(eta, batch)).best.value().profit;
}

TEST(fig_profit_sgd_eta, no_other_learning_rate_earns_more) {
  const sgd_profit_curve curve = paper_sgd(5e16, 0.05, 2, sgd_model::moments);
  const sgd_choice best = best_learning_rate(curve);
  EXPECT_EQ(best.batch, 10);
  EXPECT_FALSE(best.is_edge);
  for (double eta = 1e-3; eta < 0.99; eta *= 1.01) {
    EXPECT_LE(profit_of(curve, eta, 10), best.size.best.value().profit + 1e-9) << eta;
  }
}

TEST(fig_profit_sgd_B, no_other_batch_earns_more) {
  for (const double eta : {0.05, 0.4}) {
    const sgd_profit_curve curve = paper_sgd(5e16, eta, 2, sgd_model::moments);
    const sgd_choice best = best_batch(curve);
    EXPECT_EQ(best.eta, eta);
    for (double batch = 1; batch <= 300; ++batch) {
      EXPECT_LE(profit_of(curve, eta, batch), best.size.best.value().profit) << batch;
    }
  }
}

TEST(sec_scaling, no_other_learning_rate_and_batch_earn_more) {
  const sgd_profit_curve curve = paper_sgd(5e16, 0.05, 2, sgd_model::moments);
  const sgd_choice best = best_learning_rate_and_batch(curve);
  for (const double batch : {1.0, 2.0, 3.0, 5.0, 8.0, 20.0, 50.0}) {
    for (double eta = 0.003; eta < 0.99; eta *= 1.1) {
      EXPECT_LE(profit_of(curve, eta, batch), best.size.best.value().profit + 1e-9)
          << eta << " " << batch;
    }
  }
  EXPECT_GE(best.size.best->profit, best_batch(curve).size.best->profit);
}

TEST(sec_scaling, with_exact_entropies_the_choice_is_evaluated_exactly) {
  const sgd_choice smooth = best_learning_rate(paper_sgd(5e16, 0.05, 2, sgd_model::moments));
  const sgd_choice exact =
      best_learning_rate(paper_sgd(5e16, 0.05, 2, sgd_model::moments, entropy_kind::exact));
  EXPECT_NEAR(exact.eta / smooth.eta, 1, 0.01);
  EXPECT_NE(exact.size.best.value().profit, smooth.size.best.value().profit);
}

/// E (Q(ŵ) - w)² from the probability of every cell.
double by_enumeration(const float_format& format, const law& slope, double w) {
  const partition cells{format};
  double sum = 0;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      for (std::uint64_t k = 0; k < run.count; ++k) {
        const double left = run.edge(k).to_double();
        const double right = run.edge(k + 1).to_double();
        const double inside = std::isinf(left)    ? right - 1
                              : std::isinf(right) ? left + 1
                                                  : (left + right) / 2;
        const double value = format.value(format.quantize(inside)).to_double();
        const double mass = std::visit(
            [&](const auto& known) {
              return known.kernel()
                  .between((left - known.location()) / known.scale(),
                           (right - known.location()) / known.scale())
                  .probability;
            },
            slope);
        sum += mass * (value - w) * (value - w);
      }
    }
  }
  return sum;
}

TEST(sec_scaling, the_error_of_a_stored_slope_is_the_sum_over_its_cells) {
  for (const float_format format : {float_format{3, 4}, {6, 4}, {9, 5}}) {
    for (const law& slope :
         {law{slope_law({.w = 2}, 5)}, law{slope_law({.w = 1.3}, 400)},
          law{slope_law({.w = 1.3}, 1e6)}, law{normal{0.3, 0.2}}, law{normal{300, 10}}}) {
      const double w = std::visit([](const auto& known) { return known.location(); }, slope);
      const double truth = by_enumeration(format, slope, w);
      EXPECT_NEAR(stored_square_error(format, slope, w) / truth, 1, 2e-4) << format.name() << w;
    }
  }
}

TEST(sec_scaling, narrow_cells_add_a_twelfth_of_their_square) {
  const law slope = slope_law({.w = 1.5}, 400);
  const double plain = 1.0 / 398;
  EXPECT_NEAR((stored_square_error({12, 5}, slope, 1.5) - plain) / stored_error({12, 5}, 1.5), 1,
              1e-3);
}

TEST(sec_scaling_campaign, some_precision_earns_most) {
  const market prices = paper_prices(5e16);
  const auto all =
      sizes_by_precision(prices, regression_training{{.w = 2.3}}, 5, entropy_kind::exact);
  const auto best = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.size.best.value().profit < b.size.best.value().profit;
  });
  EXPECT_GT(best->p, 1);
  EXPECT_LT(best->p, 11);
  EXPECT_GT(all.back().p, best->p);
  // Half the bits, and more points for the same money.
  const best_size single = find_best_size(profit_curve{
      prices, one_format({24, 5}), regression_training{{.w = 2.3}}, entropy_kind::exact});
  EXPECT_GT(best->size.best->profit, single.best.value().profit);
  EXPECT_GT(best->size.best->n, single.best->n);
}

// Only SGD has a learning rate and a batch.
static_assert(std::is_invocable_v<decltype(best_batch), sgd_profit_curve>);
static_assert(!std::is_invocable_v<decltype(best_batch), profit_curve>);

}  // namespace
