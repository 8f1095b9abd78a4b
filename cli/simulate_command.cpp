#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>

#include "commands.hpp"
#include "core/parse.hpp"
#include "ktln2/distribution/law.hpp"
#include "ktln2/simulation/code_entropy.hpp"
#include "ktln2/simulation/fit.hpp"
#include "ktln2/simulation/trial.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace ktln2::cli {
namespace {

using namespace simulation;

/// What is simulated and what the theory says about it.
struct experiment {
  trial what;
  law theory;
  std::string theory_name;
  double tail = std::numeric_limits<double>::infinity();  ///< see moments_of
  json_value parameters;
};

experiment read_slope(option_reader& options) {
  slope_trial t;
  t.n = options.count("n", t.n);
  auto& [w, sigma_x, sigma_xi] = t.model;
  w = options.number("w", w);
  sigma_x = options.number("sigma-x", sigma_x);
  sigma_xi = options.number("sigma-xi", sigma_xi);
  check(t);
  const auto n = static_cast<double>(t.n);
  return {
      t,
      slope_law(t.model, n),
      fmt::format("slope:n={},w={},sigma_x={},sigma_xi={}", t.n, w, sigma_x, sigma_xi),
      n,
      {{"n", t.n}, {"w", number(w)}, {"sigma_x", number(sigma_x)}, {"sigma_xi", number(sigma_xi)}}};
}

experiment read_sgd(option_reader& options) {
  sgd_trial t{.model = {.w = 2}};
  t.steps = options.count("steps", t.steps);
  const std::uint64_t batch = options.count("batch", 10);
  t.how.batch = static_cast<double>(batch);
  auto& eta = t.how.eta = options.number("eta", t.how.eta);
  auto& w0 = t.how.w0 = options.number("w0", t.how.w0);
  auto& [w, sigma_x, sigma_xi] = t.model;
  w = options.number("w", w);
  sigma_x = options.number("sigma-x", sigma_x);
  sigma_xi = options.number("sigma-xi", sigma_xi);
  check(t);
  const std::string model = options.take("law").value_or("ou");
  return {t,
          sgd_law(t.model, t.how, static_cast<double>(t.steps), parse_sgd_model(model)),
          fmt::format("sgd:steps={},batch={},eta={},w0={},w={},sigma_x={},sigma_xi={},law={}",
                      t.steps, batch, eta, w0, w, sigma_x, sigma_xi, model),
          std::numeric_limits<double>::infinity(),
          {{"steps", t.steps},
           {"batch", batch},
           {"eta", number(eta)},
           {"w0", number(w0)},
           {"w", number(w)},
           {"sigma_x", number(sigma_x)},
           {"sigma_xi", number(sigma_xi)},
           {"law", model}}};
}

experiment read_average(option_reader& options) {
  average_trial t;
  t.n = options.count("n", t.n);
  t.mu = options.number("mu", t.mu);
  t.sigma = options.number("sigma", t.sigma);
  t.sum = options.take("sum").has_value();
  check(t);
  const auto n = static_cast<double>(t.n);
  const double mu = t.sum ? n * t.mu : t.mu;
  const double sigma = t.sum ? t.sigma * std::sqrt(n) : t.sigma / std::sqrt(n);
  return {t,
          normal{mu, sigma},
          fmt::format("normal:mu={},sigma={}", mu, sigma),
          std::numeric_limits<double>::infinity(),
          {{"n", t.n}, {"mu", number(t.mu)}, {"sigma", number(t.sigma)}, {"sum", t.sum}}};
}

experiment read_experiment(const std::string& kind, option_reader& options) {
  if (kind == "slope") return read_slope(options);
  if (kind == "sgd") return read_sgd(options);
  if (kind == "average") return read_average(options);
  throw std::domain_error("simulate: unknown kind '" + kind + "': expected slope, sgd, average");
}

/// All that was found out.
struct findings {
  sample_moments moments;
  double theory_mean;
  double theory_variance;
  sample_histogram histogram;
  std::vector<double> theory_density;  ///< the mean of the law's density over each bin
  code_entropy entropy;
  goodness_of_fit fit;
};

json_value pair_of(const measured& value) {
  return {{"value", number(value.value)}, {"error", number(value.error)}};
}

json_value pair_of(const std::optional<measured_entropy>& h) {
  if (!h) return {{"value", nullptr}, {"error", nullptr}};
  return {{"value", number(h->value.value())}, {"error", number(h->error.value())}};
}

double density(const sample_histogram& histogram, std::size_t bin, std::size_t samples) {
  return static_cast<double>(histogram.counts[bin]) / static_cast<double>(samples) /
         (histogram.edge(bin + 1) - histogram.edge(bin));
}

json_value histogram_json(const findings& found) {
  const sample_histogram& h = found.histogram;
  json_value edges = json_value::array();
  json_value densities = json_value::array();
  json_value theory = json_value::array();
  for (std::size_t i = 0; i <= h.counts.size(); ++i) edges.push_back(number(h.edge(i)));
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    densities.push_back(number(density(h, i, found.entropy.samples)));
    theory.push_back(number(found.theory_density[i]));
  }
  return {{"low", number(h.low)}, {"high", number(h.high)}, {"below", h.below},
          {"above", h.above},     {"edges", edges},         {"counts", h.counts},
          {"density", densities}, {"theory", theory}};
}

