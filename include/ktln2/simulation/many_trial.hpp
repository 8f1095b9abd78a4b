#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ktln2/core/square_matrix.hpp"

namespace ktln2::simulation {

/// Where rows with many features come from: x ~ N(μ, Σ), y = b + w·x + ξ.
struct many_source {
  std::vector<double> w;
  std::vector<double> mu;
  square_matrix covariance;
  double b = 0;
  double sigma_xi = 1;
};

/// One trial of SGD on many coefficients, with fresh rows in each step:
///     θ ← θ - (η/B) Σ (θ·x - y) x.
/// With an intercept, θ has it in front. It is written down row by row and uses no formula for
/// moments: a witness of them.
struct many_sgd_trial {
  many_source from;
  bool intercept = false;
  double eta = 0.01;
  std::uint64_t batch = 10;
  std::uint64_t steps = 100;
  std::vector<double> start;
};

/// One trial of least squares on n fresh rows: the θ that makes Σ (θ·x - y)² least, with the
/// intercept, if there is one, behind the others. It solves the rows' own equations, and uses no
/// law of θ: a witness of it.
struct many_ols_trial {
  many_source from;
  bool intercept = false;
  std::uint64_t n = 20;
};

struct many_settings {
  std::uint64_t trials = 100'000;
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: as many as the machine runs at once; the results are the same
  /// Told now and then which share is done; returns whether to go on.
  std::function<bool(double)> progress = {};
};

/// The coefficients that each trial ends with: a list of all trials for each coefficient. Empty
/// lists if `progress` stops it. Throws std::domain_error for sizes that do not agree, for a
/// covariance that is not positive definite, for fewer rows than coefficients, and for more than
/// 1e12 numbers to draw.
std::vector<std::vector<double>> simulate(const many_sgd_trial& what,
                                          const many_settings& set = {});
std::vector<std::vector<double>> simulate(const many_ols_trial& what,
                                          const many_settings& set = {});

}  // namespace ktln2::simulation
