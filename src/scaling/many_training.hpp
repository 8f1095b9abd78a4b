#pragma once

#include <memory>
#include <optional>

#include "ktln2/scaling/many_profit.hpp"

namespace ktln2 {

/// What n rows make of a model with many coefficients: how well it predicts, and what its registers
/// hold. Errors are in units of σ_ξ².
class many_training {
 public:
  many_training() = default;
  virtual ~many_training() = default;

  /// Sizes are step(), 2 step(), …
  [[nodiscard]] virtual double step() const { return 1; }
  /// From here on the error only falls, or only rises, with n.
  [[nodiscard]] virtual double settled() const { return step(); }
  [[nodiscard]] virtual double error(double n) const = 0;
  [[nodiscard]] virtual double limit_error() const = 0;
  /// In bits, with registers of precision p.
  [[nodiscard]] virtual double entropy(double n, int p) const = 0;
  /// No less than that anywhere from n = a to n = b, both settled.
  [[nodiscard]] virtual double entropy_bound(double a, double b, int p) const = 0;

  /// A range of numbers.
  struct range {
    double low;
    double high;
  };
  /// The derivatives with respect to n, from n = a to n = b, both settled: where they are bounded
  /// in closed form.
  struct slopes {
    range error;    ///< without its sign
    range entropy;  ///< in bits
  };
  [[nodiscard]] virtual std::optional<slopes> slopes_between(double /*a*/, double /*b*/) const {
    return {};
  }

 protected:
  many_training(const many_training&) = default;
  many_training& operator=(const many_training&) = default;
  many_training(many_training&&) = default;
  many_training& operator=(many_training&&) = default;
};

/// Throws std::domain_error for a bad problem.
std::shared_ptr<const many_training> training_of(const many_problem& what);

}  // namespace ktln2
