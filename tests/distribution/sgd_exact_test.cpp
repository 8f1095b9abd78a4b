#include "ktln2/distribution/sgd_exact.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "distribution/kernel_properties.hpp"
#include "ktln2/core/quadrature.hpp"
#include "ktln2/distribution/law.hpp"
#include "message_of.hpp"
#include "sgd_case.hpp"

namespace {

using namespace ktln2;

/// ∫ f g over the law, in panels of at most a quarter of their distance from the start or from the
/// center, by a rule that knows nothing of the law's own panels.
template <class Law, class G>
auto mean_of(const Law& law, double start, G g, double smallest = 1e-14) {
  const auto& rule = gauss_legendre<16>();
  auto sum = g(0.0) * 0.0;
  const auto panel = [&](double from, double to) {
    for (std::size_t j = 0; j < 16; ++j) {
      const double x = from + (to - from) / 2 * (1 + rule.node[j]);
      sum += (to - from) * rule.weight[j] * pdf(law, x) * g(x);
    }
  };
  const double s = law.scale();
  const double far = 400 * s;
  for (const double side : {-1.0, 1.0}) {
    double t = 0;
    double length = smallest * s;
    while (t < far) {
      const double bulk = std::fabs(start + side * t - law.location());
      length = t == 0 ? length : std::min(t / 2, std::max(0.2 * s, bulk / 8));
      const double a = start + side * t;
      const double b = start + side * (t + length);
      panel(std::min(a, b), std::max(a, b));
      t += length;
    }
  }
  return sum;
}

struct one_case {
  double eta;
  double batch;
  double start;
  double entropy;  ///< at k = 2000
};
constexpr one_case cases[] = {{0.01, 10, 1, -3.43145543560}, {0.01, 10, 4, -3.43145543560},
                              {0.05, 10, 1, -2.25286083596}, {0.05, 10, 4, -2.25286083596},
                              {0.01, 1, 1, -1.7639303246},   {0.01, 1, 4, -1.7639303246},
                              {0.2, 1, 1, 0.6393147227},     {0.2, 1, 4, 0.6393147227}};

sgd_case problem_of(const one_case& one, double steps) {
  return {{.w = 1 + one.start}, {.eta = one.eta, .batch = one.batch, .w0 = 1}, steps};
}

/// The variance by the table against the closed form, and the entropy against values found with
/// another program; both within the table's own error, which is asked to be small.
TEST(sgd_exact_campaign, variance_and_entropy_after_2000_steps) {
  for (const one_case& one : cases) {
    const sgd_case problem = problem_of(one, 2000);
    const sgd_exact law{problem.model, problem.how, problem.steps};
    EXPECT_LT(std::fabs(law.accuracy().variance_error), 1e-11) << one.eta << ' ' << one.batch;
    EXPECT_LT(law.accuracy().mass_defect, 1e-11);
    EXPECT_LT(law.kernel().table_error(), 1e-10);
    EXPECT_NEAR(differential_entropy(law).value(), one.entropy, 1.5e-10);
    const sgd_moments moments = exact_moments(problem.model, problem.how, problem.steps);
    const double second = mean_of(
        law, problem.how.w0, [&](double x) { return (x - moments.mean) * (x - moments.mean); });
    EXPECT_NEAR(second / (moments.deviation * moments.deviation), 1, 1e-10)
        << one.eta << ' ' << one.batch << ' ' << one.start;
    EXPECT_NEAR(deviation(law), moments.deviation, 4e-16 * moments.deviation);
    EXPECT_NEAR(mean(law), moments.mean, 4e-16 * (std::fabs(problem.model.w) + 1));
  }
}

/// The second road: the characteristic function of k + 1 steps from the law of k steps, by
///     E e^(itφ') = E e^(itφ) (1 + (2/B)(iatφ + t²a²/(2B)))^(-B/2)
/// against that of the table of k + 1 steps.
TEST(sgd_exact_campaign, one_more_step_is_the_closed_characteristic_function) {
  for (const std::size_t i : {0, 3, 4, 7}) {
    const one_case& one = cases[i];
    for (const double steps : {1.0, 2.0, 20.0}) {
      const sgd_exact before{problem_of(one, steps).model, problem_of(one, steps).how, steps};
      const sgd_exact after{problem_of(one, steps).model, problem_of(one, steps).how, steps + 1};
      const double w = 1 + one.start;
      for (const double frequency : {0.4, 1.0, 3.0}) {
        const double t = frequency / after.scale();
        const auto wave = [&](double x) { return std::polar(1.0, t * (x - after.location())); };
        const auto expected = mean_of(before, 1, [&](double x) {
          const double phi = x - w;
          const std::complex<double> inner{1 + std::pow(t * one.eta / one.batch, 2),
                                           2 * one.eta * t * phi / one.batch};
          return wave(x) * std::exp(-one.batch / 2 * std::log(inner));
        });
        const auto got = mean_of(after, 1, wave);
        const double error = before.kernel().table_error() + after.kernel().table_error() + 1e-13;
        EXPECT_LT(std::abs(got - expected), 2 * error)
            << one.eta << ' ' << one.batch << ' ' << one.start << ' ' << steps;
        // Steep on one side of the start and heavy-tailed, three steps of the last case are
        // hardest.
        EXPECT_LT(error, one.eta == 0.2 && steps == 2 ? 5e-7 : 1e-9);
      }
    }
  }
}

/// With B = 2 the first step is a two-sided exponential law, in closed form:
///     f(d) = e^(-(2/η)(|d| r + d φ)) / (η r),   r = √(1 + φ²)
TEST(sgd_exact, one_step_with_two_points_has_a_cusp) {
  const double eta = 0.05;
  const double phi = -1.5;
  const sgd_exact law{{.w = 2}, {.eta = eta, .batch = 2, .w0 = 0.5}, 1};
  const double r = std::sqrt(1 + phi * phi);
  EXPECT_EQ(law.location(), 0.5);
  for (const double d : {-0.01, -1e-6, 1e-9, 1e-4, 0.02, 0.3}) {
    const double expected = std::exp(-2 / eta * (std::fabs(d) * r + d * phi)) / (eta * r);
    const double rounding = 1e-16 * (1 + 2 / eta * r) * 0.5;
    EXPECT_NEAR(pdf(law, 0.5 + d) / expected, 1, 1e-12 + rounding) << d;
  }
  // h = 1 + ln(η r) + ln of nothing: both sides together are an asymmetric Laplace law
  const double plus = eta / 2 / (r + phi);
  const double minus = eta / 2 / (r - phi);
  EXPECT_NEAR(differential_entropy(law).value(), std::log2(std::exp(1.0) * (plus + minus)), 1e-12);
  EXPECT_FALSE(law.kernel().has_jumps());
}

/// With B = 1 it has a logarithmic peak: -ln|d| times 1/(πη) next to it.
TEST(sgd_exact, one_step_with_one_point_has_a_logarithmic_peak) {
  const sgd_exact law{{.w = 2}, {.eta = 0.1, .batch = 1, .w0 = 0}, 1};
  EXPECT_TRUE(law.kernel().has_jumps());
  const double slope = (pdf(law, 1e-9) - pdf(law, 1e-12)) / std::log(1e-3);
  EXPECT_NEAR(slope * std::numbers::pi * 0.1, 1, 1e-7);
  EXPECT_NEAR(pdf(law, 1e-12) / pdf(law, -1e-12), 1, 1e-9);
  EXPECT_EQ(law.kernel().breaks().size(), 1U);
  EXPECT_EQ(law.location(), 0);
}

/// Only ησ_x², B, k and (w0-w)σ_x/σ_ξ matter, up to scale.
TEST(sgd_exact_campaign, scales_with_the_deviations) {
  const sgd_exact plain{{.w = 3}, {.eta = 0.04, .batch = 3, .w0 = 1}, 30};
  const sgd_exact scaled{
      {.w = 9, .sigma_x = 2, .sigma_xi = 14}, {.eta = 0.01, .batch = 3, .w0 = -5}, 30};
  EXPECT_NEAR(differential_entropy(scaled).value() - std::log2(7),
              differential_entropy(plain).value(), 1e-14);
  EXPECT_NEAR(cdf(scaled, 1.0), cdf(plain, 1 + 6.0 / 7), 1e-14);
}

TEST(sgd_exact, mirrors_with_its_start) {
  const sgd_exact left{{.w = 0}, {.eta = 0.05, .batch = 4, .w0 = -1}, 10};
  const sgd_exact right{{.w = 0}, {.eta = 0.05, .batch = 4, .w0 = 1}, 10};
  for (const double x : {-0.9, -0.6, -0.5, -0.1}) {
    EXPECT_NEAR(cdf(left, x), ccdf(right, -x), 1e-12) << x;
  }
}

/// Two steps with one batch size from a far start are not two steps from a near one: against a
/// plain simulation. The Kolmogorov distance of n draws exceeds 1.95/√n once in a thousand times.
TEST(sgd_exact_campaign, simulated_slopes_follow_the_law) {
  struct walk {
    double eta;
    int batch;
    int steps;
    double start;
  };
  for (const walk& one : {walk{0.05, 10, 20, 4}, walk{0.2, 1, 2, 1}, walk{0.2, 1, 30, 4},
                          walk{0.01, 2, 3, 1}, walk{1.2, 5, 3, 2}}) {
    const sgd_case problem{{.w = one.start, .sigma_x = 1, .sigma_xi = 1},
                           {.eta = one.eta, .batch = static_cast<double>(one.batch), .w0 = 0},
                           static_cast<double>(one.steps)};
    const sgd_exact law{problem.model, problem.how, problem.steps};
    std::mt19937_64 engine{20240607};
    std::normal_distribution<double> gauss;
    std::vector<double> found(20000);
    for (double& w_hat : found) {
      w_hat = 0;
      for (int k = 0; k < one.steps; ++k) {
        double gradient = 0;
        for (int i = 0; i < one.batch; ++i) {
          const double x = gauss(engine);
          const double y = one.start * x + gauss(engine);
          gradient += x * (w_hat * x - y);
        }
        w_hat -= one.eta / one.batch * gradient;
      }
    }
    std::sort(found.begin(), found.end());
    double distance = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double f = cdf(law, found[i]);
      const auto n = static_cast<double>(found.size());
      distance = std::max(
          {distance, f - static_cast<double>(i) / n, (static_cast<double>(i) + 1) / n - f});
    }
    EXPECT_LT(distance, 1.95 / std::sqrt(20000.0)) << one.eta << ' ' << one.batch;
  }
}

