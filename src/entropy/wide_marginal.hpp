#pragma once

#include <cstdint>
#include <optional>

#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2 {

/// marginal_entropy() for registers whose codes are too many to go through: of the leading bits,
/// of the exponent, of the mantissa and of a few last bits. Nothing for other parts, and where no
/// good error bar can be had.
std::optional<bounded<bits>> wide_marginal(const stored_variable& stored, std::uint64_t mask);

}  // namespace ktln2
