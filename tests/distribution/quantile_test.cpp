#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/constants.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/distribution/law.hpp"
#include "message_of.hpp"

namespace {

using namespace ktln2;

std::vector<double> probabilities() {
  std::vector<double> result{0x1p-1000, 1e-300, 1e-200, 1e-100, 1e-30, 1e-16, 1e-8, 1e-3};
  for (int i = 1; i < 100; ++i) result.push_back(i / 100.0);
  for (const double q : {1e-3, 1e-8, 1e-12, 1e-16}) result.push_back(1 - q);
  return result;
}

struct named_law {
  const char* description;
  double ulps;  ///< that cdf itself is good to
};

/// P(X < quantile(q)) = q: z is one of the doubles next to the truth, by which the tail moves by
/// the condition |z f/P| of an ulp; and a few ulps of the tail itself.
TEST(quantile, the_distribution_function_leads_back) {
  for (const auto& [description, ulps] : std::vector<named_law>{{"normal", 8},
                                                                {"normal:mu=3,sigma=0.01", 8},
                                                                {"student:dof=0.5", 32},
                                                                {"student:dof=1", 32},
                                                                {"student:dof=5,loc=-2", 32},
                                                                {"student:dof=1e6", 64},
                                                                {"uniform:low=2,high=7", 8},
                                                                {"laplace", 8},
                                                                {"laplace:loc=5,scale=3", 8},
                                                                {"logistic", 8},
                                                                {"logistic:loc=-1", 8}}) {
    const law x = parse_law(description);
    for (const double q : probabilities()) {
      const double at = quantile(x, q);
      if (std::isinf(
              at)) {  // beyond double's range: only Student's law with few degrees of freedom
        EXPECT_LT(cdf(x, -std::numeric_limits<double>::max()), 1);
        EXPECT_GT(cdf(x, -std::numeric_limits<double>::max()), q) << description << " " << q;
        continue;
      }
      const double tail = q <= 0.5 ? cdf(x, at) : ccdf(x, at);
      const double wanted = q <= 0.5 ? q : 1 - q;
      const double condition = std::fabs(at) * pdf(x, at) / wanted;
      EXPECT_NEAR(tail, wanted,
                  (ulps + 4 * condition + std::fabs(std::log(wanted))) * 0x1p-52 * wanted)
          << description << " q = " << q << " x = " << at;
    }
  }
}

TEST(quantile, known_values) {
  // mpmath, 30 digits
  EXPECT_NEAR(quantile(normal{0, 1}, 0.975), 1.95996398454005385560, 4 * 0x1p-52);
  EXPECT_NEAR(quantile(normal{0, 1}, 1e-300), -37.0470962993611992, 8 * 0x1p-47);
  EXPECT_NEAR(quantile(student_t{1, 0, 1}, 0.75), 1, 8 * 0x1p-52);
  EXPECT_EQ(quantile(laplace{2, 3}, 0.5), 2);
  EXPECT_EQ(quantile(uniform{-1, 3}, 0.25), 0);
  EXPECT_NEAR(quantile(logistic{0, 1}, 0.9), std::log(9.0), 4 * 0x1p-52);
  EXPECT_EQ(quantile(normal{5, 1}, 0.5), 5);
  EXPECT_EQ(quantile(student_t{3, 5, 1}, 0.5), 5);
}

TEST(quantile, the_ends_are_where_the_law_begins_and_ends) {
  EXPECT_EQ(quantile(normal{0, 1}, 0), -infinity);
  EXPECT_EQ(quantile(normal{0, 1}, 1), infinity);
  EXPECT_EQ(quantile(student_t{2, 0, 1}, 0), -infinity);
  EXPECT_EQ(quantile(laplace{0, 1}, 0), -infinity);
  EXPECT_EQ(quantile(laplace{0, 1}, 1), infinity);
  EXPECT_EQ(quantile(logistic{0, 1}, 0), -infinity);
  EXPECT_EQ(quantile(logistic{0, 1}, 1), infinity);
  EXPECT_EQ(quantile(uniform{2, 3}, 0), 2);
  EXPECT_EQ(quantile(uniform{2, 3}, 1), 3);
}

TEST(quantile, refuses_what_is_no_probability) {
  for (const double bad : {-0.1, 1.5, infinity, std::nan("")}) {
    EXPECT_THROW(quantile(law{normal{0, 1}}, bad), std::domain_error) << bad;
    EXPECT_THROW(quantile(student_t{2, 0, 1}, bad), std::domain_error) << bad;
  }
  EXPECT_EQ(message_of([] {
              quantile(normal{0, 1}, 2);
            }),
            "quantile: the probability must be from 0 to 1, got 2");
}

TEST(law, the_free_functions_are_those_of_the_law_inside) {
  const normal inside{1, 2};
  const law x = inside;
  EXPECT_EQ(log_pdf(x, 3), log_pdf(inside, 3));
  EXPECT_EQ(pdf(x, 3), pdf(inside, 3));
  EXPECT_EQ(cdf(x, 3), cdf(inside, 3));
  EXPECT_EQ(ccdf(x, 3), ccdf(inside, 3));
  EXPECT_EQ(quantile(x, 0.3), quantile(inside, 0.3));
  EXPECT_EQ(cell_probability(x, 3, 0.1), cell_probability(inside, 3, 0.1));
  EXPECT_EQ(log_cell_probability(x, 3, 0.1), log_cell_probability(inside, 3, 0.1));
  EXPECT_EQ(mean(x), 1);
  EXPECT_EQ(deviation(x), 2);
  EXPECT_EQ(differential_entropy(x), differential_entropy(inside));
  EXPECT_TRUE(std::isnan(mean(law{student_t{1, 0, 1}})));
}

}  // namespace
