#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/many_problem.hpp"
#include "ask/report.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/simulation/code_entropy.hpp"
#include "ktln2/simulation/fit.hpp"
#include "ktln2/simulation/many_trial.hpp"

namespace ktln2::ask {

/// SGD or least squares on many coefficients, run many times, and what should come out.
struct many_simulate_question {
  std::string kind;  ///< sgd or ols
  storage format;
  row_model model;
  bool intercept = false;
  double n = 20;            ///< rows of least squares
  vector_descent how = {};  ///< of SGD
  double steps = 100;
  simulation::many_settings set = {};
};

/// A coefficient as it came out, and as the formulas have it.
struct simulated_coefficient {
  std::string name;
  simulation::measured mean;
  simulation::measured variance;
  double theory_mean = 0;
  double theory_variance = 0;
  std::optional<simulation::goodness_of_fit> fit = {};  ///< where its law is known

  /// How many standard errors the simulation is off; NaN where there is no such error.
  [[nodiscard]] double mean_off() const;
  [[nodiscard]] double variance_off() const;
};

/// Of all coefficients together.
struct simulated_vector {
  simulation::measured excess_risk;  ///< what the model's errors add to those of predictions
  double theory_excess = 0;
  simulation::code_entropy entropy;                        ///< of the stored vector, by counting
  std::optional<joint_bits> theory_entropy = {};           ///< where counting can tell it
  std::optional<simulation::goodness_of_fit> radius = {};  ///< of |z|, see many_simulate.cpp
  /// Of the intercept, given the others.
  std::optional<simulation::goodness_of_fit> intercept = {};

  [[nodiscard]] double excess_off() const;
};

struct many_simulate_answer {
  many_simulate_question asked;
  std::vector<simulated_coefficient> coefficients;
  simulated_vector all;

  /// The most that a mean or a variance is off, in standard errors.
  [[nodiscard]] double most_off() const;
  /// The least of all p-values, times their number; 1 where no law is known.
  [[nodiscard]] double p_value() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

/// Is a question about a simulation one about many features?
bool asks_for_many_simulate(const words& asked);
many_simulate_question read_many_simulate(const words& asked);
many_simulate_answer solve(const many_simulate_question& asked, const stop_token& stop = {});

}  // namespace ktln2::ask