void add_findings(json_value& object, const findings& found, const std::string& theory_name) {
  const sample_moments& m = found.moments;
  object["moments"] = {{"mean", pair_of(m.mean)},
                       {"variance", pair_of(m.variance)},
                       {"lower_quartile", number(m.lower_quartile)},
                       {"median", number(m.median)},
                       {"upper_quartile", number(m.upper_quartile)}};
  object["histogram"] = histogram_json(found);
  const code_entropy& h = found.entropy;
  object["entropy"] = {{"plug_in", pair_of(h.plug_in)},
                       {"miller_madow", pair_of(h.miller_madow)},
                       {"grassberger", pair_of(h.grassberger)},
                       {"chao_shen", pair_of(h.chao_shen)}};
  object["unit"] = "bit";
  object["codes"] = {{"seen", h.codes},
                     {"singletons", h.singletons},
                     {"unseen", number(h.unseen)},
                     {"undersampled", h.undersampled}};
  object["fit"] = {{"law", theory_name},
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

/// Down to the second digit of the error bar.
std::string shown_value(const measured& m) {
  if (std::isnan(m.value)) return "does not exist";
  if (std::isinf(m.value)) return "infinite";
  if (std::isinf(m.error)) return fmt::format("{:.4g} ± infinite", m.value);
  if (!(m.error > 0) || m.value == 0) return fmt::format("{}", m.value);
  const double digits = std::ceil(std::log10(std::fabs(m.value) / m.error)) + 2;
  return fmt::format("{:#.{}g} ± {:.2g}", m.value, static_cast<int>(std::clamp(digits, 2.0, 17.0)),
                     m.error);
}

std::string shown_theory(double value) {
  if (std::isnan(value)) return "does not exist";
  return std::isinf(value) ? "infinite" : fmt::format("{:.7g}", value);
}

std::string shown_entropy(const std::optional<measured_entropy>& h) {
  if (!h) return "-";
  return shown_value({h->value.value(), h->error.value()});
}

std::string histogram_text(const findings& found) {
  const sample_histogram& h = found.histogram;
  const std::uint64_t most =
      std::max<std::uint64_t>(1, *std::max_element(h.counts.begin(), h.counts.end()));
  constexpr double full = 40;
  const auto n = static_cast<double>(found.entropy.samples);
  table rows({"from", "to", "trials", "theory", ""});
  const auto shown_count = [](std::uint64_t count) { return fmt::format("{}", count); };
  if (h.below > 0) rows.add({"-inf", fmt::format("{:.5g}", h.low), shown_count(h.below), "", ""});
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    const double length = full * static_cast<double>(h.counts[i]) / static_cast<double>(most);
    std::string bar;
    for (int k = 0; k < length - 0.5; ++k) bar += "█";
    const double expected = n * found.theory_density[i] * (h.edge(i + 1) - h.edge(i));
    rows.add({fmt::format("{:.5g}", h.edge(i)), fmt::format("{:.5g}", h.edge(i + 1)),
              shown_count(h.counts[i]), fmt::format("{:.1f}", expected), bar});
  }
  if (h.above > 0) rows.add({fmt::format("{:.5g}", h.high), "inf", shown_count(h.above), "", ""});
  return rows.text();
}

std::string findings_text(const findings& found, const std::string& theory_name) {
  table moments({"", "measured", "theory"});
  moments.add({"mean", shown_value(found.moments.mean), shown_theory(found.theory_mean)});
  moments.add(
      {"variance", shown_value(found.moments.variance), shown_theory(found.theory_variance)});
  moments.add({"median", fmt::format("{:.7g}", found.moments.median), ""});
  moments.add(
      {"quartiles",
       fmt::format("{:.7g}, {:.7g}", found.moments.lower_quartile, found.moments.upper_quartile),
       ""});
  const code_entropy& h = found.entropy;
  table entropies({"entropy of the stored code", "bits"});
  entropies.add({"plug-in", shown_entropy(h.plug_in)});
  entropies.add({"Miller-Madow", shown_entropy(h.miller_madow)});
  entropies.add({"Grassberger", shown_entropy(h.grassberger)});
  entropies.add({"Chao-Shen", shown_entropy(h.chao_shen)});
  const auto p_value = [](double p) {
    return std::isnan(p) ? std::string("no test") : fmt::format("p = {:.2g}", p);
  };
  std::string text = "\n" + moments.text() + "\n" + entropies.text();
  text += fmt::format("  {} codes seen, {} of them once: {:.3g} % of the probability unseen\n\n",
                      h.codes, h.singletons, 100 * h.unseen);
  text += fmt::format("  theory: {}\n", theory_name);
  text += fmt::format("  Kolmogorov-Smirnov {:.3g}, {}; chi-square {:.4g} with {} degrees, {}\n\n",
                      found.fit.kolmogorov_smirnov, p_value(found.fit.kolmogorov_p_value),
                      found.fit.chi_square, found.fit.degrees_of_freedom,
                      p_value(found.fit.chi_square_p_value));
  return text + histogram_text(found);
}

std::string histogram_csv(const findings& found) {
  const sample_histogram& h = found.histogram;
  table rows({"low", "high", "count", "density", "theory"});
  rows.add({"-inf", fmt::format("{}", h.low), fmt::format("{}", h.below), "", ""});
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    rows.add({fmt::format("{}", h.edge(i)), fmt::format("{}", h.edge(i + 1)),
              fmt::format("{}", h.counts[i]),
              fmt::format("{}", density(h, i, found.entropy.samples)),
              fmt::format("{}", found.theory_density[i])});
  }
  rows.add({fmt::format("{}", h.high), "inf", fmt::format("{}", h.above), "", ""});
  return rows.csv();
}

