#pragma once

#include <string_view>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/cost/computations.hpp"
#include "ktln2/distribution/coefficients.hpp"
#include "ktln2/distribution/normal_row.hpp"
#include "ktln2/distribution/sgd_vector.hpp"

namespace ktln2 {

/// What several registers hold together, and between which two numbers that surely is; for a closed
/// form the two are its value.
struct joint_bits {
  bounded<bits> value;
  bits low;
  bits high;
  std::string_view how;  ///< by which road
};

/// A row of data, d features and y.
joint_bits row_bits(const register_formats& formats, const normal_row& row, entropy_kind kind,
                    const stop_token& stop = {});

/// The coefficients of least squares (see entropy/coefficient_entropy.hpp).
joint_bits model_bits(const storage& where, const coefficients& model, entropy_kind kind,
                      const stop_token& stop = {});
/// Normal ones, such as SGD's by its exact moments.
joint_bits model_bits(const storage& where, const normal_vector& model, entropy_kind kind,
                      const stop_token& stop = {});

/// A computation with many features, its rows and its model.
struct many_computation {
  computation priced;
  joint_bits row;
  joint_bits model;
  double coefficients = 1;

  /// What is erased, for each coefficient.
  [[nodiscard]] bits bits_per_parameter() const;
  /// H(model)/(n H(row))
  [[nodiscard]] double output_share() const;
};

/// n rows in, all coefficients out:
///     ΔE = k_B T ln 2 (n H(row) - H(ŵ))        [eq:landauer_exact_lr]
/// With a penalty and more than one feature no law of ŵ is known: what it holds is then between 0
/// and its registers' bits, and 0 is taken.
many_computation many_regression_cost(const register_formats& formats, const least_squares& task,
                                      entropy_kind kind, const stop_token& stop = {});

/// The same for rows and coefficients that are described each by itself, as those of a table whose
/// features have means that regression without an intercept does not know.
many_computation many_regression_cost(const register_formats& formats, const normal_row& row,
                                      const coefficients& model, entropy_kind kind,
                                      const stop_token& stop = {});
/// With coefficients that are taken for normal ones.
many_computation many_regression_cost(const register_formats& formats, const normal_row& row,
                                      double n, const normal_vector& model, entropy_kind kind,
                                      const stop_token& stop = {});

/// SGD from a point, by its exact moments        [eq:sgd_landauer_noneq]
many_computation many_sgd_cost(const register_formats& formats, const row_model& model,
                               const vector_descent& how, double steps, entropy_kind kind,
                               const stop_token& stop = {});

/// One prediction, (x_1, …, x_d) to Q(b + w·x).
struct many_prediction {
  bounded<bits> features;  ///< H(x_fp)
  bounded<bits> ideal;     ///< H(x_fp) - H(Q(b + w·x)) with x itself, not what is stored of it
  /// The same of what is stored, all pairs of cells one by one: for two independent features whose
  /// registers have at most 2^24 pairs of values, w·x exact in double. A sum of 0 is stored as the
  /// smallest positive value, as the format has no 0.
  std::optional<bounded<bits>> stored;
  bits smooth;  ///< by closed forms

  [[nodiscard]] const bounded<bits>& erased() const { return stored ? *stored : ideal; }
};
many_prediction many_prediction_cost(const register_formats& formats, const row_model& model,
                                     const stop_token& stop = {});

/// The penalty that is best for every n where the features are alike and independent: dσ_ξ²/|w|².
double best_penalty(const row_model& model);

}  // namespace ktln2
