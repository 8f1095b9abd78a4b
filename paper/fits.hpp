#pragma once

#include "figure.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/simulation/trial.hpp"
#include "sgd_figures.hpp"

/// What the figures that compare laws with simulations share.
namespace ktln2::paper {

/// The results of that many trials, with the seed of the run. Throws `stopped` after Ctrl-C.
std::vector<double> simulated(const simulation::trial& what, int trials, const effort& work);

/// The trial that a law of SGD is about.
simulation::sgd_trial trial_of(const sgd_problem& problem, double steps);

/// One of the histograms of a figure about SGD.
struct sgd_series {
  double key;  ///< what sets it apart, such as the batch size
  sgd_problem problem;
  double steps;
};

/// Histograms of simulated slopes (main table), the densities of several laws (table "laws"), and
/// how far each of them is from the simulation (table "fits").
std::vector<table> sgd_fits(const column& key, const std::vector<sgd_series>& all,
                            const std::vector<sgd_model>& models, const parameters& given,
                            const effort& work);

/// Histogram of Z = ŵ - w of exact regression against its law, for the number n of points.
figure z_fit(std::string label, int n);

}  // namespace ktln2::paper
