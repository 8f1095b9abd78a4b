#include "ktln2/simulation/code_entropy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "ktln2/distribution/sgd_exact.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/simulation/trial.hpp"
#include "message_of.hpp"

namespace {

using ktln2::float_format;
using ktln2::simulation::code_entropy;
using ktln2::simulation::measured_entropy;
using ktln2::simulation::sample;
using ktln2::simulation::simulate;

/// Counts of `n` draws from a list of probabilities.
std::vector<std::uint64_t> drawn(const std::vector<double>& shares, int n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::discrete_distribution<std::size_t> law(shares.begin(), shares.end());
  std::vector<std::uint64_t> counts(shares.size());
  for (int i = 0; i < n; ++i) ++counts[law(random)];
  return counts;
}

double exact(const std::vector<double>& shares) {
  double total = 0;
  for (const double p : shares) total += p;
  double h = 0;
  for (const double p : shares) h -= p / total * std::log2(p / total);
  return h;
}

std::vector<double> geometric(double ratio, int size) {
  std::vector<double> shares;
  for (int i = 0; i < size; ++i) shares.push_back(std::pow(ratio, i));
  return shares;
}

double off(const measured_entropy& found, double truth) {
  return std::fabs(found.value.value() - truth);
}

void expect_all_within(const code_entropy& found, double truth, double errors) {
  ASSERT_TRUE(found.plug_in && found.miller_madow);
  EXPECT_LE(off(*found.plug_in, truth), errors * found.plug_in->error.value());
  EXPECT_LE(off(*found.miller_madow, truth), errors * found.miller_madow->error.value());
  EXPECT_LE(off(found.grassberger, truth), errors * found.grassberger.error.value());
  EXPECT_LE(off(found.chao_shen, truth), errors * found.chao_shen.error.value());
}

TEST(entropy_estimators, agree_with_their_formulas) {
  // counts 3, 2, 1, 1
  const code_entropy found = entropy_of(ktln2::simulation::occupancy_of({1, 3, 0, 2, 1}), 3);
  EXPECT_EQ(found.samples, 7U);
  EXPECT_EQ(found.codes, 4U);
  EXPECT_EQ(found.singletons, 2U);
  EXPECT_EQ(found.unseen, 2.0 / 7);
  EXPECT_TRUE(found.undersampled);
  EXPECT_FALSE(found.plug_in);
  EXPECT_FALSE(found.miller_madow);
  // G(1) = -γ - ln 2, G(2) = 2 - γ - ln 2, G(3) = G(2)
  const double g1 = -0.57721566490153286 - std::log(2.0);
  const double grassberger = std::log(7.0) - (2 * g1 + 5 * (g1 + 2)) / 7;
  EXPECT_NEAR(found.grassberger.value.value(), grassberger / std::log(2.0), 1e-14);
  double chao_shen = 0;
  for (const double n : {1.0, 1.0, 2.0, 3.0}) {
    const double p = 5.0 / 7 * n / 7;
    chao_shen -= p * std::log2(p) / (1 - std::pow(1 - p, 7));
  }
  EXPECT_NEAR(found.chao_shen.value.value(), chao_shen, 1e-14);

  const code_entropy full = entropy_of(ktln2::simulation::occupancy_of({40, 60}), 1);
  const double h = exact({40, 60});
  EXPECT_NEAR(full.plug_in->value.value(), h, 1e-14);
  EXPECT_NEAR(full.miller_madow->value.value(), h + 1 / (200 * std::log(2.0)), 1e-14);
}

/// The jackknife by its definition: leave out each observation in turn.
TEST(entropy_estimators, have_the_errors_of_the_jackknife) {
  const std::vector<std::uint64_t> counts = {1, 2, 2, 30, 45, 7, 11, 3};
  const double n = 101;
  const auto values = [](const std::vector<std::uint64_t>& of) {
    const code_entropy found = entropy_of(ktln2::simulation::occupancy_of(of), 0);
    return std::vector<double>{found.plug_in->value.value(), found.miller_madow->value.value(),
                               found.grassberger.value.value(), found.chao_shen.value.value()};
  };
  std::vector<double> mean(4);
  std::vector<double> square(4);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::vector<std::uint64_t> left = counts;
    --left[i];
    const std::vector<double> v = values(left);
    for (std::size_t k = 0; k < 4; ++k) mean[k] += static_cast<double>(counts[i]) * v[k] / n;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::vector<std::uint64_t> left = counts;
    --left[i];
    const std::vector<double> v = values(left);
    for (std::size_t k = 0; k < 4; ++k) {
      square[k] += static_cast<double>(counts[i]) * std::pow(v[k] - mean[k], 2);
    }
  }
  square[2] = square[0];  // Grassberger's is that of the plug-in
  const code_entropy found = entropy_of(ktln2::simulation::occupancy_of(counts), 0);
  const double hidden = 1 / n;  // one singleton, one bit
  const double bias = 7 / (2 * n * std::log(2.0));
  double left_over = 0;
  for (const std::uint64_t count : counts) {
    left_over += 1 / (4 * static_cast<double>(count) * n * std::log(2.0));
  }
  const double errors[] = {found.plug_in->error.value() - hidden - bias,
                           found.miller_madow->error.value() - hidden,
                           found.grassberger.error.value() - hidden - left_over,
                           found.chao_shen.error.value() - hidden - bias};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(errors[k], std::sqrt(square[k] * (n - 1) / n), 1e-12) << k;
  }
}

