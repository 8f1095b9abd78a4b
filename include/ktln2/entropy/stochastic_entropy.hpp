#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2 {

/// The code of a variable that is rounded by chance. That is a channel, not a partition: x between
/// two neighboring numbers becomes either of them, so the mass of a number is ∫ f(x) p(x) dx over
/// the gaps on both of its sides, and the code has noise of its own, H(code | X). With random bits,
/// rules B and C are one for any law with a density.
class stochastic_code {
 public:
  static constexpr int most_bits = 20;

  /// Goes through all codes. Throws std::domain_error for a rule that the format does not have, for
  /// one without chance, and for formats of more than most_bits bits.
  explicit stochastic_code(const stored_variable& stored, const stop_token& stop = {});

  /// H of the code.
  [[nodiscard]] bounded<bits> entropy() const { return marginal(~std::uint64_t{0}); }
  /// H of its first k bits.
  [[nodiscard]] bounded<bits> leading(int kept) const;
  /// H of the bits that are ones in the mask.
  [[nodiscard]] bounded<bits> marginal(std::uint64_t mask) const;
  /// H of the value: +0 and -0 are one.
  [[nodiscard]] bounded<bits> of_value() const;
  [[nodiscard]] stored_masses masses() const;
  [[nodiscard]] const bounded<double>& mass(std::uint64_t code) const { return masses_[code]; }

  /// H(code | X): what chance adds.
  [[nodiscard]] const bounded<bits>& noise() const { return noise_; }
  /// I(X; code): what the code tells of X.
  [[nodiscard]] bounded<bits> information() const;

 private:
  stored_variable stored_;
  std::vector<bounded<double>> masses_;  ///< of every code
  bounded<bits> noise_;
  double misplaced_ = 0;  ///< how much mass may stand elsewhere than the law says
};

}  // namespace ktln2
