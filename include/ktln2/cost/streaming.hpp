#pragma once

#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/cost/pricing.hpp"
#include "ktln2/distribution/linear_model.hpp"

namespace ktln2 {

/// Exact regression as a stream, with intermediary registers x_M: the two sums
///     S = (Σxy, Σx²)
/// of [eq:exact_formula] run along with the data, and their quotient is the slope. The paper's
/// bound is for a device that does all at once. Done step by step with the knowledge of all that
/// the registers share, it costs the same, since what the sums hold cancels between neighboring
/// steps:
///     Σ_i (H(S_{i-1}) + H(X, Y) - H(S_i)) + H(S_n) - H(ŵ) = n H(X, Y) - H(ŵ)   [eq:exact_landauer]
/// A device of parts does not know what they share. This one adds a point to the sums, with the
/// knowledge of all three, forgets x and y, each by itself, and in the end both sums, each by
/// itself. What it pays more, the modularity cost, is the information that it did not use:
///     n I(X; Y) + Σ_i I(S_i; X_i, Y_i) + I(Σxy; Σx²) + H(ŵ)
struct streaming_cost {
  double n;
  bounded<bits> data;          ///< H(X, Y)
  bounded<bits> slope;         ///< H(ŵ)
  bounded<bits> shared_data;   ///< I(X; Y)
  bounded<bits> shared_steps;  ///< Σ_i I(S_i; X_i, Y_i)
  bounded<bits> shared_sums;   ///< I(Σxy; Σx²), in the end
  /// H(S_i) for i = 1 … n, where they were computed.
  std::vector<bounded<bits>> held = {};
  /// May what stands for the sums be trusted? Always where every state was looked at.
  bool applies = true;

  /// Of all at once, and of all steps with shared knowledge.
  [[nodiscard]] bounded<bits> least() const { return n * data - slope; }
  [[nodiscard]] bounded<bits> modularity() const {
    return n * shared_data + shared_steps + shared_sums + slope;
  }
  /// Of the parts, each by itself.
  [[nodiscard]] bounded<bits> separately() const { return least() + modularity(); }
  /// The least cost of every step: n points, then the division. Needs `held`.
  [[nodiscard]] std::vector<bounded<bits>> steps() const;
};

/// All registers in one format and all operations rounded to it, as `simulation::simulate` has
/// them: Q(XY) and Q(XX), Q after each addition, Q(Σxy/Σx²). Every state of the registers is looked
/// at, so the format has at most 7 bits, with E ≥ 1.
///
/// Throws std::domain_error for other formats, for a bad model, and unless n is a whole number from
/// 1 to 10000; `stopped` if it is stopped.
streaming_cost streamed_regression(const float_format& format, const linear_model& model, double n,
                                   const stop_token& stop = {});

/// For formats of any size: data and slope exactly; for the sums the differential entropies of sums
/// of real numbers, and log₂ Δ(x) ≈ log₂|x| + 1/2 - p as in [eq:first_two_approx]. The bar of
/// `shared_steps` covers what that leaves open of the first two steps. It applies where the noise
/// is wider than the cells of Σxy and all sums are within the format.
///
/// Throws std::domain_error for a bad model, and as slope_law does for n; `stopped` if it is
/// stopped.
streaming_cost smooth_streamed_regression(const float_format& format, const linear_model& model,
                                          double n, const stop_token& stop = {});

/// Is it small enough for the former?
bool can_be_enumerated(const float_format& format, double n);

}  // namespace ktln2
