#include "paper/figures/figures.hpp"
#include "paper/figures/registers/register_curves.hpp"

namespace ktln2::paper {

figure fp_joint_exact_approx_p_E_snr_2() {
  return joint_against_precision(
      "fig:fp_joint_exact_approx_p_E_snr_2", 0.5, "Joint entropy against the precision, SNR 4",
      "The exact joint entropy of $X \\sim \\mathcal N(0, 1)$ and $Y = X + \\xi$, "
      "$\\xi \\sim \\mathcal N(0, 0.25)$, each on a register with precision $p$ and $E$ exponent "
      "bits, and the closed form $\\tilde H_s(X, Y)$ (red, dashed). With enough exponent bits the "
      "two are close from $p = 2$ on.",
      "Precisions beyond reach of a sum over all pairs of cells, here up to $p = 24$, and in the "
      "lower panel the error of the closed form. At $E = 4$ it is at its smallest near $p = 3$ and "
      "grows with the precision from there on, because the cells next to zero do not become finer; "
      "at $E = 8$ it falls below 0.001 bits by $p = 10$.");
}

}  // namespace ktln2::paper
