#include "entropy/pair_table.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "ktln2/core/quadrature.hpp"

namespace {

using namespace ktln2;

struct table_case {
  format_pair data;
  regression_pair pair;
};

std::vector<table_case> table_cases() {
  return {{{{3, 3}, {3, 3}}, {1, 1, 1}},
          {{{4, 4}, {3, 3}}, {-0.7, 0.75, 0.5}},
          {{{2, 4}, {4, 3}}, {1, 5, 0.5}},
          {{{2, 1}, {2, 1}}, {1, 0.1, 0.02}},
          {{{3, 2}, {3, 2}}, {0, 2, 0.3}}};
}

// Two roads: all cells with logarithms, and those within reach with probabilities.
TEST(log_pair_table, likely_cells_are_the_same_and_unlikely_ones_are_left_out) {
  for (const table_case& one : table_cases()) {
    SCOPED_TRACE(one.data.x.name() + " " + one.data.y.name());
    const std::vector<double> all = log_pair_table(one.data, one.pair);
    const std::vector<double> likely = likely_log_pair_table(one.data, one.pair);
    ASSERT_EQ(all.size(), likely.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] > -40) {
        EXPECT_NEAR(likely[i], all[i], 1e-11) << i;
      } else if (likely[i] == -infinity) {
        EXPECT_LT(all[i], least_likely + 1) << i;
      }
    }
  }
}

TEST(log_pair_table, has_all_the_mass_and_the_joint_entropy) {
  for (const table_case& one : table_cases()) {
    compensated_sum total;
    compensated_sum entropy;
    for (const double log_p : likely_log_pair_table(one.data, one.pair)) {
      if (log_p == -infinity) continue;
      total.add(std::exp(log_p));
      entropy.add(-std::exp(log_p) * log_p / std::numbers::ln2);
    }
    EXPECT_NEAR(total.value(), 1, 1e-13);
    const bounded<bits> truth = joint_entropy(one.data, one.pair).joint;
    EXPECT_NEAR(entropy.value(), truth.value.value(), truth.error.value() + 1e-12);
  }
}

}  // namespace
