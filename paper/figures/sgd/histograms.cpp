#include "ktln2/distribution/law.hpp"
#include "ktln2/simulation/fit.hpp"
#include "paper/figures/figures.hpp"
#include "paper/figures/sgd/fits.hpp"
#include "paper/figures/sgd/sgd_figures.hpp"

namespace ktln2::paper {
namespace {

using namespace simulation;

/// One of the histograms of a figure about SGD.
struct sgd_series {
  std::vector<double> keys;  ///< what sets it apart, such as the batch size
  sgd_problem problem;
  double steps;
};

/// A row that begins with the keys of its series.
void add_row(table& rows, const std::vector<double>& keys, std::vector<cell> more) {
  more.insert(more.begin(), keys.begin(), keys.end());
  rows.add(std::move(more));
}

std::vector<column> columns_of(const std::vector<column>& keys, std::vector<column> more) {
  more.insert(more.begin(), keys.begin(), keys.end());
  return more;
}

/// So many deviations on both sides of the mean show all of a law.
constexpr double reach = 4.5;

void add_histogram(table& rows, const sgd_series& series, const sample& slopes, int bins) {
  const sgd_moments moments = exact_moments(series.problem.model, series.problem.how, series.steps);
  const sample_histogram h =
      histogram_of(slopes, moments.mean - reach * moments.deviation,
                   moments.mean + reach * moments.deviation, static_cast<std::size_t>(bins));
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    const auto count = static_cast<double>(h.counts[i]);
    const double width = h.edge(i + 1) - h.edge(i);
    add_row(rows, series.keys,
            {h.edge(i), h.edge(i + 1), count, count / static_cast<double>(slopes.size()) / width});
  }
}

void add_density(table& rows, const sgd_series& series, const std::string& name, const law& x,
                 int points) {
  const double half = reach * deviation(x);
  for (const double at : linear_grid(mean(x) - half, mean(x) + half, points)) {
    add_row(rows, series.keys, {name, at, pdf(x, at)});
  }
}

void add_fit(table& rows, const sgd_series& series, const std::string& name, const sample& slopes,
             const law& x) {
  const goodness_of_fit fit = fit_of(slopes, [&](double at) { return cdf(x, at); });
  add_row(rows, series.keys, {name, fit.kolmogorov_smirnov, fit.kolmogorov_p_value});
}

/// Histograms of simulated slopes (main table), the densities of several laws (table "laws"), and
/// how far each of them is from the simulation (table "fits").
std::vector<table> tables_of(const std::vector<column>& keys, const std::vector<sgd_series>& all,
                             const std::vector<sgd_model>& models, const parameters& given,
                             const effort& work) {
  table histograms(
      columns_of(keys, {{"low", "", "lower end of a bin"},
                        {"high", "", "its upper end"},
                        {"count", "", "simulated slopes in it"},
                        {"density", "", "their share, divided by the width of the bin"}}));
  table laws(
      "laws",
      columns_of(keys, {{"law", "",
                         "ou (the Ornstein-Uhlenbeck process), stationary (its limit), or exact"},
                        {"x", "", "slope"},
                        {"density", "", "probability density"}}));
  table fits("fits",
             columns_of(keys, {{"law", "", "as in the table of laws"},
                               {"distance", "", "Kolmogorov-Smirnov distance to the simulation"},
                               {"p_value", "", "of that distance, if the law were right"}}));
  for (const sgd_series& series : all) {
    const auto& [model, how] = series.problem;
    require_valid(model, how, series.steps);
    const sample slopes(simulated(trial_of(series.problem, series.steps),
                                  work.points(given.count("trials")), work));
    add_histogram(histograms, series, slopes, given.count("bins"));
    for (const sgd_model which : models) {
      work.pause();
      const law x = sgd_law(model, how, series.steps, which);
      add_density(laws, series, name_of(which), x, work.points(given.count("points")));
      add_fit(fits, series, name_of(which), slopes, x);
    }
  }
  return {histograms, laws, fits};
}

std::vector<table> by_batch(const parameters& given, const effort& work) {
  std::vector<sgd_series> all;
  const linear_model model{given.number("w"), given.number("sigma_x"), given.number("sigma_xi")};
  for (const double w0 : given.list("w0")) {
    for (const double batch : some_of(given.list("B"), work, 1)) {
      const descent how{given.number("eta"), batch, w0};
      all.push_back({{w0, batch}, {model, how}, given.number("tau")});
    }
  }
  return tables_of({{"w0", "", "where the runs begin"}, {"B", "", "points a batch"}}, all,
                   {sgd_model::stationary, sgd_model::ou, sgd_model::exact}, given, work);
}

std::vector<table> by_steps(const parameters& given, const effort& work) {
  std::vector<sgd_series> all;
  for (const double k : some_of(given.list("k"), work)) {
    all.push_back({{k}, sgd_problem_of(given, given.number("w")), k});
  }
  return tables_of({{"k", "", "steps"}}, all, {sgd_model::ou, sgd_model::exact}, given, work);
}

}  // namespace

figure assymp_fit() {
  return {.label = "fig:assymp_fit",
          .settings =
              parameters({{"eta", {0.01}},
                          {"tau", {200}},
                          {"B", {1, 5, 25}},
                          {"sigma_x", {1}},
                          {"sigma_xi", {1}},
                          {"trials", {1000}},
                          {"w0",
                           {2, 1},
                           origin::chosen,
                           "at w, where the limit is reached in time; and as in the figures about "
                           "the cost of SGD, where it is not"},
                          {"w", {2}, origin::chosen, "as in the scaling figures"},
                          {"bins", {36}, origin::chosen, "a quarter of a deviation each"},
                          {"points", {181}, origin::chosen, "for smooth curves"}}),
          .is_random = true,
          .cost = 3,
          .compute = by_batch};
}

figure non_assymp_fit() {
  return {.label = "fig:non_assymp_fit",
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
          .compute = by_steps};
}

}  // namespace ktln2::paper
