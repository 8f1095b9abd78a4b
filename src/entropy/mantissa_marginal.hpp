#pragma once

#include <optional>

#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2 {

/// H of the mantissa alone,
///     P(m) = Σ P(sign, exponent, m)   over all signs and exponents,
/// a smooth function of m but for some places: summed by Gram quadrature of two orders between
/// them, in pieces that are cut until both agree, and until the mass that they find is the one that
/// the distribution function has. Nothing where that takes too many pieces, for a law with atoms,
/// and for rounding to odd.
std::optional<bounded<bits>> mantissa_marginal(const stored_variable& stored);

}  // namespace ktln2