TEST(sgd_exact_campaign, large_batches) {
  const sgd_case problem{{.w = 5}, {.eta = 0.01, .batch = 1000, .w0 = 1}, 100};
  const sgd_exact law{problem.model, problem.how, problem.steps};
  EXPECT_LT(law.kernel().table_error(), 1e-9);
  // Nearly normal: the exact entropy is below that of the normal law with the same moments, a bit.
  const double gap =
      differential_entropy(sgd_moments_law(problem.model, problem.how, problem.steps)).value() -
      differential_entropy(law).value();
  EXPECT_GT(gap, 0);
  EXPECT_LT(gap, 1e-4);
}

/// From ησ_x²(1 + 2/B) ≥ 2 on the variance has no limit, but the law has.
TEST(sgd_exact_campaign, tails_without_a_variance) {
  sgd_case problem{{.w = 2}, {.eta = 0.7, .batch = 1, .w0 = 1}, 100};
  const sgd_exact law{problem.model, problem.how, problem.steps};
  EXPECT_NEAR(law.tail_index(), 1.87, 0.01);
  EXPECT_TRUE(std::isnan(law.accuracy().variance_error));
  EXPECT_LT(law.kernel().table_error(), 1e-8);
  EXPECT_TRUE(std::isinf(sgd_limit_deviation(problem.model, problem.how)));
  EXPECT_NEAR(differential_entropy(law).value(), 2.45515844, 1e-8);
  // P(|φ| > x) falls like x^-κ
  const double near = ccdf(law, 2 + 1e3);
  const double far = ccdf(law, 2 + 1e5);
  EXPECT_NEAR(std::log(near / far) / std::log(100), law.tail_index(), 0.01);
}

