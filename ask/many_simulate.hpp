#pragma once

#include <string>
#include <vector>

#include "ask/many_problem.hpp"
#include "ask/report.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/simulation/many_trial.hpp"
#include "ktln2/simulation/sample.hpp"

namespace ktln2::ask {

/// SGD on many coefficients, run many times, and what its moments should be.
struct many_simulate_question {
  storage format;
  row_model model;
  vector_descent how;
  double steps = 100;
  simulation::many_settings set;
};

/// A coefficient as it came out, and as the formulas have it.
struct simulated_coefficient {
  std::string name;
  simulation::measured mean;
  simulation::measured variance;
  double theory_mean = 0;
  double theory_variance = 0;

  /// How many standard errors the simulation is off.
  [[nodiscard]] double mean_off() const;
  [[nodiscard]] double variance_off() const;
};

struct many_simulate_answer {
  many_simulate_question asked;
  std::vector<simulated_coefficient> coefficients;
  simulation::measured excess_risk;
  double theory_excess = 0;

  [[nodiscard]] double most_off() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

/// Is a question about a simulation one about many features?
bool asks_for_many_simulate(const words& asked);
many_simulate_question read_many_simulate(const words& asked);
many_simulate_answer solve(const many_simulate_question& asked, const stop_token& stop = {});

}  // namespace ktln2::ask