TEST(entropy_estimators, find_known_entropies) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<double> uniform(200, 1);
    expect_all_within(entropy_of(ktln2::simulation::occupancy_of(drawn(uniform, 20'000, seed)), 8),
                      exact(uniform), 4);
    const std::vector<double> falling = geometric(0.9, 400);
    expect_all_within(entropy_of(ktln2::simulation::occupancy_of(drawn(falling, 20'000, seed)), 9),
                      exact(falling), 4);
  }
}

TEST(entropy_estimators, have_error_bars_that_hold) {
  const std::vector<double> law = geometric(0.8, 200);
  int missed[4] = {};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const code_entropy found =
        entropy_of(ktln2::simulation::occupancy_of(drawn(law, 5000, seed)), 0);
    EXPECT_NEAR(found.grassberger.error.value(), found.miller_madow->error.value(), 1e-3);
    const measured_entropy all[] = {*found.plug_in, *found.miller_madow, found.grassberger,
                                    found.chao_shen};
    for (int k = 0; k < 4; ++k) {
      if (off(all[k], exact(law)) > 2 * all[k].error.value()) ++missed[k];
    }
  }
  for (const int count : missed) EXPECT_LE(count, 25) << "of 300, 14 expected";
}

TEST(entropy_estimators, that_know_of_unseen_codes_do_better) {
  const std::vector<double> uniform(2000, 1);
  const double truth = exact(uniform);
  double grassberger = 0;
  double chao_shen = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<std::uint64_t> counts = drawn(uniform, 2000, seed);
    const code_entropy found = entropy_of(ktln2::simulation::occupancy_of(counts), 11);
    EXPECT_TRUE(found.undersampled);
    EXPECT_NEAR(found.unseen, std::exp(-1.0), 0.05);
    EXPECT_FALSE(found.plug_in);
    EXPECT_LE(off(found.grassberger, truth), found.grassberger.error.value());
    EXPECT_LE(off(found.chao_shen, truth), found.chao_shen.error.value());
    grassberger += found.grassberger.value.value() / 50;
    chao_shen += found.chao_shen.value.value() / 50;
  }
  // the observed shares alone would show 10.14 bits of 10.97
  EXPECT_NEAR(grassberger, truth, 0.2);
  EXPECT_NEAR(chao_shen, truth, 0.2);
}

TEST(entropy_estimators, do_not_pretend_where_every_code_is_new) {
  const code_entropy found = entropy_of(
      float_format{53, 11}, sample(simulate(ktln2::simulation::average_trial{}, {.trials = 1000})));
  EXPECT_EQ(found.unseen, 1);
  EXPECT_FALSE(found.plug_in || found.miller_madow);
  EXPECT_GT(found.chao_shen.error.value(), 50);
  EXPECT_GT(found.grassberger.error.value(), 50);
}

TEST(entropy_estimators, know_a_certain_code) {
  const code_entropy found = entropy_of(ktln2::simulation::occupancy_of({1000}), 5);
  expect_all_within(found, 0, 1);
  EXPECT_EQ(found.plug_in->value.value(), 0);
  EXPECT_NEAR(found.grassberger.value.value(), 0, 1e-3);
  const code_entropy once = entropy_of(ktln2::simulation::occupancy_of({1}), 5);
  EXPECT_GE(once.chao_shen.error.value(), 5);
  EXPECT_EQ(message_of([] { static_cast<void>(entropy_of(ktln2::simulation::occupancy{}, 5)); }),
            "entropy_of: samples must be > 0, got 0");
}

/// The witness and the theory: a stored slope, a stored average.
TEST(lem_compute_f_z, has_the_entropy_that_simulated_codes_show) {
  for (const char* name : {"p3e3", "p4e4", "p5e0", "p6e5", "p2e8"}) {
    SCOPED_TRACE(name);
    const float_format format = float_format::parse(name);
    const sample slopes(simulate(ktln2::simulation::slope_trial{.n = 5}, {.trials = 300'000}));
    expect_all_within(entropy_of(format, slopes),
                      exact_entropy(format, ktln2::slope_law({}, 5)).value.value(), 4);
    const sample means(
        simulate(ktln2::simulation::average_trial{.n = 4, .sigma = 2}, {.trials = 300'000}));
    expect_all_within(entropy_of(format, means),
                      exact_entropy(format, ktln2::normal{0, 1}).value.value(), 4);
  }
}

TEST(eq_sgd_landauer_noneq, the_stored_slope_has_the_entropy_that_simulated_codes_show) {
  const ktln2::sgd_exact law({.w = 2}, {.eta = 0.05, .batch = 4, .w0 = 1}, 40);
  const sample slopes(
      simulate(ktln2::simulation::sgd_trial{{.w = 2}, {.eta = 0.05, .batch = 4, .w0 = 1}, 40},
               {.trials = 50'000}));
  for (const char* name : {"p4e4", "p6e5", "p8e8"}) {
    SCOPED_TRACE(name);
    const float_format format = float_format::parse(name);
    expect_all_within(entropy_of(format, slopes), exact_entropy(format, law).value.value(), 4);
  }
}

TEST(occupancy, is_the_same_for_codes_of_any_width) {
  const sample some({1, 1, -1, 0.5, 0.5, 0.5, 3});
  for (const char* name : {"p4e4", "p53e11", "p64e15", "p60e2"}) {
    const auto seen = occupancy_of(float_format::parse(name), some);
    ASSERT_EQ(seen.size(), 3U) << name;
    EXPECT_EQ(seen[0].codes, 2U);
    EXPECT_EQ(seen[1].times, 2U);
    EXPECT_EQ(seen[2].times, 3U);
  }
}

}  // namespace
