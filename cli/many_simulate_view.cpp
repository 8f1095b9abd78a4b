#include "ask/many_simulate.hpp"
#include "output.hpp"
#include "views.hpp"

namespace ktln2::cli {
namespace {

std::string with_error(const simulation::measured& found) {
  return fmt::format("{:.6g} ± {:.2g}", found.value, found.error);
}

}  // namespace

std::string text_of(const ask::many_simulate_answer& made) {
  table rows(
      {"coefficient", "mean", "by the formula", "off by", "variance", "by the formula", "off by"});
  for (const ask::simulated_coefficient& one : made.coefficients) {
    rows.add({one.name, with_error(one.mean), fmt::format("{:.6g}", one.theory_mean),
              fmt::format("{:+.2f} σ", one.mean_off()), with_error(one.variance),
              fmt::format("{:.6g}", one.theory_variance),
              fmt::format("{:+.2f} σ", one.variance_off())});
  }
  return fmt::format(
      "{} runs of {} steps: predictions are {} worse than the noise, by the formula {:.6g}\n\n{}",
      made.asked.set.trials, made.asked.steps, with_error(made.excess_risk), made.theory_excess,
      rows.text());
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
