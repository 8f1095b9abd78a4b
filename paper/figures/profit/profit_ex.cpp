#include "paper/figures/figures.hpp"
#include "paper/figures/profit/profit_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  const profit_family all = regression_by_price(given);
  return {profit_table(all, given, work), optima_table(all, work)};
}

}  // namespace

figure profit_ex() {
  return {.label = "fig:profit_ex",
          .parent = "fig:scaling_laws",
          .title = "Profit of exact regression",
          .caption =
              "Profit $u(n)$ of training by exact regression on $n$ points, for several energy "
              "prices $\\rho_J$. Stars mark the best whole $n$: the dearer energy is, the fewer "
              "points are worth learning from.",
          .adds =
              "The lower panel shows by how much the closed forms of the entropies misjudge the "
              "profit. Exact entropies leave every $n^*$ where it is.",
          .settings = profit_settings({{"rho_J",
                                        {1e16, 2e16, 5e16, 1e17, 2e17},
                                        origin::chosen,
                                        "the paper says 'each value'; so that optima differ"}}),
          .cost = 0.2,
          .compute = compute};
}

}  // namespace ktln2::paper
