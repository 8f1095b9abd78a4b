#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ktln2/core/result.hpp"
#include "ktln2/core/units.hpp"

namespace ktln2 {

/// Like groups of registers, independent of each other: n data points, or one model parameter.
struct register_group {
  std::string name;
  double count;        ///< of groups
  bounded<bits> each;  ///< entropy of one group
  double significand;  ///< significant bits of the registers of one group, p for each
  double width;        ///< bits of the registers of one group

  [[nodiscard]] bounded<bits> entropy() const { return count * each; }
};

/// Mean internal entropies of the logical states that the device is in after loading and after
/// computing [eq:phys_ent], in units of k_B ln 2; where they are counted from does not matter.
/// Equal where every state has the same, which the paper assumes.
struct internal_entropies {
  bounded<bits> loaded = exactly(bits{0});
  bounded<bits> computed = exactly(bits{0});
};

/// One row of [tab:cyclic_device]: what has happened to the registers, how much entropy they hold
/// then, and whether getting there is free.
struct device_step {
  std::string_view name;
  std::string_view input;
  std::string_view intermediary;
  std::string_view output;
  bounded<bits> entropy;
  bool is_free;
};

/// A device that is loaded with inputs, computes outputs, forgets the inputs, hands the outputs on
/// and is then as it was before [tab:cyclic_device]. Loading and handing on are free; what lies
/// between reduces the entropy of the device, and that has a price. All computations of this
/// library are instances of it.
class cyclic_device {
 public:
  cyclic_device(std::vector<register_group> input, std::vector<register_group> output,
                internal_entropies internal = {});

  [[nodiscard]] const std::vector<register_group>& input() const { return input_; }
  [[nodiscard]] const std::vector<register_group>& output() const { return output_; }
  [[nodiscard]] std::array<device_step, 4> protocol() const;

  [[nodiscard]] bounded<bits> input_entropy() const;   ///< H(X_I)
  [[nodiscard]] bounded<bits> output_entropy() const;  ///< H(X_O)
  /// H(X_I) - H(X_O)
  [[nodiscard]] bounded<bits> erased() const { return input_entropy() - output_entropy(); }
  /// By how much the mean internal entropy falls.
  [[nodiscard]] bounded<bits> internal() const { return internal_.loaded - internal_.computed; }
  /// By how much the entropy of the device falls, in units of k_B ln 2 [eq:phys_ent].
  [[nodiscard]] bounded<bits> lost() const { return erased() + internal(); }
  /// The share of the registers' precision in it, p for each register that is erased
  /// [eq:precision_contribution_Ex].
  [[nodiscard]] bits precision() const;

  /// The least work that one cycle takes, and the heat that it gives off:
  ///     ΔE_min = k_B T ln 2 (H(X_I) - H(X_O) + S_loaded - S_computed)        [eq:Landauer]
  /// Throws std::domain_error unless T is finite and > 0.
  [[nodiscard]] bounded<joules> cost(kelvin temperature) const;

 private:
  std::vector<register_group> input_;
  std::vector<register_group> output_;
  internal_entropies internal_;
};

}  // namespace ktln2
