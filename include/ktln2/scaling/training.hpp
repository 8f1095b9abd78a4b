#pragma once

#include <variant>

#include "ktln2/distribution/linear_model.hpp"
#include "ktln2/distribution/sgd.hpp"

namespace ktln2 {

/// What is trained: by exact regression, …
struct regression_training {
  linear_model model;
};
/// … or by SGD, whose slope follows this law.
struct sgd_training {
  linear_model model;
  descent how;
  sgd_model law = sgd_model::moments;
};
using training = std::variant<regression_training, sgd_training>;

inline const linear_model& model_of(const training& what) {
  return std::visit([](const auto& one) -> const linear_model& { return one.model; }, what);
}

/// The error of predictions with the slope of exact regression on n points, n real. Infinite for
/// n ≤ 2.
///     MSE = σ_ξ² (n-1)/(n-2)        [eq:exact_error]
double regression_mse(double n, double sigma_xi);

/// The error of predictions after k steps, k real: σ_x² E(ŵ - w)² + σ_ξ²        [sec:scaling]
/// Throws std::domain_error as relaxed_sgd does.
double sgd_mse(const linear_model& model, const descent& how, double steps, sgd_model which);

/// How far the Ornstein–Uhlenbeck law is from the exact moments of SGD after so many steps.
struct ou_check {
  double deviation_ratio = 1;  ///< exact deviation / that of the process
  double mean_gap = 0;         ///< exact mean - that of the process, in exact deviations
  double mse_ratio = 1;        ///< exact MSE / that by the process

  /// Would two normal laws so far apart differ in total variation by less than about 0.05?
  [[nodiscard]] bool trusted() const;
};
ou_check check_ou(const linear_model& model, const descent& how, double steps);

}  // namespace ktln2
