#pragma once

#include "ktln2/distribution/sgd.hpp"
#include "ktln2/simulation/trial.hpp"
#include "paper/figures/figure.hpp"

/// What the figures that compare laws with simulations share.
namespace ktln2::paper {

/// The results of that many trials, with the seed of the run. Throws `stopped` after Ctrl-C.
std::vector<double> simulated(const trial& what, int trials, const effort& work);

/// The trial that a law of SGD is about.
sgd_trial trial_of(const sgd_problem& problem);

}  // namespace ktln2::paper
