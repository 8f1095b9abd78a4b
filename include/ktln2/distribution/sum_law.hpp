#pragma once

#include "ktln2/core/stop.hpp"
#include "ktln2/distribution/law.hpp"

namespace ktln2 {

/// What is made of n independent numbers with the same law.
enum class total_of { mean, sum };

/// The law of the mean, or of the sum, of n independent numbers [sec:avg_sum], with no central
/// limit theorem. Normal and Cauchy laws (Student's t with one degree of freedom) stay what they
/// are, for n up to 1e15. The sum of uniform numbers is Irwin's and Hall's, a spline. Any other sum
/// is put together by doubling: the density of 2k numbers is that of k convolved with itself, on
/// panels of Gauss nodes, and all terms are positive, so that the tails keep their digits too. What
/// that leaves uncertain is in the law's table_error, and so in the error bar of an entropy.
///
/// Throws std::domain_error unless n is a whole number ≥ 1 and at most 1e15, or 1e6 for a sum that
/// has to be put together, if the law of the sum is beyond double's range, and for Student's t with
/// less than half a degree of freedom.
law total_law(const law& x, double n, total_of what, const stop_token& stop = {});

}  // namespace ktln2