/// ½ ∫ |f - g| of two tables of a law, through their distribution functions.
double largest_gap(const sgd_exact& f, const sgd_exact& g) {
  double gap = 0;
  for (int k = -400; k <= 400; ++k) {
    const double x = f.location() + f.scale() * k / 25;
    gap = std::max(gap, std::fabs(cdf(f, x) - cdf(g, x)));
  }
  return gap;
}

void laws_on_the_way_are_those_made_alone(const linear_model& model, const descent& how,
                                          const std::vector<double>& steps, double good) {
  const std::vector<sgd_exact> together = sgd_exact_laws(model, how, steps);
  ASSERT_EQ(together.size(), steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "B = " << how.batch << ", k = " << steps[i]);
    const sgd_exact& law = together[i];
    const sgd_exact alone{model, how, steps[i]};
    const double error = law.kernel().table_error() + alone.kernel().table_error();
    EXPECT_LT(largest_gap(law, alone), error);
    EXPECT_LT(error, good);
    // h moves by at most the error times the largest |ln f|, some 40.
    EXPECT_NEAR(differential_entropy(law).value(), differential_entropy(alone).value(),
                60 * error + 1e-13);
    EXPECT_EQ(mean(law), mean(alone));
    EXPECT_EQ(deviation(law), deviation(alone));
    EXPECT_EQ(law.tail_index(), alone.tail_index());
    EXPECT_EQ(std::isnan(law.accuracy().step_error), std::isnan(alone.accuracy().step_error));
  }
}

