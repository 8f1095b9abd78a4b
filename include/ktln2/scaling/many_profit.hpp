#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ktln2/core/stop.hpp"
#include "ktln2/cost/computations.hpp"
#include "ktln2/scaling/profit.hpp"

namespace ktln2 {

/// How a model with many coefficients is trained.
enum class many_method {
  least_squares,  ///< for fewer rows than features, the shortest of all exact fits
  ridge,          ///< with the best penalty
  sgd,
};

/// Stochastic gradient descent on all coefficients, which start at the same place.
struct many_descent {
  double eta = 0.01;
  double batch = 10;
  double w0 = 1;
  double sigma_x = 1;
};

/// A linear model with d features x ~ N(0, σ_x² I) and w alike for all of them.
struct many_problem {
  many_method method = many_method::least_squares;
  double features = 1;
  double snr = 4;  ///< d w²σ_x²/σ_ξ²
  double sigma_xi = 1;
  bool intercept = false;  ///< one more coefficient, 0 in truth
  many_descent how = {};   ///< of SGD
  /// What a row holds, where that is known better than from features that are all alike.
  std::optional<bounded<bits>> row = {};
  double added_noise = 0;  ///< what rounded features add to the noise, in units of σ_ξ²
  /// Does what the model's registers hold lower the bill? Where no law of the coefficients is
  /// known, as with ridge, it does not.
  bool counts_output = true;
};

/// Throws std::domain_error, with the offending number, for a problem that makes no sense.
void require_valid(const many_problem& what);

/// The largest learning rate whose second moments stay finite: 2B/(σ_x² (B+d+1)).
double largest_learning_rate(double batch, double features, double sigma_x);

/// What the bill of a prediction is measured against.
enum class baseline {
  zero,  ///< no business at all
  null,  ///< a predictor that says 0 and was not trained: MSE = σ_ξ² (1 + SNR)
};

struct many_terms {
  baseline against = baseline::zero;
  /// Each prediction erases Σ H(x_j) - H(ŷ) bits, and pays for them.
  bool count_inference = false;
};

/// H(x_1, …, x_d, y): exactly where the SNR is below 4^p, the chain of one-register entropies, y
/// given the features; or the closed form.
bounded<bits> many_row_entropy(const storage_pair& where, const many_problem& what,
                               entropy_kind kind);

/// What training on n rows brings:
///     u(n) = ρ_I d(MSE(n)) - ρ_J k_B T ln 2 (n H(row) - H(model))        [eq:u_ex] [eq:u_sgd]
/// H(model) is the smooth one, whatever `kind` says of the rows: it is next to nothing beside them.
/// At a size of interest `stored_at` has that of the registers themselves.
class many_profit {
 public:
  /// Throws std::domain_error for a bad market or problem. The market may have no pace.
  many_profit(market prices, const register_formats& formats, const many_problem& what,
              entropy_kind kind, const many_terms& terms = {});

  [[nodiscard]] const market& prices() const { return prices_; }
  [[nodiscard]] const many_problem& what() const { return what_; }
  [[nodiscard]] const many_terms& terms() const { return terms_; }
  [[nodiscard]] const register_formats& formats() const { return formats_; }
  [[nodiscard]] entropy_kind kind() const { return kind_; }

  [[nodiscard]] double step() const;
  [[nodiscard]] bounded<bits> row_entropy() const { return row_; }
  [[nodiscard]] bits inference() const { return inference_; }    ///< erased by one prediction
  [[nodiscard]] double bit_price() const { return bit_price_; }  ///< ρ_J k_B T ln 2
  [[nodiscard]] double baseline_profit() const;
  [[nodiscard]] double mse(double n) const;
  [[nodiscard]] bits model_entropy(double n) const;
  /// H(model)/(n H(row)), what is kept of the rows' entropy
  [[nodiscard]] double output_share(double n) const;
  [[nodiscard]] double profit(double n) const;
  /// The derivative is left out.
  [[nodiscard]] profit_point at(double n) const;
  /// What the registers of the model hold after n rows: of least squares on up to 300 features and
  /// as many rows or more, where exact entropies are asked for. Nothing otherwise.
  [[nodiscard]] std::optional<bounded<bits>> stored_model(double n,
                                                          const stop_token& stop = {}) const;
  /// The same as `at`, with that.
  [[nodiscard]] profit_point stored_at(double n, const bounded<bits>& model) const;
  /// The same as `at`, with what the registers hold where n is more than the features and that is
  /// known: what `find_best_size` says of a size.
  [[nodiscard]] profit_point best_known_at(double n, const stop_token& stop = {}) const;
  /// What training on n rows earns more than the baseline, for each unit of the energy's price: the
  /// price at which n no longer pays.
  [[nodiscard]] double critical_price(double n) const;

  [[nodiscard]] many_profit at_energy_price(double price) const;
  [[nodiscard]] many_profit with(const many_problem& what) const;

 private:
  friend class many_search;
  /// Less what predictions erase.
  [[nodiscard]] double earned(double mse) const;
  [[nodiscard]] double erased(double n) const;

  market prices_;
  register_formats formats_;
  many_problem what_;
  entropy_kind kind_;
  many_terms terms_;
  double bit_price_;
  std::shared_ptr<const class many_training> trained_;
  bounded<bits> row_;
  bits inference_{0};
};

/// How many rows, against how many features.
enum class many_phase {
  none,   ///< do not train: the baseline earns more
  one,    ///< one row
  under,  ///< fewer rows than features, or as many
  over,
};
const char* name_of(many_phase phase);
/// That of n rows.
many_phase phase_of(double n, double features);

/// The best size of one phase.
struct many_candidate {
  many_phase phase = many_phase::over;
  profit_point point = {};
  double critical_price = 0;  ///< of energy: above it no size of this phase pays
};

struct many_best {
  many_phase phase = many_phase::none;
  /// The size that earns most of all n ≥ 1, whether or not it beats the baseline.
  profit_point best = {};
  /// What its model's registers hold, where that was found exactly; the profit is then with it.
  std::optional<bounded<bits>> model = {};
  std::vector<many_candidate> candidates = {};  ///< one for each phase that there is
  /// 1 + √(A d/c), with the value A of a perfect predictor and the price c of a row: where the
  /// demand is 1/MSE and least squares has no intercept.
  std::optional<double> relaxed = {};
  double critical_price = 0;  ///< of energy: above it, do not train
  bool is_exhaustive = true;
};

/// By branch and bound on upper bounds of the profit, and of its derivative where there are any;
/// sizes up to the number of features one by one. All with smooth entropies of the model; where
/// those of its registers can be had, the best size above the number of features then goes on to
/// neighbors that earn more with them. Throws std::domain_error where the best size is
/// beyond 1e15, as it is where energy costs nothing.
many_best find_best_size(const many_profit& curve, const stop_token& stop = {});
/// The size alone, and what it earns.
profit_point find_best_point(const many_profit& curve, const stop_token& stop = {});

/// 1 + √(A d/c)        [eq:nstar_ex]
double relaxed_many_size(double value, double features, double row_price);

}  // namespace ktln2
