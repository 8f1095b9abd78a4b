// Many features: errors, smooth entropies, best sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>
#include <string>

#include "ktln2/scaling/many_choices.hpp"
#include "ktln2/scaling/many_entropy.hpp"
#include "ktln2/scaling/many_error.hpp"
#include "message_of.hpp"
#include "reference_file.hpp"

namespace {

using namespace ktln2;

market many_market(double energy_price) {
  market made;
  made.energy_price = energy_price;
  made.inference.base = 10;
  made.temperature = kelvin{4e-21 / boltzmann_constant.value()};
  return made;
}

many_problem with_many(double features, double snr,
                       many_method method = many_method::least_squares) {
  many_problem made;
  made.method = method;
  made.features = features;
  made.snr = snr;
  return made;
}

many_profit many_curve(double energy_price, const many_problem& what, const many_terms& terms = {},
                       entropy_kind kind = entropy_kind::smooth) {
  return {many_market(energy_price), one_format(float_format{24, 8}), what, kind, terms};
}

double model_bits(const nlohmann::json& params, double n, double d) {
  return many_curve(1e15, with_many(d, reference_number(params.at("snr"))))
      .model_entropy(n)
      .value();
}

double many_value(const nlohmann::json& entry) {
  const std::string quantity = entry.at("quantity");
  const nlohmann::json& params = entry.at("params");
  const auto get = [&](const char* key) {
    return params.contains(key) ? reference_number(params.at(key)) : 0;
  };
  const double n = get("n");
  const double d = get("d");
  const double snr = get("snr");
  if (quantity == "MSE, least squares") return least_squares_error(n, d);
  if (quantity == "MSE, least squares, intercept") return fit_error_with_intercept(n, d, 0);
  if (quantity == "MSE, shortest fit") return least_norm_error(n, d, snr);
  if (quantity == "MSE, ridge, d = 1") return ridge_error(n, 1, snr).value;
  if (quantity == "excess, ridge, limit") return ridge_excess_limit(get("r"), snr);
  if (quantity == "h, least squares") return fit_differential_entropy(n, d).value();
  if (quantity == "h, least squares, intercept") {
    return fit_differential_entropy_with_intercept(n, d).value();
  }
  if (quantity == "h, shortest fit, w = 0") return spherical_differential_entropy(n, d).value();
  if (quantity == "h, one row") return one_row_differential_entropy(d, snr).value();
  if (quantity == "smooth H, model") return model_bits(params, n, d);
  if (quantity == "smooth H, row") return smooth_row_entropy(24, 24, d, snr).value();
  if (quantity == "smooth cost, prediction") return smooth_inference_cost(24, 24, d).value();
  if (quantity == "bits erased for a bit learned") return erased_per_learned(24, d, snr);
  const many_profit curve = many_curve(get("rhoJ"), with_many(std::max(d, 1.0), snr));
  if (quantity == "profit") return curve.profit(n);
  if (quantity == "n*") return find_best_size(curve).best.n;
  if (quantity == "n~*") return find_best_size(curve).relaxed.value();
  if (quantity == "d*") {
    const auto all = many_sizes_by_features(curve, get("decay"), get("most"));
    return std::max_element(
               all.begin(), all.end(),
               [](const auto& a, const auto& b) { return a.point.profit < b.point.profit; })
        ->features;
  }
  ADD_FAILURE() << quantity;
  return 0;
}

TEST(many_features, errors_entropies_and_best_sizes_match_the_reference) {
  int compared = 0;
  for (const auto& entry : reference_file("many_scaling.json")) {
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const double truth = reference_value(entry);
    const bool is_whole = entry.at("quantity") == "n*" || entry.at("quantity") == "d*";
    EXPECT_NEAR(many_value(entry), truth, is_whole ? 0 : 1e-13 * std::fabs(truth));
    ++compared;
  }
  EXPECT_EQ(compared, 57);
}

TEST(many_features, one_feature_is_the_paper_s_regression) {
  // The same rows; of the model's entropy the paper has Approximation 3.
  for (const double price : {1e14, 1e16, 1e18}) {
    const profit_curve old{many_market(price), one_format(float_format{24, 8}),
                           regression_training{{2, 1, 1}}, entropy_kind::exact};
    const many_profit made = many_curve(price, with_many(1, 4), {}, entropy_kind::exact);
    EXPECT_EQ(find_best_size(made).best.n, find_best_size(old).best.value().n);
    EXPECT_NEAR(made.row_entropy().value.value(), old.data_entropy().value(), 1e-10);
    EXPECT_DOUBLE_EQ(made.mse(50), old.mse(50));
  }
}

/// All sizes, one by one.
double best_by_enumeration(const many_profit& curve, double last) {
  double best = -INFINITY;
  for (double n = curve.step(); n <= last; n += curve.step())
    best = std::max(best, curve.profit(n));
  return best;
}

/// Random settings against all sizes; how often each phase came up.
void compare_with_enumeration(int settings, double last, int (&phases)[4]) {
  std::mt19937_64 random{7};
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<>{low, high}(random);
  };
  for (int i = 0; i < settings; ++i) {
    SCOPED_TRACE(i);
    const auto method = static_cast<many_method>(i % 3);
    many_problem what =
        with_many(std::floor(std::exp(uniform(0, 4))), std::exp(uniform(-2, 3)), method);
    what.intercept = method != many_method::sgd && i % 2 == 0;
    what.how = {uniform(0.01, 0.1), 3, 0, 1};
    const many_terms terms{i % 4 < 2 ? baseline::zero : baseline::null, i % 5 == 0};
    const many_profit curve = many_curve(std::exp(uniform(36, 43)), what, terms);
    const many_best found = find_best_size(curve);
    ++phases[static_cast<int>(found.phase)];
    ASSERT_LE(found.best.n, last);
    const double truth = best_by_enumeration(curve, last);
    EXPECT_NEAR(curve.profit(found.best.n), truth, 1e-13 * (std::fabs(truth) + 1));
    EXPECT_TRUE(found.is_exhaustive);
    EXPECT_EQ(found.phase == many_phase::none, !(truth > curve.baseline_profit()));
  }
}

