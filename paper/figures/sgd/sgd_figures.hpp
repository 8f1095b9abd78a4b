#pragma once

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/sgd.hpp"
#include "ktln2/format/float_format.hpp"
#include "paper/figures/figure.hpp"

/// What the figures about stochastic gradient descent share.
namespace ktln2::paper {

/// The parameters of the figures about costs, before those that are the figure's own.
parameters sgd_cost_settings(const std::vector<parameter>& own = {});

float_format sgd_format(const parameters& given);
/// One of the slopes and the way to it, with the other parameters as given.
struct sgd_problem {
  linear_model model;
  descent how;
};
sgd_problem sgd_problem_of(const parameters& given, double w);
/// The steps of a curve: 1 to `last`.
std::vector<double> curve_steps(const parameters& given, double last, const effort& work);
/// Numbers that are asked for one by one. Quick runs take the first `least` of them.
std::vector<double> some_of(const std::vector<double>& all, const effort& work, int least = 2);

/// Entropy of the stored slope after some steps, without its exact law.
struct sgd_entropy {
  bits smooth;            ///< [eq:three_approxes] around the mean of the process
  bounded<bits> process;  ///< exact, if the law were that of the process
  bounded<bits> moments;  ///< exact, if the law were normal with the right moments
};
sgd_entropy entropy_of_sgd(const float_format& format, const sgd_problem& problem, double steps);

/// Entropy of the stored slope, exactly.
bounded<bits> exact_entropy_of_sgd(const float_format& format, const sgd_problem& problem,
                                   double steps);

}  // namespace ktln2::paper
