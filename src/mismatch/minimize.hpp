#pragma once

#include <functional>
#include <vector>

namespace ktln2::mismatch {

struct plane_point {
  double x;
  double y;
};

/// A rectangle, with its edges.
struct box {
  plane_point low;
  plane_point high;
};

/// Where a function is not larger than nearby in the box.
struct local_minimum {
  double x;
  double y;
  double value;
  bool x_at_bound;
  bool y_at_bound;
};

struct minimum_search {
  int grid = 25;         ///< points a side of the lattice of first looks, the edges among them
  double noise = 1e-12;  ///< differences of the function below this mean nothing
  double step = 0.02;    ///< of the differences that stand for derivatives
  std::vector<plane_point> starts{};  ///< where minima are expected
};

/// All local minima that a search from every low point of a lattice finds, the lowest first, each
/// once: a pattern search, which edges and ridges do not confuse, and then Newton's method with
/// differences of sixth order in the coordinates that are not at a bound. (Nested Brent searches
/// would find one minimum only, and an optimizer that looks at values alone knows its place to √ε.)
/// From the given starts Newton's method goes first, and low points of the lattice from which the
/// function just falls to a minimum that is known are left out. Where the minimum is a whole curve,
/// points of that curve.
///
/// Throws std::domain_error unless the box is finite and not empty, the grid from 2 to 1000, the
/// step > 0, and the function nowhere NaN. +infinity is a value like others.
std::vector<local_minimum> local_minima(const std::function<double(double, double)>& f,
                                        const box& inside, const minimum_search& how = {});

}  // namespace ktln2::mismatch
