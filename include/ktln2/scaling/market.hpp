#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "ktln2/core/units.hpp"

namespace ktln2 {

/// d(MSE): how many predictions users ask for, given the error of the model [sec:scaling]. It never
/// rises with the error.
class demand {
 public:
  using function = std::function<double(double)>;

  /// 1/MSE, the paper's
  demand() = default;
  /// MSE^-a. Throws std::domain_error unless a is finite and > 0.
  static demand power(double a);
  /// most / (1 + (MSE/at)^a): half of `most` where the MSE is `at`, close to none far above, close
  /// to all far below; the larger a, the sharper. Throws std::domain_error unless all three are
  /// finite and > 0, and a at most 1000.
  static demand threshold(double at, double a, double most);
  /// Any function that does not rise, and its derivative; without one it is taken numerically.
  static demand custom(function of_mse, function slope = {});

  [[nodiscard]] double operator()(double mse) const;
  /// d'(MSE)
  [[nodiscard]] double slope(double mse) const;
  /// Between which two numbers -d' is for all errors from `low` to `high`: nothing for a custom
  /// function.
  struct range {
    double least;
    double most;
  };
  [[nodiscard]] std::optional<range> descent(double low, double high) const;
  /// A bound on -d ln d/d ln MSE: a search must take steps that are short against its inverse.
  [[nodiscard]] double steepness() const;

 private:
  enum class shape { power, threshold, custom };

  shape shape_ = shape::power;
  double a_ = 1;
  double at_ = 1;
  double most_ = 1;
  function of_mse_;
  function custom_slope_;
};

/// From "inverse", "power:a=2" or "threshold:at=1.1,a=20,most=1"; a missing key takes the value
/// shown here. Throws std::domain_error that names what is wrong.
demand parse_demand(std::string_view description);

/// ρ_I, the price of a prediction: constant, or rising with demand as base + rise·d.
struct inference_price {
  double base = 1;
  double rise = 0;
};

/// What it costs that training takes time: the registers are held as long as it lasts, and a bit
/// that is erased within a duration τ takes k_B T t/τ more than Landauer's bound, t the time in
/// which a bit relaxes. That is the first order of slow protocols.
struct pace {
  double memory_price = 0;  ///< of a bit that is held for a second
  double time_price = 0;    ///< of a second
  double relaxation = 0;    ///< t, in seconds
};

/// What things cost and bring.
struct market {
  double energy_price = 1;         ///< ρ_J, of a joule
  inference_price inference = {};  ///< ρ_I
  demand wanted = {};
  kelvin temperature{300};
  pace speed = {};
};

/// Throws std::domain_error unless the prices are finite and ≥ 0, the temperature finite and > 0.
void require_valid(const market& prices);

/// ρ_I d(MSE)
double revenue(const market& prices, double mse);
/// Its derivative with respect to the MSE.
double revenue_slope(const market& prices, double mse);
/// Between which two numbers that derivative is, without its sign, for all errors from `low` to
/// `high`: nothing for a custom demand.
std::optional<demand::range> revenue_descent(const market& prices, double low, double high);

}  // namespace ktln2
