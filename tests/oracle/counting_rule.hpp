// Gauss quadrature for the counting measure.
#ifndef ORACLE_COUNTING_RULE_HPP_
#define ORACLE_COUNTING_RULE_HPP_

#include <vector>

#include "quad.hpp"

namespace oracle {

// sum_{j=0}^{N-1} g(j - (N-1)/2) = sum_i weight_i g(+-offset_i) for polynomials of degree < 2n.
struct Rule {
  std::vector<quad> offset, weight;
};

// Of n <= kMaxOrder points for N = 2^log2_count, log2_count < 64.
constexpr int kMaxOrder = 30;
Rule const& rule(int n, int log2_count);

}  // namespace oracle

#endif  // ORACLE_COUNTING_RULE_HPP_
