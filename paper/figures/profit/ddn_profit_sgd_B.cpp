#include "paper/figures/figures.hpp"
#include "paper/figures/profit/profit_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  const profit_family all = sgd_by_batch(given);
  return {derivative_table(all, given, work), zeros_table(all)};
}

}  // namespace

figure ddn_profit_sgd_B() {
  return {.label = "fig:ddn_profit_sgd_B",
          .parent = "fig:scaling_laws_sgd_eta_B",
          .title = "What one more point brings, by batch",
          .caption =
              "The derivative $u'(n)$ of the profit of SGD, for several batches $B$. Dotted lines "
              "mark where it crosses zero from above; for $B = 50$ it never is positive. The axis "
              "is linear from -0.001 to 0.001 and logarithmic beyond.",
          .adds =
              "The lower panel shows the error of $u'(n)$ against exact moments of SGD and exact "
              "entropies.",
          .settings = profit_settings(
              {{"B", {1, 5, 10, 20, 50}, origin::chosen, "as in the figure of the profit"},
               {"rho_J", {5e16}},
               {"eta", {0.05}},
               {"w0", {1}}}),
          .cost = 0.08,
          .compute = compute};
}

}  // namespace ktln2::paper