TEST(sgd_exact_laws_campaign, are_those_that_are_made_alone) {
  laws_on_the_way_are_those_made_alone({.w = 2}, {}, {1, 2, 3, 10, 57, 100, 400, 2000}, 1e-9);
  laws_on_the_way_are_those_made_alone({.w = 5}, {.batch = 1}, {1, 2, 20, 200}, 1e-8);
  // A far start and a large batch, whose laws move by many widths on one mesh.
  laws_on_the_way_are_those_made_alone({.w = 5}, {.batch = 1000}, {3, 20, 60, 100}, 1e-8);
}

TEST(sgd_exact_laws_campaign, heavy_tails_are_compared_on_two_meshes) {
  laws_on_the_way_are_those_made_alone({.w = 2}, {.eta = 0.7, .batch = 1}, {2, 30, 100}, 1e-7);
}

TEST(sgd_exact_laws, one_step_count_is_the_law_itself) {
  for (const double steps : {1.0, 2.0, 30.0}) {
    const sgd_exact alone{{.w = 2}, {}, steps};
    const std::vector<sgd_exact> laws = sgd_exact_laws({.w = 2}, {}, {steps, steps});
    ASSERT_EQ(laws.size(), 2U);
    for (const sgd_exact& law : laws) {
      EXPECT_EQ(law.location(), alone.location());
      EXPECT_EQ(differential_entropy(law), differential_entropy(alone));
      EXPECT_EQ(law.kernel().table_error(), alone.kernel().table_error());
    }
  }
}

TEST(sgd_exact_laws, come_in_the_order_in_which_they_are_asked_for) {
  const std::vector<sgd_exact> up = sgd_exact_laws({.w = 2}, {}, {1, 5, 40});
  const std::vector<sgd_exact> mixed = sgd_exact_laws({.w = 2}, {}, {40, 1, 5, 40});
  ASSERT_EQ(mixed.size(), 4U);
  EXPECT_EQ(differential_entropy(mixed[0]), differential_entropy(up[2]));
  EXPECT_EQ(differential_entropy(mixed[1]), differential_entropy(up[0]));
  EXPECT_EQ(differential_entropy(mixed[2]), differential_entropy(up[1]));
  EXPECT_EQ(differential_entropy(mixed[3]), differential_entropy(up[2]));
  EXPECT_TRUE(sgd_exact_laws({.w = 2}, {}, {}).empty());
}

/// Once the law has settled, all later steps have it; only the moments go on, by less than a unit.
TEST(sgd_exact_laws_campaign, settled_laws_are_one) {
  const descent how{.eta = 0.05, .batch = 10};
  const std::vector<sgd_exact> laws = sgd_exact_laws({.w = 2}, how, {3, 1e5, 1e12});
  EXPECT_EQ(differential_entropy(laws[1]), differential_entropy(laws[2]));
  const sgd_exact alone{{.w = 2}, how, 1e12};
  EXPECT_NEAR(differential_entropy(laws[2]).value(), differential_entropy(alone).value(), 1e-11);
}

