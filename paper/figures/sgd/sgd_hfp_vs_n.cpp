#include "ktln2/distribution/sgd_exact.hpp"
#include "ktln2/entropy/exact.hpp"
#include "paper/figures/figures.hpp"
#include "paper/figures/sgd/sgd_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> entropies_by_step(const parameters& given, const effort& work) {
  const float_format format = sgd_format(given);
  table curves({{"w", "", "true slope"},
                {"k", "", "steps"},
                {"smooth", "bits", "approximate entropy of the slope [eq:three_approxes]"},
                {"process", "bits", "exact entropy for the law of the Ornstein-Uhlenbeck process"},
                {"moments", "bits", "exact entropy for a normal law with the exact moments"},
                {"smoothing", "bits", "approximate minus process"},
                {"difference", "bits", "approximate minus moments"}});
  table exact("exact", {{"w", "", "true slope"},
                        {"k", "", "steps"},
                        {"entropy", "bits", "exact entropy for the exact law"},
                        error_bar(),
                        {"difference", "bits", "approximate minus exact"}});
  for (const double w : given.list("w")) {
    const sgd_problem problem = sgd_problem_of(given, w);
    const std::vector<double> steps = curve_steps(given, given.number("k_max"), work);
    std::vector<bits> smooth;
    for (const double k : steps) {
      work.pause();
      const sgd_entropy h = entropy_of_sgd(format, problem, k);
      smooth.push_back(h.smooth);
      curves.add({w, k, h.smooth, h.process.value.value(), h.moments.value.value(),
                  (h.smooth - h.process.value).value(), (h.smooth - h.moments.value).value()});
    }
    // One evolution for the whole curve.
    const std::vector<sgd_exact> laws = sgd_exact_laws(problem.model, problem.how, steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      work.pause();
      const bounded<bits> h = exact_entropy(format, laws[i]);
      exact.add({w, steps[i], h.value.value(), h.error.value(), (smooth[i] - h.value).value()});
    }
  }
  return {curves, exact};
}

}  // namespace

figure sgd_hfp_vs_n() {
  return {.label = "fig:sgd_hfp_vs_n",
          .settings = sgd_cost_settings(),
          .cost = 2.5,
          .compute = entropies_by_step};
}

}  // namespace ktln2::paper
