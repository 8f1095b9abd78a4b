#pragma once

#include <vector>

#include "ktln2/scaling/optimum.hpp"

namespace ktln2 {

/// A learning rate and a batch, and the best size with them.
struct sgd_choice {
  double eta = 0;
  double batch = 0;
  best_size size = {};
  bool is_edge = false;  ///< the best learning rate is an end of the range that was searched
};

/// The learning rate that earns most, each at its own best size, from 1e-6/σ_x² to 1/σ_x². With
/// exact entropies the search takes the smooth one of ŵ, next to nothing beside the data's, and the
/// result is exact at what it found.
sgd_choice best_learning_rate(const sgd_profit_curve& curve);
/// The batch that earns most.
sgd_choice best_batch(const sgd_profit_curve& curve);
/// Both together.
sgd_choice best_learning_rate_and_batch(const sgd_profit_curve& curve);

/// By how much storing a slope moves it, as if every place in the cell that holds w were equally
/// likely: E (Q(ŵ) - ŵ)² = Δ(w)²/12.
double stored_error(const float_format& format, double w);

/// E (Q(ŵ) - w)², cell by cell where cells are wide against the law: the truth that stored_error
/// stands for. Δ²/12 and the terms at the ends of a run of narrow cells.
double stored_square_error(const float_format& format, const law& slope, double w);

/// A precision for all registers, and the best size with it.
struct precision_choice {
  int p = 0;
  double stored_error = 0;  ///< Δ(w)²/12
  double stored_mse = 0;    ///< at the best size, by cells; NaN where there is no best size
  best_size size = {};
};

/// The best size for p = 1, 2, … with E exponent bits, where the MSE has the error of the stored
/// slope in it, until more precision only costs more.
std::vector<precision_choice> sizes_by_precision(const market& prices, const training& what,
                                                 int exponent_bits, entropy_kind kind,
                                                 const stop_token& stop = {});

}  // namespace ktln2
