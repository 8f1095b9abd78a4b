#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ktln2/entropy/exact.hpp"

namespace ktln2 {

/// What the parts of a register are worth: the conditional entropies that add up to H(X_fp).
struct field_entropies {
  bounded<bits> total;
  bounded<bits> sign;      ///< H(sign)
  bounded<bits> exponent;  ///< H(exponent | sign)
  bounded<bits> mantissa;  ///< H(mantissa | sign, exponent)
};

/// The entropy of the first k bits of a register's code, k = 1 … width, by any road.
using leading_entropy = std::function<bounded<bits>(int kept)>;
leading_entropy exact_leading_entropy(const float_format& format, const law& x,
                                      bits tolerance = default_tolerance,
                                      rounding how = rounding::nearest);

field_entropies entropy_by_field(const float_format& format, const leading_entropy& leading);
inline field_entropies entropy_by_field(const float_format& format, const law& x,
                                        bits tolerance = default_tolerance) {
  return entropy_by_field(format, exact_leading_entropy(format, x, tolerance));
}

/// One bit of the code, given all the bits above it.
struct bit_entropy {
  std::string name;  ///< "sign", "exponent 7" … "exponent 0", "mantissa 22" … "mantissa 0"
  bounded<bits> entropy;
};

/// The worth of every single bit, from the top, by the chain rule
///     H(b_1 … b_k) - H(b_1 … b_{k-1});
/// the first k bits name 2^(p+E-k) neighboring cells at once.
std::vector<bit_entropy> entropy_by_bit(const float_format& format, const leading_entropy& leading);
inline std::vector<bit_entropy> entropy_by_bit(const float_format& format, const law& x,
                                               bits tolerance = default_tolerance) {
  return entropy_by_bit(format, exact_leading_entropy(format, x, tolerance));
}

}  // namespace ktln2
