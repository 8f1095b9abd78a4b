#include "figures.hpp"
#include "register_curves.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  return entropy_against_deviation(given.integer("p"), given.integers("E"),
                                   log_grid(given.number("sigma_min"), given.number("sigma_max"),
                                            work.points(given.integer("points"))),
                                   work);
}

}  // namespace

figure fp_exact_approx_sigma() {
  return {
      .label = "fig:fp_exact_approx_sigma",
      .parent = "fig:fp_exact_approx",
      .title = "Entropy against the deviation, p = 3",
      .caption =
          "The entropy of a register with precision $p = 3$ that holds a number drawn from "
          "$\\mathcal N(0, \\sigma^2)$, exactly, for several numbers $E$ of exponent bits. The red "
          "dashed line is the approximation $\\tilde H_s^0(p)$, which knows neither $\\sigma$ nor "
          "$E$. Vertical lines mark the smallest exponent, $\\sigma = 2^{e_{min}}$ (dashed), and "
          "the largest, $\\sigma = 2^{e_{max}}$ (dotted): the curves leave the plateau there.",
      .adds =
          "The lower panel shows the error of the approximation. On the plateau it is $-0.0215$ "
          "bits: three significant bits are so few that the density is not flat inside a cell, "
          "which the approximation takes it to be. On top of that there is a ripple of "
          "$\\pm 4 \\cdot 10^{-4}$ bits with period one in $\\log \\sigma$.",
      .settings = parameters({{"p", {3}},
                              {"E", {2, 3, 4, 5, 6, 7}, origin::chosen, "the paper says 'various'"},
                              {"sigma_min", {0x1p-70}, origin::chosen, "beyond the range of E = 7"},
                              {"sigma_max", {0x1p70}, origin::chosen, "beyond the range of E = 7"},
                              {"points", {500}, origin::chosen, "as in the appendix"}}),
      .cost = 0.5,
      .compute = compute};
}

}  // namespace ktln2::paper
