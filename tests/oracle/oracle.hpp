// A slow, independent, high-precision reference for H(X_fp), in __float128 throughout.
//
// X is a continuous random variable and X_fp the value stored on the idealized floating-point
// format p<p>e<E> [sec:fpn_structure]: magnitudes 2^e (1 + m 2^(1-p)), both signs, no zero, and for
// E = 0 a single level with exponent 1/2. The entropy is that of [thm:quantized_ent], in bits.
#ifndef ORACLE_HPP_
#define ORACLE_HPP_

#include <vector>

enum class oracle_kind {
  normal,    // mu, sigma
  student,   // degrees of freedom (real, > 0), location, scale
  slope,     // n, w, sigma_x, sigma_xi: the law of the fitted slope [lem:compute_f_z]
  uniform,   // low, high
  laplace,   // location, scale
  logistic,  // location, scale
};

// Parameters are IEEE doubles and mean exactly that binary number.
struct oracle_law {
  oracle_kind kind;
  double params[4];
};

struct oracle_result {
  __float128 value;  // bits
  __float128 error;  // estimated absolute error of value, in bits
};

// Number of parameters that a kind takes.
int oracle_arity(oracle_kind kind);

// H(X_fp) at a cost that does not grow with 2^p. floor_cells rounds |x| down to the next
// representable magnitude instead of to the nearest one. 1 <= p <= 64, 0 <= E <= 15.
// Throws std::invalid_argument for anything outside of the domain.
oracle_result oracle_entropy(int p, int E, bool floor_cells, oracle_law const& law);

// The same by plain enumeration of all 2^(p+E) cells; p + E <= 24. The error is only the defect of
// the total probability.
oracle_result oracle_enumerate(int p, int E, bool floor_cells, oracle_law const& law);

// The entropy of the cells that `count` ascending edges cut the line into, by plain enumeration.
// The error is only the defect of the total probability.
oracle_result oracle_cells(__float128 const* edges, int count, oracle_law const& law);

// The probabilities of these cells, one more than there are edges.
std::vector<__float128> oracle_masses(std::vector<__float128> const& edges, oracle_law const& law);

// The mean of what these cells have, `of`, one more than there are edges, in units of that. The
// error is the defect of the total probability times the largest of them.
oracle_result oracle_mean(__float128 const* edges, int count, __float128 const* of,
                          oracle_law const& law);

#endif  // ORACLE_HPP_
