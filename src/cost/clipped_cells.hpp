#pragma once

#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// Which positive values of a format, counted from 0, are told apart: those from `first` up to and
/// without `end`. The ones below are one, and so are those from there on.
struct told_apart {
  register_code first;
  register_code end;
};

/// The k-th positive cell of a format, as a run of one.
cell_run positive_cell(const partition& cells, const float_format& format, register_code k);

/// The cells of a format with such mergers on both sides of zero.
partition clipped_cells(const float_format& format, const told_apart& middle);

}  // namespace ktln2
