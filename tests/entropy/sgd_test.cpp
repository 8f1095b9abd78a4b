// The exact law of SGD in a register: the engine against enumeration from the distribution function
// and against the identity.
#include <gtest/gtest.h>

#include <cmath>

#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/bounds.hpp"
#include "ktln2/entropy/enumeration.hpp"
#include "ktln2/entropy/fields.hpp"
#include "ktln2/entropy/identity.hpp"
#include "sgd_case.hpp"

namespace {

using namespace ktln2;

const sgd_case problems[] = {
    {},
    {{.w = 2}, {.eta = 0.01, .batch = 1, .w0 = 1}, 1},
    {{.w = 2}, {.eta = 0.01, .batch = 2, .w0 = 1}, 1},
    {{.w = 2}, {.eta = 0.2, .batch = 1, .w0 = 1}, 2},
    {{.w = 0}, {.eta = 0.05, .batch = 10, .w0 = 1}, 300},
    {{.w = 0, .sigma_x = 1, .sigma_xi = 3}, {.eta = 0.2, .batch = 1, .w0 = 4}, 50},
};

/// -Σ P log P with P from the distribution function alone, taken on the tail's side.
double by_distribution_function(const float_format& format, const sgd_exact& law) {
  const partition cells{format};
  double sum = 0;
  for (std::size_t block = 0; block < cells.block_count(); ++block) {
    for (const cell_run& run : cells.block(block)) {
      for (std::uint64_t k = 0; k < run.count; ++k) {
        const double a = law.standard(run.edge(k));
        const double b = law.standard(run.edge(k + 1));
        const double p =
            a > 0 ? law.kernel().upper(a).probability - law.kernel().upper(b).probability
                  : law.kernel().lower(b).probability - law.kernel().lower(a).probability;
        if (p > 0) sum -= p * std::log2(p);
      }
    }
  }
  return sum;
}

TEST(sgd_exact_campaign, a_small_register_by_the_distribution_function) {
  for (const sgd_case& problem : problems) {
    const sgd_exact law{problem.model, problem.how, problem.steps};
    for (const char* name : {"p1e3", "p4e4", "p8e5"}) {
      const float_format format = float_format::parse(name);
      const bounded<bits> h = exact_entropy(format, law);
      // Differences of the distribution function lose a few units of it in every cell.
      const double rounding = 64 * 0x1p-53 * std::exp2(format.width()) * (1 + h.value.value());
      EXPECT_NEAR(h.value.value(), by_distribution_function(format, law),
                  h.error.value() + rounding)
          << name << ' ' << problem.how.batch << ' ' << problem.steps;
      EXPECT_TRUE(overlap(h, enumerated_entropy(partition{format}, law)));
      EXPECT_LT(h.error, bits{5e-9});
    }
  }
}

TEST(eq_exact_identity_campaign, holds_for_the_exact_law_of_sgd) {
  for (const sgd_case& problem : problems) {
    if (problem.how.batch * problem.steps == 1) continue;  // its peak is too sharp for panels
    const sgd_exact law{problem.model, problem.how, problem.steps};
    for (const char* name : {"p8e5", "p11e5", "p24e8"}) {
      const partition cells{float_format::parse(name)};
      const bounded<bits> h = exact_entropy(cells, law);
      const bounded<bits> again = entropy_by_identity(cells, law).entropy;
      EXPECT_TRUE(overlap(h, again))
          << name << ' ' << problem.how.batch << ' ' << problem.steps << ": " << h.value.value()
          << " against " << again.value.value() << ", bars " << h.error.value() << ' '
          << again.error.value();
      EXPECT_LT(h.error, bits{5e-9});
    }
  }
}

/// A table that is off by ε in total variation is felt as at most ε (log N + 1) + …: the bar says
/// so.
TEST(sgd_exact, the_error_bar_covers_the_table) {
  const sgd_exact law{problems[0].model, problems[0].how, problems[0].steps};
  const bounded<bits> h = exact_entropy(float_format{24, 8}, law);
  EXPECT_GT(h.error.value(), law.kernel().table_error() * 32);
  EXPECT_LT(h.error, bits{1e-9});
}

/// Where the law is nearly normal the register hardly knows the difference, and where it is not it
/// does: the exact entropy is below the normal one with the same moments.
TEST(sgd_exact, hardly_differs_from_its_moments_late_and_does_early) {
  const float_format format{24, 8};
  const auto gap = [&](const sgd_case& problem) {
    return (exact_entropy(format, sgd_moments_law(problem.model, problem.how, problem.steps))
                .value -
            exact_entropy(format, sgd_exact{problem.model, problem.how, problem.steps}).value)
        .value();
  };
  EXPECT_LT(std::fabs(gap({.steps = 2000})), 1e-3);
  EXPECT_GT(gap({.how = {.batch = 1}, .steps = 2}), 0.1);
}

TEST(sgd_exact, every_visitor_of_a_law_takes_it) {
  const law x = sgd_law({.w = 2}, {}, 100, sgd_model::exact);
  const float_format format{11, 5};
  const field_entropies fields = entropy_by_field(format, x);
  EXPECT_TRUE(overlap(fields.total, fields.sign + fields.exponent + fields.mantissa));
  for (const approximation& one : entropy_approximations(format, x)) {
    if (one.value) {
      EXPECT_NEAR(one.value->value(), fields.total.value.value(), 0.5) << one.label;
    }
  }
  const std::optional<bits> divergence = divergence_bound(format, x);
  ASSERT_TRUE(divergence.has_value());
  EXPECT_GT(*divergence, bits{0});
  const law peak = sgd_law({.w = 2}, {.batch = 1}, 1, sgd_model::exact);
  EXPECT_FALSE(divergence_bound(format, peak).has_value());
}

}  // namespace
