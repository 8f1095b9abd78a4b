// Laws that a user makes, through all that takes a law.
#include "ktln2/distribution/custom_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/bounds.hpp"
#include "ktln2/entropy/enumeration.hpp"
#include "ktln2/entropy/fields.hpp"
#include "ktln2/entropy/identity.hpp"

namespace {

using namespace ktln2;

double normal_pdf(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }
double laplace_pdf(double z) { return std::exp(-std::fabs(z)) / 2; }
double logistic_log_pdf(double z) {
  return -std::fabs(z) - 2 * std::log1p(std::exp(-std::fabs(z)));
}

struct twin {
  std::string name;
  law mine;
  law its;
  double widest;  ///< bar, in bits
};

std::vector<twin> twins() {
  const auto make = [](const law_functions& parts) { return custom_law{parts}; };
  return {
      {"normal", make({.pdf = normal_pdf}), normal{0, 1}, 1e-11},
      {"symmetric normal", make({.pdf = normal_pdf, .is_symmetric = true}), normal{0, 1}, 1e-11},
      {"shifted normal", make({.pdf = normal_pdf, .location = 3, .scale = 0.01}), normal{3, 0.01},
       1e-11},
      {"wide normal", make({.pdf = normal_pdf, .scale = 1e30}), normal{0, 1e30}, 1e-11},
      {"narrow normal", make({.pdf = normal_pdf, .location = 1, .scale = 1e-8}), normal{1, 1e-8},
       1e-11},
      {"normal in its own units",
       make({.pdf = [](double x) { return normal_pdf((x - 1000) / 0.125) / 0.125; }, .mode = 1000}),
       normal{1000, 0.125}, 1e-9},
      {"laplace", make({.pdf = laplace_pdf, .breaks = {0}}), laplace{0, 1}, 1e-11},
      {"laplace, kink not told", make({.pdf = laplace_pdf, .location = 2}), laplace{2, 1}, 1e-11},
      {"logistic", make({.log_pdf = logistic_log_pdf}), logistic{0, 1}, 1e-11},
      {"uniform",
       make({.pdf = [](double z) { return z >= 0 && z <= 1 ? 1.0 : 0.0; },
             .breaks = {0, 1},
             .has_jumps = true,
             .location = -3,
             .scale = 5}),
       uniform{-3, 2}, 1e-11},
  };
}

std::vector<float_format> formats() { return {{1, 3}, {4, 3}, {11, 5}, {24, 8}, {53, 11}}; }

TEST(custom_law, has_the_entropy_of_the_law_that_the_library_has) {
  for (const auto& [name, mine, its, widest] : twins()) {
    for (const float_format& format : formats()) {
      const bounded<bits> h = exact_entropy(format, mine);
      const bounded<bits> known = exact_entropy(format, its);
      EXPECT_TRUE(overlap(h, known)) << name << ", " << format.name() << ": " << h.value.value()
                                     << " ± " << h.error.value() << ", not " << known.value.value();
      EXPECT_LE(h.error.value(), widest) << name << ", " << format.name();
    }
  }
}

TEST(custom_law, takes_the_second_road_and_all_the_others) {
  for (const auto& [name, mine, its, widest] : twins()) {
    for (const float_format& format : {float_format{4, 3}, float_format{11, 5}}) {
      const bounded<bits> h = exact_entropy(format, mine);
      const bounded<bits> second = entropy_by_identity(partition{format}, mine).entropy;
      EXPECT_TRUE(overlap(h, second)) << name << ", " << format.name() << ": " << h.value.value()
                                      << " against " << second.value.value();
      EXPECT_TRUE(overlap(h, enumerated_entropy(partition{format}, mine)));
      const field_entropies fields = entropy_by_field(format, mine);
      EXPECT_TRUE(overlap(fields.exponent, entropy_by_field(format, its).exponent)) << name;
      const auto ladder = entropy_approximations(format, mine);
      const auto expected = entropy_approximations(format, its);
      ASSERT_EQ(ladder.size() > 0, true);
      EXPECT_NEAR(cell_width_entropy(format, mine).value(), cell_width_entropy(format, its).value(),
                  1e-8)
          << name << ", " << format.name();
      EXPECT_NEAR(smooth_entropy(format.p(), mine).value(), smooth_entropy(format.p(), its).value(),
                  1e-8)
          << name;
      EXPECT_EQ(divergence_bound(format, mine).has_value(),
                divergence_bound(format, its).has_value());
    }
  }
}

struct own_law {
  std::string name;
  law_functions parts;
  law_functions::function cdf;  ///< to enumerate with
};

std::vector<own_law> own_laws() {
  const auto gumbel_cdf = [](double z) { return std::exp(-std::exp(-z)); };
  const auto triangular_cdf = [](double z) {
    if (z <= -1) return 0.0;
    if (z >= 1) return 1.0;
    return z < 0 ? (1 + z) * (1 + z) / 2 : 1 - (1 - z) * (1 - z) / 2;
  };
  const auto mixture_pdf = [](double z) {
    return 0.25 * normal_pdf(z) + 0.75 * normal_pdf((z - 3) / 0.05) / 0.05;
  };
  const auto mixture_cdf = [](double z) {
    return 0.25 * std::erfc(-z / std::numbers::sqrt2) / 2 +
           0.75 * std::erfc(-(z - 3) / 0.05 / std::numbers::sqrt2) / 2;
  };
  const auto exponential_cdf = [](double z) { return z <= 0 ? 0.0 : -std::expm1(-z); };
  return {{"gumbel", {.log_pdf = [](double z) { return -z - std::exp(-z); }}, gumbel_cdf},
          {"gumbel with its cdf",
           {.log_pdf = [](double z) { return -z - std::exp(-z); }, .cdf = gumbel_cdf},
           gumbel_cdf},
          {"triangular",
           {.pdf = [](double z) { return std::fmax(0.0, 1 - std::fabs(z)); },
            .breaks = {-1, 0, 1},
            .is_symmetric = true},
           triangular_cdf},
          {"exponential",
           {.pdf = [](double z) { return z < 0 ? 0.0 : std::exp(-z); },
            .breaks = {0},
            .has_jumps = true},
           exponential_cdf},
          {"two normal laws", {.pdf = mixture_pdf, .cdf = mixture_cdf}, mixture_cdf}};
}

/// -Σ P log P with P from the distribution function; its cancellation is what the tolerance is for.
double plain_sum(const partition& cells, const law_functions::function& cdf) {
  double sum = 0;
  for (std::size_t b = 0; b < cells.block_count(); ++b) {
    for (const cell_run& run : cells.block(b)) {
      for (std::uint64_t k = 0; k < run.count; ++k) {
        const double p = cdf(run.edge(k + 1).to_double()) - cdf(run.edge(k).to_double());
        if (p > 0) sum -= p * std::log2(p);
      }
    }
  }
  return sum;
}

TEST(custom_law, laws_that_the_library_does_not_have_agree_with_a_plain_sum) {
  for (const auto& [name, parts, cdf] : own_laws()) {
    const law x = custom_law{parts};
    for (const float_format& format :
         {float_format{1, 2}, float_format{4, 3}, float_format{7, 4}}) {
      const bounded<bits> h = exact_entropy(format, x);
      EXPECT_NEAR(h.value.value(), plain_sum(partition{format}, cdf), h.error.value() + 1e-11)
          << name << ", " << format.name();
      EXPECT_LE(h.error.value(), 1e-11) << name << ", " << format.name();
    }
  }
}

TEST(eq_exact_identity, laws_that_the_library_does_not_have_agree_on_both_roads) {
  for (const auto& [name, parts, cdf] : own_laws()) {
    const law x = custom_law{parts};
    for (const float_format& format :
         {float_format{7, 4}, float_format{12, 5}, float_format{24, 8}}) {
      const bounded<bits> h = exact_entropy(format, x);
      const bounded<bits> second = entropy_by_identity(partition{format}, x).entropy;
      EXPECT_TRUE(overlap(h, second))
          << name << ", " << format.name() << ": " << h.value.value() << " ± " << h.error.value()
          << " against " << second.value.value() << " ± " << second.error.value();
      EXPECT_LE(h.error.value(), 1e-11) << name << ", " << format.name();
      EXPECT_LE(second.error.value(), 1e-8) << name << ", " << format.name();
    }
  }
}

}  // namespace
