#include "ask/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "ask/how_many.hpp"
#include "ask/many_problem.hpp"
#include "core/constants.hpp"
#include "ktln2/core/parallel.hpp"

namespace ktln2::ask {
namespace {

using simulation::measured;
using simulation::measured_entropy;
using simulation::sample;
using simulation::sample_histogram;

/// A kind of trial with the theory of it.
struct experiment {
  simulation::trial what;
  law theory;
  std::string theory_name;
  double tail;
  json parameters;
};

experiment read_slope(const reader& given) {
  const simulation::slope_trial t{read_model(given), given.whole("n")};
  simulation::check(t);
  const auto n = static_cast<double>(t.n);
  return {t, slope_law(t.model, n),
          fmt::format("slope:n={},w={},sigma_x={},sigma_xi={}", t.n, t.model.w, t.model.sigma_x,
                      t.model.sigma_xi),
          n, joined({{{"n", t.n}}, shown(t.model)})};
}

experiment read_sgd(const reader& given) {
  require_features(given, {"mu", "corr", "ar", "covariance", "intercept"});
  // The batch first, so that what is no whole number is said to be none.
  const std::uint64_t batch = given.whole("batch");
  const simulation::sgd_trial t{
      read_model(given), read_descent(given),
      given.has("n") ? static_cast<std::uint64_t>(read_steps(given)) : given.whole("steps")};
  simulation::check(t);
  const sgd_model which = read_sgd_model(given);
  return {t, sgd_law(t.model, t.how, static_cast<double>(t.steps), which),
          fmt::format(
              "sgd:steps={},batch={},eta={},w0={},w0_sigma={},w={},sigma_x={},sigma_xi={},law={}",
              t.steps, batch, t.how.eta, t.how.w0, t.how.w0_sigma, t.model.w, t.model.sigma_x,
              t.model.sigma_xi, name_of(which)),
          infinity,
          joined({{{"steps", t.steps}}, shown(t.how), shown(t.model), {{"law", name_of(which)}}})};
}

experiment read_average(const reader& given) {
  const simulation::average_trial t{given.whole("n"), given.number("mu"), given.number("sigma"),
                                    given.flag("sum")};
  simulation::check(t);
  const normal theory = average_law({t.mu, t.sigma, t.sum}, static_cast<double>(t.n));
  return {t,
          theory,
          fmt::format("normal:mu={},sigma={}", theory.location(), theory.scale()),
          infinity,
          {{"n", t.n}, {"mu", number(t.mu)}, {"sigma", number(t.sigma)}, {"sum", t.sum}}};
}

experiment read_experiment(const reader& given) {
  if (given.kind() == "slope") return read_slope(given);
  return given.kind() == "sgd" ? read_sgd(given) : read_average(given);
}

bool read_arithmetic(const reader& given) {
  const std::string name = given.word("arithmetic");
  if (name != "ideal" && name != "format") {
    throw std::domain_error("simulate: unknown arithmetic '" + name + "': expected ideal, format");
  }
  return name == "format";
}

/// As far as the range is not given, it is the bulk of the sample.
sample_histogram histogram_for(const simulate_question& asked, const sample& results) {
  const simulation::sample_range bulk = simulation::bulk_of(results);
  const double width = bulk.high - bulk.low;
  double low = asked.low.value_or(bulk.low);
  double high = asked.high.value_or(bulk.high);
  if (!(low < high)) (asked.low ? high : low) = asked.low ? low + width : high - width;
  return simulation::histogram_of(results, low, high, asked.bins);
}

/// The mean of the law's density over each bin.
std::vector<double> density_over(const sample_histogram& h, const law& theory) {
  std::vector<double> density;
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    const double width = h.edge(i + 1) - h.edge(i);
    density.push_back(width > 0 ? cell_probability(theory, h.edge(i) + width / 2, width) / width
                                : 0);
  }
  return density;
}

json pair_of(const measured& value) {
  return {{"value", number(value.value)}, {"error", number(value.error)}};
}

json pair_of(const std::optional<measured_entropy>& h) {
  if (!h) return {{"value", nullptr}, {"error", nullptr}};
  return {{"value", number(h->value.value())}, {"error", number(h->error.value())}};
}

json moments_of(const simulation::sample_moments& m) {
  return {{"mean", pair_of(m.mean)},
          {"variance", pair_of(m.variance)},
          {"lower_quartile", number(m.lower_quartile)},
          {"median", number(m.median)},
          {"upper_quartile", number(m.upper_quartile)}};
}

json histogram_of(const simulate_answer& found) {
  const sample_histogram& h = found.histogram;
  json edges = json::array();
  json densities = json::array();
  json theory = json::array();
  for (std::size_t i = 0; i <= h.counts.size(); ++i) edges.push_back(number(h.edge(i)));
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    densities.push_back(number(found.density(i)));
    theory.push_back(number(found.theory_density[i]));
  }
  return {{"low", number(h.low)}, {"high", number(h.high)}, {"below", h.below},
          {"above", h.above},     {"edges", edges},         {"counts", h.counts},
          {"density", densities}, {"theory", theory}};
}

