#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "ktln2/distribution/linear_model.hpp"

namespace ktln2::ask {

/// Calls its argument with every pair (x, y) of a table, once and in order.
using each_pair = std::function<void(const std::function<void(double, double)>&)>;

/// What the residuals show, each number with what normal noise of one size would make it.
struct residual_check {
  double mean = 0;        ///< 0, up to σ_ξ/√n; always so with an intercept
  double skewness = 0;    ///< 0, up to √(6/n)
  double kurtosis = 0;    ///< 3, up to √(24/n)
  double unevenness = 0;  ///< χ² with one degree of freedom: do the squares depend on (x - x̄)²?
};

/// A line through points, and how far each number may be off: standard errors. Those of the
/// deviations count the measured kurtosis where points could be read twice; else they are those of
/// normal numbers.
struct line_fit {
  double n = 0;
  bool has_intercept = false;
  linear_model model = {};  ///< ŵ, σ_x about 0 (about the mean with an intercept), σ_ξ
  double intercept = 0;
  double mean_x = 0;
  double mean_y = 0;

  linear_model errors = {};
  double intercept_error = 0;
  /// Of ŵ, whatever the sizes of the noise: (Σ x² r²)^½ / Σ x².
  std::optional<double> robust_error = {};

  /// w²σ_x²/σ_ξ², less the 1/n that noise alone makes, and not below 0.
  double snr = 0;
  double snr_error = 0;
  std::optional<residual_check> residuals = {};  ///< of points that could be read twice

  /// Of how many points the slope has the law: an intercept takes one point's worth.
  [[nodiscard]] double slope_points() const { return has_intercept ? n - 1 : n; }
};

/// Throws std::domain_error where n numbers cannot be told by their squares in double precision:
/// the sum of these is infinite, or their mean next to 0.
void require_in_range(long double squares, long double n);

/// The least squares of y - wx        [eq:exact_formula]
/// or of y - wx - b. Reads the points once, and, if they can be, once more for the residuals.
/// Throws std::domain_error where a line cannot be told from them: fewer than 3 points, x that is
/// always the same, residuals that are all 0.
line_fit fit_line(const each_pair& points, bool has_intercept, bool can_read_again);

}  // namespace ktln2::ask
