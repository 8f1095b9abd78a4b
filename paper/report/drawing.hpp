#pragma once

#include "paper/report/run.hpp"

namespace ktln2::paper {

/// Draws the figures of the summary from their data, with Python and matplotlib, and notes which
/// are drawn; where there is no matplotlib, says so in `no_drawing`. Throws `stopped` after Ctrl-C,
/// std::runtime_error if the drawing fails.
void draw(run_summary& summary, unsigned threads, const std::function<void(const progress&)>& tell);

}  // namespace ktln2::paper
