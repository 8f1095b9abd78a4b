#pragma once

#include <vector>

#include "ktln2/core/result.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/core/units.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/format/float_format.hpp"

namespace ktln2 {

/// So many states, or groups of states, may have internal entropies of their own: 2^20.
inline constexpr int most_internal_bits = 20;
/// No internal entropy is larger, in bits.
inline constexpr double most_internal_entropy = 1e100;

/// The place of a state of a format among all, from the lowest value on, counted from 0; and the
/// state at a place.
register_code place_of_state(const float_format& format, const register_fields& state);
register_fields state_at_place(const float_format& format, register_code place);

/// What one register has of internal entropy, on the mean: that of the state which it is reset to,
/// and what there is beyond it. Of several registers it is the sum.
struct internal_mean {
  bits reset{0};
  bounded<bits> excess = exactly(bits{0});

  [[nodiscard]] bounded<bits> mean() const { return exactly(reset) + excess; }
  friend internal_mean operator+(const internal_mean& a, const internal_mean& b) {
    return {a.reset + b.reset, a.excess + b.excess};
  }
};

/// The internal entropies S_x of the logical states of a register [eq:phys_ent], in units of
/// k_B ln 2, and the state x⁰ that the register is reset to [tab:cyclic_device].
class internal_table {
 public:
  /// One for every state, from the lowest value to the highest; with `dropped_bits` = j > 0 one for
  /// all states whose codes agree in all but their lowest j bits. `reset` is stored as any number
  /// is. Throws std::domain_error unless there are 2^(width - j) of them, at most
  /// 2^most_internal_bits, each from -most_internal_entropy to most_internal_entropy, and for a
  /// reset that is NaN.
  internal_table(const float_format& format, std::vector<double> entropies, double reset = 0,
                 int dropped_bits = 0);

  [[nodiscard]] const float_format& format() const { return format_; }
  /// Of the state that stores this.
  [[nodiscard]] bits at(double x) const;
  [[nodiscard]] bits reset() const { return bits{reset_}; }

  /// Of a register that stores X: Σ P(x) S_x over its cells.
  [[nodiscard]] internal_mean of(const law& x, const stop_token& stop = {}) const;
  /// Of one that stores a known number.
  [[nodiscard]] internal_mean of_point(double x) const;
  /// Of one that holds Q(slope·x_fp), x ~ N(0, σ_x²): a prediction. The inputs that become one
  /// output, or one of a group, are neighbors. Throws std::domain_error unless the slope is finite
  /// and sigma_x finite and > 0.
  [[nodiscard]] internal_mean of_product(double slope, double sigma_x,
                                         const stop_token& stop = {}) const;

 private:
  float_format format_;
  int dropped_bits_;
  double reset_ = 0;
  std::vector<double> excess_;  ///< S_x less that of the reset state
};

}  // namespace ktln2