/// The histogram as it was asked for.
struct histogram_request {
  std::optional<double> low;
  std::optional<double> high;
  std::size_t bins = 20;
};

histogram_request read_histogram(option_reader& options) {
  histogram_request asked;
  if (const auto low = options.take("low")) asked.low = parse_number("simulate: --low", *low);
  if (const auto high = options.take("high")) asked.high = parse_number("simulate: --high", *high);
  if (asked.low && asked.high && !(*asked.low < *asked.high)) {
    throw std::domain_error(
        fmt::format("simulate: --high must be > --low, {}, got {}", *asked.low, *asked.high));
  }
  const std::uint64_t bins = options.count("bins", asked.bins);
  if (bins < 1 || bins > 1'000'000) {
    throw std::domain_error(
        fmt::format("simulate: --bins must be from 1 to 1000000, got {}", bins));
  }
  asked.bins = static_cast<std::size_t>(bins);
  return asked;
}

/// As far as the range is not given, it is the bulk of the sample.
sample_histogram histogram_for(const histogram_request& asked, const sample& results) {
  const sample_range bulk = bulk_of(results);
  const double width = bulk.high - bulk.low;
  double low = asked.low.value_or(bulk.low);
  double high = asked.high.value_or(bulk.high);
  if (!(low < high)) (asked.low ? high : low) = asked.low ? low + width : high - width;
  return histogram_of(results, low, high, asked.bins);
}

