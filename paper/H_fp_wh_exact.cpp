#include "figures.hpp"
#include "regression_costs.hpp"

namespace ktln2::paper {

figure H_fp_wh_exact() {
  return {
      .label = "fig:H_fp_wh_exact",
      .parent = "fig:exact_lr_ent",
      .title = "Entropy of the regression slope, p = 4",
      .caption =
          "The same on a register with $p = 4$ and $E = 4$, small enough for a sum over all of "
          "its values: exact entropy (solid) and the approximation $\\tilde H_s^w(\\hat w)$ "
          "(dashed).",
      .adds =
          "The error of the approximation, below, cut off where $n \\le 2$. At first it is that "
          "of $p = 24$: a finer register does not improve it. With more data the slope ends up "
          "inside one cell, and while its entropy goes to 0 the approximation goes on falling: "
          "to $-1.76$ bits at $n = 1000$ for SNR = 25, where the truth is $3.5 \\cdot 10^{-13}$.",
      .settings = regression_settings(4, 4),
      .cost = 0.1,
      .compute = slope_entropies};
}

}  // namespace ktln2::paper
