#pragma once

#include "ktln2/core/units.hpp"
#include "ktln2/distribution/normal.hpp"
#include "ktln2/distribution/sgd_shape.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

// How far the entropy of a law may be from that of the normal law with the same mean and deviation,
// when its shape is known. An estimate, with a margin, from the first terms of the Edgeworth
// series: infinite where that is of no use, beyond a skewness or a root of the excess kurtosis of
// ½.

/// On a register.
bits shape_doubt(const partition& cells, const normal& x, const law_shape& shape);
/// Of the law itself.
differential_bits shape_doubt(const law_shape& shape);

}  // namespace ktln2
