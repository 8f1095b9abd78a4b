#include <cmath>

#include "ask/how_many.hpp"
#include "ask/many_simulate.hpp"
#include "measured.hpp"
#include "output.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

std::string shown_off(double standard_errors) {
  return std::isnan(standard_errors) ? "" : fmt::format("{:+.2f} σ", standard_errors);
}

std::string excess_text(const ask::simulated_vector& all) {
  if (std::isinf(all.theory_excess)) return "predictions are infinitely worse than the noise";
  return fmt::format("predictions are {} worse than the noise, by the formula {}",
                     shown_value(all.excess_risk), shown_theory(all.theory_excess));
}

std::string title_text(const ask::many_simulate_answer& made) {
  const ask::many_simulate_question& asked = made.asked;
  return (asked.kind == "ols"
              ? fmt::format("{} on {}", ask::how_many(asked.set.trials, "regression"),
                            ask::how_many(asked.n, "row"))
              : fmt::format("{} of {}", ask::how_many(asked.set.trials, "run"),
                            ask::how_many(asked.steps, "step"))) +
         ": " + excess_text(made.all) + "\n\n";
}

/// Of least squares the whole law is known.
std::string law_text(const ask::many_simulate_answer& made) {
  const ask::simulated_vector& all = made.all;
  if (!all.radius) return "";
  std::string text = fmt::format(
      "\nThe least p-value of any test against the law, times their number: {:.2g}.\n"
      "The size of the errors: Kolmogorov-Smirnov {:.2g}, p = {:.2g}.\n",
      made.p_value(), all.radius->kolmogorov_smirnov, all.radius->kolmogorov_p_value);
  if (all.entropy.undersampled) {
    return text + "There are too few runs to count what the stored coefficients hold.\n";
  }
  return text +
         fmt::format("Stored, they hold {:.4f} ± {:.2g} bits by counting, {:.4f} by theory.\n",
                     all.entropy.grassberger.value.value(), all.entropy.grassberger.error.value(),
                     all.theory_entropy->value.value.value());
}

}  // namespace

std::string text_of(const ask::many_simulate_answer& made) {
  table rows(
      {"coefficient", "mean", "by the formula", "off by", "variance", "by the formula", "off by"});
  for (const ask::simulated_coefficient& one : made.coefficients) {
    rows.add({one.name, shown_value(one.mean), shown_theory(one.theory_mean),
              shown_off(one.mean_off()), shown_value(one.variance),
              shown_theory(one.theory_variance), shown_off(one.variance_off())});
  }
  return title_text(made) + rows.text() + law_text(made);
}

table rows_of(const ask::many_simulate_answer& made) {
  using ask::plain;
  table rows({"coefficient", "mean", "mean_error", "theory_mean", "variance", "variance_error",
              "theory_variance"});
  for (const ask::simulated_coefficient& one : made.coefficients) {
    rows.add({one.name, plain(one.mean.value), plain(one.mean.error), plain(one.theory_mean),
              plain(one.variance.value), plain(one.variance.error), plain(one.theory_variance)});
  }
  return rows;
}

}  // namespace ktln2::cli
