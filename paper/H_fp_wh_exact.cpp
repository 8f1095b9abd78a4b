#include "figures.hpp"
#include "regression_costs.hpp"

namespace ktln2::paper {

figure H_fp_wh_exact() {
  return {.label = "fig:H_fp_wh_exact",
          .parent = "fig:exact_lr_ent",
          .title = "Entropy of the regression slope, p = 4",
          .caption =
              "The same on a register with $p = 4$ and $E = 4$, small enough for a sum over all of "
              "its values: exact entropy (solid) and the approximation $\\tilde H_s^w(\\hat w)$ "
              "(dashed).",
          .adds =
              "The error of the approximation, below. It follows that of $p = 24$ as long as the "
              "slope is spread over many cells. With more data the cells are too wide for it: at "
              "$w = 5$, inside one cell, the approximation falls to $-1.76$ bits at $n = 1000$ "
              "while the entropy goes to 0, and at a power of two, where a cell begins, it is one "
              "bit that stays.",
          .settings = regression_settings(4, 4),
          .cost = 0.1,
          .compute = slope_entropies};
}

}  // namespace ktln2::paper
