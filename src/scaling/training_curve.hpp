#pragma once

#include <limits>
#include <memory>
#include <optional>

#include "ktln2/distribution/law.hpp"
#include "ktln2/scaling/training.hpp"

namespace ktln2 {

/// What training does as a function of the number n of its points, for real n: the error of its
/// predictions, and the law and the smooth entropy of its slope in a register of precision p. Its
/// price is no part of it.
class training_curve {
 public:
  virtual ~training_curve() = default;

  [[nodiscard]] virtual training what() const = 0;
  /// A mean square by which storing ŵ moves it: it adds σ_x² times that to the MSE.
  [[nodiscard]] double stored_error() const { return stored_error_; }

  /// The feasible sizes: first(), first() + step(), …        [eq:scaling_opt]
  [[nodiscard]] virtual double first() const = 0;
  [[nodiscard]] virtual double step() const = 0;
  /// Throws std::domain_error unless the curve goes as far down as n.
  virtual void require_size(double n) const = 0;
  /// Is the law known between feasible sizes, too?
  [[nodiscard]] virtual bool is_relaxed() const { return true; }
  /// The same by a law for which it is, if it is not.
  [[nodiscard]] virtual std::shared_ptr<const training_curve> relaxed() const = 0;

  [[nodiscard]] virtual double mse(double n) const = 0;
  [[nodiscard]] virtual double mse_slope(double n) const = 0;
  [[nodiscard]] virtual double limit_mse() const = 0;

  [[nodiscard]] virtual law law_at(double n) const = 0;
  /// How far that law is from the truth, if it is an approximation.
  [[nodiscard]] virtual std::optional<ou_check> check_at(double n) const = 0;
  [[nodiscard]] virtual double smooth_entropy_at(double n, int p) const = 0;
  [[nodiscard]] virtual double smooth_entropy_slope(double n) const = 0;
  /// No less than the smooth entropy anywhere from n = a to n = b.
  [[nodiscard]] virtual double smooth_entropy_bound(double a, double b, int p) const = 0;
  /// The Fisher information about n that ŵ holds, in nats; infinite where it is not known. Where it
  /// is, both it and the slope of the MSE get smaller as n grows.
  [[nodiscard]] virtual double information(double /*n*/) const {
    return std::numeric_limits<double>::infinity();
  }
  /// By how much the smooth entropy grows with each point, in the limit.
  [[nodiscard]] virtual double smooth_growth() const = 0;
  /// Where the smooth entropy is infinite; NaN if nowhere.
  [[nodiscard]] virtual double pole() const = 0;

  /// All that the derivative of a profit with smooth entropies takes, for a step of `step()` points
  /// rather than for one.
  struct step_slopes {
    double mse;
    double scale;  ///< the MSE changes by scale · square_error
    double square_error;
    double entropy;
  };
  [[nodiscard]] virtual step_slopes slopes_at(double n) const = 0;

 protected:
  explicit training_curve(double stored_error) : stored_error_{stored_error} {}
  training_curve(const training_curve&) = default;
  training_curve(training_curve&&) = default;
  training_curve& operator=(const training_curve&) = default;
  training_curve& operator=(training_curve&&) = default;

 private:
  double stored_error_;
};

/// Throws std::domain_error for a bad problem, and for SGD with exact moments from ησ_x² = 1 on.
std::shared_ptr<const training_curve> curve_of(const regression_training& what,
                                               double stored_error);
std::shared_ptr<const training_curve> curve_of(const sgd_training& what, double stored_error);

}  // namespace ktln2
