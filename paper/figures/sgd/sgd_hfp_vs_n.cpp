#include "paper/figures/figures.hpp"
#include "paper/figures/sgd/sgd_figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> compute(const parameters& given, const effort& work) {
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
    sgd_problem problem = sgd_problem_of(given, w);
    for (const double k : curve_steps(given, given.number("k_max"), work)) {
      work.pause();
      problem.steps = k;
      const sgd_entropy h = entropy_of_sgd(format, problem);
      curves.add({w, k, h.smooth, h.process.value.value(), h.moments.value.value(),
                  (h.smooth - h.process.value).value(), (h.smooth - h.moments.value).value()});
    }
    for (const double k : some_of(given.list("exact_k"), work)) {
      work.pause();
      problem.steps = k;
      const bounded<bits> h = exact_entropy_of_sgd(format, problem);
      const bits smooth = entropy_of_sgd(format, problem).smooth;
      exact.add({w, k, h.value.value(), h.error.value(), (smooth - h.value).value()});
    }
  }
  return {curves, exact};
}

}  // namespace

figure sgd_hfp_vs_n() {
  return {.label = "fig:sgd_hfp_vs_n",
          .settings = sgd_cost_settings({1, 2, 4, 10, 100}),
          .cost = 2.5,
          .compute = compute};
}

}  // namespace ktln2::paper