json fit_of(const simulate_answer& found) {
  return {{"law", found.asked.theory_name},
          {"mean", number(found.theory_mean)},
          {"variance", number(found.theory_variance)},
          {"kolmogorov_smirnov",
           {{"statistic", number(found.fit.kolmogorov_smirnov)},
            {"p_value", number(found.fit.kolmogorov_p_value)}}},
          {"chi_square",
           {{"statistic", number(found.fit.chi_square)},
            {"degrees_of_freedom", found.fit.degrees_of_freedom},
            {"p_value", number(found.fit.chi_square_p_value)}}}};
}

json codes_of(const simulation::code_entropy& h) {
  return {{"seen", h.codes},
          {"singletons", h.singletons},
          {"unseen", number(h.unseen)},
          {"undersampled", h.undersampled}};
}

json entropies_of(const simulation::code_entropy& h) {
  return {{"plug_in", pair_of(h.plug_in)},
          {"miller_madow", pair_of(h.miller_madow)},
          {"grassberger", pair_of(h.grassberger)},
          {"chao_shen", pair_of(h.chao_shen)}};
}

}  // namespace

simulation::settings simulate_question::settings(std::uint64_t first, std::uint64_t count) const {
  simulation::settings set;
  set.trials = count;
  set.first_trial = first;
  set.seed = seed;
  set.threads = threads;
  if (in_format) set.arithmetic = format;
  return set;
}

simulate_question read_simulate(const words& asked) {
  const reader given{asked};
  experiment one = read_experiment(given);
  simulate_question made{
      given.kind(),           given.storage("format"),      one.what,
      std::move(one.theory),  std::move(one.theory_name),   one.tail,
      given.whole("trials"),  given.whole("seed"),          0,
      read_arithmetic(given), given.optional_number("low"), given.optional_number("high")};
  made.parameters = std::move(one.parameters);
  if (given.has("threads")) made.threads = static_cast<unsigned>(given.whole("threads", 1, 1024));
  if (made.low && made.high && !(*made.low < *made.high)) {
    throw std::domain_error(
        fmt::format("simulate: --high must be > --low, {}, got {}", *made.low, *made.high));
  }
  made.bins = static_cast<std::size_t>(given.whole("bins", 1, 1'000'000));
  return made;
}

simulate_answer solve(const simulate_question& asked, const stop_token& stop) {
  simulation::settings set = asked.settings(0, asked.trials);
  set.progress = [&](double) { return !stop.stop_requested(); };
  std::vector<double> values = simulation::simulate(asked.what, set);
  if (values.size() < asked.trials) throw stopped{};
  return examine(asked, std::move(values));
}

