#pragma once

#include "ktln2/core/result.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/block_format.hpp"

namespace ktln2 {

/// What a block of independent numbers of one law holds.
struct block_entropies {
  bounded<bits> scale;
  bounded<bits> elements_given_scale;
  bounded<bits> joint;                ///< the whole block: both together
  bounded<bits> joint_per_element;    ///< the same over the size of a block
  bounded<bits> element_given_scale;  ///< one element alone
  bounded<bits> dependence;           ///< what its elements know of each other, given the scale
};

/// By a closed form: a block has the scale s where its largest magnitude lies between m and m', so
///     P(codes, s) = Π q(c) - Π r(c),   q(c) = P(|X| < m', Q(X/s) = c),   r(c) the same with m,
/// and but for the one or two codes that m cuts in two, r is q or 0. The cost does not grow with
/// the number of blocks that there are.
/// The error bar covers rounding, and scales that are too rare to be counted. Throws `stopped` if
/// it is stopped.
block_entropies exact_entropies(const block_format& format, const law& x,
                                const stop_token& stop = {});

}  // namespace ktln2
