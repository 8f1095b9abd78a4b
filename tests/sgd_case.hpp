#pragma once

#include "ktln2/distribution/sgd.hpp"

/// A law of SGD's slope that a test is about.
struct sgd_case {
  ktln2::linear_model model{.w = 2};
  ktln2::descent how = {};
  double steps = 100;
};
