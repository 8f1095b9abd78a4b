#include "figures.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  const int p = given.integer("p");
  const double smooth = smooth_entropy_zero_mean(p).value();
  table curves({{"E", "", "exponent bits"},
                {"sigma", "", "standard deviation"},
                {"entropy", "bits", "exact entropy H(X_fp)"},
                {"error", "bits", "its error bar"},
                {"smooth", "bits", "approximate entropy [eq:single_mean_0]"},
                {"difference", "bits", "approximate minus exact"}});
  for (const int E : given.integers("E")) {
    const float_format format{p, E};
    for (const double sigma : log_grid(given.number("sigma_min"), given.number("sigma_max"),
                                       work.points(given.integer("points")))) {
      work.pause();
      const bounded<bits> exact = exact_entropy(format, normal{0, sigma});
      curves.add({static_cast<double>(E), sigma, exact.value.value(), exact.error.value(), smooth,
                  smooth - exact.value.value()});
    }
  }
  return {curves};
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
          "The lower panel shows the error of the approximation on the plateau: a ripple with "
          "period one in $\\log \\sigma$.",
      .settings = parameters({{"p", {3}},
                              {"E", {2, 3, 4, 5, 6, 7}, origin::chosen, "the paper says 'various'"},
                              {"sigma_min", {0x1p-70}, origin::chosen, "beyond the range of E = 7"},
                              {"sigma_max", {0x1p70}, origin::chosen, "beyond the range of E = 7"},
                              {"points", {500}, origin::chosen, "as in the appendix"}}),
      .cost = 0.5,
      .compute = compute};
}

}  // namespace ktln2::paper
