// How narrow the chain of one-register entropies is.
#include <cmath>

#include "ktln2/distribution/normal_row.hpp"
#include "ktln2/entropy/chain.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> bracket_widths(const parameters& given, const effort& work) {
  table widths{{{"p", "", "precision"},
                {"snr", "", "signal-to-noise ratio"},
                {"value", "bits", "entropy of a row by the chain"},
                error_bar(),
                {"width", "bits", "from the lower to the upper end of the proved bracket"}}};
  const auto d = static_cast<std::size_t>(given.count("d"));
  for (const int p : given.integers("p")) {
    const std::vector<partition> cells(d + 1, partition{float_format{p, given.integer("E")}});
    for (const double snr : log_grid(given.number("snr_min"), given.number("snr_max"),
                                     work.points(given.count("points"), 5))) {
      work.pause();
      row_model model;
      model.w.assign(d, std::sqrt(snr / static_cast<double>(d)));
      model.mu.assign(d, 0.0);
      model.covariance = equally_correlated(std::vector<double>(d, 1.0), 0);
      const chain_entropy found = entropy_by_chain(cells, normal_row{model}.registers());
      widths.add(
          {p, snr, found.value.value, found.value.error.value(), (found.high - found.low).value()});
    }
  }
  return {widths};
}

}  // namespace

figure chain_bracket() {
  return {.label = "extra:chain_bracket",
          .settings = {{{"p", {4, 8, 12, 24}, origin::chosen, "precisions"},
                        {"E", {8}, origin::chosen, "exponent bits"},
                        {"d", {3}, origin::chosen, "features"},
                        {"snr_min", {0.1}, origin::chosen, "more noise than signal"},
                        {"snr_max",
                         {1e6},
                         origin::chosen,
                         "far below 4^p for p = 24, where the chain is sharp"},
                        {"points", {29}, origin::chosen, "a curve"}}},
          .cost = 10,
          .compute = bracket_widths};
}

}  // namespace ktln2::paper
