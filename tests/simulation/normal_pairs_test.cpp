#include "ktln2/simulation/normal_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ktln2/distribution/normal.hpp"
#include "ktln2/simulation/fit.hpp"
#include "message_of.hpp"

namespace {

using ktln2::array_kernels;
using ktln2::simulation::normal_pairs;
using ktln2::simulation::sample;

/// `count` trials with `indices` pairs each.
std::vector<double> draws(std::uint64_t seed, std::size_t count, std::uint64_t indices) {
  std::vector<double> all;
  std::vector<double> a(count);
  std::vector<double> b(count);
  for (std::uint64_t i = 0; i < indices; ++i) {
    normal_pairs{seed}.fill(0, i, a, b);
    all.insert(all.end(), a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
  }
  return all;
}

const std::vector<double>& many() {
  static const std::vector<double> all = draws(20240607, 1000, 2000);
  return all;
}

double phi(double x) { return cdf(ktln2::normal{0, 1}, x); }

TEST(normal_pairs, follow_the_normal_law) {
  const auto fit = fit_of(sample(many()), phi);
  EXPECT_GT(fit.kolmogorov_p_value, 1e-3) << fit.kolmogorov_smirnov;
  EXPECT_GT(fit.chi_square_p_value, 1e-3) << fit.chi_square;
  EXPECT_EQ(fit.degrees_of_freedom, 199);
}

TEST(normal_pairs, have_the_moments_of_the_normal_law) {
  // E Z^2k and the deviation of its mean over N draws
  const auto n = static_cast<double>(many().size());
  const double even[] = {1, 1, 3, 15, 105, 945, 10395, 135135, 2027025};
  for (std::size_t order = 1; order <= 8; ++order) {
    double sum = 0;
    for (const double z : many()) sum += std::pow(z, static_cast<double>(order));
    const double truth = order % 2 == 0 ? even[order / 2] : 0;
    EXPECT_NEAR(sum / n, truth, 4 * std::sqrt((even[order] - truth * truth) / n)) << order;
  }
}

/// The tail has its own algorithm, from 3.654 on; so have the wedges, and the innermost layer.
TEST(normal_pairs, are_right_in_the_tail) {
  const auto n = static_cast<double>(many().size());
  for (const double edge : {3.0, 3.5, 3.6541528853610088, 3.8, 4.2, 4.6}) {
    const double share = 2 * phi(-edge);
    const auto beyond =
        std::count_if(many().begin(), many().end(), [&](double z) { return std::fabs(z) > edge; });
    EXPECT_NEAR(static_cast<double>(beyond), n * share, 4 * std::sqrt(n * share)) << edge;
  }
  std::vector<double> tail;
  const double edge = 3.6541528853610088;
  for (const double z : many()) {
    if (std::fabs(z) > edge) tail.push_back(std::fabs(z));
  }
  ASSERT_GT(tail.size(), 800U);
  const auto fit = fit_of(sample(tail), [&](double z) { return 1 - phi(-z) / phi(-edge); });
  EXPECT_GT(fit.kolmogorov_p_value, 1e-3) << fit.kolmogorov_smirnov;
  EXPECT_GT(fit.chi_square_p_value, 1e-3) << fit.chi_square;
}

TEST(normal_pairs, are_independent) {
  const auto correlation = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += a[i] * b[i];
      squares += (a[i] * a[i] - 1) * (b[i] * b[i] - 1) / 2;
    }
    return std::max(std::fabs(sum), std::fabs(squares)) / std::sqrt(static_cast<double>(a.size()));
  };
  const std::size_t n = 200'000;
  std::vector<double> a(n);
  std::vector<double> b(n);
  std::vector<double> c(n);
  std::vector<double> d(n);
  normal_pairs{1}.fill(0, 0, a, b);
  EXPECT_LT(correlation(a, b), 4.5) << "the two of a pair";
  normal_pairs{1}.fill(0, 1, c, d);
  EXPECT_LT(correlation(a, c), 4.5) << "neighboring indices";
  normal_pairs{1}.fill(1, 0, c, d);
  EXPECT_LT(correlation(a, c), 4.5) << "neighboring trials";
  normal_pairs{2}.fill(0, 0, c, d);
  EXPECT_LT(correlation(a, c), 4.5) << "neighboring seeds";
}

TEST(normal_pairs, are_a_function_of_seed_and_counter) {
  std::vector<double> a(1000);
  std::vector<double> b(1000);
  normal_pairs{7}.fill(5, 3, a, b);
  for (const std::size_t size : {1U, 3U, 15U, 16U, 17U, 100U}) {
    std::vector<double> c(size);
    std::vector<double> d(size);
    for (std::size_t first = 0; first + size <= a.size(); first += size) {
      normal_pairs{7}.fill(5 + first, 3, c, d);
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(c[i], a[first + i]) << first + i;
        ASSERT_EQ(d[i], b[first + i]) << first + i;
      }
    }
  }
}

TEST(normal_pairs, are_the_same_without_vector_instructions) {
  std::vector<double> a(100'000);
  std::vector<double> b(a.size());
  std::vector<double> c(a.size());
  std::vector<double> d(a.size());
  for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{1} << 62}) {
    normal_pairs{~std::uint64_t{0}}.fill(0, index, a, b);
    normal_pairs{~std::uint64_t{0}, array_kernels::portable}.fill(0, index, c, d);
    EXPECT_EQ(a, c);
    EXPECT_EQ(b, d);
  }
}

TEST(normal_pairs, come_in_equal_numbers) {
  std::vector<double> a(2);
  std::vector<double> b(3);
  EXPECT_EQ(message_of([&] { normal_pairs{1}.fill(0, 0, a, b); }),
            "normal_pairs: b must have the size of a, 2, got 3");
}

}  // namespace
