#include "ktln2/core/quadrature.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace ktln2;

/// The mean of x^degree over the N points, summed one by one.
long double power_mean(int points, int degree) {
  long double sum = 0;
  for (int i = 0; i < points; ++i) {
    sum += std::pow((2 * i + 1) / static_cast<long double>(points) - 1, degree);
  }
  return sum / points;
}

template <std::size_t Order>
void expect_exact_for_polynomials() {
  constexpr int order = static_cast<int>(Order);
  for (const int points :
       {order + 1, 2 * order - 1, 3 * order, 8 * order - 1, 8 * order, 200, 1023, 4097}) {
    const auto rule = gram_rule<Order>(points);
    for (int degree = 0; degree < 2 * static_cast<int>(Order); ++degree) {
      long double sum = 0;
      for (std::size_t k = 0; k < Order; ++k) {
        sum += rule.weight[k] * std::pow(static_cast<long double>(rule.node[k]), degree);
      }
      // The weights are doubles: each term carries half an ulp.
      EXPECT_NEAR(static_cast<double>(sum), static_cast<double>(power_mean(points, degree)), 3e-16)
          << "order " << Order << ", " << points << " points, degree " << degree;
    }
  }
}

TEST(gram_rule, sums_polynomials_below_twice_its_order_exactly) {
  expect_exact_for_polynomials<2>();
  expect_exact_for_polynomials<4>();
  expect_exact_for_polynomials<8>();
  expect_exact_for_polynomials<16>();
}

TEST(gram_rule, is_the_same_by_its_recurrence_and_by_the_tables) {
  const auto few = gram_rule<16>(127);
  const auto many = gram_rule<16>(128);
  const auto more = gram_rule<16>(129);
  for (std::size_t k = 0; k < 16; ++k) {
    EXPECT_NEAR(few.node[k], 2 * many.node[k] - more.node[k], 3e-6);
    EXPECT_NEAR(few.weight[k], 2 * many.weight[k] - more.weight[k], 3e-6);
  }
}

TEST(gram_rule, does_not_sum_one_degree_more) {
  const auto rule = gram_rule<4>(1000);
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) sum += rule.weight[k] * std::pow(rule.node[k], 8);
  EXPECT_GT(std::fabs(sum - static_cast<double>(power_mean(1000, 8))), 1e-4);
}

TEST(gram_rule, becomes_gauss_legendre_for_many_points) {
  const auto many = gram_rule<8>(0x1p40);
  const auto& limit = gauss_legendre<8>();
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_DOUBLE_EQ(many.node[k], limit.node[k]);
    EXPECT_DOUBLE_EQ(many.weight[k], limit.weight[k]);
  }
  EXPECT_DOUBLE_EQ(limit.node[7], 0.96028985649753623168);  // Abramowitz & Stegun 25.4
  EXPECT_DOUBLE_EQ(2 * limit.weight[7], 0.10122853629037625915);
}

TEST(compensated_sum, keeps_what_plain_addition_loses) {
  compensated_sum sum;
  sum.add(1);
  for (int i = 0; i < 1000; ++i) sum.add(0x1p-60);
  sum.add(-1);
  EXPECT_EQ(sum.value(), 1000 * 0x1p-60);
}

}  // namespace
