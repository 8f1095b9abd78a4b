// What all of the oracle's arithmetic is done in.
#ifndef ORACLE_QUAD_HPP_
#define ORACLE_QUAD_HPP_

#include <quadmath.h>

namespace oracle {

using quad = __float128;

inline quad const kInfinity = HUGE_VALQ;
inline quad const kSqrt2 = M_SQRT2q;
inline quad const kLn2 = M_LN2q;

// 2^n, exactly.
inline quad power_of_two(int n) { return ldexpq(1, n); }

}  // namespace oracle

#endif  // ORACLE_QUAD_HPP_
