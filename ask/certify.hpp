#pragma once

#include "ktln2/entropy/fields.hpp"

namespace ktln2::ask {

/// Proved enclosures of the entropy of a register's leading bits. Throws std::runtime_error, when
/// it is called, in a program that was built without Arb.
leading_entropy certified_leading_entropy(const float_format& format, const law& x, bits tolerance);

}  // namespace ktln2::ask
