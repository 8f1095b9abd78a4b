// Every entropy by independent roads: Gram sums, the identity, enumeration. Their bars must
// overlap.
#include <gtest/gtest.h>

#include <cmath>

#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/enumeration.hpp"
#include "ktln2/entropy/identity.hpp"

namespace {

using namespace ktln2;

struct named_law {
  const char* description;
  law x;
};

std::vector<named_law> laws() {
  std::vector<named_law> list;
  for (const char* description :
       {"normal", "normal:mu=3.3,sigma=0.9", "normal:mu=-1.1,sigma=0.0123", "normal:mu=64",
        "normal:sigma=1e-3", "student:dof=1", "student:dof=2.5,loc=0.7,scale=0.2",
        "student:dof=1e6,loc=1", "slope:n=30,w=3.14", "slope:n=1000,w=5", "uniform",
        "uniform:low=-0.3,high=2.7", "laplace", "laplace:loc=1.5,scale=0.1", "logistic",
        "logistic:loc=-2,scale=0.3"}) {
    list.push_back({description, parse_law(description)});
  }
  return list;
}

constexpr double widest_bar = 10 * default_tolerance.value();

TEST(eq_exact_identity, overlaps_the_gram_sum_in_large_formats) {
  for (const auto& [description, x] : laws()) {
    for (const float_format& format :
         {float_format{24, 8}, float_format{53, 11}, float_format{11, 5}, float_format{40, 0}}) {
      for (const rounding how : {rounding::nearest, rounding::toward_zero}) {
        const partition cells{format, how};
        const bounded<bits> gram = exact_entropy(cells, x);
        const identity_terms identity = entropy_by_identity(cells, x);
        EXPECT_TRUE(overlap(gram, identity.entropy))
            << format.name() << ' ' << description << ": " << gram.value.value() << " against "
            << identity.entropy.value.value();
        EXPECT_LE(gram.error.value(), widest_bar) << format.name() << ' ' << description;
        EXPECT_LE(identity.entropy.error.value(), widest_bar)
            << format.name() << ' ' << description;
        EXPECT_GE(identity.divergence, -1e-12) << format.name() << ' ' << description;
      }
    }
  }
}

TEST(thm_quantized_ent_campaign, enumeration_overlaps_the_other_two_roads_in_small_formats) {
  for (const auto& [description, x] : laws()) {
    for (int p = 1; p <= 9; ++p) {
      for (int exponent_bits = 0; exponent_bits <= 5; ++exponent_bits) {
        const float_format format{p, exponent_bits};
        const partition cells{format};
        const bounded<bits> every_cell = enumerated_entropy(cells, x);
        const bounded<bits> gram = exact_entropy(cells, x);
        const bounded<bits> identity = entropy_by_identity(cells, x).entropy;
        EXPECT_TRUE(overlap(every_cell, gram))
            << format.name() << ' ' << description << ": " << every_cell.value.value()
            << " against " << gram.value.value();
        EXPECT_TRUE(overlap(every_cell, identity))
            << format.name() << ' ' << description << ": " << every_cell.value.value()
            << " against " << identity.value.value();
      }
    }
  }
}

TEST(thm_quantized_ent_campaign, enumeration_overlaps_the_gram_sum_where_quadrature_is_used) {
  for (const auto& [description, x] : laws()) {
    const partition cells{float_format{14, 5}};
    EXPECT_TRUE(overlap(enumerated_entropy(cells, x), exact_entropy(cells, x))) << description;
  }
}

TEST(eq_exact_identity, at_single_precision_the_divergence_hardly_matters) {
  const identity_terms terms = entropy_by_identity(partition{float_format{24, 8}}, normal{0, 1});
  EXPECT_NEAR(terms.divergence, 1.40e-15, 0.01e-15);
}

TEST(enumerated_entropy, refuses_what_it_could_not_finish) {
  EXPECT_THROW(enumerated_entropy(partition{float_format{24, 8}}, normal{0, 1}), std::domain_error);
}

}  // namespace
