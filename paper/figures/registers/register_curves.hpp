#pragma once

#include <vector>

#include "ktln2/format/float_format.hpp"
#include "paper/figures/figure.hpp"

/// Curves that several figures of registers have in common.
namespace ktln2::paper {

/// The exact entropy of N(0, σ²), a curve for each number of exponent bits, against
/// [eq:single_mean_0]; and a table "ends" with the deviations 2^e_min and 2^e_max of each format.
std::vector<table> entropy_against_deviation(int p, const std::vector<int>& exponent_bits,
                                             const std::vector<double>& sigmas, const effort& work);

/// The exact entropy of N(μ, σ²), a curve for each σ, against Approximation 3.
table entropy_against_mean(const float_format& format, const std::vector<double>& sigmas,
                           const std::vector<double>& means, const effort& work);

/// The figures of two registers against their precision, which differ in the noise only
/// [fig:full_fp_exact_approx_p_E].
figure joint_against_precision(const char* label, double sigma_xi, const char* title,
                               const char* caption, const char* adds);

/// The first, the middle and the last of a list in a quick run.
std::vector<int> thinned(const std::vector<int>& all, const effort& work);

}  // namespace ktln2::paper
