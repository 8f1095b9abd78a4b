#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "ktln2/core/stop.hpp"
#include "ktln2/cost/computations.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/scaling/market.hpp"
#include "ktln2/scaling/training.hpp"

namespace ktln2 {

class training_curve;

/// One point of a profit curve.
struct profit_point {
  double n = 0;
  double mse = 0;
  double demand = 0;
  double revenue = 0;
  bits model_entropy;
  joules energy;        ///< ΔE_min
  double duration = 0;  ///< the best one, in seconds; infinite where haste costs and time does not
  joules excess{0};     ///< what haste takes beyond ΔE_min
  double rent = 0;      ///< of memory and time, for the duration
  double profit = 0;
  double derivative = 0;  ///< of the profit with respect to n
};

/// What training on n points brings, for real n: what predictions earn less what the energy costs.
///     u(n) = ρ_I d(MSE(n)) - ρ_J ΔE_min(n)        [eq:u_ex] [eq:u_sgd]
/// and, where the market has a pace, less what a duration τ costs at least:
///     min_τ (ρ_J k_B T (t/τ) (bits erased) + (ρ_M (bits held) + ρ_T) τ),
/// the square root of four times the product of the two. Regression holds all points, SGD a batch.
/// With smooth entropies the derivative is in closed form [eq:ddn_profit_ex] [eq:ddn_profit_sgd];
/// with exact ones that of the entropy of ŵ is a difference quotient, good for nine digits.
class profit_curve {
 public:
  /// `stored_error` is a mean square by which storing ŵ moves it: it adds σ_x² times that to the
  /// MSE. Throws std::domain_error for a bad market or problem, and for SGD with exact moments from
  /// ησ_x² = 1 on; it, and whatever looks at an entropy of ŵ later, throws `stopped` after a stop.
  profit_curve(market prices, const register_formats& formats, const training& what,
               entropy_kind kind, double stored_error = 0, const stop_token& stop = {});

  [[nodiscard]] const market& prices() const { return prices_; }
  [[nodiscard]] training what() const;
  [[nodiscard]] entropy_kind kind() const { return kind_; }
  [[nodiscard]] const storage& model_format() const { return model_format_; }

  /// The feasible sizes: first(), first() + step(), …        [eq:scaling_opt]
  [[nodiscard]] double first() const;
  [[nodiscard]] double step() const;
  /// Is the law of ŵ known between feasible sizes, too? Not the exact law of SGD: elsewhere than at
  /// whole steps the entropy of ŵ, and with it the profit, is NaN.
  [[nodiscard]] bool is_relaxed() const;
  /// The same with the exact moments of SGD instead of its exact law, so that it is.
  [[nodiscard]] profit_curve relaxed() const;

  [[nodiscard]] bits data_entropy() const { return data_; }      ///< H(X, Y), of one point
  [[nodiscard]] double bit_price() const { return bit_price_; }  ///< ρ_J k_B T ln 2

  [[nodiscard]] double mse(double n) const;
  [[nodiscard]] bits model_entropy(double n) const;
  /// The law of ŵ that it is the entropy of.
  [[nodiscard]] law law_at(double n) const;
  /// How far that law is from the truth, for SGD by the Ornstein–Uhlenbeck law.
  [[nodiscard]] std::optional<ou_check> check_at(double n) const;
  /// What the best duration costs, in haste and in rent, half of it each.
  [[nodiscard]] double pace_cost(double n) const;
  [[nodiscard]] double profit(double n) const;
  [[nodiscard]] double derivative(double n) const;
  [[nodiscard]] profit_point at(double n) const;

  /// No less than the profit anywhere from n = a to n = b: the MSE is monotone in n, the smooth
  /// entropy of ŵ is bounded part by part and the exact one by the bits of its register.
  [[nodiscard]] double upper_bound(double a, double b) const;
  /// Does the profit rise, or does it fall, all the way from n = a to n = b? Nothing where that is
  /// not known. It needs no entropy but that of the data: by Cauchy and Schwarz the entropy of ŵ
  /// moves by at most √(I V) nats a point, with the Fisher information I about n in ŵ and the
  /// variance V of ln P, which is below ln²(K)/4 + 1 for K values.
  [[nodiscard]] std::optional<bool> surely_rises(double a, double b) const;
  /// A bound on how far the exact entropy of ŵ moves with one point, from n on.
  [[nodiscard]] bits entropy_slope_bound(double n) const;
  /// No less than the profit from n on, without end, as long as a point costs more than
  /// model_growth() bits.
  [[nodiscard]] double tail_bound(double n) const;
  /// The MSE that is reached in the limit.
  [[nodiscard]] double limit_mse() const;
  /// By how many bits, in the limit, the entropy of ŵ grows with each point: 0 but for SGD towards
  /// w = 0 (smooth), or at a learning rate at which its variance grows without end.
  [[nodiscard]] double model_growth() const;
  /// Where the mean of SGD's ŵ is 0 and its smooth entropy infinite; NaN if nowhere.
  [[nodiscard]] double pole() const;

 protected:
  /// The same data at the same prices, trained otherwise.
  [[nodiscard]] profit_curve retrained(std::shared_ptr<const training_curve> trained,
                                       entropy_kind kind) const;
  [[nodiscard]] const training_curve& trained() const { return *trained_; }

 private:
  [[nodiscard]] double pace_cost(double n, double erased_bits) const;
  [[nodiscard]] double pace_cost_slope(double n, double entropy_slope) const;
  /// ρ_M (bits held) + ρ_T
  [[nodiscard]] double rent(double n) const;
  [[nodiscard]] double entropy_slope(double n) const;
  [[nodiscard]] double entropy_bound(double a, double b) const;

  market prices_;
  entropy_kind kind_;
  storage model_format_;
  double bit_price_;
  double point_width_;  ///< bits of the registers of one point
  std::shared_ptr<const training_curve> trained_;
  bits data_;
  bits start_;
  stop_token stop_;
};

/// A profit curve that is known to be one of SGD.
class sgd_profit_curve : public profit_curve {
 public:
  /// Throws as profit_curve does.
  sgd_profit_curve(market prices, const register_formats& formats, const sgd_training& what,
                   entropy_kind kind, double stored_error = 0, const stop_token& stop = {});

  [[nodiscard]] sgd_training what() const;

  /// The same with another learning rate and batch, or by another law.
  [[nodiscard]] sgd_profit_curve with(double eta, double batch) const;
  [[nodiscard]] sgd_profit_curve with(sgd_model which) const;
  /// The same entropy of the data, but the smooth one of ŵ: quick to search.
  [[nodiscard]] sgd_profit_curve with_smooth_model() const;

 private:
  explicit sgd_profit_curve(profit_curve of_sgd) : profit_curve{std::move(of_sgd)} {}
  [[nodiscard]] sgd_profit_curve with(const sgd_training& what) const;
};

}  // namespace ktln2
