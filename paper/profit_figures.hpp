#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure.hpp"
#include "ktln2/scaling/optimum.hpp"

/// What the figures of profit against the size of the data share [sec:scaling].
namespace ktln2::paper {

/// One curve of such a figure.
struct profit_series {
  double value;        ///< of what varies from curve to curve
  profit_curve paper;  ///< smooth entropies and, for SGD, the Ornstein–Uhlenbeck law
  profit_curve exact;  ///< exact entropies and, for SGD, exact moments
  std::optional<profit_curve> same_law;  ///< for SGD, exact entropies of the paper's law
};

/// The parameters that all of them have, after those that are the figure's own.
parameters profit_settings(std::vector<parameter> own);

/// A curve for each energy price.
std::vector<profit_series> regression_series(const parameters& given);
std::vector<profit_series> sgd_series(const parameters& given);
/// A curve for each learning rate, or for each batch.
std::vector<profit_series> learning_rate_series(const parameters& given);
std::vector<profit_series> batch_series(const parameters& given);

/// SGD by the paper's formulas, or by another law.
profit_curve sgd_profit(const parameters& given, double energy_price, double eta, double batch,
                        sgd_model model, entropy_kind kind);

/// The feasible size that earns most; NaN where there is none.
double best_size_of(const profit_curve& curve);

/// u(n) and u'(n), by the paper's formulas and exactly, up to n = n_max.
table profit_table(const column& varied, const std::vector<profit_series>& all,
                   const parameters& given, const effort& work);
table derivative_table(const column& varied, const std::vector<profit_series>& all,
                       const parameters& given, const effort& work);

/// The best feasible size of each curve.
table optima_table(const column& varied, const std::vector<profit_series>& all, const effort& work);
/// The maxima of the relaxed profit inside the range: where u' crosses zero from above.
table zeros_table(const column& varied, const std::vector<profit_series>& all);

}  // namespace ktln2::paper
