#include "paper/figures/sgd/fits.hpp"

namespace ktln2::paper {

std::vector<double> simulated(const trial& what, int trials, const effort& work) {
  const auto goes_on = [&](double) { return work.stop == nullptr || !work.stop->load(); };
  std::vector<double> results = simulate(what, {.trials = static_cast<std::uint64_t>(trials),
                                                .seed = work.seed,
                                                .threads = 1,  // figures are computed side by side
                                                .progress = goes_on});
  work.pause();
  return results;
}

sgd_trial trial_of(const sgd_problem& problem) {
  return {.steps = static_cast<std::uint64_t>(problem.steps),
          .batch = static_cast<std::uint64_t>(problem.batch),
          .eta = problem.eta,
          .w0 = problem.w0,
          .w = problem.w,
          .sigma_x = problem.sigma_x,
          .sigma_xi = problem.sigma_xi};
}

}  // namespace ktln2::paper
