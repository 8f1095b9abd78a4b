#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ktln2::measure {

/// A sum over the bytes of a tensor from which equal bytes are known: the pieces may come in any
/// order, and be cut anywhere at multiples of 8 bytes. `position` is where they stand in the
/// tensor. Each word of 8 bytes w gives the product of the two halves of w + key(place) (Black et
/// al. 1999, UMAC's NH).
std::uint64_t digest_of(std::span<const std::byte> bytes, std::uint64_t position);

}  // namespace ktln2::measure
