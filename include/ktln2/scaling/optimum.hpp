#pragma once

#include <optional>
#include <vector>

#include "ktln2/scaling/profit.hpp"

namespace ktln2 {

/// A feasible size that earns at least as much as its two neighbors.
struct local_optimum {
  profit_point point = {};
  std::optional<double> relaxed = {};  ///< the real ñ that it belongs to; nothing at a mere corner
  bool is_corner = false;              ///< the smallest feasible size
  bool is_global = false;
  std::optional<ou_check> ou;  ///< for SGD by the Ornstein–Uhlenbeck law
};

/// Where the profit is largest.
enum class best_place {
  interior,
  corner,    ///< at the smallest feasible size: energy is too dear for more
  beyond,    ///< somewhere above 1e15, the most points that a problem may have
  infinity,  ///< nowhere: it rises with n for ever
};

struct best_size {
  best_place place = best_place::corner;
  /// The feasible size that earns most, whether or not the profit has one maximum only. Nothing
  /// where there is none.
  std::optional<profit_point> best = {};
  /// The real ñ that earns most [eq:nstar_ex] [eq:nstar_sgd]. Nothing where there is none, and by
  /// SGD's exact law, which is known at whole steps only.
  std::optional<double> relaxed = {};
  /// The better of its two feasible neighbors, as the paper rounds.
  std::optional<double> rounded = {};
  std::vector<local_optimum> optima = {};  ///< ascending in n
  /// Was every size that can win looked at? Not for exact entropies at very large n, nor by SGD's
  /// exact law; then the search is local around the optima of the relaxed curve.
  bool is_exhaustive = true;
};

/// Looks for sign changes of u' on a fine logarithmic grid, which finds the local optima; then for
/// anything better by branch and bound on upper bounds of the profit, which assumes only that the
/// demand does not rise with the error.
best_size find_best_size(const profit_curve& curve);

}  // namespace ktln2
