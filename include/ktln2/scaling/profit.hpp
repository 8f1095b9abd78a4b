#pragma once

#include "ktln2/cost/computations.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/scaling/market.hpp"

namespace ktln2 {

/// The error of predictions with the slope of exact regression on n points, n real. Infinite for
/// n ≤ 2.
///     MSE = σ_ξ² (n-1)/(n-2)        [eq:exact_error]
double regression_mse(double n, double sigma_xi);

/// SGD after a real number of steps k: mean and variance of ŵ, and their derivatives.
struct sgd_state {
  double mean;
  double variance;
  double square_error;  ///< E (ŵ - w)²
  double mean_slope;    ///< d/dk, and so on
  double variance_slope;
  double square_error_slope;
};
/// By the Ornstein–Uhlenbeck law, its limit, or with the exact moments, whose recursion is followed
/// between whole steps too. `problem.steps` is not used. Throws std::domain_error for a bad problem
/// or k ≤ 0, and, with exact moments, from ησ_x² = 1 on: the mean then has no relaxation.
sgd_state relaxed_sgd(const sgd_problem& problem, double steps, sgd_model model);

/// The error of predictions after k steps: σ_x² E(ŵ - w)² + σ_ξ²        [sec:scaling]
double sgd_mse(const sgd_problem& problem, double steps, sgd_model model);

/// What a step does to φ = ŵ - w: the exact moments obey φ' = mφ, (φ²)' = qφ² + noise in the mean;
/// the Ornstein–Uhlenbeck process has the same form with e^-a for m and e^-2a for q, a = ησ_x².
struct sgd_rates {
  double mean;    ///< ln m
  double square;  ///< ln q
  double excess;  ///< q - 1; for the process -2a, so that its noise adds up to ησ_ξ²/(2B)
  double noise;
  double spread;  ///< ln(q/m²), at which the starting point turns into variance
};

/// One point of a profit curve.
struct profit_point {
  double n = 0;
  double mse = 0;
  double demand = 0;
  double revenue = 0;
  bits model_entropy;
  joules energy;
  double profit = 0;
  double derivative = 0;  ///< of the profit with respect to n
};

/// What training on n points brings, for real n: what predictions earn less what the energy costs.
///     u(n) = ρ_I d(MSE(n)) - ρ_J ΔE_min(n)        [eq:u_ex] [eq:u_sgd]
/// With smooth entropies the derivative is in closed form [eq:ddn_profit_ex] [eq:ddn_profit_sgd];
/// with exact ones that of the entropy of ŵ is a difference quotient, good for nine digits.
class profit_curve {
 public:
  /// Exact regression; `problem.n` is not used. `stored_error` is a mean square by which storing ŵ
  /// moves it: it adds σ_x² times that to the MSE.
  profit_curve(market prices, const register_formats& formats, const regression& problem,
               entropy_kind kind, double stored_error = 0);
  /// SGD; `problem.steps` is not used. The exact law is known at whole steps only: elsewhere its
  /// entropy is NaN.
  profit_curve(market prices, const register_formats& formats, const sgd_problem& problem,
               sgd_model model, entropy_kind kind, double stored_error = 0);

  [[nodiscard]] const market& prices() const { return prices_; }
  [[nodiscard]] bool is_sgd() const { return is_sgd_; }
  [[nodiscard]] entropy_kind kind() const { return kind_; }
  [[nodiscard]] sgd_model model() const { return model_; }
  [[nodiscard]] const sgd_problem& sgd() const { return sgd_; }
  [[nodiscard]] const float_format& model_format() const { return model_format_; }

  /// The feasible sizes: first(), first() + step(), …        [eq:scaling_opt]
  [[nodiscard]] double first() const { return is_sgd_ ? sgd_.batch : 3; }
  [[nodiscard]] double step() const { return is_sgd_ ? sgd_.batch : 1; }

  [[nodiscard]] bits data_entropy() const { return data_; }      ///< H(X, Y), of one point
  [[nodiscard]] double bit_price() const { return bit_price_; }  ///< ρ_J k_B T ln 2

  /// The same for SGD with another learning rate and batch, or by another law.
  [[nodiscard]] profit_curve with(double eta, double batch) const;
  [[nodiscard]] profit_curve with(sgd_model model) const;
  /// The same entropy of the data, but the smooth one of ŵ: quick to search.
  [[nodiscard]] profit_curve with_smooth_model() const;

  [[nodiscard]] double mse(double n) const;
  [[nodiscard]] bits model_entropy(double n) const;
  /// The law of ŵ that it is the entropy of.
  [[nodiscard]] law law_at(double n) const;
  [[nodiscard]] double profit(double n) const;
  [[nodiscard]] double derivative(double n) const;
  [[nodiscard]] profit_point at(double n) const;

  /// No less than the profit anywhere from n = a to n = b: the MSE is monotone in n, the smooth
  /// entropy of ŵ is bounded part by part and the exact one by p + E.
  [[nodiscard]] double upper_bound(double a, double b) const;
  /// The same from n on, without end, as long as a point costs more than model_growth() bits.
  [[nodiscard]] double tail_bound(double n) const;
  /// The MSE that is reached in the limit.
  [[nodiscard]] double limit_mse() const;
  /// By how many bits, in the limit, the entropy of ŵ grows with each point: 0 but for SGD towards
  /// w = 0 (smooth), or at a learning rate at which its variance grows without end.
  [[nodiscard]] double model_growth() const;
  /// Where the mean of SGD's ŵ is 0 and its smooth entropy infinite; NaN if nowhere.
  [[nodiscard]] double pole() const;

 private:
  [[nodiscard]] double mse_slope(double n) const;
  [[nodiscard]] double entropy_slope(double n) const;
  [[nodiscard]] double smooth_entropy_at(double n) const;
  [[nodiscard]] double smooth_entropy_slope(double n) const;
  [[nodiscard]] double sgd_entropy_slope(const sgd_state& state) const;
  [[nodiscard]] double sgd_derivative(double k) const;
  [[nodiscard]] double entropy_bound(double a, double b) const;

  market prices_;
  entropy_kind kind_;
  bool is_sgd_;
  regression regression_;
  sgd_problem sgd_;
  sgd_rates rates_{};
  sgd_model model_ = sgd_model::ou;
  float_format model_format_;
  bits data_;
  double bit_price_;
  double stored_error_;
};

}  // namespace ktln2
