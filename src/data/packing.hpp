#pragma once

#include <cstddef>
#include <span>

#include "ktln2/data/tensor.hpp"

namespace ktln2::data {

/// Throws std::domain_error for a type that numbers cannot be rounded to: one without a format.
void require_packable(const element& type);

/// The numbers rounded to a type's format, as a file would have them, in the front of the buffer:
/// little-endian, those of 4 and 6 bits from the lowest bit of each byte on.
std::span<const std::byte> pack(std::span<const double> values, const element& type,
                                std::span<std::byte> buffer);

}  // namespace ktln2::data
