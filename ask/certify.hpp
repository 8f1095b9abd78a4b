#pragma once

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/float_format.hpp"

namespace ktln2::ask {

/// A proved enclosure of the entropy. Throws std::runtime_error in a program that was built without
/// Arb.
bounded<bits> certified(const float_format& format, const law& x, bits tolerance);

}  // namespace ktln2::ask
