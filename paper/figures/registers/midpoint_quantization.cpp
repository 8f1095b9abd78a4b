#include <cmath>
#include <stdexcept>
#include <string>

#include "ktln2/distribution/normal.hpp"
#include "ktln2/format/codebook.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

/// An outermost cell ends nowhere.
double end_or_nothing(const wide& end) { return end.is_infinite() ? nothing : end.to_double(); }

/// The values of a user must ascend.
codebook codebook_of(const std::vector<double>& values) {
  try {
    return codebook(values);
  } catch (const std::domain_error& mistake) {
    throw std::domain_error("paper: u: " + std::string(mistake.what()));
  }
}

std::vector<table> cells_of_a_codebook(const parameters& given, const effort& work) {
  const codebook code = codebook_of(given.list("u"));
  const std::vector<double>& values = code.values();
  const partition line = code.cells();
  const normal x{given.number("mu"), given.number("sigma")};
  table cells({{"u", "", "representable value"},
               {"left", "", "left end of its cell; none for the first"},
               {"right", "", "right end of its cell; none for the last"},
               {"probability", "", "that X is in the cell"},
               {"term", "bits", "-P log P, its part of the entropy"}});
  for (const double u : values) {
    const cell_run cell = line.cell_of(u);
    const double P = x.kernel().between(x.standard(cell.left), x.standard(cell.right)).probability;
    cells.add({u, end_or_nothing(cell.left), end_or_nothing(cell.right), P,
               P > 0 ? -P * std::log2(P) : 0});
  }
  table density("density", {{"x", "", "the number"}, {"density", "", "of X"}});
  const double margin = given.number("margin");
  for (const double at : linear_grid(values.front() - margin, values.back() + margin,
                                     work.points(given.count("points")))) {
    density.add({at, pdf(x, at)});
  }
  return {cells, density};
}

}  // namespace

figure midpoint_quantization() {
  return {.label = "fig:midpoint_quantization",
          .settings = parameters(
              {{"u", {-2, 1, 4}, origin::chosen, "as the paper draws them, in centimeters"},
               {"mu", {1.5}, origin::chosen, "a density in the picture"},
               {"sigma", {1.8}, origin::chosen, "a density in the picture"},
               {"margin", {1.5}, origin::chosen, "as the paper draws it"},
               {"points", {201}, origin::chosen, "a smooth curve"}}),
          .cost = 0.01,
          .compute = cells_of_a_codebook};
}

}  // namespace ktln2::paper
