#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "ktln2/distribution/slope.hpp"
#include "ktln2/simulation/fit.hpp"
#include "paper/figures/figures.hpp"
#include "paper/figures/sgd/fits.hpp"

namespace ktln2::paper {
namespace {

using namespace simulation;

/// A bin is compared with the law where at least so many are expected in it: there its count is
/// nearly normal.
constexpr double least_expected = 10;

table histogram(const sample_histogram& h, const student_t& z, double trials) {
  table bins({{"low", "", "lower end of a bin"},
              {"high", "", "its upper end"},
              {"count", "", "simulated values in it"},
              {"density", "", "their share, divided by the width of the bin"},
              {"residual", "", "(count - expected)/deviation, where 10 or more are expected"}});
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    const double width = h.edge(i + 1) - h.edge(i);
    const double share = cell_probability(z, h.edge(i) + width / 2, width);
    const double expected = trials * share;
    const auto count = static_cast<double>(h.counts[i]);
    const double residual = expected >= least_expected
                                ? (count - expected) / std::sqrt(expected * (1 - share))
                                : nothing;
    bins.add({h.edge(i), h.edge(i + 1), count, count / trials / width, residual});
  }
  return bins;
}

table density(const student_t& z, double reach, int points) {
  table curve("law", {{"z", "", "error of the slope"},
                      {"density", "", "f_Z(z) [lem:compute_f_z]"},
                      {"normal", "", "density of the normal law with the same deviation"}});
  const double sigma = deviation(z);
  for (const double at : linear_grid(-reach, reach, points)) {
    const double bell = std::isfinite(sigma) ? pdf(normal{0, sigma}, at) : nothing;
    curve.add({at, pdf(z, at), bell});
  }
  return curve;
}

table distance(const sample& errors, const student_t& z, const sample_histogram& h) {
  table fit("fit", {{"trials", "", "simulated regressions"},
                    {"outside", "", "of them beyond the histogram"},
                    {"distance", "", "Kolmogorov-Smirnov distance to f_Z"},
                    {"p_value", "", "of that distance"},
                    {"chi_square", "", "Pearson's, over equally probable bins"},
                    {"chi_square_p_value", "", "of that"}});
  const goodness_of_fit found = fit_of(errors, [&](double at) { return cdf(z, at); });
  fit.add({static_cast<double>(errors.size()), static_cast<double>(h.below + h.above),
           found.kolmogorov_smirnov, found.kolmogorov_p_value, found.chi_square,
           found.chi_square_p_value});
  return fit;
}

std::vector<table> slope_errors(const parameters& given, const effort& work) {
  const linear_model model{given.number("w"), given.number("sigma_x"), given.number("sigma_xi")};
  const slope_trial what{model, static_cast<std::uint64_t>(given.integer("n"))};
  const student_t z = slope_law({0, model.sigma_x, model.sigma_xi}, static_cast<double>(what.n));
  std::vector<double> results = simulated(what, work.points(given.count("trials")), work);
  for (double& slope : results) slope -= model.w;
  const sample errors(std::move(results));
  const double reach = given.number("z_max");
  const sample_histogram h =
      histogram_of(errors, -reach, reach, static_cast<std::size_t>(given.count("bins")));
  return {histogram(h, z, static_cast<double>(errors.size())),
          density(z, reach, given.count("points")), distance(errors, z, h)};
}

figure of_size(int n) {
  return {.label = fmt::format("fig:{}{}", "z_fit_", n),
          .settings = parameters(
              {{"n", {static_cast<double>(n)}},
               {"sigma_x", {1}},
               {"sigma_xi", {1}},
               {"trials", {50000}},
               {"w", {1}, origin::chosen, "the law of Z does not depend on it"},
               {"z_max", {2}, origin::chosen, "the same for each n, to show how the law narrows"},
               {"bins", {80}, origin::chosen, "0.05 wide"},
               {"points", {401}, origin::chosen, "for smooth curves"}}),
          .is_random = true,
          .cost = 0.1,
          .compute = slope_errors};
}

}  // namespace

std::vector<figure> z_fit() { return {of_size(3), of_size(10), of_size(30)}; }

}  // namespace ktln2::paper