TEST(many_features, the_best_size_is_that_of_enumeration) {
  int phases[4] = {0, 0, 0, 0};
  compare_with_enumeration(9, 2000, phases);
}

TEST(many_features_campaign, the_best_size_is_that_of_enumeration) {
  int phases[4] = {0, 0, 0, 0};
  compare_with_enumeration(40, 20000, phases);
  for (const int count : {phases[0], phases[3]}) EXPECT_GT(count, 3);  // all kinds were met
}

TEST(many_features, the_critical_price_is_where_training_stops_to_pay) {
  for (const baseline against : {baseline::zero, baseline::null}) {
    for (const bool counts : {false, true}) {
      const many_profit curve = many_curve(1e15, with_many(20, 2), {against, counts});
      const double price = find_best_size(curve).critical_price;
      EXPECT_NE(find_best_size(curve.at_energy_price(price * (1 - 1e-6))).phase, many_phase::none);
      EXPECT_EQ(find_best_size(curve.at_energy_price(price * (1 + 1e-6))).phase, many_phase::none);
    }
  }
}

TEST(many_features, there_is_no_model_where_rows_are_as_many_as_features) {
  for (const double d : {10.0, 20.0}) {
    for (const double n : {d - 1, d, d + 1}) {
      EXPECT_EQ(fit_error(n, d, 4), INFINITY);
      EXPECT_LT(many_curve(1e15, with_many(d, 4)).profit(n), 0);
    }
    EXPECT_TRUE(std::isfinite(fit_error(d - 2, d, 4)));
    EXPECT_TRUE(std::isfinite(fit_error(d + 2, d, 4)));
  }
}

/// E tr(W + δ)⁻¹ from drawn rows; W = XᵀX by Cholesky.
double sampled_trace(int n, int d, double delta, int trials, double& error) {
  std::mt19937_64 random{11};
  std::normal_distribution<> normal;
  double sum = 0;
  double squares = 0;
  for (int t = 0; t < trials; ++t) {
    std::vector<std::vector<double>> w(static_cast<std::size_t>(d),
                                       std::vector<double>(static_cast<std::size_t>(d), 0.0));
    std::vector<double> row(static_cast<std::size_t>(d));
    for (int k = 0; k < n; ++k) {
      for (double& x : row) x = normal(random);
      for (std::size_t i = 0; i < row.size(); ++i) {
        for (std::size_t j = 0; j < row.size(); ++j) w[i][j] += row[i] * row[j];
      }
    }
    // Gauss–Jordan; the trace of the inverse is the sum of its diagonal.
    std::vector<std::vector<double>> inverse(row.size(), std::vector<double>(row.size(), 0.0));
    for (std::size_t i = 0; i < row.size(); ++i) {
      w[i][i] += delta;
      inverse[i][i] = 1;
    }
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double pivot = w[k][k];
      for (std::size_t j = 0; j < row.size(); ++j) {
        w[k][j] /= pivot;
        inverse[k][j] /= pivot;
      }
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i == k) continue;
        const double factor = w[i][k];
        for (std::size_t j = 0; j < row.size(); ++j) {
          w[i][j] -= factor * w[k][j];
          inverse[i][j] -= factor * inverse[k][j];
        }
      }
    }
    double trace = 0;
    for (std::size_t i = 0; i < row.size(); ++i) trace += inverse[i][i];
    sum += trace;
    squares += trace * trace;
  }
  const double mean = sum / trials;
  error = std::sqrt((squares / trials - mean * mean) / trials);
  return mean;
}

