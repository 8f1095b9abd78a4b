#include "ktln2/distribution/sgd.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace ktln2 {
namespace {

void require_count(const char* name, double value) {
  if (!(value >= 1 && value <= 1e15 && value == std::floor(value))) {
    throw std::domain_error("sgd: " + std::string(name) +
                            " must be a whole number from 1 to 1e15, got " + shown(value));
  }
}

/// a = ησ_x², the share of its distance from w that ŵ loses in a step, on average.
double rate(const sgd_problem& problem) { return problem.eta * problem.sigma_x * problem.sigma_x; }

/// w + φ_0 e^x, without rounding through w while e^x is near 1.
double moved_mean(const sgd_problem& problem, double log_factor, double sign) {
  const double start = problem.w0 - problem.w;
  if (sign > 0 && log_factor > -0.5) return problem.w0 + start * std::expm1(log_factor);
  return problem.w + sign * start * std::exp(log_factor);
}

/// ln m^2, m = 1 - a
double log_square_mean_factor(double a) { return 2 * (a < 1 ? std::log1p(-a) : std::log(a - 1)); }

/// q - 1 = -a (2 - a (1 + 2/B))
double second_moment_excess(double a, double batch) { return -a * (2 - a * (1 + 2 / batch)); }

}  // namespace

void require_valid(const sgd_problem& problem) {
  require_positive("sgd", "eta", problem.eta);
  require_count("batch", problem.batch);
  require_count("steps", problem.steps);
  require_finite("sgd", "w0", problem.w0);
  require_finite("sgd", "w", problem.w);
  require_finite("sgd", "w0 - w", problem.w0 - problem.w);
  require_positive("sgd", "sigma_x", problem.sigma_x);
  require_positive("sgd", "sigma_xi", problem.sigma_xi);
  require_positive("sgd", "eta sigma_x^2", rate(problem));
  require_positive("sgd", "sigma_xi/sigma_x", problem.sigma_xi / problem.sigma_x);
}

sgd_model parse_sgd_model(std::string_view name) {
  if (name == "ou") return sgd_model::ou;
  if (name == "stationary") return sgd_model::stationary;
  if (name == "moments") return sgd_model::moments;
  if (name == "exact") return sgd_model::exact;
  throw std::domain_error("sgd: unknown law '" + std::string(name) +
                          "': expected ou, stationary, moments or exact");
}

normal sgd_stationary_law(const sgd_problem& problem) {
  require_valid(problem);
  return {problem.w, problem.sigma_xi * std::sqrt(problem.eta / (2 * problem.batch))};
}

normal sgd_ou_law(const sgd_problem& problem) {
  const double limit = sgd_stationary_law(problem).scale();
  const double time = rate(problem) * problem.steps;
  return {moved_mean(problem, -time, 1), limit * std::sqrt(-std::expm1(-2 * time))};
}

sgd_moments exact_moments(const sgd_problem& problem) {
  require_valid(problem);
  const double a = rate(problem);
  const double k = problem.steps;
  const double log_m2 = log_square_mean_factor(a);
  const bool odd_flip = a > 1 && std::fmod(k, 2) == 1;
  const double mean = moved_mean(problem, k / 2 * log_m2, odd_flip ? -1 : 1);

  // q^k - m^2k = q^k (1 - (m²/q)^k), where m²/q = 1 - (2a²/B)/q
  const double excess = second_moment_excess(a, problem.batch);
  const double log_qk = k * std::log1p(excess);
  const double m = 1 - a;
  const double spread = 2 * a / problem.batch * a;
  const double log_share = k * std::log1p(-spread / (m * m + spread));
  const double from_start = std::exp(log_qk / 2) * std::sqrt(-std::expm1(log_share));
  // (1 - q^k)/(1 - q) = 1 + q + … + q^(k-1)
  const double terms = excess == 0 ? k : std::expm1(log_qk) / excess;
  const double noise = problem.sigma_xi / problem.sigma_x * a * std::sqrt(terms / problem.batch);
  const double start = problem.w0 - problem.w;
  return {mean, std::hypot(start == 0 ? 0 : start * from_start, noise)};
}

double sgd_limit_deviation(const sgd_problem& problem) {
  require_valid(problem);
  const double a = rate(problem);
  const double excess = second_moment_excess(a, problem.batch);
  if (excess >= 0) return std::numeric_limits<double>::infinity();
  // a²/(1 - q) = a / (2 - a (1 + 2/B))
  return problem.sigma_xi / problem.sigma_x *
         std::sqrt(a / (2 - a * (1 + 2 / problem.batch)) / problem.batch);
}

normal sgd_moments_law(const sgd_problem& problem) {
  const sgd_moments exact = exact_moments(problem);
  require_finite("sgd", "mean", exact.mean);
  require_positive("sgd", "deviation", exact.deviation);
  return {exact.mean, exact.deviation};
}

}  // namespace ktln2
