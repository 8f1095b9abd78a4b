#include <algorithm>

#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "paper/figures/figures.hpp"
#include "paper/figures/registers/register_curves.hpp"

namespace ktln2::paper {
namespace {

/// The plateau from near: the error of the approximation, and the part that Approximation 1 has.
table ripple(const float_format& format, int points, const effort& work) {
  table result("ripple", {{"sigma", "", "standard deviation"},
                          {"difference", "bits", "approximate minus exact"},
                          {"first_step", "bits", "Approximation 1 minus exact [eq:diff_approx]"}});
  const bits smooth = smooth_entropy_zero_mean(format.p());
  for (const double sigma : log_grid(1, 4, points)) {
    work.pause();
    const law x = normal{0, sigma};
    const bits exact = exact_entropy(format, x).value;
    result.add({sigma, (smooth - exact).value(), (cell_width_entropy(format, x) - exact).value()});
  }
  return result;
}

std::vector<table> compute(const parameters& given, const effort& work) {
  const int p = given.integer("p");
  const std::vector<int> E = given.integers("E");
  std::vector<table> tables =
      entropy_against_deviation(p, E,
                                log_grid(given.number("sigma_min"), given.number("sigma_max"),
                                         work.points(given.count("points"))),
                                work);
  tables.push_back(ripple({p, *std::max_element(E.begin(), E.end())},
                          work.points(given.count("ripple_points")), work));
  return tables;
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
          "The middle panel shows the error of the approximation, the lowest one the plateau from "
          "near, for the largest $E$: $-0.0217$ bits, with a ripple of $\\pm 0.0003$ that has "
          "period one in $\\log \\sigma$. Some $-0.006$ bits of it are those of Approximation 1 "
          "(dotted): with three significant bits the density is not flat inside a cell. The rest "
          "is due to the cells around powers of two, which are narrower on average than the smooth "
          "widths.",
      .settings = parameters({{"p", {3}},
                              {"E", {2, 3, 4, 5, 6, 7}, origin::chosen, "the paper says 'various'"},
                              {"sigma_min", {0x1p-70}, origin::chosen, "beyond the range of E = 7"},
                              {"sigma_max", {0x1p70}, origin::chosen, "beyond the range of E = 7"},
                              {"points", {500}, origin::chosen, "as in the appendix"},
                              {"ripple_points", {129}, origin::chosen, "over two octaves"}}),
      .cost = 0.05,
      .compute = compute};
}

}  // namespace ktln2::paper
