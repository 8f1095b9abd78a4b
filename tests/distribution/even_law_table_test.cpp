#include "distribution/even_law_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ktln2/distribution/normal.hpp"
#include "ktln2/distribution/student_t.hpp"

namespace {

using namespace ktln2;

template <class Law>
void expect_the_same(const Law& law, double last) {
  const even_law_table table{[&](double x) { return log_pdf(law, x); },
                             [&](double x) { return ccdf(law, x); }};
  for (double x = 0; x < last; x = x * 1.1 + 0.01) {
    const double truth = log_pdf(law, x);
    // Both are rounded: the logarithm to a few of its ulps
    EXPECT_NEAR(table.log_pdf(x), truth, 1e-14 * (1 + std::fabs(truth))) << x;
    EXPECT_EQ(table.log_pdf(-x), table.log_pdf(x)) << x;
    const double tail = ccdf(law, x);
    EXPECT_NEAR(table.above(x), tail, 1e-14 * (1 - std::log(tail)) * tail) << x;
    EXPECT_NEAR(table.above(-x), 1 - tail, 1e-14) << x;
  }
}

TEST(even_law_table, is_the_law_itself) {
  expect_the_same(normal{0, 1}, 37);
  expect_the_same(student_t{3, 0, 1}, 1e30);
  expect_the_same(student_t{40, 0, 1}, 1e6);
}

TEST(even_law_table, has_nothing_where_nothing_is_left) {
  const normal law{0, 1};
  const even_law_table table{[&](double x) { return log_pdf(law, x); },
                             [&](double x) { return ccdf(law, x); }};
  for (const double x : {50.0, 1e3, 1e6, 1e30, 1e200}) {
    EXPECT_EQ(std::exp(table.log_pdf(x)), 0) << x;
    EXPECT_EQ(table.above(x), 0) << x;
    EXPECT_EQ(table.above(-x), 1) << x;
  }
}

}  // namespace
