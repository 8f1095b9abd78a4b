#include "ktln2/simulation/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>
#include <vector>

#include "ktln2/distribution/law.hpp"
#include "ktln2/format/quantize.hpp"
#include "ktln2/simulation/fit.hpp"
#include "ktln2/simulation/normal_pairs.hpp"
#include "message_of.hpp"

namespace {

using ktln2::float_format;
using ktln2::simulation::average_trial;
using ktln2::simulation::sample;
using ktln2::simulation::sgd_trial;
using ktln2::simulation::simulate;
using ktln2::simulation::slope_trial;
using ktln2::simulation::trial;

const trial trials_of_all_kinds[] = {
    slope_trial{{.w = -2, .sigma_x = 3, .sigma_xi = 0.5}, 7},
    sgd_trial{{.w = 1.5, .sigma_x = 1, .sigma_xi = 2}, {.eta = 0.05, .batch = 3, .w0 = 0}, 9},
    average_trial{.n = 5, .mu = 1, .sigma = 2},
    average_trial{.n = 4, .mu = 1, .sigma = 2, .sum = true},
};

// The same results in any order

TEST(simulate, does_not_depend_on_threads_or_tiles) {
  for (const trial& what : trials_of_all_kinds) {
    for (const auto& arithmetic :
         {std::optional<float_format>{}, std::optional<float_format>{{11, 5}}}) {
      ktln2::simulation::settings settings{
          .trials = 1234, .seed = 5, .threads = 1, .arithmetic = arithmetic};
      const std::vector<double> expected = simulate(what, settings);
      ASSERT_EQ(expected.size(), 1234U);
      for (const unsigned threads : {1U, 2U, 3U, 7U}) {
        for (const std::size_t tile : {1U, 10U, 16U, 100U, 256U}) {
          settings.threads = threads;
          settings.tile = tile;
          EXPECT_EQ(simulate(what, settings), expected) << threads << " threads, tiles of " << tile;
        }
      }
      settings.trials = 77;
      EXPECT_EQ(simulate(what, settings), std::vector(expected.begin(), expected.begin() + 77));
      settings.seed = 6;
      EXPECT_NE(simulate(what, settings)[0], expected[0]);
    }
  }
}

TEST(simulate, parts_of_any_size_are_together_the_whole) {
  for (const trial& what : trials_of_all_kinds) {
    for (const auto& arithmetic :
         {std::optional<float_format>{}, std::optional<float_format>{{11, 5}}}) {
      ktln2::simulation::settings settings{.trials = 2000, .seed = 3, .arithmetic = arithmetic};
      const std::vector<double> whole = simulate(what, settings);
      std::vector<double> joined;
      for (const std::uint64_t size : {1U, 17U, 256U, 5U, 700U, 333U, 688U}) {
        settings.first_trial = joined.size();
        settings.trials = size;
        const std::vector<double> part = simulate(what, settings);
        joined.insert(joined.end(), part.begin(), part.end());
      }
      EXPECT_EQ(joined, whole);
    }
  }
}

TEST(simulate, keeps_the_first_trials_when_it_is_stopped) {
  const slope_trial what{.n = 1000};
  const std::vector<double> all = simulate(what, {.trials = 20'000});
  for (const unsigned threads : {1U, 2U, 4U}) {
    double last = 0;
    std::atomic<int> inside = 0;
    const auto half = [&](double share) {
      EXPECT_EQ(++inside, 1) << "called by two threads at once";
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1);
      last = share;
      --inside;
      return share < 0.5;
    };
    const std::vector<double> some =
        simulate(what, {.trials = 20'000, .threads = threads, .progress = half});
    EXPECT_GE(last, 0.5);
    EXPECT_LT(some.size(), all.size());
    EXPECT_GT(some.size(), all.size() / 3);
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
  }
  EXPECT_TRUE(simulate(slope_trial{.n = 100'000'000},
                       {.trials = 10, .progress = [](double) { return false; }})
                  .empty());
}

TEST(simulate, passes_on_what_the_callback_throws) {
  const auto thrower = [](double) -> bool { throw std::runtime_error("enough"); };
  EXPECT_THROW(
      simulate(slope_trial{.n = 10'000}, {.trials = 10'000, .threads = 2, .progress = thrower}),
      std::runtime_error);
}

// The laws of the paper

template <class Law>
void expect_law(const trial& what, const Law& law, std::uint64_t seed) {
  const sample results(simulate(what, {.trials = 200'000, .seed = seed}));
  const auto fit = fit_of(results, [&](double x) { return cdf(law, x); });
  EXPECT_GT(fit.kolmogorov_p_value, 1e-3) << "D = " << fit.kolmogorov_smirnov;
  EXPECT_GT(fit.chi_square_p_value, 1e-3) << fit.chi_square << " of " << fit.degrees_of_freedom;
}

TEST(lem_compute_f_z, is_the_law_of_simulated_slopes) {
  for (const std::uint64_t n : {1U, 2U, 3U, 10U, 30U}) {
    SCOPED_TRACE(n);
    expect_law(slope_trial{{.w = 2, .sigma_x = 0.5, .sigma_xi = 3}, n},
               ktln2::slope_law({.w = 2, .sigma_x = 0.5, .sigma_xi = 3}, static_cast<double>(n)),
               n);
  }
}

TEST(lem_compute_f_z, is_told_from_the_law_with_one_degree_less) {
  const sample results(simulate(slope_trial{.n = 10}, {.trials = 200'000}));
  const auto wrong = ktln2::slope_law({}, 9);
  EXPECT_LT(fit_of(results, [&](double x) { return cdf(wrong, x); }).kolmogorov_p_value, 1e-6);
}

TEST(simulated_averages, are_normal) {
  expect_law(average_trial{.n = 9, .mu = -4, .sigma = 6}, ktln2::normal{-4, 2}, 1);
  expect_law(average_trial{.n = 16, .mu = 1, .sigma = 0.5, .sum = true}, ktln2::normal{16, 2}, 2);
  expect_law(average_trial{.n = 1, .mu = 1, .sigma = 0.5}, ktln2::normal{1, 0.5}, 3);
}

/// E φ' = (1 - ησ_x²) E φ and E φ'² = (1 - 2ησ_x² + η²σ_x⁴(1 + 2/B)) E φ² + η²σ_x²σ_ξ²/B
TEST(eq_SGD_update_campaign, has_the_moments_that_its_recursions_give) {
  const sgd_trial settings[] = {
      {{.w = 2, .sigma_x = 1, .sigma_xi = 1}, {.eta = 0.01, .batch = 10, .w0 = 1}, 100},
      {{.w = -1, .sigma_x = 1.5, .sigma_xi = 0.5}, {.eta = 0.1, .batch = 1, .w0 = 3}, 7},
      {{.w = 1, .sigma_x = 0.7, .sigma_xi = 2}, {.eta = 0.3, .batch = 4, .w0 = -2}, 1},
      {{.w = 1, .sigma_x = 0.7, .sigma_xi = 2}, {.eta = 0.1, .batch = 2, .w0_sigma = 1.5}, 3},
  };
  for (const sgd_trial& t : settings) {
    const auto [w, sigma_x, sigma_xi] = t.model;
    const auto [eta, batch, w0, w0_sigma] = t.how;
    const double s = eta * sigma_x * sigma_x;
    double mean = w0 - w;
    double square = mean * mean + w0_sigma * w0_sigma;
    for (std::uint64_t k = 0; k < t.steps; ++k) {
      mean *= 1 - s;
      square =
          square * (1 - 2 * s + s * s * (1 + 2 / batch)) + s * eta * sigma_xi * sigma_xi / batch;
    }
    const auto found = moments_of(sample(simulate(t, {.trials = 100'000})));
    EXPECT_NEAR(found.mean.value, w + mean, 4 * found.mean.error);
    EXPECT_NEAR(found.variance.value, square - mean * mean, 4 * found.variance.error);
    EXPECT_LT(found.variance.error, 0.05 * found.variance.value);
  }
}

/// The law itself, by its transfer operator, and the data.
TEST(eq_SGD_update_campaign, has_the_exact_law) {
  const sgd_trial settings[] = {
      {{.w = 2, .sigma_x = 1, .sigma_xi = 1}, {.eta = 0.01, .batch = 10, .w0 = 1}, 100},
      {{.w = -1, .sigma_x = 1, .sigma_xi = 0.5}, {.eta = 0.2, .batch = 2, .w0 = 3}, 20},
      {{.w = 2}, {.eta = 0.1, .batch = 1, .w0 = 1, .w0_sigma = 0.5}, 1},
      {{.w = 2}, {.eta = 0.1, .batch = 1, .w0 = 1, .w0_sigma = 0.05}, 2},
      {{.w = 2}, {.eta = 0.2, .batch = 3, .w0 = 1, .w0_sigma = 5}, 6},
  };
  for (const sgd_trial& t : settings) {
    expect_law(t, ktln2::sgd_exact(t.model, t.how, static_cast<double>(t.steps)), 4);
  }
}

// Few trials where steps are many: about four million points in each case.
TEST(eq_SGD_update_campaign, has_the_exact_law_from_the_first_step_to_the_last) {
  struct setting {
    double eta;
    std::uint64_t batch;
  };
  for (const setting s : {setting{0.01, 10}, {0.05, 10}, {0.01, 1}, {0.2, 1}}) {
    for (const std::uint64_t steps : {1U, 10U, 100U, 2000U}) {
      SCOPED_TRACE(testing::Message()
                   << "eta " << s.eta << " batch " << s.batch << " steps " << steps);
      const sgd_trial t{
          {.w = 2}, {.eta = s.eta, .batch = static_cast<double>(s.batch), .w0 = 1}, steps};
      const ktln2::sgd_exact law(t.model, t.how, static_cast<double>(steps));
      const std::uint64_t trials =
          std::min<std::uint64_t>(100'000, 4'000'000 / (steps * s.batch) + 2000);
      const sample results(simulate(t, {.trials = trials, .seed = 11}));
      const auto fit = fit_of(results, [&](double x) { return cdf(law, x); });
      EXPECT_GT(fit.kolmogorov_p_value, 1e-3) << "D = " << fit.kolmogorov_smirnov;
    }
  }
}

TEST(simulated_sgd, that_diverges_is_infinite_and_no_nan) {
  const std::vector<double> results =
      simulate(sgd_trial{{.w = 2}, {.eta = 10, .batch = 1}, 3000}, {.trials = 100});
  for (const double w : results) EXPECT_TRUE(std::isinf(w)) << w;
}

// The arithmetic of a format, against slow and obvious code

__extension__ using quad = __float128;

/// The quantizer [eq:sem_fp] for E ≥ 1, digit by digit.
double rounded(const float_format& format, quad x) {
  const bool negative = x < 0;
  quad rest = negative ? -x : x;
  int e = 0;
  const int lowest = static_cast<int>(format.emin());
  const int highest = static_cast<int>(format.emax());
  while (rest >= 2 && e <= highest) rest /= 2, ++e;
  while (rest < 1 && e >= lowest - 1) rest *= 2, --e;
  const auto one = std::int64_t{1} << (format.p() - 1);
  auto significand = static_cast<std::int64_t>(rest * static_cast<quad>(2 * one)) + 1;  // halves
  significand /= 2;
  if (significand == 2 * one) significand = one, ++e;
  if (e < lowest) significand = one, e = lowest;
  if (e > highest) significand = 2 * one - 1, e = highest;
  const double magnitude = std::scalbn(static_cast<double>(significand), e - format.p() + 1);
  return negative ? -magnitude : magnitude;
}

/// IEEE 754's rounding to nearest, ties to even, with subnormal numbers and infinities.
double ieee_rounded(int p, int lowest, double largest, quad x) {
  if (!(x == x) || x == 0) return static_cast<double>(x);
  const bool negative = x < 0;
  const quad a = negative ? -x : x;
  if (a > static_cast<quad>(1e300)) return negative ? -INFINITY : INFINITY;
  quad spacing = 1;
  for (int e = 0; e < p - 1 - lowest; ++e) spacing /= 2;  // of subnormal numbers
  while (a >= spacing * static_cast<quad>(std::int64_t{1} << p)) spacing *= 2;
  const quad steps = a / spacing;
  auto whole = static_cast<std::int64_t>(steps);
  const quad rest = steps - static_cast<quad>(whole);
  const quad half = 0.5;
  if (rest > half || (rest == half && whole % 2 == 1)) ++whole;
  const auto magnitude = static_cast<double>(static_cast<quad>(whole) * spacing);
  if (magnitude > largest) return negative ? -INFINITY : INFINITY;
  return negative ? -magnitude : magnitude;
}

struct obvious {
  std::function<double(quad)> round;
  std::uint64_t seed;

  [[nodiscard]] double q(quad x) const { return round(x); }
  [[nodiscard]] double times(double a, double b) const { return q(static_cast<quad>(a) * b); }
  [[nodiscard]] double plus(double a, double b) const { return q(static_cast<quad>(a) + b); }
  [[nodiscard]] double over(double a, double b) const { return q(static_cast<quad>(a) / b); }

  [[nodiscard]] std::pair<double, double> normals(std::uint64_t number, std::uint64_t index) const {
    std::vector<double> a(1);
    std::vector<double> b(1);
    ktln2::simulation::normal_pairs{seed}.fill(number, index, a, b);
    return {a[0], b[0]};
  }
  [[nodiscard]] std::pair<double, double> point(const ktln2::linear_model& from,
                                                std::uint64_t number, std::uint64_t index) const {
    const auto [a, b] = normals(number, index);
    const double x = from.sigma_x * a;
    return {q(x), q(from.w * x + from.sigma_xi * b)};
  }

  [[nodiscard]] double run(const slope_trial& t, std::uint64_t number) const {
    auto [x, y] = point(t.model, number, 0);
    double sxx = times(x, x);
    double sxy = times(x, y);
    for (std::uint64_t i = 1; i < t.n; ++i) {
      std::tie(x, y) = point(t.model, number, i);
      sxx = plus(sxx, times(x, x));
      sxy = plus(sxy, times(x, y));
    }
    return over(sxy, sxx);
  }
  [[nodiscard]] double run(const sgd_trial& t, std::uint64_t number) const {
    const double rate = q(t.how.eta / t.how.batch);
    const auto batch = static_cast<std::uint64_t>(t.how.batch);
    double guess = q(t.how.w0);
    for (std::uint64_t k = 0; k < t.steps; ++k) {
      double sum = 0;
      for (std::uint64_t i = 0; i < batch; ++i) {
        const auto [x, y] = point(t.model, number, k * batch + i);
        const double term = times(plus(times(guess, x), -y), x);
        sum = i == 0 ? term : plus(sum, term);
      }
      guess = plus(guess, -times(rate, sum));
    }
    return guess;
  }
  [[nodiscard]] double run(const average_trial& t, std::uint64_t number) const {
    double sum = 0;
    for (std::uint64_t i = 0; i < t.n; ++i) {
      const auto [a, b] = normals(number, i / 2);
      const double x = q(t.mu + t.sigma * (i % 2 == 0 ? a : b));
      sum = i == 0 ? x : plus(sum, x);
    }
    return t.sum ? sum : over(sum, q(static_cast<double>(t.n)));
  }
};

TEST(format_arithmetic, rounds_every_operation_as_documented) {
  for (const char* name :
       {"p26e10", "p25e8", "p24e8", "p11e5", "p8e8", "p4e4", "p3e2", "p1e3", "p2e1"}) {
    const float_format format = float_format::parse(name);
    for (const trial& what : trials_of_all_kinds) {
      const std::vector<double> got =
          simulate(what, {.trials = 300, .seed = 99, .arithmetic = format});
      const obvious reference{[&](quad x) { return rounded(format, x); }, 99};
      for (std::size_t i = 0; i < got.size(); ++i) {
        const double expected =
            std::visit([&](const auto& t) { return reference.run(t, i); }, what);
        ASSERT_EQ(got[i], expected) << name << ", trial " << i;
      }
    }
  }
}

TEST(format_arithmetic, of_formats_that_people_own_is_ieee_754s) {
  struct known {
    const char* name;
    int p;
    int lowest;
    double largest;
  };
  for (const auto& [name, p, lowest, largest] :
       {known{"bfloat16", 8, -126, 0x1.fep127}, known{"binary16", 11, -14, 65504},
        known{"e5m2", 3, -14, 57344}, known{"binary32", 24, -126, 0x1.fffffep127}}) {
    for (const trial& what : trials_of_all_kinds) {
      const std::vector<double> got =
          simulate(what, {.trials = 300, .seed = 7, .arithmetic = ktln2::parse_storage(name)});
      const obvious reference{[p = p, lowest = lowest, largest = largest](quad x) {
                                return ieee_rounded(p, lowest, largest, x);
                              },
                              7};
      for (std::size_t i = 0; i < got.size(); ++i) {
        const double expected =
            std::visit([&](const auto& t) { return reference.run(t, i); }, what);
        if (std::isnan(expected) && std::isnan(got[i])) continue;
        ASSERT_EQ(got[i], expected) << name << ", trial " << i;
      }
    }
  }
}

/// What double + quantize makes of an operation on two values of the format.
double stored(const float_format& format, double x) {
  double out = 0;
  quantize_values(format, {&x, 1}, {&out, 1});
  return out;
}

/// Values of the format, many of them nearly a power of two, with exponents that make sums hard.
double hard_value(const float_format& format, std::mt19937_64& random) {
  const auto one = std::uint64_t{1} << (format.p() - 1);
  std::uint64_t m = one + random() % one;
  if (random() % 3 == 0) m = one + random() % std::min<std::uint64_t>(4, one);
  if (random() % 3 == 0) m = 2 * one - 1 - random() % std::min<std::uint64_t>(4, one);
  const double value = std::scalbn(static_cast<double>(m), static_cast<int>(random() % 60) - 30);
  return random() % 2 == 0 ? value : -value;
}

/// How often rounding to double first changes what is stored.
int double_roundings(const float_format& format) {
  std::mt19937_64 random(1);
  int changed = 0;
  for (int i = 0; i < 50'000; ++i) {
    const double a = hard_value(format, random);
    const double b = hard_value(format, random);
    changed += stored(format, a * b) != rounded(format, static_cast<quad>(a) * b) ? 1 : 0;
    changed += stored(format, a + b) != rounded(format, static_cast<quad>(a) + b) ? 1 : 0;
    changed += stored(format, a / b) != rounded(format, static_cast<quad>(a) / b) ? 1 : 0;
  }
  return changed;
}

TEST(format_arithmetic, is_not_disturbed_by_doubles_own_rounding_up_to_p_26) {
  for (const int p : {2, 11, 24, 25, 26}) EXPECT_EQ(double_roundings({p, 10}), 0) << p;
  EXPECT_GT(double_roundings({30, 10}), 0) << "this test cannot fail";
}

// Mistakes

TEST(simulate, refuses_what_makes_no_sense) {
  const auto message = [](const trial& what,
                          const ktln2::simulation::settings& settings = {.trials = 1}) {
    return message_of([&] { static_cast<void>(simulate(what, settings)); });
  };
  EXPECT_EQ(message(slope_trial{.n = 0}), "slope: n must be from 1 to 1000000000000000, got 0");
  EXPECT_EQ(message(slope_trial{{.w = NAN}}), "slope: w must be from -1e100 to 1e100, got nan");
  EXPECT_EQ(message(slope_trial{{.sigma_x = -1}}),
            "slope: sigma_x must be from 1e-100 to 1e100, got -1");
  EXPECT_EQ(message(slope_trial{{.sigma_xi = 0}}),
            "slope: sigma_xi must be from 1e-100 to 1e100, got 0");
  EXPECT_EQ(message(sgd_trial{.steps = 0}), "sgd: steps must be from 1 to 1000000000000000, got 0");
  EXPECT_EQ(message(sgd_trial{.how = {.batch = 0}}),
            "sgd: batch must be from 1 to 1000000000000000, got 0");
  EXPECT_EQ(message(sgd_trial{.how = {.batch = 2.5}}),
            "sgd: batch must be a whole number from 1 to 1000000000000000, got 2.5");
  EXPECT_NE(message(sgd_trial{.how = {.batch = 1e8}, .steps = 100'000'000}), "");
  EXPECT_EQ(message(sgd_trial{.how = {.eta = 0}}), "sgd: eta must be from 1e-100 to 1e100, got 0");
  EXPECT_NE(message(sgd_trial{.how = {.w0 = INFINITY}}), "");
  EXPECT_EQ(message(sgd_trial{.how = {.w0_sigma = -1}}),
            "sgd: w0_sigma must be 0 or from 1e-100 to 1e100, got -1");
  EXPECT_EQ(message(average_trial{.sigma = 0}),
            "average: sigma must be from 1e-100 to 1e100, got 0");
  EXPECT_EQ(message(slope_trial{}, {.trials = 0}),
            "simulate: trials must be from 1 to 1000000000, got 0");
  EXPECT_EQ(message(slope_trial{}, {.trials = 1, .first_trial = 2'000'000'000'000'000}),
            "simulate: first trial must be at most 1000000000000000, got 2000000000000000");
  EXPECT_EQ(message(slope_trial{}, {.trials = 1, .threads = 5000}),
            "simulate: threads must be from 0 to 1024, got 5000");
  EXPECT_EQ(message(slope_trial{}, {.trials = 1, .tile = 0}),
            "simulate: tile must be from 1 to 256, got 0");
  EXPECT_EQ(message(slope_trial{}, {.trials = 1, .arithmetic = float_format{27, 8}}),
            "simulate: arithmetic: p must be from 1 to 26, got 27");
  EXPECT_EQ(message(slope_trial{}, {.trials = 1, .arithmetic = float_format{7, 0}}),
            "simulate: arithmetic: E must be from 1 to 10, got 0");
}

}  // namespace
