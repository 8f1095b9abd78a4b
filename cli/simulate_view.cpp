#include <algorithm>
#include <cmath>

#include "ask/how_many.hpp"
#include "ask/simulate.hpp"
#include "measured.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

using ask::how_many;
using ask::plain;
using simulation::measured;
using simulation::measured_entropy;
using simulation::sample_histogram;

std::string shown_entropy(const std::optional<measured_entropy>& h) {
  if (!h) return "-";
  return shown_value({h->value.value(), h->error.value()});
}

std::string moments_text(const ask::simulate_answer& found) {
  const simulation::sample_moments& m = found.moments;
  table moments({"", "measured", "theory"});
  moments.add({"mean", shown_value(m.mean), shown_theory(found.theory_mean)});
  moments.add({"variance", shown_value(m.variance), shown_theory(found.theory_variance)});
  moments.add({"median", fmt::format("{:.7g}", m.median), ""});
  moments.add({"quartiles", fmt::format("{:.7g}, {:.7g}", m.lower_quartile, m.upper_quartile), ""});
  return moments.text();
}

std::string entropies_text(const simulation::code_entropy& h) {
  table entropies({"entropy of the stored code", "bits"});
  entropies.add({"plug-in", shown_entropy(h.plug_in)});
  entropies.add({"Miller-Madow", shown_entropy(h.miller_madow)});
  entropies.add({"Grassberger", shown_entropy(h.grassberger)});
  entropies.add({"Chao-Shen", shown_entropy(h.chao_shen)});
  return entropies.text() +
         fmt::format("  {} seen, {} of them once: {:.3g} % of the probability unseen\n",
                     how_many(h.codes, "code"), h.singletons, 100 * h.unseen);
}

std::string fit_text(const ask::simulate_answer& found) {
  const auto p_value = [](double p) {
    return std::isnan(p) ? std::string("no test") : fmt::format("p = {:.2g}", p);
  };
  return fmt::format("  theory: {}\n", found.asked.theory_name) +
         fmt::format("  Kolmogorov-Smirnov {:.3g}, {}; chi-square {:.4g} with {}, {}\n",
                     found.fit.kolmogorov_smirnov, p_value(found.fit.kolmogorov_p_value),
                     found.fit.chi_square, how_many(found.fit.degrees_of_freedom, "degree"),
                     p_value(found.fit.chi_square_p_value));
}

std::string histogram_text(const ask::simulate_answer& found) {
  const sample_histogram& h = found.histogram;
  const auto most = static_cast<double>(
      std::max<std::uint64_t>(1, *std::max_element(h.counts.begin(), h.counts.end())));
  const auto n = static_cast<double>(found.entropy.samples);
  table rows({"from", "to", "trials", "theory", ""});
  const auto shown_count = [](std::uint64_t count) { return fmt::format("{}", count); };
  if (h.below > 0) rows.add({"-inf", fmt::format("{:.5g}", h.low), shown_count(h.below), "", ""});
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    const double expected = n * found.theory_density[i] * (h.edge(i + 1) - h.edge(i));
    rows.add({fmt::format("{:.5g}", h.edge(i)), fmt::format("{:.5g}", h.edge(i + 1)),
              shown_count(h.counts[i]), fmt::format("{:.1f}", expected),
              blocks(static_cast<double>(h.counts[i]) / most, 40)});
  }
  if (h.above > 0) rows.add({fmt::format("{:.5g}", h.high), "inf", shown_count(h.above), "", ""});
  return rows.text();
}

}  // namespace

std::string text_of(const ask::simulate_answer& made) {
  const ask::simulate_question& asked = made.asked;
  return fmt::format("{} in {}: {} with seed {}, {} arithmetic\n\n", asked.kind,
                     asked.format.name(), how_many(made.finished, "trial"), asked.seed,
                     asked.in_format ? "format" : "ideal") +
         moments_text(made) + "\n" + entropies_text(made.entropy) + "\n" + fit_text(made) + "\n" +
         histogram_text(made);
}

table rows_of(const ask::simulate_answer& made) {
  const sample_histogram& h = made.histogram;
  table rows({"low", "high", "count", "density", "theory"});
  rows.add({"-inf", plain(h.low), fmt::format("{}", h.below), "", ""});
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    rows.add({plain(h.edge(i)), plain(h.edge(i + 1)), fmt::format("{}", h.counts[i]),
              plain(made.density(i)), plain(made.theory_density[i])});
  }
  rows.add({plain(h.high), "inf", fmt::format("{}", h.above), "", ""});
  return rows;
}

}  // namespace ktln2::cli
