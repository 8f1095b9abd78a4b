#include "figures.hpp"
#include "fits.hpp"
#include "sgd_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  std::vector<sgd_series> all;
  for (const double k : some_of(given.list("k"), work)) {
    all.push_back({k, sgd_problem_of(given, given.number("w")), k});
  }
  return sgd_fits({"k", "", "steps"}, all, {sgd_model::ou, sgd_model::exact}, given, work);
}

}  // namespace

figure non_assymp_fit() {
  return {
      .label = "fig:non_assymp_fit",
      .parent = "fig:sgd_w_2x2",
      .title = "The slope on its way",
      .caption =
          "Slopes found by 5000 runs of stochastic gradient descent from $\\hat w_0 = 1$ toward "
          "$w = 2$, after several numbers $k$ of steps, against the law of the Ornstein-Uhlenbeck "
          "process at that time (dashed red). It is too narrow at first, by 1.7 in the first steps "
          "and by 1.28 after 100, and agrees from about 500 steps on.",
      .adds =
          "The exact law of SGD (solid), and the Kolmogorov-Smirnov distances of both to the "
          "simulation: the process is refuted by the runs at each of the early steps, the exact "
          "law "
          "at none.",
      .settings = parameters(
          {{"eta", {0.01}},
           {"B", {10}},
           {"sigma_x", {1}},
           {"sigma_xi", {1}},
           {"trials", {5000}},
           {"k", {1, 10, 50, 100, 500, 2000}, origin::chosen, "the paper says 'selected'"},
           {"w0", {1}, origin::chosen, "as in the figures about the cost of SGD"},
           {"w", {2}, origin::chosen, "as in the scaling figures"},
           {"bins", {36}, origin::chosen, "a quarter of a deviation each"},
           {"points", {181}, origin::chosen, "for smooth curves"}}),
      .is_random = true,
      .cost = 2.5,
      .compute = compute};
}

}  // namespace ktln2::paper
