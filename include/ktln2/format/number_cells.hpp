#pragma once

#include <vector>

#include "ktln2/format/number_format.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// A part of the real line. It may be empty.
struct interval {
  wide left;
  wide right;
};

/// Where a register's codes, or only their leading bits, come from. Nearly every code has one cell.
/// A NaN that stands for what is too large on either side has two, and the cell of the codes that
/// begin like it may be a third one.
struct register_cells {
  partition cells;
  std::vector<interval>
      alike;  ///< cells of the partition that share one code; at least two, or none
};

/// The cells of a format under a rule: all x of a cell are stored as the same code, or, with
/// `dropped_bits` = j > 0, as codes that agree in all but their lowest j bits. Throws
/// std::domain_error for a rule that the format does not have, unless 0 ≤ j ≤ width().
register_cells cells_of(const number_format& format, const storing& rule, int dropped_bits = 0);

/// The same where the cell of a zero without a sign is cut in two at 0.
partition cells_cut_at_zero(const number_format& format, const storing& rule);

/// Is anything on this side of zero stored as an infinity or a NaN?
bool may_overflow(const number_format& format, const storing& rule, bool negative);

/// What is stored as a number with this magnitude or a larger one, up to `last`, on one side of
/// zero.
interval cell_of(const number_format& format, const storing& rule, bool negative,
                 std::uint64_t first, std::uint64_t last);

}  // namespace ktln2