TEST(many_features, the_error_of_ridge_is_that_of_drawn_rows) {
  struct ridge_case {
    int n;
    int d;
    double snr;
  };
  for (const ridge_case& one : {ridge_case{7, 5, 1}, {3, 6, 4}, {20, 12, 4}, {12, 12, 0.5}}) {
    double error = 0;
    const double sampled = sampled_trace(one.n, one.d, one.d / one.snr, 4000, error);
    const estimated_error found = ridge_error(one.n, one.d, one.snr);
    EXPECT_NEAR(found.value - 1, sampled, 4 * error + found.off) << one.n << " " << one.d;
    EXPECT_LT(found.off, 0.05 * found.value);
  }
  // More and more features: the limit.
  const double limit = ridge_excess_limit(2, 4);
  EXPECT_NEAR(ridge_error(80, 40, 4).value - 1, 0.7097, 2e-4);
  EXPECT_NEAR(ridge_error(2e5, 1e5, 4).value - 1, limit, 1e-5);
}

/// The orders of 1/N as the loop equation gives them, with digits to lose.
double simple_ridge_error(double n, double d, double snr) {
  using real = boost::multiprecision::cpp_bin_float_100;
  const real few = std::min(n, d);
  const real twice_alpha = std::max(n, d) - few - 1;
  const real z = -real(d) / snr;
  const real sum = 2 * twice_alpha + 4 * few;
  const real gap = 16 * few * (twice_alpha + few);
  const real square = (z - sum) * z + twice_alpha * twice_alpha;
  const real q = sqrt(square);
  const real q1 = (2 * z - sum) / (2 * q);
  const real q2 = (1 - q1 * q1) / q;
  const real r = -q / z;
  const real r1 = -(q1 - q / z) / z;
  const real r2 = -(q2 - 2 * (q1 - q / z) / z) / z;
  const real s1 = (twice_alpha / (z * z) - r1) / 2;
  const real s2 = (-2 * twice_alpha / (z * z * z) - r2) / 2;
  const real g0 = (1 - twice_alpha / z - r) / 2;
  const real g1 = -s1 / r;
  const real g1_slope = -(s2 - s1 * r1 / r) / r;
  const real g2 = -(g1_slope - g1 * g1 - gap / (8 * square * square)) / r;
  return static_cast<double>(1 - g0 - g1 - g2 + (d - few) * snr / d);
}

constexpr double ridge_ulps = 32 * 0x1p-53;  // some thirty operations on terms of one sign

TEST(many_features, the_error_of_ridge_loses_no_digits) {
  std::mt19937_64 random{3};
  const auto decades = [&](double low, double high) {
    return std::pow(10, std::uniform_real_distribution<>{low, high}(random));
  };
  for (int i = 0; i < 3000; ++i) {
    const double d = std::floor(decades(0.31, 5));
    const double n = d + 2 + std::floor(decades(-1, 9));
    const double snr = decades(-12, 16);
    const double truth = simple_ridge_error(n, d, snr);
    ASSERT_NEAR(ridge_error(n, d, snr).value, truth, ridge_ulps * truth)
        << n << " " << d << " " << snr;
  }
  EXPECT_NEAR(ridge_error(4, 9, 1e10).value, simple_ridge_error(4, 9, 1e10), ridge_ulps * 1e10);
}

TEST(many_features, the_error_of_ridge_falls_to_that_of_least_squares) {
  for (const double d : {1.0, 2.0, 5.0, 100.0}) {
    for (const double snr : {1e-12, 1e-3, 1.0, 1e3, 5181418283.49098, 1e12, 1e16}) {
      double before = INFINITY;
      for (double n = d + 2; n < 6 * d + 1000; ++n) {
        const double error = ridge_error(n, d, snr).value;
        ASSERT_LE(error, before * (1 + ridge_ulps)) << n << " " << d << " " << snr;
        before = error;
      }
    }
    for (const double rest : {6.0, 40.0, 787.0, 1e6}) {
      const double least_squares = least_squares_error(d + rest, d);
      // E tr W⁻² times the penalty
      const double away = 1e-16 * d * d * (d + rest - 1) / (rest * (rest - 1) * (rest - 3));
      EXPECT_NEAR(ridge_error(d + rest, d, 1e16).value, least_squares,
                  away + ridge_ulps * least_squares);
    }
  }
}

