#include "paper/figures/figures.hpp"
#include "paper/figures/profit/profit_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  const profit_family all = sgd_by_price(given);
  return {profit_table(all, given, work), optima_table(all, work)};
}

}  // namespace

figure profit_sgd() {
  return {
      .label = "fig:profit_sgd",
      .parent = "fig:scaling_laws",
      .title = "Profit of SGD",
      .caption =
          "Profit $u(n)$ of training by SGD on $n$ points in batches of $B = 10$, for several "
          "energy prices $\\rho_J$. Stars mark the best multiple of $B$. It falls as energy "
          "gets dearer, down to a single batch, where SGD is left with fewer points than exact "
          "regression.",
      .adds =
          "The lower panel shows the error of the profit against exact moments of SGD and "
          "exact entropies. It comes from the model's error, so it is the same at all prices. The "
          "entropies move no optimum; the moments, those inside by one batch.",
      .settings = profit_settings({{"rho_J",
                                    {1e16, 2e16, 5e16, 1e17, 2e17},
                                    origin::chosen,
                                    "the same as for exact regression"},
                                   {"eta", {0.05}},
                                   {"B", {10}},
                                   {"w0", {1}}}),
      .cost = 0.07,
      .compute = compute};
}

}  // namespace ktln2::paper
