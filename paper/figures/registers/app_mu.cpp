#include <fmt/format.h>

#include "paper/figures/figures.hpp"
#include "paper/figures/registers/register_curves.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  return {entropy_against_mean({given.integer("p"), given.integer("E")}, {given.number("sigma")},
                               linear_grid(given.number("mu_min"), given.number("mu_max"),
                                           work.points(given.count("points"))),
                               work)};
}

figure one(int p, int E) {
  return {.label = fmt::format("fig:{}{}_E{}", "app_mu_p", p, E),
          .parent = fmt::format("fig:{}{}", "app_entropy_vs_mu_p", p),
          .title = fmt::format("Entropy against the mean, p = {}, E = {}", p, E),
          .caption = fmt::format(
              "Exact entropy of $\\mathcal N(\\mu, 1)$ (solid) and Approximation 3 (dashed) on a "
              "register with $p = {}$ and $E = {}$.{}",
              p, E, E == 0 ? " Its only exponent is $1/2$." : ""),
          .adds = "The strip below shows the error of Approximation 3.",
          .settings = parameters({{"p", {static_cast<double>(p)}},
                                  {"E", {static_cast<double>(E)}},
                                  {"sigma", {1}},
                                  {"mu_min", {-100}},
                                  {"mu_max", {100}},
                                  {"points", {500}}}),
          .cost = 0.01,
          .compute = compute};
}

}  // namespace

std::vector<figure> app_mu() {
  std::vector<figure> all;
  for (int p = 1; p <= 7; ++p) {
    for (int E = 0; E <= 7; ++E) all.push_back(one(p, E));
  }
  return all;
}

std::vector<group> app_mu_groups() {
  std::vector<group> all;
  for (int p = 1; p <= 7; ++p) {
    all.push_back(
        {fmt::format("fig:{}{}", "app_entropy_vs_mu_p", p),
         fmt::format("Entropy against the mean, p = {}", p),
         fmt::format("The exact entropy of a register with precision $p = {}$ that holds a number "
                     "drawn from $\\mathcal N(\\mu, 1)$, one panel for each number $E$ of exponent "
                     "bits, beside Approximation 3. With few exponent bits all large numbers are "
                     "clipped and the entropy is zero; with many the two agree as long as the "
                     "cells are not wider than the deviation.",
                     p)});
  }
  return all;
}

}  // namespace ktln2::paper
