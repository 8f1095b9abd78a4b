#include "paper/figures/figures.hpp"
#include "paper/figures/registers/register_curves.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  const float_format format{given.integer("p"), given.integer("E")};
  return {entropy_against_mean(
      format, given.list("sigma"),
      log_grid(given.number("mu_min"), given.number("mu_max"), work.points(given.count("points"))),
      work)};
}

}  // namespace

figure fp_off_zero() {
  return {
      .label = "fig:fp_off_zero",
      .parent = "",
      .title = "Off zero: entropy against the mean for several deviations",
      .caption =
          "The entropy of a number drawn from $\\mathcal N(\\mu, \\sigma^2)$ against its mean, for "
          "several deviations, exactly (solid) and by Approximation 3 (dashed). Up to "
          "$\\mu \\approx \\sigma$ the mean does not matter; beyond, the entropy falls by one bit "
          "with every doubling of $\\mu$.",
      .adds =
          "The lower panel shows the error of Approximation 3. For $\\mu \\gg \\sigma$ a sawtooth "
          "with an amplitude of about half a bit remains: the true widths are steps. Toward $\\mu "
          "= 0$ "
          "the approximation grows without end.",
      .settings = parameters({{"p", {24}, origin::chosen, "single precision"},
                              {"E", {8}, origin::chosen, "single precision"},
                              {"sigma", {0.01, 0.1, 1, 10}, origin::chosen, "four decades"},
                              {"mu_min", {1e-3}, origin::chosen, "below the smallest deviation"},
                              {"mu_max", {1e3}, origin::chosen, "beyond the largest deviation"},
                              {"points", {241}, origin::chosen, "forty a decade"}}),
      .cost = 0.08,
      .compute = compute};
}

}  // namespace ktln2::paper
