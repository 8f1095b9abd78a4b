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
  static constexpr int most_listed_bits = 20;

  /// Goes through all codes of a format of few bits, and sums over runs of numbers of the others.
  /// Throws std::domain_error for a rule that the format does not have, and for one without chance.
  explicit stochastic_code(stored_variable stored, const stop_token& stop = {},
                           int listed_bits = most_listed_bits);

  /// H of the code.
  [[nodiscard]] bounded<bits> entropy() const { return leading(stored_.format.width()); }
  /// H of its first k bits.
  [[nodiscard]] bounded<bits> leading(int kept) const;
  /// H of the bits that are ones in the mask; nothing where the codes are too many.
  [[nodiscard]] std::optional<bounded<bits>> marginal(std::uint64_t mask) const;
  /// H of the value: +0 and -0 are one.
  [[nodiscard]] bounded<bits> of_value() const;
  [[nodiscard]] stored_masses masses() const;
  /// The mass of every code, in their order; empty where they are too many.
  [[nodiscard]] const std::vector<bounded<double>>& listed() const { return masses_; }

  /// H(code | X): what chance adds.
  [[nodiscard]] const bounded<bits>& noise() const { return noise_; }
  /// I(X; code): what the code tells of X.
  [[nodiscard]] bounded<bits> information() const;

 private:
  [[nodiscard]] bounded<bits> with_law_error(bounded<bits> found) const;
  [[nodiscard]] bounded<double> mass_of_numbers(bool negative, std::uint64_t first,
                                                std::uint64_t last) const;
  [[nodiscard]] bounded<double> mass_of_small(bool negative) const;

  stored_variable stored_;
  stop_token stop_;
  std::vector<bounded<double>> masses_;
  bounded<bits> noise_;
  double misplaced_ = 0;  ///< how much mass may stand elsewhere than the law says
};

}  // namespace ktln2
