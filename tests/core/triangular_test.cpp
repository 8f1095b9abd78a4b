#include "core/triangular.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "message_of.hpp"

namespace {

using namespace ktln2;

square_matrix matrix(const std::vector<std::vector<double>>& rows) {
  square_matrix made(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) made(i, j) = rows[i][j];
  }
  return made;
}

TEST(lower_factor, is_the_root_of_a_covariance) {
  const square_matrix lower = lower_factor("x", matrix({{4, 2, -2}, {2, 10, 5}, {-2, 5, 21}}));
  EXPECT_EQ(lower(0, 0), 2);
  EXPECT_EQ(lower(1, 0), 1);
  EXPECT_EQ(lower(1, 1), 3);
  EXPECT_EQ(lower(2, 0), -1);
  EXPECT_EQ(lower(2, 1), 2);
  EXPECT_EQ(lower(2, 2), 4);
  EXPECT_EQ(lower(0, 2), 0);
}

TEST(lower_factor, names_the_number_that_is_wrong) {
  EXPECT_EQ(message_of([] {
              lower_factor("row", matrix({{1, 2}, {2, 1}}));
            }),
            "row: the covariance must be positive definite, but the variance of variable 2, given "
            "those before it, is -3");
  EXPECT_EQ(message_of([] { lower_factor("row", matrix({{-1}})); }),
            "row: the covariance must be positive definite, but the variance of variable 1 is -1");
  EXPECT_EQ(message_of([] {
              lower_factor("row", matrix({{1, 0.5}, {0.25, 1}}));
            }),
            "row: the covariance must be symmetric: its entry (1, 2) is 0.5, but (2, 1) is 0.25");
  EXPECT_EQ(message_of([] {
              lower_factor("row", matrix({{1, NAN}, {NAN, 1}}));
            }),
            "row: the covariance must be finite: its entry (1, 2) is nan");
  // Three numbers of which one is the sum of the others: nothing is left but rounding.
  EXPECT_NE(message_of([] {
              lower_factor("row", matrix({{0.1, 0, 0.1}, {0, 0.2, 0.2}, {0.1, 0.2, 0.3}}));
            }),
            "");
}

TEST(reordered_factor, belongs_to_the_same_covariance) {
  const square_matrix a = matrix({{4, 2, -2}, {2, 10, 5}, {-2, 5, 21}});
  const std::vector<std::size_t> order{2, 0, 1};
  const square_matrix lower = reordered_factor(lower_factor("x", a), order);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GT(lower(i, i), 0);
    for (std::size_t j = 0; j < 3; ++j) {
      double product = 0;
      for (std::size_t k = 0; k < 3; ++k) product += lower(i, k) * lower(j, k);
      EXPECT_NEAR(product, a(order[i], order[j]), 16 * 0x1p-53 * 21);
      if (j > i) {
        EXPECT_EQ(lower(i, j), 0);
      }
    }
  }
}

TEST(reordered_factor, keeps_a_variance_that_the_covariance_has_lost) {
  // y = x + noise of 1e-12: x given y has the deviation 1e-12 to first order.
  square_matrix lower(2);
  lower(0, 0) = 1;
  lower(1, 0) = 1;
  lower(1, 1) = 1e-12;
  EXPECT_NEAR(reordered_factor(lower, {1, 0})(1, 1) / 1e-12, 1, 4 * 0x1p-53);
}

TEST(solve, undoes_the_factor) {
  const square_matrix lower = lower_factor("x", matrix({{4, 2, -2}, {2, 10, 5}, {-2, 5, 21}}));
  EXPECT_EQ(solve_lower(lower, {2, 4, 5}, 3), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(solve_transposed(lower, {2, 5, 4}, 3), (std::vector<double>{1, 1, 1}));
  // det = 576, cofactors 185, 80 and 36.
  const std::vector<double> diagonal = inverse_diagonal(lower);
  EXPECT_NEAR(diagonal[0], 185.0 / 576, 0x1p-50);
  EXPECT_NEAR(diagonal[1], 80.0 / 576, 0x1p-50);
  EXPECT_NEAR(diagonal[2], 36.0 / 576, 0x1p-50);
}

}  // namespace
