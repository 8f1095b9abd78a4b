#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ask/line_fit.hpp"
#include "ktln2/core/square_matrix.hpp"
#include "ktln2/distribution/normal_row.hpp"

namespace ktln2::ask {

/// Calls its argument with every row (x_1 … x_d, y) of a table, once and in order.
using each_row = std::function<void(const std::function<void(const std::vector<double>&)>&)>;

/// A plane through points with many features, and how far each number may be off: standard errors.
struct plane_fit {
  double n = 0;
  bool has_intercept = false;
  /// ŵ, the means and the covariance of the features, b̂ (0 without an intercept) and σ_ξ.
  row_model model = {};
  double mean_y = 0;

  /// Of ŵ and, last, of the intercept, if there is one: σ_ξ² (XᵀX)⁻¹, for noise of one size.
  square_matrix covariance = {};
  std::vector<double> errors = {};  ///< the roots of its diagonal
  /// The triangle whose product with itself it is, good to the last digits also where an intercept
  /// is so far from all features that the covariance's own digits do not tell what is left of it.
  square_matrix factor = {};
  double factor_doubt = 0;  ///< by how much rounding may have moved ln det
  /// For noise of any sizes: (XᵀX)⁻¹ (Σ r² x xᵀ) (XᵀX)⁻¹. Of points that could be read twice.
  std::vector<double> robust_errors = {};
  double sigma_xi_error = 0;

  /// wᵀΣw/σ_ξ², less the d/n that noise alone makes, and not below 0.
  double snr = 0;
  std::optional<double> snr_error = {};          ///< by the jackknife, where there are rows enough
  std::optional<residual_check> residuals = {};  ///< of points that could be read twice

  /// The least that is left of a feature, given those before it, as a share, and which one that is.
  double least_share = 1;
  std::size_t nearest = 0;

  /// The model of all rows but one group of them, for each group in turn.
  std::vector<row_model> without = {};
};

/// By how much a function of the model would vary from table to table, from its values without each
/// of the groups (the jackknife). Nothing for fewer than three values.
std::optional<double> jackknife_error(const std::vector<double>& values);

/// The least squares of y - w·x        [eq:exact_formula]
/// or of y - w·x - b. Reads the points once, and, if they can be, once more for the residuals and a
/// step that refines ŵ. `names` are those of the features, for messages. Throws std::domain_error
/// where the coefficients cannot be told: fewer rows than two more than there are of them, features
/// that never change or are combinations of others, residuals that are all 0.
plane_fit fit_plane(const each_row& points, const std::vector<std::string>& names,
                    bool has_intercept, bool can_read_again);

}  // namespace ktln2::ask
