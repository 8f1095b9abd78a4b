#pragma once

#include <string>

#include "paper/report/run.hpp"

namespace ktln2::paper {

/// The page that shows it all: self-contained but for the links to data and to PDFs beside it.
/// Reads the drawings, figures/NAME.svg in the output directory, of the figures that have one.
std::string report_page(const run_summary& summary);

}  // namespace ktln2::paper
