#pragma once

#include <optional>

#include "ktln2/core/result.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/float_format.hpp"
#include "ktln2/format/number_format.hpp"

namespace ktln2 {

/// How far the stored number Q(X) is from X, on average, where each x is stored as the nearest
/// number that the register has.
struct rounding_errors {
  /// E (Q(X) - X)², in units of X². Nothing where it is infinite: where X has no finite deviation,
  /// or is with some probability stored as an infinity or a NaN; nor where a double cannot hold it.
  std::optional<bounded<double>> mean_square;
  /// E min(1, |Q(X) - X|/|X|), for 0 itself 0 if it is stored as 0. It exists for every law: what
  /// is stored as zero, or as an infinity or a NaN, is off by 1, and so is what comes to lie
  /// farther away than zero would be, as the smallest numbers do in the paper's formats, which have
  /// no zero.
  bounded<double> relative = exactly(0.0);
};

/// In one of the paper's formats [eq:sem_fp].
rounding_errors rounding_errors_of(const float_format& format, const law& x);
/// In a format that people own. Ties do not matter but to atoms: they go to the even code.
rounding_errors rounding_errors_of(const number_format& format, overflow beyond, const law& x);

}  // namespace ktln2