TEST(sgd_exact_laws, refuse_every_bad_step) {
  const auto refusal = [](const std::vector<double>& steps, const descent& how) {
    return message_of([&] { (void)sgd_exact_laws({.w = 2}, how, steps); });
  };
  EXPECT_EQ(refusal({5, 0}, {}), "sgd: steps must be a whole number from 1 to 1e15, got 0");
  EXPECT_EQ(refusal({2.5, 7}, {}), "sgd: steps must be a whole number from 1 to 1e15, got 2.5");
  EXPECT_EQ(refusal({1, 100}, {.eta = 1.5, .batch = 1}).find("sgd: the exact law needs"), 0U);
  EXPECT_NO_THROW((void)sgd_exact_laws({.w = 2}, {.eta = 1.5, .batch = 1}, {1}));
}

TEST(sgd_exact, what_is_out_of_reach_is_refused) {
  const auto refusal = [](const sgd_case& p) {
    return message_of([&] { sgd_exact{p.model, p.how, p.steps}; });
  };
  EXPECT_NE(refusal({.how = {.eta = 1.5, .batch = 1}}).find("eta sigma_x^2 = 1.5 is too large"),
            std::string::npos);
  EXPECT_EQ(refusal({.how = {.batch = 2e6}}),
            "sgd: the exact law takes batches of at most 1e+06, got 2e+06");
  EXPECT_EQ(refusal({.steps = 0}), "sgd: steps must be a whole number from 1 to 1e15, got 0");
  // What would take minutes is known before it is begun.
  EXPECT_EQ(refusal({{.w = 11}, {.eta = 1e-7, .batch = 1000, .w0 = 1}, 39000}),
            "sgd: the exact law is not within reach after 3.9e+04 steps so short on so long a way; "
            "law=moments is near it");
}

TEST(sec_nonstationarysgd_campaign, the_process_is_far_from_the_law_at_a_hundred_steps) {
  const sgd_ou_gap near = compare_with_ou({.w = 2}, {.w0 = 1}, 100);
  EXPECT_NEAR(near.deviation_ratio, 1.28, 0.01);
  const sgd_ou_gap far = compare_with_ou({.w = 5}, {.w0 = 1}, 100);
  EXPECT_NEAR(far.deviation_ratio, 3.34, 0.01);
  EXPECT_GT(far.total_variation, near.total_variation);
  EXPECT_GT(near.normality_gap, differential_bits{0});
  EXPECT_NEAR(far.entropy_gap.value(), std::log2(far.deviation_ratio) - far.normality_gap.value(),
              1e-12);
  const sgd_ou_gap late = compare_with_ou({.w = 2}, {.w0 = 1}, 2000);
  EXPECT_LT(late.total_variation, 0.01);
  EXPECT_NEAR(late.deviation_ratio, 1, 0.01);
}

/// ½ ∫ |f - g| of two normal laws that differ in the mean only is erf(Δ/(2√2 σ)); SGD with huge
/// batches is normal but for a little.
TEST(total_variation, of_nearly_normal_laws) {
  const sgd_case problem{{.w = 2}, {.eta = 0.01, .batch = 100000, .w0 = 1}, 3};
  const sgd_exact law{problem.model, problem.how, problem.steps};
  const sgd_moments moments = exact_moments(problem.model, problem.how, problem.steps);
  const normal shifted{moments.mean + moments.deviation / 2, moments.deviation};
  EXPECT_NEAR(total_variation(law, shifted), std::erf(0.25 / std::sqrt(2.0)), 2e-3);
  EXPECT_LT(total_variation(law, sgd_moments_law(problem.model, problem.how, problem.steps)), 2e-3);
  EXPECT_NEAR(total_variation(law, normal{-100, 1}), 1, 1e-6);
}

// What holds for the kernel of every law, in units of 2^-53. A table's ln f is a sum of 16 terms up
// to ln of its least value, 55; and two ways of cutting a wide panel differ by the error of a rule.
constexpr double units = 4000;

