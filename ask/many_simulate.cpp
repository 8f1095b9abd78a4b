#include "ask/many_simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/constants.hpp"

namespace ktln2::ask {
namespace {

using simulation::goodness_of_fit;
using simulation::sample;

/// All trials, a list for each coefficient: the slopes first, then the intercept, if any.
using many_results = std::vector<std::vector<double>>;

// What a trial's errors are.

/// z = ŵ - w of trial t.
std::vector<double> slope_errors(const row_model& model, const many_results& results,
                                 std::size_t t) {
  std::vector<double> z;
  for (std::size_t j = 0; j < model.w.size(); ++j) z.push_back(results[j][t] - model.w[j]);
  return z;
}

/// zᵀΣz
double quadratic_form(const square_matrix& sigma, const std::vector<double>& z) {
  double sum = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    for (std::size_t j = 0; j < z.size(); ++j) sum += z[i] * sigma(i, j) * z[j];
  }
  return sum;
}

/// (b̂ - b) + z·μ: how far a prediction is off at the mean of the features.
double error_at_mean(const row_model& model, const many_results& results,
                     const std::vector<double>& z, std::size_t t) {
  double sum = results.size() > z.size() ? results.back()[t] - model.b : 0;
  for (std::size_t j = 0; j < z.size(); ++j) sum += z[j] * model.mu[j];
  return sum;
}

/// Calls f(zᵀΣz, error at the mean) for every trial, and keeps what it returns.
template <class F>
std::vector<double> for_each_trial(const row_model& model, const many_results& results,
                                   const F& f) {
  std::vector<double> made;
  for (std::size_t t = 0; t < results[0].size(); ++t) {
    const std::vector<double> z = slope_errors(model, results, t);
    made.push_back(f(quadratic_form(model.covariance, z), error_at_mean(model, results, z, t)));
  }
  return made;
}

double standard_errors(const simulation::measured& found, double theory) {
  const bool is_known = found.error > 0 && std::isfinite(found.error) && std::isfinite(theory);
  return is_known ? (found.value - theory) / found.error : undefined;
}

// Least squares.

/// E of what predictions are worse by, against the noise: [eq:exact_error] is d = 1.
double least_squares_excess(const coefficients& law) {
  const auto d = static_cast<double>(law.features());
  const double n = law.task().n;
  const double variance = std::pow(law.task().model.sigma_xi, 2);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!law.task().intercept) return n > d + 1 ? variance * d / (n - d - 1) : infinity;
  return n > d + 2 ? variance * ((1 + 1 / n) * (n - 2) / (n - d - 2) - 1) : infinity;
}

/// T = zᵀΣz/σ_ξ² is χ²_d/χ²_ν of the multivariate t, so that T/(1+T) has a beta law.
goodness_of_fit fit_of_radius(const coefficients& law, const many_results& results) {
  const row_model& model = law.task().model;
  const double variance = model.sigma_xi * model.sigma_xi;
  const double a = static_cast<double>(law.features()) / 2;
  const double b = *law.dof() / 2;
  return simulation::fit_of(
      sample(for_each_trial(model, results,
                            [&](double form, double) { return form / (form + variance); })),
      [&](double x) { return boost::math::ibeta(a, b, std::clamp(x, 0.0, 1.0)); });
}

/// Given z, b̂ - b + z·μ is normal with the variance (σ_ξ² + zᵀΣz)/n.
goodness_of_fit fit_of_intercept(const coefficients& law, const many_results& results) {
  const row_model& model = law.task().model;
  const double variance = model.sigma_xi * model.sigma_xi;
  return simulation::fit_of(
      sample(for_each_trial(model, results,
                            [&](double form, double off) {
                              return off / std::sqrt((variance + form) / law.task().n);
                            })),
      [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; });
}

