#pragma once

#include <variant>

#include "ktln2/distribution/linear_model.hpp"

namespace ktln2 {

/// Stochastic gradient descent towards the slope of a linear model: from ŵ ~ N(w0, w0_sigma²), the
/// point w0 itself for w0_sigma = 0, each step on a fresh batch [eq:SGD_update]. How many steps
/// there are is said apart.
struct descent {
  double eta = 0.01;
  double batch = 10;
  double w0 = 1;
  double w0_sigma = 0;

  [[nodiscard]] bool has_random_start() const { return w0_sigma > 0; }
};

/// Which law stands for ŵ.
enum class sgd_model {
  ou,          ///< the Ornstein–Uhlenbeck process at that time [sec:nonstationarysgd]
  stationary,  ///< its limit [eq:SGD_final_dist]
  moments,     ///< normal, with the exact mean and variance
  exact,       ///< the law itself
};

struct slope_origin {
  linear_model model;
  double n = 0;
};

struct sgd_origin {
  linear_model model;
  descent how;
  double steps = 0;
  sgd_model which = sgd_model::ou;
};

/// What a law was made of whose location and scale are irrational: they are rounded in the law, and
/// whoever needs them exactly, as a proof does, begins here.
using law_origin = std::variant<slope_origin, sgd_origin>;

}  // namespace ktln2
