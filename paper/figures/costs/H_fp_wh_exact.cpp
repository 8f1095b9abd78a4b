#include "paper/figures/costs/regression_costs.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {

figure H_fp_wh_exact() {
  return {
      .label = "fig:H_fp_wh_exact",
      .parent = "fig:exact_lr_ent",
      .title = "Entropy of the regression slope, p = 4",
      .caption =
          "The entropy of the slope on a register with $p = 4$ and $E = 4$, small enough to sum "
          "over all of its values: exact (solid) and by the approximation "
          "$\\tilde H_s^w(\\hat w)$ (dashed), against the number $n$ of data points.",
      .adds =
          "The error of the approximation, below, cut off where $n \\le 2$. For few points it is "
          "about that of $p = 24$, so a finer register does not improve it. With more data the "
          "slope ends up inside one cell, and while its entropy goes to 0 the approximation goes "
          "on falling: to $-1.76$ bits at $n = 1000$ for SNR = 25, where the truth is "
          "$3.5 \\cdot 10^{-13}$.",
      .settings = regression_settings(4, 4),
      .cost = 0.1,
      .compute = slope_entropies};
}

}  // namespace ktln2::paper
