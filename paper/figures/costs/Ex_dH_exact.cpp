#include "paper/figures/costs/regression_costs.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {

figure Ex_dH_exact() {
  return {
      .label = "fig:Ex_dH_exact",
      .parent = "fig:exact_lr_ent",
      .title = "Cost of regression per data point, p = 4",
      .caption =
          "The entropy that an exact regression forgets per data point, on registers with "
          "$p = 4$ and $E = 4$: exact (solid) and approximate (dashed), with the joint "
          "entropies of one point as horizontal dashed lines and the share of the precision "
          "as gray dots.",
      .adds =
          "The error of the approximation, below, cut off where $n \\le 2$. For small $n$ it is "
          "that of the slope's entropy; what stays for large $n$ is that of the joint entropy, "
          "a few hundredths of a bit.",
      .settings = regression_settings(4, 4),
      .cost = 0.1,
      .compute = regression_rates};
}

}  // namespace ktln2::paper
