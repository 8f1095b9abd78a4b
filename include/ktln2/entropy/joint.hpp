#pragma once

#include <string>
#include <utility>

#include "ktln2/core/result.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/pair.hpp"
#include "ktln2/format/storage.hpp"

namespace ktln2 {

/// The formats of two registers, of the paper's kind.
struct format_pair {
  float_format x;
  float_format y;
};

/// Where two numbers are kept.
struct storage_pair {
  storage x;
  storage y;

  storage_pair(storage of_x, storage of_y) : x{std::move(of_x)}, y{std::move(of_y)} {}
  storage_pair(const format_pair& formats)  // NOLINT(google-explicit-constructor)
      : x{formats.x}, y{formats.y} {}

  /// Are both of the paper's kind?
  [[nodiscard]] bool is_ideal() const { return x.ideal() != nullptr && y.ideal() != nullptr; }
  /// Throws std::domain_error that begins with `where` unless they are.
  [[nodiscard]] format_pair ideal(const std::string& where) const {
    return {x.ideal(where), y.ideal(where)};
  }
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
/// are symmetric about 0, of a centered pair about an edge at 0, and `stopped` when asked to stop.
joint_entropies joint_entropy(const partition& x_cells, const partition& y_cells,
                              const regression_pair& pair, bits tolerance = default_joint_tolerance,
                              const stop_token& stop = {});

/// X kept in one place and Y in another. Throws std::domain_error also for two cells that share a
/// code, such as a NaN for what is too large on either side.
joint_entropies joint_entropy(const storage_pair& where, const regression_pair& pair,
                              bits tolerance = default_joint_tolerance,
                              const stop_token& stop = {});
inline joint_entropies joint_entropy(const format_pair& formats, const regression_pair& pair,
                                     bits tolerance = default_joint_tolerance,
                                     const stop_token& stop = {}) {
  return joint_entropy(storage_pair{formats}, pair, tolerance, stop);
}

}  // namespace ktln2
