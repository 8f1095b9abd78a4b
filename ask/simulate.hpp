#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/problem.hpp"
#include "ask/report.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/simulation/code_entropy.hpp"
#include "ktln2/simulation/fit.hpp"
#include "ktln2/simulation/trial.hpp"

namespace ktln2::ask {

/// What comes out of a computation that is run many times.
struct simulate_question {
  std::string kind;
  storage format;
  simulation::trial what;
  law theory;               ///< that the results are compared with
  std::string theory_name;  ///< as it is described
  double tail;              ///< see simulation::moments_of
  std::uint64_t trials;
  std::uint64_t seed;
  unsigned threads;        ///< 0: as many as the machine has
  bool in_format = false;  ///< every operation is rounded
  std::optional<double> low = {};
  std::optional<double> high = {};
  std::size_t bins = 20;
  json parameters = {};  ///< of the computation, as they are shown

  /// The settings for some of the trials.
  [[nodiscard]] simulation::settings settings(std::uint64_t first, std::uint64_t count) const;
};

struct simulate_answer {
  simulate_question asked;
  std::uint64_t finished;           ///< trials; fewer than asked for after an interrupt
  std::uint64_t diverged;           ///< of them, beyond the range of double, or of the format
  std::uint64_t undefined_results;  ///< of them, NaN: they are in none of what follows
  simulation::sample_moments moments;
  double theory_mean;
  double theory_variance;
  simulation::sample_histogram histogram;
  std::vector<double> theory_density;  ///< the mean of the law's density over each bin
  simulation::code_entropy entropy;
  simulation::goodness_of_fit fit;

  /// Of bin i, as it was found.
  [[nodiscard]] double density(std::size_t i) const;
  /// Without those about the entropy for who does not see it.
  [[nodiscard]] std::vector<std::string> warnings(bool shows_entropy = true) const;
  [[nodiscard]] ask::report report() const;
};

simulate_question read_simulate(const words& asked);
/// Throws `stopped` if it is stopped before the last trial is finished.
simulate_answer solve(const simulate_question& asked, const stop_token& stop = {});
/// What the results of the trials say, all of them or the first ones. Throws std::runtime_error if
/// there are none.
simulate_answer examine(const simulate_question& asked, std::vector<double> values);

}  // namespace ktln2::ask
