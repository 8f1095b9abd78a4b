#include "tabulated_density.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "ktln2/distribution/custom_law.hpp"

namespace ktln2::python {
namespace {

/// Σ c_k T_k(u), by Clenshaw's recurrence.
double chebyshev_sum(const double* c, std::size_t count, double u) {
  double b1 = 0;
  double b2 = 0;
  for (std::size_t k = count; k-- > 1;) {
    const double next = 2 * u * b1 - b2 + c[k];
    b2 = b1;
    b1 = next;
  }
  return u * b1 - b2 + c[0];
}

double log_density(const density_table& of, double z) {
  const auto& edges = of.edges;
  if (!(z >= edges.front() && z <= edges.back())) return -std::numeric_limits<double>::infinity();
  const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, z);
  const auto panel = static_cast<std::size_t>(above - edges.begin()) - 1;
  const std::size_t count = of.coefficients.size() / (edges.size() - 1);
  const double left = edges[panel];
  const double right = edges[panel + 1];
  const double half = (right - left) / 2;
  const double u = z - left < right - z ? (z - left) / half - 1 : 1 - (right - z) / half;
  return chebyshev_sum(of.coefficients.data() + panel * count, count, u);
}

}  // namespace

law_batch tabulated_batch(density_table table) {
  const std::size_t panels = table.edges.empty() ? 0 : table.edges.size() - 1;
  if (panels == 0 || table.coefficients.empty() || table.coefficients.size() % panels != 0) {
    throw std::logic_error("a table of a density needs as many coefficients for each panel");
  }
  const auto kept = std::make_shared<const density_table>(std::move(table));
  return {1, false, [kept](std::size_t) -> law {
            return custom_law{{.name = kept->name,
                               .log_pdf = [kept](double z) { return log_density(*kept, z); },
                               .breaks = kept->breaks,
                               .has_jumps = kept->has_jumps,
                               .location = kept->location,
                               .scale = kept->scale,
                               .relative_error = kept->relative_error}};
          }};
}

}  // namespace ktln2::python
