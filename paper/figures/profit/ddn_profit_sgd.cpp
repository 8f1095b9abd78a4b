#include "paper/figures/figures.hpp"
#include "paper/figures/profit/profit_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  const profit_family all = sgd_by_price(given);
  return {derivative_table(all, given, work), zeros_table(all)};
}

}  // namespace

figure ddn_profit_sgd() {
  return {.label = "fig:ddn_profit_sgd",
          .parent = "fig:scaling_laws",
          .title = "What one more point brings, SGD",
          .caption =
              "The derivative $u'(n)$ of the profit of SGD. Dotted lines mark where it crosses "
              "zero from above, at a maximum of the profit; where energy is too dear there is no "
              "such place. The axis is linear from -0.001 to 0.001 and logarithmic beyond.",
          .adds =
              "The lower panel shows the error of $u'(n)$ against exact moments of SGD and exact "
              "entropies, the same at all prices; it is what moves the optima by a batch.",
          .settings = profit_settings({{"rho_J",
                                        {1e16, 2e16, 5e16, 1e17, 2e17},
                                        origin::chosen,
                                        "as in the figure of the profit"},
                                       {"eta", {0.05}},
                                       {"B", {10}},
                                       {"w0", {1}}}),
          .cost = 0.08,
          .compute = compute};
}

}  // namespace ktln2::paper
