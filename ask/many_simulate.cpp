#include "ask/many_simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ktln2::ask {
namespace {

/// The excess risk of each trial, (θ - θ*)ᵀA(θ - θ*), with A = E xxᵀ.
std::vector<double> risks_of(const sgd_vector& theory,
                             const std::vector<std::vector<double>>& results) {
  std::vector<double> risks;
  for (std::size_t t = 0; t < results[0].size(); ++t) {
    vector_moments one{{}, square_matrix{results.size()}};
    for (const std::vector<double>& list : results) one.mean.push_back(list[t]);
    risks.push_back(theory.excess_risk(one));
  }
  return risks;
}

json measured_pair(const simulation::measured& found, double theory, double off) {
  return {{"value", number(found.value)},
          {"error", number(found.error)},
          {"theory", number(theory)},
          {"off", number(off)}};
}

double standard_errors(const simulation::measured& found, double theory) {
  return found.error > 0 ? (found.value - theory) / found.error : 0;
}

}  // namespace

double simulated_coefficient::mean_off() const { return standard_errors(mean, theory_mean); }
double simulated_coefficient::variance_off() const {
  return standard_errors(variance, theory_variance);
}

bool asks_for_many_simulate(const words& asked) {
  return asked.command == "simulate" && asked.has("features");
}

many_simulate_question read_many_simulate(const words& asked) {
  const reader given{asked};
  refuse_with_features(given, {"w0-sigma", "bins", "low", "high"});
  if (given.word("arithmetic") != "ideal") {
    throw std::domain_error(given.where("arithmetic") + " must be ideal with --features, got '" +
                            given.word("arithmetic") + "'");
  }
  many_simulate_question made{given.storage("format"), read_row_model(given), {}, 100, {}};
  made.how = read_vector_descent(given, made.model);
  made.steps = read_steps(given);
  made.set.trials = given.whole("trials", 2, 1'000'000'000);
  made.set.seed = given.whole("seed");
  if (given.has("threads"))
    made.set.threads = static_cast<unsigned>(given.whole("threads", 1, 256));
  return made;
}

many_simulate_answer solve(const many_simulate_question& asked, const stop_token& stop) {
  const sgd_vector theory{asked.model, asked.how};
  const vector_moments expected = theory.after(asked.steps);
  const row_model& model = asked.model;
  simulation::many_sgd_trial what{model.w,
                                  model.mu,
                                  model.covariance,
                                  model.b,
                                  model.sigma_xi,
                                  asked.how.intercept,
                                  asked.how.eta,
                                  static_cast<std::uint64_t>(asked.how.batch),
                                  static_cast<std::uint64_t>(asked.steps),
                                  asked.how.start};
  simulation::many_settings set = asked.set;
  set.progress = [&](double) { return !stop.stop_requested(); };
  const std::vector<std::vector<double>> results = simulation::simulate(what, set);
  if (results.empty()) throw stopped{};
  many_simulate_answer made{asked, {}, {}, theory.excess_risk(expected)};
  const std::size_t shift = asked.how.intercept ? 1 : 0;
  for (std::size_t j = 0; j < results.size(); ++j) {
    const simulation::sample_moments found = simulation::moments_of(simulation::sample(results[j]));
    made.coefficients.push_back({j < shift ? "b" : fmt::format("w{}", j - shift + 1), found.mean,
                                 found.variance, expected.mean[j], expected.covariance(j, j)});
  }
  made.excess_risk = simulation::moments_of(simulation::sample(risks_of(theory, results))).mean;
  return made;
}

double many_simulate_answer::most_off() const {
  double most = std::fabs(standard_errors(excess_risk, theory_excess));
  for (const simulated_coefficient& one : coefficients) {
    most = std::max({most, std::fabs(one.mean_off()), std::fabs(one.variance_off())});
  }
  return most;
}

std::vector<std::string> many_simulate_answer::warnings() const {
  if (most_off() <= 5) return {};
  return {fmt::format("the simulation is {:.2g} standard errors from the formulas", most_off())};
}

report many_simulate_answer::report() const {
  ask::report made{"simulate"};
  made.add("kind", json("sgd"));
  made.add("format", json(asked.format.name()));
  made.add_all(shown(asked.model));
  made.add("steps", asked.steps);
  made.add("batch", asked.how.batch);
  made.add("eta", asked.how.eta);
  made.add("w0", list_of_numbers(asked.how.start));
  made.add("intercept", json(asked.how.intercept));
  made.add("trials", json(asked.set.trials));
  made.add("seed", json(asked.set.seed));
  json list = json::array();
  for (const simulated_coefficient& one : coefficients) {
    list.push_back(
        {{"name", one.name},
         {"mean", measured_pair(one.mean, one.theory_mean, one.mean_off())},
         {"variance", measured_pair(one.variance, one.theory_variance, one.variance_off())}});
  }
  made.add("coefficients", list);
  made.add("excess_risk",
           measured_pair(excess_risk, theory_excess, standard_errors(excess_risk, theory_excess)));
  made.headline("most_off", most_off());
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
