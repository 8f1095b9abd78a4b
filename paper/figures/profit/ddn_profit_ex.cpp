#include "paper/figures/figures.hpp"
#include "paper/figures/profit/profit_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  const profit_family all = regression_by_price(given);
  return {derivative_table(all, given, work), zeros_table(all)};
}

}  // namespace

figure ddn_profit_ex() {
  return {.label = "fig:ddn_profit_ex",
          .parent = "fig:scaling_laws",
          .title = "What one more point brings, exact regression",
          .caption =
              "The derivative $u'(n)$ of the profit of exact regression. Dotted lines mark where "
              "it crosses zero; each curve does so once, from above, at the maximum of its profit. "
              "The axis is linear from -0.001 to 0.001 and logarithmic beyond.",
          .adds =
              "The lower panel shows the error that the closed forms of the entropies make in "
              "$u'(n)$: tiny against what a point brings, so no optimum moves.",
          .settings = profit_settings({{"rho_J",
                                        {1e16, 2e16, 5e16, 1e17, 2e17},
                                        origin::chosen,
                                        "as in the figure of the profit"}}),
          .cost = 0.3,
          .compute = compute};
}

}  // namespace ktln2::paper
