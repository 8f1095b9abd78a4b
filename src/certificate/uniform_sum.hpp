#pragma once

#include <optional>

#include "certificate/cell_line.hpp"

namespace ktln2::certificate {

/// -Σ P ln P over the cells of a line, in nats, for the uniform law on [low, high]; those that are
/// `alike` count as one cell. All cells of a run that lie inside have the same P, so they are
/// counted, and those at the ends are added. Nothing, if the working precision does not tell on
/// which side of an end an edge lies.
std::optional<ball> uniform_sum(const cell_line& cells, double low, double high,
                                const joined_cells& alike);

}  // namespace ktln2::certificate
