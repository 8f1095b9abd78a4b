#pragma once

#include <string>
#include <vector>

#include "laws.hpp"

namespace ktln2::python {

/// ln f of somebody's density, as it was sampled: on each panel a sum of Chebyshev polynomials, and
/// no mass beyond the panels. In units z of location + scale·z.
struct density_table {
  std::string name;
  std::vector<double> edges;         ///< of the panels, ascending
  std::vector<double> coefficients;  ///< as many for each panel
  std::vector<double> breaks;        ///< where the density is not smooth; these are edges
  bool has_jumps = false;
  double location = 0;
  double scale = 1;
  double relative_error = 0;  ///< of the density, by the sums
};

/// Throws std::domain_error, when the law is first asked for, unless it is a density.
law_batch tabulated_batch(density_table table);

}  // namespace ktln2::python