many_simulate_answer examine_least_squares(const many_simulate_question& asked,
                                           const many_results& results, const stop_token& stop) {
  const coefficients law{{asked.model, asked.n, asked.intercept, 0}};
  many_simulate_answer made{asked, {}, {}};
  const double dof = *law.dof();
  for (std::size_t j = 0; j < results.size(); ++j) {
    const sample one(results[j]);
    const simulation::sample_moments found = simulation::moments_of(one, dof);
    const auto alone = law.marginal(j);
    made.coefficients.push_back({law.name(j), found.mean, found.variance, mean(alone),
                                 std::pow(deviation(alone), 2),
                                 simulation::fit_of(one, [&](double x) { return cdf(alone, x); })});
  }
  simulated_vector& all = made.all;
  // Moments of T of order ν/2 and above are infinite.
  all.excess_risk =
      simulation::moments_of(
          sample(for_each_trial(asked.model, results,
                                [](double form, double off) { return form + off * off; })),
          dof / 2)
          .mean;
  all.theory_excess = least_squares_excess(law);
  all.radius = fit_of_radius(law, results);
  if (asked.intercept) all.intercept = fit_of_intercept(law, results);
  all.entropy = simulation::entropy_of(simulation::occupancy_of(asked.format, results),
                                       asked.format.width() * static_cast<double>(results.size()));
  if (!all.entropy.undersampled) {
    all.theory_entropy = model_bits(asked.format, law, entropy_kind::exact, stop);
  }
  return made;
}

// Stochastic gradient descent.

/// Its intercept is in front; here it comes last.
many_results with_intercept_last(many_results results, bool intercept) {
  if (intercept) std::rotate(results.begin(), results.begin() + 1, results.end());
  return results;
}

many_simulate_answer examine_descent(const many_simulate_question& asked,
                                     const many_results& results) {
  const sgd_vector theory{asked.model, asked.how};
  const vector_moments expected = theory.after(asked.steps);
  const std::size_t d = asked.model.w.size();
  many_simulate_answer made{asked, {}, {}};
  for (std::size_t j = 0; j < results.size(); ++j) {
    const simulation::sample_moments found = simulation::moments_of(sample(results[j]));
    const std::size_t at = asked.intercept ? (j + 1) % results.size() : j;
    made.coefficients.push_back({j == d ? "b" : fmt::format("w{}", j + 1), found.mean,
                                 found.variance, expected.mean[at], expected.covariance(at, at)});
  }
  made.all.excess_risk =
      simulation::moments_of(
          sample(for_each_trial(asked.model, results,
                                [](double form, double off) { return form + off * off; })))
          .mean;
  made.all.theory_excess = theory.excess_risk(expected);
  made.all.entropy =
      simulation::entropy_of(simulation::occupancy_of(asked.format, results),
                             asked.format.width() * static_cast<double>(results.size()));
  return made;
}

// Reporting.

json measured_pair(const simulation::measured& found, double theory, double off) {
  return {{"value", number(found.value)},
          {"error", number(found.error)},
          {"theory", number(theory)},
          {"off", number(off)}};
}

json as_json(const std::optional<goodness_of_fit>& fit) {
  if (!fit) return nullptr;
  return {{"kolmogorov_smirnov", number(fit->kolmogorov_smirnov)},
          {"p_value", number(fit->kolmogorov_p_value)}};
}

json as_json(const simulated_vector& all) {
  const bool is_told = !all.entropy.undersampled;
  const auto& theory = all.theory_entropy;
  return {{"value", is_told ? number(all.entropy.grassberger.value.value()) : json(nullptr)},
          {"error", is_told ? number(all.entropy.grassberger.error.value()) : json(nullptr)},
          {"theory", theory ? number(theory->value.value.value()) : json(nullptr)},
          {"theory_error", theory ? number(theory->value.error.value()) : json(nullptr)},
          {"codes", all.entropy.codes},
          {"undersampled", all.entropy.undersampled}};
}

}  // namespace

double simulated_coefficient::mean_off() const { return standard_errors(mean, theory_mean); }
double simulated_coefficient::variance_off() const {
  return standard_errors(variance, theory_variance);
}
double simulated_vector::excess_off() const { return standard_errors(excess_risk, theory_excess); }

bool asks_for_many_simulate(const words& asked) {
  return asked.command == "simulate" && (asked.kind == "ols" || asked.has("features"));
}

