#include "paper/figures/costs/regression_costs.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {

figure Ex_dH() {
  return {
      .label = "fig:Ex_dH",
      .parent = "fig:ex_landauer",
      .title = "Cost of regression per data point, single precision",
      .caption =
          "The entropy that an exact regression forgets, divided by the number $n$ of its data "
          "points, $(n H(X, Y) - H(\\hat w))/n$. Dashed curves: with approximate entropies. "
          "Horizontal dashed lines: the joint entropy of one point, which the cost approaches "
          "as the one register of the output matters less and less. Gray dots: the share "
          "$(2n - 1)p/n$ that is due to the precision alone.",
      .adds =
          "The exact cost (solid) and, below, the error of the approximation, which is that of "
          "the slope's entropy divided by $n$. In the gray band, $n \\le 2$, it is up to 2 bits "
          "and cut off.",
      .settings = regression_settings(24, 8),
      .cost = 0.2,
      .compute = regression_rates};
}

}  // namespace ktln2::paper
