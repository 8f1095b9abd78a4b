#include "paper/figures/costs/regression_costs.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {

figure H_fp_wh() {
  return {.label = "fig:H_fp_wh",
          .parent = "fig:ex_landauer",
          .title = "Entropy of the regression slope, single precision",
          .caption =
              "The entropy that the slope of an exact regression holds in a register with $p = 24$ "
              "and $E = 8$, against the number $n$ of data points. Dashed: the approximation "
              "$\\tilde H_s^w(\\hat w)$, meant for $n > 2$ (outside the gray band) and for a slope "
              "that stands out from its own scatter, "
              "$|w| \\gg \\sigma_\\xi / (\\sigma_x \\sqrt{n - 2})$. More data make the slope "
              "surer and its register emptier, by half a bit for every doubling of $n$.",
          .adds =
              "The exact entropies (solid) and, below, the error of the approximation, cut off "
              "where $n \\le 2$. With more data it settles at a value that depends on where $w$ "
              "stands between two powers of two: 0.178 bits for SNR = 25, that is $w = 5$, at any "
              "precision, and 0 for the others, because their $w$ are powers of two. On the way it "
              "is 0.69 bits ($n = 3$) and $-0.34$ bits ($n = 30$) for SNR = 0.0625.",
          .settings = regression_settings(24, 8),
          .cost = 0.1,
          .compute = slope_entropies};
}

}  // namespace ktln2::paper
