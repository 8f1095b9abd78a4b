#pragma once

#include <vector>

#include "ktln2/distribution/law.hpp"

namespace ktln2 {

/// e^Y, Y ~ N(mu, sigma²). Throws std::domain_error unless |mu| ≤ 1e8 and sigma is finite and > 0,
/// as the others do for a bad parameter.
compound_law lognormal_law(double mu, double sigma);
/// Mean `scale`, on x > 0.
compound_law exponential_law(double scale);
/// y^(shape-1) e^-y, y = x/scale, on x > 0.
compound_law gamma_law(double shape, double scale);
/// The sum of `dof` squares of N(0, 1), for any dof > 0.
compound_law chi2_law(double dof);
/// |Y|, Y ~ N(0, sigma²).
compound_law halfnormal_law(double sigma);
/// Up in a straight line from low to mode, and down to high: low ≤ mode ≤ high, low < high.
compound_law triangular_law(double low, double mode, double high);

struct weighted_law {
  double weight;
  law x;
};

/// Drawn from one of these laws, with probabilities in proportion to the weights. Throws
/// std::domain_error unless all weights are finite and ≥ 0, and at least one is > 0.
law mixture_law(const std::vector<weighted_law>& all);
/// max(X, 0), with an atom at 0.
law relu_law(const law& x);
/// X given that low < X ≤ high, either of which may be infinite. Throws std::domain_error if that
/// has no probability that a double can tell.
law truncated_law(const law& x, double low, double high);
/// Each of these numbers with the same probability. Throws std::domain_error unless there is one,
/// and all are finite.
compound_law empirical_law(const std::vector<double>& samples);

}  // namespace ktln2
