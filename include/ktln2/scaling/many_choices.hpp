#pragma once

#include <vector>

#include "ktln2/scaling/many_profit.hpp"

namespace ktln2 {

/// A precision for all registers, and the best size with it.
struct many_precision {
  int p = 0;
  profit_point point = {};
};
/// For p = 1, 2, … until more precision only costs more.
std::vector<many_precision> many_sizes_by_precision(const many_profit& curve,
                                                    const stop_token& stop = {});

/// So many of the features, the strongest first, and the best size with them.
struct many_features {
  double features = 0;
  profit_point point = {};
};
/// Where feature j has the part S_0 j^-(1+decay) of the SNR, S_0 such that all of them together,
/// without end, have the problem's. Those that are left out are noise. Up to `most` features, and
/// until more only earn less; what the model holds is not counted.
std::vector<many_features> many_sizes_by_features(const many_profit& curve, double decay,
                                                  double most, const stop_token& stop = {});

/// The same curve with so many of them.
many_profit with_features(const many_profit& curve, double decay, double features);

/// A learning rate and a batch, and the best size with them.
struct many_sgd_choice {
  double eta = 0;
  double batch = 0;
  profit_point point = {};
};
many_sgd_choice best_many_learning_rate(const many_profit& curve, const stop_token& stop = {});
many_sgd_choice best_many_batch(const many_profit& curve, const stop_token& stop = {});

}  // namespace ktln2
