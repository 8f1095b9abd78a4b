// A slow, independent, high-precision reference for the joint entropy of two registers, in
// __float128 throughout.
//
// X and xi are independent and normal with mean 0, and Y = w X + xi. X is stored in one idealized
// floating-point format [sec:fpn_structure] and Y in another, or the same, both rounded to nearest.
#ifndef ORACLE_PAIR_HPP_
#define ORACLE_PAIR_HPP_

#include "oracle.hpp"

// The parameters mean exactly that binary number. sigma_xi = 0 is allowed if w is not 0.
struct oracle_pair_law {
  __float128 w, sigma_x, sigma_xi;
};

struct oracle_pair_result {
  oracle_result joint;  // H(X_fp, Y_fp)
  oracle_result x, y;   // H(X_fp) and H(Y_fp)
};

// All in bits, by a sum over all pairs of cells that are not negligible: the time grows with
// 2^(px + Ex + py + Ey) unless X and Y are close. 1 <= p, 0 <= E <= 12 and p + E <= 24 for either.
// Throws std::invalid_argument for anything outside of the domain.
oracle_pair_result oracle_pair_entropy(int px, int Ex, int py, int Ey, oracle_pair_law const& law);

#endif  // ORACLE_PAIR_HPP_
