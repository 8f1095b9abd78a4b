#pragma once

#include "ktln2/core/result.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/pair.hpp"
#include "ktln2/format/partition.hpp"

namespace ktln2 {

/// The formats of two registers.
struct format_pair {
  float_format x;
  float_format y;
};

inline constexpr bits default_joint_tolerance{1e-11};

/// The entropies of two registers.
struct joint_entropies {
  bounded<bits> joint;               ///< H(X_fp, Y_fp)
  bounded<bits> x;                   ///< H(X_fp)
  bounded<bits> y;                   ///< H(Y_fp)
  bounded<bits> conditional;         ///< H(Y_fp | X_fp)
  bounded<bits> mutual_information;  ///< I(X_fp; Y_fp)
};

/// The cells that X falls into and Y [cor:joint_ent], for any signal-to-noise ratio. The work
/// hardly grows with the number of cells: at worst, where σ_ξ is below the cell widths of both
/// registers and |w| is not near a simple fraction, like the root of the number of cells in a
/// binade. Throws std::domain_error unless the tolerance is > 0 and at most 1 and both partitions
/// are symmetric about an edge at 0, and `stopped` when asked to stop.
joint_entropies joint_entropy(const partition& x_cells, const partition& y_cells,
                              const regression_pair& pair, bits tolerance = default_joint_tolerance,
                              const stop_token& stop = {});

/// X stored in one format and Y in another.
inline joint_entropies joint_entropy(const format_pair& formats, const regression_pair& pair,
                                     bits tolerance = default_joint_tolerance,
                                     const stop_token& stop = {}) {
  return joint_entropy(partition{formats.x}, partition{formats.y}, pair, tolerance, stop);
}

}  // namespace ktln2
