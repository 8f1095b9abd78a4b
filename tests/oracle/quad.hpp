// What all of the oracle's arithmetic is done in.
#ifndef ORACLE_QUAD_HPP_
#define ORACLE_QUAD_HPP_

#include <quadmath.h>

namespace oracle {

using quad = __float128;

// quadmath.h has constants too, as literals that only GNU's compiler reads.
inline quad const kInfinity = __builtin_huge_val();
inline quad const kSqrt2 = sqrtq(2);
inline quad const kLn2 = logq(2);
inline quad const kPi = acosq(-1);

// 2^n, exactly.
inline quad power_of_two(int n) { return ldexpq(1, n); }

}  // namespace oracle

#endif  // ORACLE_QUAD_HPP_
