#include <fmt/format.h>

#include "paper/figures/figures.hpp"
#include "paper/figures/registers/register_curves.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
  return entropy_against_deviation(given.integer("p"), thinned(given.integers("E"), work),
                                   log_grid(given.number("sigma_min"), given.number("sigma_max"),
                                            work.points(given.count("points"), 2)),
                                   work);
}

figure one(int p) {
  return {.label = fmt::format("fig:{}{}", "app_sigma_p", p),
          .parent = "fig:app_entropy_vs_sigma_all",
          .title = fmt::format("Entropy against the deviation, p = {}", p),
          .caption = fmt::format(
              "Exact entropy of $\\mathcal N(0, \\sigma^2)$ on registers with precision $p = {}$; "
              "$2^{{e_{{min}}}}$ is dashed, $2^{{e_{{max}}}}$ dotted, $\\tilde H_s^0(p)$ red.",
              p),
          .adds = "The lower panel shows the error of $\\tilde H_s^0(p)$.",
          .settings =
              parameters({{"p", {static_cast<double>(p)}},
                          {"E", {0, 1, 2, 3, 4, 5, 6, 7}},
                          {"points", {500}},
                          {"sigma_min", {0x1p-70}, origin::chosen, "beyond the range of E = 7"},
                          {"sigma_max", {0x1p70}, origin::chosen, "beyond the range of E = 7"}}),
          .cost = 0.05,
          .compute = compute};
}

}  // namespace

std::vector<figure> app_sigma() {
  std::vector<figure> all;
  for (int p = 1; p <= 8; ++p) all.push_back(one(p));
  return all;
}

}  // namespace ktln2::paper