many_simulate_question read_many_simulate(const words& asked) {
  const reader given{asked};
  const std::string& kind = given.kind();
  refuse_with_features(given, {"w0-sigma", "bins", "low", "high"});
  if (given.word("arithmetic") != "ideal") {
    throw std::domain_error(given.where("arithmetic") + " must be ideal with --features, got '" +
                            given.word("arithmetic") + "'");
  }
  many_simulate_question made{kind, given.storage("format"), read_row_model(given),
                              given.has("intercept")};
  if (kind == "ols") {
    made.n = static_cast<double>(given.whole("n", 1, 1'000'000'000'000));
  } else {
    made.how = read_vector_descent(given, made.model);
    made.steps = read_steps(given);
  }
  made.set.trials = given.whole("trials", 2, 1'000'000'000);
  made.set.seed = given.whole("seed");
  if (given.has("threads"))
    made.set.threads = static_cast<unsigned>(given.whole("threads", 1, 256));
  return made;
}

many_simulate_answer solve(const many_simulate_question& asked, const stop_token& stop) {
  const row_model& model = asked.model;
  simulation::many_source from{model.w, model.mu, model.covariance, model.b, model.sigma_xi};
  simulation::many_settings set = asked.set;
  set.progress = [&](double) { return !stop.stop_requested(); };
  many_results results;
  if (asked.kind == "ols") {
    // The law refuses what it does not know before anything is drawn.
    const coefficients law{{model, asked.n, asked.intercept, 0}};
    results = simulate(
        simulation::many_ols_trial{from, asked.intercept, static_cast<std::uint64_t>(asked.n)},
        set);
  } else {
    results = with_intercept_last(
        simulate(
            simulation::many_sgd_trial{from, asked.intercept, asked.how.eta,
                                       static_cast<std::uint64_t>(asked.how.batch),
                                       static_cast<std::uint64_t>(asked.steps), asked.how.start},
            set),
        asked.intercept);
  }
  if (results.empty()) throw stopped{};
  return asked.kind == "ols" ? examine_least_squares(asked, results, stop)
                             : examine_descent(asked, results);
}

double many_simulate_answer::most_off() const {
  double most = std::fabs(all.excess_off());  // fmax prefers a number
  for (const simulated_coefficient& one : coefficients) {
    most = std::fmax(most, std::fmax(std::fabs(one.mean_off()), std::fabs(one.variance_off())));
  }
  return most;
}

double many_simulate_answer::p_value() const {
  double least = 1;
  double tests = 0;
  const auto look = [&](const std::optional<goodness_of_fit>& fit) {
    if (!fit) return;
    least = std::min(least, fit->kolmogorov_p_value);
    tests += 1;
  };
  for (const simulated_coefficient& one : coefficients) look(one.fit);
  look(all.radius);
  look(all.intercept);
  return std::min(1.0, least * std::max(tests, 1.0));
}

std::vector<std::string> many_simulate_answer::warnings() const {
  std::vector<std::string> list;
  if (most_off() > 5) {
    list.push_back(
        fmt::format("the simulation is {:.2g} standard errors from the formulas", most_off()));
  }
  if (p_value() < 1e-6) {
    list.push_back(fmt::format("the simulation does not follow the law (p = {:.1g})", p_value()));
  }
  return list;
}

report many_simulate_answer::report() const {
  ask::report made{"simulate"};
  made.add("kind", json(asked.kind));
  made.add("format", json(asked.format.name()));
  made.add_all(shown(asked.model));
  if (asked.kind == "ols") {
    made.add("n", asked.n);
    made.add("dof", *ktln2::coefficients{{asked.model, asked.n, asked.intercept, 0}}.dof());
  } else {
    made.add("steps", asked.steps);
    made.add("batch", asked.how.batch);
    made.add("eta", asked.how.eta);
    made.add("w0", list_of_numbers(asked.how.start));
  }
  made.add("intercept", json(asked.intercept));
  made.add("trials", json(asked.set.trials));
  made.add("seed", json(asked.set.seed));
  json list = json::array();
  for (const simulated_coefficient& one : coefficients) {
    list.push_back(
        {{"name", one.name},
         {"mean", measured_pair(one.mean, one.theory_mean, one.mean_off())},
         {"variance", measured_pair(one.variance, one.theory_variance, one.variance_off())},
         {"fit", as_json(one.fit)}});
  }
  made.add("coefficients", list);
  made.add("excess_risk", measured_pair(all.excess_risk, all.theory_excess, all.excess_off()));
  made.add("radius", as_json(all.radius));
  made.add("intercept_given_slopes", as_json(all.intercept));
  made.add("entropy", as_json(all));
  made.headline("most_off", most_off());
  made.headline("p_value", p_value());
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
