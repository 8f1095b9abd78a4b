#pragma once

#include <functional>

#include "ktln2/format/storage.hpp"
#include "ktln2/simulation/sample.hpp"

namespace ktln2::simulation {

/// P(X ≤ x) of the law that a sample is compared with.
using distribution_function = std::function<double(double)>;

/// How well a sample agrees with a law. A p-value is the probability that a sample of that law is
/// at least as far from it; NaN where there is no test.
struct goodness_of_fit {
  /// The largest distance of the two distribution functions, and Kolmogorov's limit law with
  /// Stephens' correction for finite samples.
  double kolmogorov_smirnov = 0;
  double kolmogorov_p_value = 1;
  /// Pearson's χ² over bins that the law makes equally probable.
  double chi_square = 0;
  int degrees_of_freedom = 0;
  double chi_square_p_value = 1;
};

/// The law must be continuous.
goodness_of_fit fit_of(const sample& results, const distribution_function& law);

/// For results that are values of a format: they are compared with the law as it is stored, that
/// is, at the edges of cells only. The Kolmogorov-Smirnov p-value then errs toward 1.
goodness_of_fit fit_of(const storage& where, const sample& results,
                       const distribution_function& law);

/// P(K > x) of Kolmogorov's law.
double kolmogorov_tail(double x);

}  // namespace ktln2::simulation
