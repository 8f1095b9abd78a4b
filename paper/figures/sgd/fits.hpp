#pragma once

#include "ktln2/simulation/trial.hpp"
#include "paper/figures/sgd/sgd_figures.hpp"

/// What the figures that compare laws with simulations share.
namespace ktln2::paper {

/// The results of that many trials, with the seed of the run. Throws `stopped` after Ctrl-C.
std::vector<double> simulated(const simulation::trial& what, int trials, const effort& work);

/// The trial that a law of SGD is about.
simulation::sgd_trial trial_of(const sgd_problem& problem, double steps);

}  // namespace ktln2::paper
