#include "paper/figures/figures.hpp"
#include "paper/figures/registers/register_curves.hpp"

namespace ktln2::paper {

figure fp_joint_exact_approx_p_E_snr_100() {
  return joint_against_precision(
      "fig:fp_joint_exact_approx_p_E_snr_100", 0.01,
      "Joint entropy against the precision, SNR 10000",
      "As before with less noise, $\\sigma_\\xi = 0.01$. With few bits the noise is hidden inside "
      "the cells: the registers share less than $X$ and $Y$ do, and the closed form (red, dashed) "
      "is too small for $p \\le 6$. From $p = 7$ on the two are close.",
      "Precisions up to $p = 24$, and in the lower panel the error of the closed form. It changes "
      "sign near $p = 7$ for $E = 4$, where too few exponent bits happen to make up for too few "
      "mantissa bits; for $E = 8$ it is still $-0.13$ bits at $p = 7$ and stays negative, below "
      "0.001 bits in size from $p = 12$ on.");
}

}  // namespace ktln2::paper
