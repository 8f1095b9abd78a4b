#include "fits.hpp"

#include "ktln2/simulation/fit.hpp"

namespace ktln2::paper {

using namespace simulation;

namespace {

std::string name_of(sgd_model model) {
  switch (model) {
    case sgd_model::ou:
      return "process";
    case sgd_model::stationary:
      return "stationary";
    case sgd_model::moments:
      return "moments";
    case sgd_model::exact:
      break;
  }
  return "exact";
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
    rows.add({series.key, h.edge(i), h.edge(i + 1), count,
              count / static_cast<double>(slopes.size()) / width});
  }
}

void add_density(table& rows, double key, const std::string& name, const law& x, int points) {
  std::visit(
      [&](const auto& one) {
        const double half = reach * deviation(one);
        for (const double at : linear_grid(mean(one) - half, mean(one) + half, points)) {
          rows.add({key, name, at, pdf(one, at)});
        }
      },
      x);
}

void add_fit(table& rows, double key, const std::string& name, const sample& slopes, const law& x) {
  const goodness_of_fit fit = std::visit(
      [&](const auto& one) { return fit_of(slopes, [&](double at) { return cdf(one, at); }); }, x);
  rows.add({key, name, fit.kolmogorov_smirnov, fit.kolmogorov_p_value});
}

}  // namespace

std::vector<double> simulated(const trial& what, int trials, const effort& work) {
  const auto goes_on = [&](double) { return work.stop == nullptr || !work.stop->load(); };
  std::vector<double> results = simulate(what, {.trials = static_cast<std::uint64_t>(trials),
                                                .seed = work.seed,
                                                .threads = 1,  // figures are computed side by side
                                                .progress = goes_on});
  work.pause();
  return results;
}

sgd_trial trial_of(const sgd_problem& problem, double steps) {
  return {problem.model, problem.how, static_cast<std::uint64_t>(steps)};
}

std::vector<table> sgd_fits(const column& key, const std::vector<sgd_series>& all,
                            const std::vector<sgd_model>& models, const parameters& given,
                            const effort& work) {
  table histograms({key,
                    {"low", "", "lower end of a bin"},
                    {"high", "", "its upper end"},
                    {"count", "", "simulated slopes in it"},
                    {"density", "", "their share, divided by the width of the bin"}});
  table laws("laws", {key,
                      {"law", "", "process (Ornstein-Uhlenbeck), stationary (its limit), or exact"},
                      {"x", "", "slope"},
                      {"density", "", "probability density"}});
  table fits("fits", {key,
                      {"law", "", "as in the table of laws"},
                      {"distance", "", "Kolmogorov-Smirnov distance to the simulation"},
                      {"p_value", "", "of that distance, if the law were right"}});
  for (const sgd_series& series : all) {
    const auto& [model, how] = series.problem;
    require_valid(model, how, series.steps);
    const sample slopes(simulated(trial_of(series.problem, series.steps),
                                  work.points(given.count("trials")), work));
    add_histogram(histograms, series, slopes, given.count("bins"));
    for (const sgd_model which : models) {
      work.pause();
      const law x = sgd_law(model, how, series.steps, which);
      add_density(laws, series.key, name_of(which), x, work.points(given.count("points")));
      add_fit(fits, series.key, name_of(which), slopes, x);
    }
  }
  return {histograms, laws, fits};
}

}  // namespace ktln2::paper
