#include <gtest/gtest.h>

#include "ktln2/distribution/law.hpp"

namespace {

using namespace ktln2;

static_assert(standard_law<standard_normal>);
static_assert(standard_law<standard_student_t>);
static_assert(standard_law<standard_uniform>);
static_assert(standard_law<standard_laplace>);
static_assert(standard_law<standard_logistic>);
static_assert(standard_law<standard_tabulated>);
static_assert(standard_law<standard_custom>);
static_assert(standard_law<standard_compound>);

/// A kernel made outside of the library: all of a normal law, but for what it hides.
struct half_done : standard_normal {
  void mode() const = delete;
};
struct wrong_type : standard_normal {
  [[nodiscard]] int entropy() const { return 1; }
};
struct complete : standard_normal {};

static_assert(standard_law<complete>);
static_assert(!standard_law<half_done>);
static_assert(!standard_law<wrong_type>);
static_assert(!standard_law<double>);

/// One's own kernel makes a law like those of the library.
struct shifted : location_scale<complete> {
  shifted() : location_scale{3, 2} {}
};

TEST(standard_law, a_kernel_of_ones_own_makes_a_law) {
  const shifted x;
  const normal same{3, 2};
  EXPECT_EQ(pdf(x, 4), pdf(same, 4));
  EXPECT_EQ(ccdf(x, 40), ccdf(same, 40));
  EXPECT_EQ(quantile(x, 0.1), quantile(same, 0.1));
}

}  // namespace
