// Laws that are made of others, and those on x > 0, for the oracle: their cells one by one.
#ifndef ORACLE_FURTHER_HPP_
#define ORACLE_FURTHER_HPP_

#include <vector>

#include "oracle.hpp"

enum class further_kind {
  normal,       // mu, sigma
  laplace,      // location, scale
  uniform,      // low, high
  lognormal,    // mu, sigma
  gamma,        // shape, scale
  exponential,  // scale
  halfnormal,   // sigma
  triangular,   // low, mode, high
};

// Drawn from with a probability of `weight`. What lies outside of [low, high] is put on an atom at
// zero, or, with `truncated`, left out.
struct further_component {
  double weight;
  further_kind kind;
  double params[3];
  double low = -__builtin_huge_val();
  double high = __builtin_huge_val();
  bool truncated = false;
};

// A mixture, of at least one component; the weights need not add up to 1.
using further_law = std::vector<further_component>;

// The probabilities of the cells that ascending edges cut the line into. An atom at zero is in the
// cell above zero.
std::vector<__float128> further_masses(std::vector<__float128> const& edges,
                                       further_law const& law);

// The entropy of the cells that ascending edges cut the line into. The error is only the
// defect of the total probability.
oracle_result oracle_further(std::vector<__float128> const& edges, further_law const& law);

#endif  // ORACLE_FURTHER_HPP_
