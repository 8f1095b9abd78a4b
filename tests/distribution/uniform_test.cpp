#include "ktln2/distribution/uniform.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "distribution/kernel_properties.hpp"

namespace {

using namespace kernel_properties;
using ktln2::standard_uniform;
using ktln2::uniform;

constexpr standard_uniform kernel;

/// On the grid all is exact.
RC_GTEST_PROP(standard_uniform, tails_add_up_to_one, ()) {
  const double z = any(-1, 2);
  RC_ASSERT(kernel.lower(z).probability + kernel.upper(z).probability == 1);
}

RC_GTEST_PROP(standard_uniform, intervals_add_up_and_are_cells, ()) {
  const double a = any(-1, 2);
  const double b = a + any(0x1p-20, 1);
  const double c = b + any(0x1p-20, 1);
  RC_ASSERT(kernel.between(a, b).probability + kernel.between(b, c).probability ==
            kernel.between(a, c).probability);
  RC_ASSERT(kernel.cell((a + b) / 2, b - a).probability == kernel.between(a, b).probability);
  RC_ASSERT(kernel.cells(b - a)((a + b) / 2).probability == kernel.between(a, b).probability);
}

RC_GTEST_PROP(standard_uniform, mirror_images_around_one_half_are_equal, ()) {
  const double z = any(-1, 2);
  const double h = any(0x1p-20, 3);
  RC_ASSERT(kernel.cell(z, h).probability == kernel.cell(1 - z, h).probability);
}

TEST(standard_uniform, cells_are_cut_at_the_edges) {
  EXPECT_EQ(kernel.cell(0, 0.5).probability, 0.25);
  EXPECT_EQ(kernel.cell(1, 0.5).probability, 0.25);
  EXPECT_EQ(kernel.cell(0.5, 10).probability, 1);
  EXPECT_EQ(kernel.cell(-0.25, 0.5).probability, 0);
  EXPECT_EQ(kernel.cell(1.25, 0.5).probability, 0);
  EXPECT_EQ(kernel.cell(3, 0.5).log_probability, -infinity);
  EXPECT_EQ(kernel.cell(0.5, infinity).probability, 1);
  EXPECT_EQ(kernel.cell(0, 1e-300).probability, 0.5e-300);
  EXPECT_EQ(kernel.between(-infinity, infinity).probability, 1);
  EXPECT_EQ(kernel.between(-infinity, 0.25).probability, 0.25);
  EXPECT_EQ(kernel.between(0.25, infinity).probability, 0.75);
}

TEST(uniform, both_ends_belong_to_it) {
  for (const auto& [low, high] :
       {std::pair{0.1, 0.7}, {-1e300, 3.0}, {1e15, 1e15 + 0.125}, {-0.3, 1e-17}}) {
    const uniform law{low, high};
    EXPECT_EQ(log_pdf(law, low), -std::log(high - low));
    EXPECT_EQ(log_pdf(law, high), -std::log(high - low));
    EXPECT_EQ(pdf(law, std::nextafter(low, -infinity)), 0);
    EXPECT_EQ(cdf(law, low), 0);
    EXPECT_EQ(cdf(law, high), 1);
    EXPECT_EQ(ccdf(law, high), 0);
    EXPECT_EQ(ccdf(law, low), 1);
  }
}

TEST(uniform, the_entropy_is_the_logarithm_of_the_width) {
  EXPECT_EQ(differential_entropy(uniform{0, 1}).value(), 0);
  EXPECT_EQ(differential_entropy(uniform{-4, 4}).value(), 3);
  EXPECT_EQ(differential_entropy(uniform{0, 0x1p-1000}).value(), -1000);
}

TEST(uniform, refuses_what_is_no_interval) {
  const double nan = std::nan("");
  EXPECT_THROW(uniform(1, 1), std::domain_error);
  EXPECT_THROW(uniform(1, 0), std::domain_error);
  EXPECT_THROW(uniform(0, infinity), std::domain_error);
  EXPECT_THROW(uniform(-infinity, 0), std::domain_error);
  EXPECT_THROW(uniform(nan, 0), std::domain_error);
  EXPECT_THROW(uniform(0, nan), std::domain_error);
  EXPECT_THROW(uniform(-1.5e308, 1.5e308), std::domain_error);  // the width overflows
}

}  // namespace
