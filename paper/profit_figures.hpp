#pragma once

#include <functional>
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

/// The curves of such a figure, and what varies from one to the next.
struct profit_family {
  column varied;
  std::vector<profit_series> curves;
};

/// The parameters that all of them have, after those that are the figure's own.
parameters profit_settings(std::vector<parameter> own);

/// A curve for each energy price.
profit_family regression_by_price(const parameters& given);
profit_family sgd_by_price(const parameters& given);
/// A curve for each learning rate, or for each batch.
profit_family sgd_by_learning_rate(const parameters& given);
profit_family sgd_by_batch(const parameters& given);

/// SGD by the paper's formulas.
sgd_profit_curve paper_sgd(const parameters& given, double energy_price, double eta, double batch);

/// u(n) and u'(n), by the paper's formulas and exactly, up to n = n_max.
table profit_table(const profit_family& family, const parameters& given, const effort& work);
table derivative_table(const profit_family& family, const parameters& given, const effort& work);

/// The best feasible size of each curve.
table optima_table(const profit_family& family, const effort& work);
/// The maxima of the relaxed profit inside the range: where u' crosses zero from above.
table zeros_table(const profit_family& family);
/// The best feasible size of SGD, followed over many values of what varies.
table sizes_table(const column& varied, const std::vector<double>& values,
                  const std::function<sgd_profit_curve(double)>& curve_at, const effort& work);

}  // namespace ktln2::paper
