
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

table curve(const std::string& name, const float_format& format, double sigma,
            const std::vector<double>& means, const effort& work) {
  table result(name, {{"mu", "", "mean"},
                      {"entropy", "bits", "exact entropy H(X_fp)"},
                      error_bar(),
                      {"smooth", "bits", "Approximation 2 on the whole line [eq:first_two_approx]"},
                      {"offset", "bits", "Approximation 3 [eq:three_approxes]"},
                      {"smooth_difference", "bits", "Approximation 2 minus exact"},
                      {"offset_difference", "bits", "Approximation 3 minus exact"}});
  for (const double mu : means) {
    work.pause();
    const law x = normal{mu, sigma};
    const bounded<bits> exact = exact_entropy(format, x);
    const double smooth = smooth_entropy(format.p(), x).value();
    const auto offset = smooth_entropy_offset(format.p(), x);
    const double narrow = offset ? offset->value() : nothing;
    result.add({mu, exact.value.value(), exact.error.value(), smooth, narrow,
                smooth - exact.value.value(), narrow - exact.value.value()});
  }
  return result;
}

std::vector<table> compute(const parameters& given, const effort& work) {
  const float_format format{given.integer("p"), given.integer("E")};
  const double sigma = given.number("sigma");
  const double near = given.number("mu_near");
  return {curve("", format, sigma,
                linear_grid(given.number("mu_min"), given.number("mu_max"),
                            work.points(given.count("points"))),
                work),
          curve("near", format, sigma,
                linear_grid(-near, near, work.points(given.count("near_points"))), work)};
}

}  // namespace

figure fp_exact_approx_mu() {
  return {
      .label = "fig:fp_exact_approx_mu",
      .parent = "fig:fp_exact_approx",
      .title = "Entropy against the mean, p = 7, E = 7",
      .caption =
          "The entropy of a register with $p = 7$ and $E = 7$ that holds a number drawn from "
          "$\\mathcal N(\\mu, 1)$. The exact entropy (black) falls in steps, one wherever the mean "
          "passes a power of two and the cells double; Approximation 3 (red, dashed) passes "
          "through the middle of them, and goes to infinity at $\\mu = 0$.",
      .adds =
          "Approximation 2 on the whole line (blue, dotted) needs no $|\\mu| \\gg \\sigma$: on the "
          "right, near $\\mu = 0$, it stays with the exact curve while Approximation 3 leaves it; "
          "elsewhere the two agree. The lower panels show both errors: Approximation 3 is within "
          "half a bit for $|\\mu| \\ge 0.45$, Approximation 2 everywhere.",
      .settings = parameters({{"p", {7}},
                              {"E", {7}},
                              {"sigma", {1}},
                              {"mu_min", {-100}},
                              {"mu_max", {100}},
                              {"points", {1001}, origin::chosen, "a step of 0.2, and zero"},
                              {"mu_near", {3}, origin::chosen, "three deviations"},
                              {"near_points", {241}, origin::chosen, "a step of 0.025"}}),
      .cost = 0.05,
      .compute = compute};
}

}  // namespace ktln2::paper
