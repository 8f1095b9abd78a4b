#pragma once

#include <optional>

#include "certificate/positive_cells.hpp"

namespace ktln2::certificate {

/// -Σ P ln P over the positive cells, in nats, for the uniform law on [low, high]. All cells of a
/// level that lie inside have the same P, so they are counted, and those at the ends are added.
/// Nothing, if the working precision does not tell on which side of an end an edge lies.
std::optional<ball> uniform_sum(const positive_cells& cells, double low, double high);

}  // namespace ktln2::certificate
