#include "figures.hpp"
#include "sgd_figures.hpp"

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
                        {"error", "bits", "its error bar"},
                        {"difference", "bits", "approximate minus exact"}});
  for (const double w : given.list("w")) {
    const sgd_problem problem = sgd_problem_of(given, w);
    for (const double k : curve_steps(given, given.number("k_max"), work)) {
      work.pause();
      const sgd_entropy h = entropy_of_sgd(format, problem, k);
      curves.add({w, k, h.smooth.value(), h.process.value.value(), h.moments.value.value(),
                  (h.smooth - h.process.value).value(), (h.smooth - h.moments.value).value()});
    }
    for (const double k : some_of(given.list("exact_k"), work)) {
      work.pause();
      const bounded<bits> h = exact_entropy_of_sgd(format, problem, k);
      const bits smooth = entropy_of_sgd(format, problem, k).smooth;
      exact.add({w, k, h.value.value(), h.error.value(), (smooth - h.value).value()});
    }
  }
  return {curves, exact};
}

}  // namespace

figure sgd_hfp_vs_n() {
  return {
      .label = "fig:sgd_hfp_vs_n",
      .parent = "fig:sgd_nonasymp",
      .title = "Entropy of the slope during SGD",
      .caption =
          "The entropy that the slope holds after $k$ steps of stochastic gradient descent. "
          "Dashed: "
          "the approximation $\\tilde H_s^{\\tilde\\mu(k)}$, which takes the slope for an "
          "Ornstein-Uhlenbeck process and its register for one with smooth cell widths.",
      .adds =
          "Markers: the exact law of SGD. Solid: a normal law with the exact moments, which the "
          "exact law leaves by 0.01 bits at $k = 10$ and by 0.12 at $k = 1$. Below, the error of "
          "the approximation against both. The thin dashed part of it is due to the cells, with a "
          "step at each power of two that the mean passes; the rest is due to the process, which "
          "knows nothing of the noise that $x^2$ makes far from $w$. It is up to 2.6 bits for "
          "$w = 5$ and nothing for $w = 1$, where the runs begin.",
      .settings = sgd_cost_settings({1, 2, 4, 10, 100}),
      .cost = 2.5,
      .compute = compute};
}

}  // namespace ktln2::paper
