#pragma once

#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2::ask {

/// Proved enclosures of the entropy of a register's leading bits. These throw std::runtime_error,
/// when they are called, in a program that was built without Arb.
leading_entropy certified_leading_entropy(const float_format& format, const law& x, bits tolerance);
leading_entropy certified_leading_entropy(const stored_variable& stored);
cell_entropy certified_cell_entropy(const stored_variable& stored);

}  // namespace ktln2::ask