simulation::settings read_settings(option_reader& options, const float_format& format) {
  simulation::settings settings;
  settings.trials = options.count("trials", settings.trials);
  settings.seed = options.count("seed", settings.seed);
  const std::uint64_t threads =
      options.count("threads", std::max(1U, std::thread::hardware_concurrency()));
  if (threads < 1 || threads > 1024) {
    throw std::domain_error(
        fmt::format("simulate: --threads must be from 1 to 1024, got {}", threads));
  }
  settings.threads = static_cast<unsigned>(threads);
  const std::string arithmetic = options.take("arithmetic").value_or("ideal");
  if (arithmetic == "format") {
    settings.arithmetic = format;
  } else if (arithmetic != "ideal") {
    throw std::domain_error("simulate: unknown arithmetic '" + arithmetic +
                            "': expected ideal, format");
  }
  return settings;
}

findings examine(const experiment& one, const float_format& format, bool is_stored,
                 const histogram_request& asked, const sample& results) {
  return std::visit(
      [&](const auto& theory) {
        const distribution_function f = [&](double x) { return cdf(theory, x); };
        findings found{moments_of(results, one.tail),
                       mean(theory),
                       deviation(theory) * deviation(theory),
                       histogram_for(asked, results),
                       {},
                       entropy_of(format, results),
                       is_stored ? fit_of(format, results, f) : fit_of(results, f)};
        const sample_histogram& h = found.histogram;
        for (std::size_t i = 0; i < h.counts.size(); ++i) {
          const double width = h.edge(i + 1) - h.edge(i);
          found.theory_density.push_back(
              width > 0 ? cell_probability(theory, h.edge(i) + width / 2, width) / width : 0);
        }
        return found;
      },
      one.theory);
}

void warn_of(const findings& found, const sample& results, style how) {
  const auto infinite = std::count_if(results.sorted().begin(), results.sorted().end(),
                                      [](double x) { return std::isinf(x); });
  if (infinite > 0) {
    warn(fmt::format("{} trials left the range of double: SGD diverges with this eta", infinite));
  }
  if (found.entropy.undersampled && how != style::csv) {  // which does not show the entropy
    warn(
        fmt::format("too few trials for the entropy: {:.3g} % of the probability is on codes that "
                    "were not seen",
                    100 * found.entropy.unseen));
  }
}

}  // namespace

void run(const simulate_request& request, style how) {
  option_reader options{"simulate", request.kind, request.options};
  const experiment one = read_experiment(request.kind, options);
  const float_format format = float_format::parse(request.format);

  simulation::settings settings = read_settings(options, format);
  const histogram_request asked = read_histogram(options);
  options.expect_no_more();

  std::vector<double> values;
  {
    const interrupt_guard guard;
    progress_bar bar;
    settings.progress = [&bar](double share) {
      bar.show(share);
      return !interrupt_guard::flag();
    };
    values = simulate(one.what, settings);
  }
  if (values.empty()) throw std::runtime_error("simulate: interrupted before a trial was finished");
  if (values.size() < settings.trials) {
    warn(fmt::format("interrupted: {} of {} trials finished", values.size(), settings.trials));
  }
  const sample results(std::move(values));
  const findings found = examine(one, format, settings.arithmetic.has_value(), asked, results);
  warn_of(found, results, how);

  if (how == style::csv) return print(histogram_csv(found));
  const char* arithmetic = settings.arithmetic ? "format" : "ideal";
  if (how == style::json) {
    json_value object = report("simulate");
    object["kind"] = request.kind;
    object["format"] = format.name();
    object["arithmetic"] = arithmetic;
    object.update(one.parameters);
    object["trials"] = settings.trials;
    object["finished"] = results.size();
    object["seed"] = settings.seed;
    object["threads"] = settings.threads;
    add_findings(object, found, one.theory_name);
    return print_json(object);
  }
  print(fmt::format("{} in {}: {} trials with seed {}, {} arithmetic\n", request.kind,
                    format.name(), results.size(), settings.seed, arithmetic));
  print(findings_text(found, one.theory_name));
}

}  // namespace ktln2::cli
