#include "figures.hpp"
#include "fits.hpp"
#include "sgd_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  std::vector<sgd_series> all;
  for (const double batch : some_of(given.list("B"), work, 1)) {
    const linear_model model{given.number("w"), given.number("sigma_x"), given.number("sigma_xi")};
    const descent how{given.number("eta"), batch, given.number("w0")};
    all.push_back({batch, {model, how}, given.number("tau")});
  }
  return sgd_fits({"B", "", "points a batch"}, all,
                  {sgd_model::stationary, sgd_model::ou, sgd_model::exact}, given, work);
}

}  // namespace

figure assymp_fit() {
  return {
      .label = "fig:assymp_fit",
      .parent = "",
      .title = "SGD after 200 steps against its limit",
      .caption =
          "Slopes found by 1000 runs of 200 steps of stochastic gradient descent with the learning "
          "rate 0.01, for batches of 1, 5 and 25 points, against the limit of the "
          "Ornstein-Uhlenbeck process (dashed red). From $\\hat w_0 = 1$ to $w = 2$ the limit is "
          "not reached: $e^{-2}$ of the way is left, twice the deviation of the limit at $B = 1$ "
          "and ten times at $B = 25$. It would look reached only if the runs began near $w$.",
      .adds =
          "The exact law of SGD (solid), the process itself after 200 steps (dotted), and the "
          "Kolmogorov-Smirnov distances of all three to the simulation. The process has the right "
          "place and nearly the right width; the limit is what fails here, and the more so the "
          "larger the batch.",
      .settings =
          parameters({{"eta", {0.01}},
                      {"tau", {200}},
                      {"B", {1, 5, 25}},
                      {"sigma_x", {1}},
                      {"sigma_xi", {1}},
                      {"trials", {1000}},
                      {"w0", {1}, origin::chosen, "as in the figures about the cost of SGD"},
                      {"w", {2}, origin::chosen, "as in the scaling figures"},
                      {"bins", {36}, origin::chosen, "a quarter of a deviation each"},
                      {"points", {181}, origin::chosen, "for smooth curves"}}),
      .is_random = true,
      .cost = 1.5,
      .compute = compute};
}

}  // namespace ktln2::paper
