#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "ktln2/core/quadrature.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/distribution/sgd_exact.hpp"
#include "ktln2/distribution/sgd_shape.hpp"
#include "message_of.hpp"
#include "sgd_case.hpp"

// SGD from a start N(w0, s²).

namespace {

using namespace ktln2;

const sgd_case cases[] = {
    {{.w = 2}, {.eta = 0.05, .batch = 10, .w0 = 1, .w0_sigma = 0.3}, 20},
    {{.w = 2}, {.eta = 0.1, .batch = 1, .w0 = 1, .w0_sigma = 0.01}, 4},
    {{.w = 0.5, .sigma_x = 2, .sigma_xi = 0.5}, {.eta = 0.05, .batch = 2, .w0_sigma = 2}, 7},
    {{.w = -1, .sigma_xi = 3}, {.eta = 0.2, .batch = 4, .w0_sigma = 1}, 1},
    {{.w = 1}, {.eta = 1.2, .batch = 30, .w0 = 2, .w0_sigma = 0.1}, 3},
};

/// ∫ g f over 40 deviations on both sides, in panels that get shorter toward the start and toward
/// w.
template <class G>
double mean_over(const sgd_exact& law, const sgd_case& problem, G g) {
  const auto& rule = gauss_legendre<16>();
  const double s = deviation(law);
  const double finest = std::min(problem.how.w0_sigma, s) / 8;
  double sum = 0;
  for (double x = mean(law) - 40 * s; x < mean(law) + 40 * s;) {
    const double near =
        std::fmin(std::fabs(x - problem.how.w0), std::fabs(x - problem.model.w)) / 4;
    const double length = std::fmin(s / 4, std::fmax(finest, near));
    for (std::size_t j = 0; j < 16; ++j) {
      const double at = x + length / 2 * (1 + rule.node[j]);
      sum += length * rule.weight[j] * pdf(law, at) * g(at);
    }
    x += length;
  }
  return sum;
}

/// Given S = Σx²/B one step from a normal start is normal:
///     ŵ ~ N(w + (1-ηS)(w0-w), (1-ηS)² s² + η²σ_ξ² S/B),   S ~ (σ_x²/B) χ²_B
double density_after_one_step(const sgd_case& problem, double y) {
  const linear_model& model = problem.model;
  const descent& how = problem.how;
  const auto& rule = gauss_legendre<16>();
  const double half_batch = how.batch / 2;
  const double log_constant = half_batch * std::log(half_batch) - std::lgamma(half_batch);
  const auto integrand = [&](double u) {  // S = σ_x² u², which has no singularity at 0
    const double s = u * u;
    const double factor = 1 - how.eta * model.sigma_x * model.sigma_x * s;
    const double noise = how.eta * model.sigma_xi * model.sigma_x * u;
    const double variance = std::pow(factor * how.w0_sigma, 2) + noise * noise / how.batch;
    const double off = y - model.w - factor * (how.w0 - model.w);
    return 2 * u *
           std::exp(log_constant + (half_batch - 1) * std::log(s) - half_batch * s -
                    off * off / (2 * variance)) /
           std::sqrt(2 * std::numbers::pi * variance);
  };
  double sum = 0;
  constexpr double length = 1.0 / 256;
  for (double u = 0; u < 8; u += length) {
    for (std::size_t j = 0; j < 16; ++j) {
      sum += length * rule.weight[j] * integrand(u + length / 2 * (1 + rule.node[j]));
    }
  }
  return sum;
}

TEST(sgd_with_a_normal_start, one_step_is_a_mixture_of_normal_laws) {
  for (sgd_case problem : cases) {
    problem.steps = 1;
    const sgd_exact law{problem.model, problem.how, 1};
    for (const double z : {-4.0, -1.5, -0.3, 0.0, 0.2, 1.0, 3.0}) {
      const double y = mean(law) + z * deviation(law);
      const double expected = density_after_one_step(problem, y);
      EXPECT_NEAR(pdf(law, y) / expected, 1, 1e-8) << problem.how.eta << ' ' << z;
    }
  }
}

TEST(sgd_with_a_normal_start, the_exact_law_has_the_exact_moments_and_shape) {
  for (const sgd_case& problem : cases) {
    const sgd_exact law{problem.model, problem.how, problem.steps};
    EXPECT_LT(law.kernel().table_error(), 1e-8);
    const sgd_moments moments = exact_moments(problem.model, problem.how, problem.steps);
    const auto central = [&](int power) {
      return mean_over(law, problem, [&](double x) {
        return std::pow((x - moments.mean) / moments.deviation, power);
      });
    };
    const law_shape shape = exact_shape(problem.model, problem.how, problem.steps);
    EXPECT_NEAR(central(0), 1, 1e-9);
    EXPECT_NEAR(central(1), 0, 1e-8);
    EXPECT_NEAR(central(2), 1, 1e-8);
    EXPECT_NEAR(central(3), shape.skewness, 1e-6);
    EXPECT_NEAR(central(4) - 3, shape.excess_kurtosis, 1e-5);
  }
}

/// ŵ_k by the recursion of the moments, step by step.
TEST(sgd_with_a_normal_start, moments_follow_the_recursion) {
  for (const sgd_case& problem : cases) {
    const auto& [model, how, steps] = problem;
    const double a = how.eta * model.sigma_x * model.sigma_x;
    const double q = (1 - a) * (1 - a) + 2 * a * a / how.batch;
    double first = how.w0 - model.w;
    double second = first * first + how.w0_sigma * how.w0_sigma;
    for (int k = 0; k < static_cast<int>(steps); ++k) {
      first *= 1 - a;
      second = q * second + std::pow(how.eta * model.sigma_x * model.sigma_xi, 2) / how.batch;
    }
    const sgd_moments moments = exact_moments(model, how, steps);
    const double deviation = std::sqrt(second - first * first);
    EXPECT_NEAR(moments.mean, model.w + first, 1e-13);
    EXPECT_NEAR(moments.deviation / deviation, 1, 1e-12);
    const normal law = sgd_moments_law(model, how, steps);
    EXPECT_NEAR(law.scale() / deviation, 1, 1e-12);
    const normal process = sgd_ou_law(model, how, steps);
    const double decay = std::exp(-2 * a * steps);
    const double limit = how.eta * model.sigma_xi * model.sigma_xi / (2 * how.batch);
    EXPECT_NEAR(process.scale() * process.scale() /
                    (limit * (1 - decay) + how.w0_sigma * how.w0_sigma * decay),
                1, 1e-12);
  }
}

TEST(sgd_with_a_normal_start_campaign, narrower_and_narrower_is_a_point) {
  for (const double steps : {1.0, 2.0, 5.0}) {
    for (const double batch : {1.0, 2.0, 10.0}) {
      const linear_model model{.w = 2};
      const descent point{.eta = 0.1, .batch = batch};
      const double expected = differential_entropy(sgd_exact{model, point, steps}).value();
      double last = std::numeric_limits<double>::infinity();
      for (const double s : {1e-2, 1e-4, 1e-6}) {
        descent how = point;
        how.w0_sigma = s;
        const double gap =
            std::fabs(differential_entropy(sgd_exact{model, how, steps}).value() - expected);
        EXPECT_LT(gap, last);
        last = gap;
      }
      EXPECT_LT(last, 1e-4) << steps << ' ' << batch;
      descent hardly = point;
      hardly.w0_sigma = 1e-300;
      const sgd_exact as_point{model, hardly, steps};
      EXPECT_EQ(differential_entropy(as_point).value(), expected);
    }
  }
}

TEST(sgd_with_a_normal_start, slopes_of_the_relaxation_are_differences) {
  for (const sgd_case& problem : cases) {
    if (problem.how.eta >= 1) continue;
    for (const sgd_model which : {sgd_model::ou, sgd_model::moments}) {
      const auto at = [&](double k) { return relaxed_sgd(problem.model, problem.how, k, which); };
      const double h = 1e-4;
      const sgd_state here = at(5);
      const sgd_state more = at(5 + h);
      const sgd_state less = at(5 - h);
      EXPECT_NEAR(here.variance_slope, (more.variance - less.variance) / (2 * h), 1e-7);
      EXPECT_NEAR(here.square_error_slope, (more.square_error - less.square_error) / (2 * h), 1e-7);
      const double bias = here.mean - problem.model.w;
      EXPECT_NEAR(here.square_error, here.variance + bias * bias, 1e-12);
    }
  }
}

TEST(sgd_with_a_normal_start, bad_deviations_are_refused) {
  const auto message = [](double s) {
    return message_of([&] { (void)sgd_law({.w = 2}, {.w0_sigma = s}, 3, sgd_model::moments); });
  };
  EXPECT_EQ(message(-1), "sgd: w0_sigma must be finite and >= 0, got -1");
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_NE(message(bad), "");
  }
  EXPECT_NE(message_of([] { (void)sgd_start_law({}); }), "");
  EXPECT_EQ(message_of([] { (void)sgd_exact({}, {.w0_sigma = 1e200}, 3); }),
            "sgd: the exact law takes w0_sigma sigma_x/sigma_xi of at most 1e+04, got 1e+200");
}

}  // namespace
