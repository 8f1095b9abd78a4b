#pragma once

#include <vector>

#include "ktln2/distribution/pair.hpp"
#include "ktln2/format/float_format.hpp"

namespace ktln2 {

/// The values of a small format, ascending.
std::vector<double> values_of(const float_format& format);

/// P that X is stored as the i-th value of a format and Y as the j-th, at i·K + j: the integral
/// over the cell of X of the density times what the normal law around wx gives to the cell of Y.
/// Throws std::domain_error where the noise is so narrow that this would take 1e5 pieces a cell.
std::vector<double> pair_masses(const float_format& format, const regression_pair& pair);

}  // namespace ktln2
