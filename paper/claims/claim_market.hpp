#pragma once

#include "ktln2/scaling/optimum.hpp"

/// The market and the training of [fig:scaling_laws], which the claims about profit speak of.
namespace ktln2::paper {

market prices_at(double energy_price, inference_price inference = {10});

profit_curve regression_at(double energy_price, entropy_kind kind = entropy_kind::smooth);

struct sgd_setting {
  double eta = 0.05;
  double batch = 10;
  double w = 2;
};
sgd_profit_curve sgd_at(double energy_price, const sgd_setting& set = {});

/// The best feasible size.
double best_n(const profit_curve& curve);

}  // namespace ktln2::paper
