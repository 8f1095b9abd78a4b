#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/cost/device.hpp"
#include "ktln2/cost/internal.hpp"
#include "ktln2/distribution/linear_model.hpp"
#include "ktln2/distribution/sgd.hpp"
#include "ktln2/distribution/sum_law.hpp"

/// What computations.hpp and inference.hpp leave out: the internal entropies of their states.
namespace ktln2 {

/// Like groups of registers, as a register_group counts them.
struct internal_group {
  std::string name;
  double count;
  internal_mean each;
};

/// The internal part of a bill. At the beginning the inputs are loaded and the outputs are still
/// fixed; in the end the inputs are reset and the outputs computed [tab:cyclic_device].
struct internal_bill {
  std::vector<internal_group> input;
  std::vector<internal_group> output;

  [[nodiscard]] bounded<bits> loaded() const;    ///< of all registers at the beginning
  [[nodiscard]] bounded<bits> computed() const;  ///< and in the end
  /// The same, counted from where all registers are reset: nothing is left of what all states have
  /// in common.
  [[nodiscard]] internal_entropies above_reset() const;
};

/// Of the registers of data and model.
struct internal_tables {
  internal_table x;
  internal_table y;
  internal_table model;
};

/// n points in, the slope out. What x and y share does not matter, for a joint state has the sum of
/// what its registers have.
internal_bill regression_internal(const internal_tables& of, const linear_model& model, double n,
                                  const stop_token& stop = {});

/// k steps of SGD, of which the models in between cancel. The first model is an input, also where
/// it is known: it holds no information, but its state has an internal entropy.
internal_bill sgd_internal(const internal_tables& of, const linear_model& model, const descent& how,
                           double steps, const law& last, const stop_token& stop = {});
/// The last of them, from the law before it, or from the start if there is none.
internal_bill sgd_step_internal(const internal_tables& of, const linear_model& model,
                                const descent& how, const std::optional<law>& before,
                                const law& after, const stop_token& stop = {});

/// n numbers in, their mean or sum out.
internal_bill average_internal(const internal_table& data, const internal_table& result,
                               const law& one, const law& total, double n, total_of what,
                               const stop_token& stop = {});

/// x_fp in, Q(slope·x_fp) out.
internal_bill inference_internal(const internal_table& of, double slope, double sigma_x,
                                 const stop_token& stop = {});

}  // namespace ktln2
