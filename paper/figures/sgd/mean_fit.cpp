#include <cmath>

#include "ktln2/simulation/sample.hpp"
#include "paper/figures/figures.hpp"
#include "paper/figures/sgd/fits.hpp"
#include "paper/figures/sgd/sgd_figures.hpp"

namespace ktln2::paper {
namespace {

using namespace simulation;

table theory(const parameters& given, const effort& work, const sgd_problem& problem) {
  table curves({{"k", "", "steps"},
                {"process_mean", "", "mean of the Ornstein-Uhlenbeck process"},
                {"process_deviation", "", "its deviation"},
                {"mean", "", "exact mean"},
                {"deviation", "", "exact deviation"},
                {"ratio", "", "exact deviation / that of the process"}});
  for (const double k : curve_steps(given, given.number("tau"), work)) {
    const normal process = sgd_ou_law(problem.model, problem.how, k);
    const sgd_moments exact = exact_moments(problem.model, problem.how, k);
    curves.add({k, process.location(), process.scale(), exact.mean, exact.deviation,
                exact.deviation / process.scale()});
  }
  return curves;
}

table simulated_moments(const parameters& given, const effort& work, const sgd_problem& problem) {
  table points("simulated", {{"k", "", "steps"},
                             {"mean", "", "simulated mean"},
                             {"mean_error", "", "its standard error"},
                             {"deviation", "", "simulated deviation"},
                             {"deviation_error", "", "its standard error"},
                             {"ratio", "", "simulated deviation / that of the process"},
                             {"ratio_error", "", "its standard error"}});
  for (const double k : some_of(given.list("simulated_k"), work)) {
    require_valid(problem.model, problem.how, k);
    const sample slopes(simulated(trial_of(problem, k), work.points(given.count("trials")), work));
    const sample_moments found = moments_of(slopes);
    const double deviation = std::sqrt(found.variance.value);
    const double error = found.variance.error / (2 * deviation);
    const double process = sgd_ou_law(problem.model, problem.how, k).scale();
    points.add({k, found.mean.value, found.mean.error, deviation, error, deviation / process,
                error / process});
  }
  return points;
}

std::vector<table> moments_by_step(const parameters& given, const effort& work) {
  const sgd_problem problem = sgd_problem_of(given, given.number("w"));
  return {theory(given, work, problem), simulated_moments(given, work, problem)};
}

}  // namespace

figure mean_fit() {
  return {
      .label = "fig:mean_fit",
      .settings = parameters(
          {{"eta", {0.01}},
           {"B", {10}},
           {"sigma_x", {1}},
           {"sigma_xi", {1}},
           {"tau", {2000}},
           {"trials", {5000}},
           {"w0", {1}, origin::chosen, "as in the figures about the cost of SGD"},
           {"w", {2}, origin::chosen, "as in the scaling figures"},
           {"simulated_k", {1, 3, 10, 30, 100, 300, 700, 2000}, origin::chosen, "spread evenly"},
           {"points", {150}, origin::chosen, "for smooth curves"}}),
      .is_random = true,
      .cost = 2,
      .compute = moments_by_step};
}

}  // namespace ktln2::paper