TEST(many_features, as_many_as_rows_leave_ridge_between_its_bounds) {
  for (const double snr : {10.0, 1e3}) {
    for (const int n : {4, 5, 6}) {
      double error = 0;
      const double sampled = sampled_trace(n, 5, 5 / snr, 4000, error);
      const estimated_error found = ridge_error(n, 5, snr);
      EXPECT_NEAR(found.value - 1, sampled, 4 * error + found.off) << n << " " << snr;
    }
  }
  for (const double d : {2.0, 5.0, 100.0}) {
    for (double snr = 1e-12; snr < 1e300; snr *= 10) {
      // More rows make nothing worse, and without any the error is 1 + SNR.
      const double square = ridge_error(d, d, snr).value;
      EXPECT_LE(square, 1 + snr);
      EXPECT_GE(square * (1 + ridge_ulps), ridge_error(d + 2, d, snr).value) << d << " " << snr;
      EXPECT_LE(ridge_error(d + 1, d, snr).value, 1 + snr);
    }
  }
}

TEST(many_features, the_best_size_of_ridge_at_high_snr_is_that_of_enumeration) {
  for (const double snr : {5181418283.49098, 1e12, 1e16}) {
    for (const double d : {2.0, 5.0, 40.0}) {
      many_problem what = with_many(d, snr, many_method::ridge);
      what.sigma_xi = 0.711209319528374;
      const many_profit curve{many_market(1090356724929116.6), one_format(float_format{8, 8}), what,
                              entropy_kind::smooth};
      double best = 1;
      for (double n = 1; n < 5000; ++n) {
        if (curve.profit(n) > curve.profit(best)) best = n;
      }
      EXPECT_EQ(find_best_size(curve).best.n, best) << snr << " " << d;
      EXPECT_NEAR(curve.mse(best) / (what.sigma_xi * what.sigma_xi), least_squares_error(best, d),
                  1e-9 * best);
    }
  }
}

TEST(many_features, precision_is_worth_less_with_more_features_and_dearer_energy) {
  const auto best = [](double price, double d) {
    const auto all = many_sizes_by_precision(many_curve(price, with_many(d, 4)));
    return *std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.point.profit < b.point.profit;
    });
  };
  EXPECT_EQ(best(1e14, 1).p, 7);
  EXPECT_EQ(best(1e14, 1).point.n, 1426);
  EXPECT_EQ(best(1e16, 1).p, 5);
  EXPECT_EQ(best(1e16, 1).point.n, 163);
  EXPECT_EQ(best(1e16, 10).p, 4);
  EXPECT_EQ(best(1e14, 50).p, 4);
  EXPECT_EQ(best(1e16, 50).p, 2);
}

TEST(many_features, of_exact_rows_have_the_same_sizes_as_another_program_found) {
  const many_best fifty =
      find_best_size(many_curve(1e15, with_many(50, 4), {}, entropy_kind::exact));
  EXPECT_EQ(fifty.best.n, 367);
  const many_best hundred =
      find_best_size(many_curve(1e15, with_many(100, 4), {}, entropy_kind::exact));
  EXPECT_NEAR(hundred.relaxed.value(), 368.42219965058024, 1e-12 * 368);
  EXPECT_EQ(hundred.best.n, 368);
  EXPECT_DOUBLE_EQ(largest_learning_rate(100, 100, 1), 0.9950248756218906);
}

TEST(many_features, sgd_starts_at_its_moments_and_stops_where_it_pays) {
  many_problem what = with_many(1, 4, many_method::sgd);
  what.how = {0.05, 10, 1, 1};
  const many_profit one = many_curve(1e16, what, {}, entropy_kind::exact);
  EXPECT_EQ(find_best_size(one).best.n, 410);
  const many_best cheap = find_best_size(one.at_energy_price(1e15));
  EXPECT_NEAR(cheap.best.mse - 1, 0.004032427691736076, 1e-13);
  what.features = 5;
  what.how.w0 = 0;
  const many_best five = find_best_size(many_curve(1e16, what, {}, entropy_kind::exact));
  EXPECT_NEAR(five.best.mse - 1, 0.060016185375210314, 1e-13);
  what.how.eta = 1.3;
  EXPECT_EQ(message_of([&] { many_curve(1e16, what); }),
            "scaling: eta must be below 2B/(sigma_x^2 (B+d+1)) = 1.25, or the errors of SGD grow "
            "without end, got 1.3");
}

TEST(many_features, the_best_learning_rate_and_batch_are_no_worse_than_others) {
  many_problem what = with_many(5, 4, many_method::sgd);
  what.how = {0.05, 10, 0, 1};
  const many_profit curve = many_curve(1e16, what);
  const double rate = best_many_learning_rate(curve).point.profit;
  const double batch = best_many_batch(curve).point.profit;
  for (const double other : {0.01, 0.05, 0.1, 0.2, 0.5}) {
    many_problem changed = what;
    changed.how.eta = other;
    EXPECT_GE(rate, find_best_point(curve.with(changed)).profit);
    changed = what;
    changed.how.batch = std::ceil(100 * other);
    EXPECT_GE(batch, find_best_point(curve.with(changed)).profit);
  }
}

}  // namespace
