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
/// With a penalty and more than one feature no law of ŵ is known: what it holds is then anything
/// from 0 to its registers' bits, and the error bar says so.
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

/// One prediction: (x_1, …, x_d), as stored, to Q(b + w·x_fp). How the output is known:
///   one           a single feature without mean and intercept: exactly (see inference.hpp)
///   enumeration   independent features whose registers have at most 2^24 values together, those
///   one
///                 by one. A sum of 0 is stored as the smallest positive value: the format has no 0
///   bracket       else it is held against that of x itself, before it was stored. Either falls
///   only
///                 a few cells away from the other, and its error is the entropy of that shift
struct many_prediction {
  enum class method { one, enumeration, bracket };

  bounded<bits> features;      ///< H(x_fp)
  bounded<bits> output;        ///< H(Q(b + w·x_fp))
  bounded<bits> ideal_output;  ///< H(Q(b + w·x)), of x itself
  std::optional<bits> smooth;  ///< what is erased by closed forms, where these exist
  method how = method::bracket;

  [[nodiscard]] bounded<bits> erased() const { return features - output; }
  [[nodiscard]] bounded<bits> ideal() const { return features - ideal_output; }
};
std::string_view name_of(many_prediction::method how);
/// Throws std::domain_error if w is 0 for all features.
many_prediction many_prediction_cost(const register_formats& formats, const row_model& model,
                                     const stop_token& stop = {});

/// The penalty that is best for every n where the features are alike and independent: dσ_ξ²/|w|².
double best_penalty(const row_model& model);

}  // namespace ktln2