const standard_tabulated& any_kernel() {
  static const std::vector<sgd_exact> laws{
      sgd_exact{{.w = 2}, {}, 100}, sgd_exact{{.w = 2}, {.batch = 1}, 1},
      sgd_exact{{.w = 2}, {.batch = 2}, 1},
      sgd_exact{{.w = 5}, {.eta = 0.2, .batch = 1, .w0 = 1}, 100},
      sgd_exact{{.w = 2}, {.eta = 0.05, .batch = 10}, 2000}};
  return laws[*rc::gen::inRange<std::size_t>(0, laws.size())].kernel();
}

using namespace kernel_properties;

RC_GTEST_PROP(standard_tabulated_campaign, tails_add_up_to_one, ()) {
  const standard_tabulated kernel = any_kernel();
  const double z = any(-60, 60);
  RC_ASSERT(close(kernel.lower(z).probability + kernel.upper(z).probability, 1, 64));
  RC_ASSERT(consistent(kernel.lower(z), units));
  RC_ASSERT(consistent(kernel.upper(z), units));
}
RC_GTEST_PROP(standard_tabulated_campaign, intervals_add_up, ()) {
  intervals_add_up(any_kernel(), units);
}
RC_GTEST_PROP(standard_tabulated_campaign, a_cell_is_the_interval_between_its_edges, ()) {
  a_cell_is_the_interval_between_its_edges(any_kernel(), units);
}
RC_GTEST_PROP(standard_tabulated_campaign, an_endless_interval_is_a_tail, ()) {
  an_endless_interval_is_a_tail(any_kernel(), units);
}
RC_GTEST_PROP(standard_tabulated_campaign, the_slope_is_the_derivative, ()) {
  const standard_tabulated kernel = any_kernel();
  const double z = any(-30, 30);
  const double h = 1e-4;
  for (const double at : kernel.breaks()) RC_PRE(std::fabs(z - at) > 0.1);
  const double mean_slope = kernel.log_ratio(z - h, 2 * h) / (2 * h);
  const double error = std::fabs(mean_slope - kernel.log_slope(z));
  RC_ASSERT(error <= 1e-4 * (1 + std::fabs(mean_slope)));
  RC_ASSERT(std::fabs(kernel.log_pdf(z + h) - kernel.log_pdf(z - h) -
                      kernel.log_ratio(z - h, 2 * h)) <= 1e-6);
}

TEST(standard_tabulated, bad_tables_are_refused) {
  const auto refusal = [](const tabulated_values& values) {
    return message_of([&] { standard_tabulated{values}; });
  };
  EXPECT_EQ(refusal({}), "tabulated law: expected 16 values for each panel");
  tabulated_values flat{.edges = {-1, 1}, .density = std::vector<double>(16, 1.0), .breaks = {}};
  EXPECT_EQ(refusal(flat), "tabulated law: the density must fall off smoothly on both sides of 0");
  flat.edges = {1, 1};
  EXPECT_EQ(refusal(flat), "tabulated law: the edges must ascend");
}

TEST(sgd_exact, tiny_steps_keep_their_digits) {
  // As η falls, φ_k - φ_0 is η times the sum of k gradients at the start: its entropy moves with
  // log η, up to O(kη).
  for (const double steps : {1.0, 2.0, 10.0}) {
    const linear_model model{.w = 2};
    const sgd_exact wider{model, {.eta = 1e-9, .batch = 10, .w0 = 1}, steps};
    const sgd_exact narrower{model, {.eta = 1e-12, .batch = 10, .w0 = 1}, steps};
    EXPECT_LT(wider.kernel().table_error(), 1e-12);
    EXPECT_LT(narrower.kernel().table_error(), 1e-12);
    const double gap = differential_entropy(wider).value() - differential_entropy(narrower).value();
    EXPECT_NEAR(gap, std::log2(1e3), 3e-9 * (steps + 1));
  }
}

TEST(sgd_exact, one_step_has_a_closed_form_at_any_learning_rate) {
  for (const double eta : {1e-15, 1e-6, 1.0, 1e3, 1e9}) {
    const sgd_exact law{{.w = 2}, {.eta = eta, .batch = 4, .w0 = 1}, 1};
    EXPECT_LT(law.kernel().table_error(), 1e-9) << eta;
  }
}

}  // namespace
