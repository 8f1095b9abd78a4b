#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "ktln2/distribution/normal.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct interval {
  double left;
  double right;
};

/// The numbers that are stored as values[i]: as far as the midpoints, at both ends without end.
interval cell_of(const std::vector<double>& values, std::size_t i) {
  const double left = i == 0 ? -infinity : (values[i - 1] + values[i]) / 2;
  const double right = i + 1 == values.size() ? infinity : (values[i] + values[i + 1]) / 2;
  return {left, right};
}

double probability(const normal& x, const interval& cell) {
  return x.kernel().between(x.standard(cell.left), x.standard(cell.right)).probability;
}

std::vector<table> cells_of_a_codebook(const parameters& given, const effort& work) {
  const std::vector<double>& values = given.list("u");
  if (!std::is_sorted(values.begin(), values.end(), std::less_equal<>{})) {
    throw std::domain_error("paper: u must be a list of rising numbers");
  }
  const normal x{given.number("mu"), given.number("sigma")};
  table cells({{"u", "", "representable value"},
               {"left", "", "left end of its cell; none for the first"},
               {"right", "", "right end of its cell; none for the last"},
               {"probability", "", "that X is in the cell"},
               {"term", "bits", "-P log P, its part of the entropy"}});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const interval cell = cell_of(values, i);
    const double P = probability(x, cell);
    cells.add({values[i], std::isinf(cell.left) ? nothing : cell.left,
               std::isinf(cell.right) ? nothing : cell.right, P, P > 0 ? -P * std::log2(P) : 0});
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
