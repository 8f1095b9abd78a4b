#include "paper/figures/figures.hpp"
#include "paper/figures/profit/profit_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  const profit_family all = sgd_by_learning_rate(given);
  return {derivative_table(all, given, work), zeros_table(all)};
}

}  // namespace

figure ddn_profit_sgd_eta() {
  return {
      .label = "fig:ddn_profit_sgd_eta",
      .parent = "fig:scaling_laws_sgd_eta_B",
      .title = "What one more point brings, by learning rate",
      .caption =
          "The derivative $u'(n)$ of the profit of SGD, for several learning rates $\\eta$. "
          "Dotted lines mark where it crosses zero from above. At $\\eta = 0.01$ it is negative "
          "from the start: the first batch is the best. The axis is linear from -0.001 to 0.001 "
          "and logarithmic beyond.",
      .adds =
          "The lower panel shows the error of $u'(n)$ against exact moments of SGD and exact "
          "entropies; it grows with $\\eta$.",
      .settings = profit_settings(
          {{"eta", {0.01, 0.02, 0.03, 0.05, 0.1}, origin::chosen, "as in the figure of the profit"},
           {"rho_J", {5e16}},
           {"B", {10}},
           {"w0", {1}}}),
      .cost = 0.08,
      .compute = compute};
}

}  // namespace ktln2::paper
