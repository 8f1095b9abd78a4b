#include "paper/figures/sgd/fits.hpp"

namespace ktln2::paper {

std::vector<double> simulated(const simulation::trial& what, int trials, const effort& work) {
  const auto goes_on = [&](double) { return !work.stop.stop_requested(); };
  std::vector<double> results =
      simulation::simulate(what, {.trials = static_cast<std::uint64_t>(trials),
                                  .seed = work.seed,
                                  .threads = 1,  // figures are computed side by side
                                  .progress = goes_on});
  work.pause();
  return results;
}

simulation::sgd_trial trial_of(const sgd_problem& problem, double steps) {
  return {problem.model, problem.how, static_cast<std::uint64_t>(steps)};
}

}  // namespace ktln2::paper
