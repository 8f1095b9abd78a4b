#include "paper/figures/figures.hpp"
#include "paper/figures/profit/profit_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  const profit_family all = sgd_by_learning_rate(given);
  const std::vector<double> rates = log_grid(given.number("eta_min"), given.number("eta_max"),
                                             work.points(given.count("rates"), 8));
  const auto curve_at = [&](double eta) {
    return paper_sgd(given, given.number("rho_J"), eta, given.integer("B"));
  };
  return {profit_table(all, given, work), optima_table(all, work),
          sizes_table(all.varied, rates, curve_at, work)};
}

}  // namespace

figure profit_sgd_eta() {
  return {
      .label = "fig:profit_sgd_eta",
      .parent = "fig:scaling_laws_sgd_eta_B",
      .title = "Profit of SGD and the learning rate",
      .caption =
          "Profit $u(n)$ of SGD with batches of $B = 10$, for several learning rates $\\eta$, "
          "at $\\rho_J = 5 \\times 10^{16}$. Stars mark the best multiple of $B$. From "
          "$\\eta = 0.1$ down to about 0.025 slower learning asks for more points; below, for "
          "fewer, and at $\\eta = 0.01$ for a single batch.",
      .adds =
          "The lower panel follows the best size over all learning rates, by the paper's "
          "formulas (dashed) and with exact moments (solid).",
      .settings = profit_settings({{"eta",
                                    {0.01, 0.02, 0.03, 0.05, 0.1},
                                    origin::chosen,
                                    "the paper says 'varying values'; on both sides of the peak"},
                                   {"eta_min", {0.008}, origin::chosen, "of the lower panel"},
                                   {"eta_max", {0.2}, origin::chosen, "of the lower panel"},
                                   {"rates", {150}, origin::chosen, "of the lower panel"},
                                   {"rho_J", {5e16}},
                                   {"B", {10}},
                                   {"w0", {1}}}),
      .cost = 0.08,
      .compute = compute};
}

}  // namespace ktln2::paper
