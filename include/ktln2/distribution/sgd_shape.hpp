#pragma once

#include "ktln2/distribution/sgd.hpp"

namespace ktln2 {

/// What a law is like beside its mean and its deviation: 0 and 0 for a normal one.
struct law_shape {
  double skewness = 0;
  double excess_kurtosis = 0;
};

/// The exact shape of ŵ after k steps, from the closed recursions of its third and fourth central
/// moments, in a time that grows with log k only. Infinite or NaN where they leave double's range.
/// Throws std::domain_error for a bad problem.
law_shape exact_shape(const linear_model& model, const descent& how, double steps);

}  // namespace ktln2