simulate_answer examine(const simulate_question& asked, std::vector<double> values) {
  if (values.empty()) throw std::runtime_error("simulate: interrupted before a trial was finished");
  const std::size_t finished = values.size();
  std::erase_if(values, [](double x) { return std::isnan(x); });
  const std::size_t lost = finished - values.size();
  if (values.empty()) {
    throw std::domain_error("simulate: every trial in the arithmetic of " + asked.format.name() +
                            " ended as NaN");
  }
  const sample results(std::move(values));
  const simulation::distribution_function theory = [&](double x) { return cdf(asked.theory, x); };
  const double spread = deviation(asked.theory);
  sample_histogram histogram = histogram_for(asked, results);
  std::vector<double> density = density_over(histogram, asked.theory);
  const auto diverged = std::count_if(results.sorted().begin(), results.sorted().end(),
                                      [](double x) { return std::isinf(x); });
  return {asked,
          finished,
          static_cast<std::uint64_t>(diverged),
          lost,
          simulation::moments_of(results, asked.tail),
          mean(asked.theory),
          spread * spread,
          std::move(histogram),
          std::move(density),
          simulation::entropy_of(asked.format, results),
          asked.in_format ? simulation::fit_of(asked.format, results, theory)
                          : simulation::fit_of(results, theory)};
}

double simulate_answer::density(std::size_t i) const {
  return static_cast<double>(histogram.counts[i]) / static_cast<double>(entropy.samples) /
         (histogram.edge(i + 1) - histogram.edge(i));
}

std::vector<std::string> simulate_answer::warnings(bool shows_entropy) const {
  std::vector<std::string> list;
  if (finished < asked.trials) {
    list.push_back(fmt::format("interrupted: {} of {} trials finished", finished, asked.trials));
  }
  if (diverged > 0) {
    list.push_back(asked.in_format && asked.format.number() != nullptr
                       ? fmt::format("{} of {}",
                                     how_many(diverged, "trial ended as an infinity",
                                              "trials ended as infinities"),
                                     asked.format.name())
                       : fmt::format("{} left the range of double: SGD diverges with this eta",
                                     how_many(diverged, "trial")));
  }
  if (undefined_results > 0) {
    list.push_back(fmt::format("{} ended as NaN, such as 0/0, and {} left out",
                               how_many(undefined_results, "trial"),
                               undefined_results == 1 ? "is" : "are"));
  }
  if (entropy.undersampled && shows_entropy) {
    list.push_back(
        fmt::format("too few trials for the entropy: {:.3g} % of the probability is on codes that "
                    "were not seen",
                    100 * entropy.unseen));
  }
  return list;
}

report simulate_answer::report() const {
  ask::report made{"simulate"};
  made.add("kind", json(asked.kind));
  made.add("format", json(asked.format.name()));
  made.add("arithmetic", json(asked.in_format ? "format" : "ideal"));
  made.add_all(asked.parameters);
  made.add("trials", json(asked.trials));
  made.add("finished", json(finished));
  made.add("seed", json(asked.seed));
  made.add("threads", json(asked.threads > 0 ? asked.threads : hardware_threads()));
  made.add_lazy("moments", [this] { return moments_of(moments); });
  made.add_lazy("histogram", [this] { return histogram_of(*this); });
  made.add_lazy("entropy", [this] { return entropies_of(entropy); });
  made.add("unit", json("bit"));
  made.add_lazy("codes", [this] { return codes_of(entropy); });
  made.add_lazy("fit", [this] { return fit_of(*this); });
  for (const char* path : {"moments.mean.value", "moments.mean.error", "moments.variance.value",
                           "moments.variance.error", "entropy.grassberger.value",
                           "entropy.grassberger.error", "fit.kolmogorov_smirnov.p_value"}) {
    made.also_headline(path);
  }
  made.set_warnings([this] { return warnings(); });
  return made;
}

}  // namespace ktln2::ask
