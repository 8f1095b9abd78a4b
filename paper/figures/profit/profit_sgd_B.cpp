#include "paper/figures/figures.hpp"
#include "paper/figures/profit/profit_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  const profit_family all = sgd_by_batch(given);
  const std::vector<double> batches =
      whole_log_grid(1, given.number("B_max"), work.points(given.count("batches"), 8));
  const auto curve_at = [&](double batch) {
    return paper_sgd(given, given.number("rho_J"), given.number("eta"), batch);
  };
  return {profit_table(all, given, work), optima_table(all, work),
          sizes_table(all.varied, batches, curve_at, work)};
}

}  // namespace

figure profit_sgd_B() {
  return {
      .label = "fig:profit_sgd_B",
      .parent = "fig:scaling_laws_sgd_eta_B",
      .title = "Profit of SGD and the batch",
      .caption =
          "Profit $u(n)$ of SGD with learning rate $\\eta = 0.05$, for several batches $B$, at "
          "$\\rho_J = 5 \\times 10^{16}$. Stars mark the best multiple of $B$. Small batches earn "
          "most, and on the fewest points; large ones need so many that they stop after the "
          "first.",
      .adds =
          "The lower panel follows the best size over all batches, by the paper's formulas "
          "(dashed) and with exact moments (solid); the dotted line is a single batch.",
      .settings = profit_settings(
          {{"B", {1, 5, 10, 20, 50}, origin::chosen, "the paper says 'various values'"},
           {"B_max", {100}, origin::chosen, "of the lower panel"},
           {"batches", {150}, origin::chosen, "of the lower panel"},
           {"rho_J", {5e16}},
           {"eta", {0.05}},
           {"w0", {1}}}),
      .cost = 0.08,
      .compute = compute};
}

}  // namespace ktln2::paper
