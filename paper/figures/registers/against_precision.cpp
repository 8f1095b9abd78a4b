#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

std::vector<table> curves_of_one(const parameters& given, const effort& work) {
  const law x = normal{0, given.number("sigma")};
  table curves({{"E", "", "exponent bits"},
                {"p", "", "precision"},
                {"entropy", "bits", "exact entropy H(X_fp)"},
                error_bar(),
                {"smooth", "bits", "approximate entropy [eq:single_mean_0]"},
                {"difference", "bits", "approximate minus exact"}});
  for (const int E : thinned(given.integers("E"), work)) {
    for (const int p : thinned(given.integers("p"), work)) {
      work.pause();
      const bounded<bits> exact = exact_entropy(float_format{p, E}, x);
      const bits smooth = smooth_entropy_zero_mean(p);
      curves.add({E, p, exact.value, exact.error, smooth, smooth - exact.value});
    }
  }
  return {curves};
}

figure of_one() {
  return {.label = "fig:fp_exact_approx_p_E",
          .settings = parameters({{"sigma", {1}},
                                  {"E",
                                   {0, 1, 2, 3, 4, 5, 6, 7, 8},
                                   origin::chosen,
                                   "the paper says 'each'; the appendix has 0 to 7"},
                                  {"p",
                                   {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                    16, 17, 18, 19, 20, 21, 22, 23, 24, 28, 32, 38, 44, 53},
                                   origin::chosen,
                                   "to single and to double precision"}}),
          .cost = 0.03,
          .compute = curves_of_one};
}

/// Finer than any line is thin, and half the work of the default.
constexpr bits drawn_tolerance{1e-7};

std::vector<table> joint_curves(const parameters& given, const effort& work) {
  const regression_pair pair{given.number("w"), given.number("sigma_x"), given.number("sigma_xi")};
  table curves({{"E", "", "exponent bits"},
                {"p", "", "precision of both registers"},
                {"entropy", "bits", "exact joint entropy H(X_fp, Y_fp)"},
                error_bar(),
                {"smooth", "bits", "approximate entropy [thm:double_gaussian]"},
                {"difference", "bits", "approximate minus exact"}});
  for (const int E : thinned(given.integers("E"), work)) {
    for (const int p : thinned(given.integers("p"), work)) {
      work.pause();
      const float_format format{p, E};
      const bounded<bits> exact =
          joint_entropy(format_pair{format, format}, pair, drawn_tolerance, work.stop).joint;
      const bits smooth = smooth_joint_entropy(p, p, pair);
      curves.add({E, p, exact.value, exact.error, smooth, smooth - exact.value});
    }
  }
  return {curves};
}

figure of_two(const char* label, double sigma_xi) {
  return {.label = label,
          .settings =
              parameters({{"w", {1}},
                          {"sigma_x", {1}},
                          {"sigma_xi", {sigma_xi}},
                          {"E", {0, 1, 2, 3, 4, 5, 6, 7, 8}, origin::chosen, "as for one register"},
                          {"p",
                           {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24},
                           origin::chosen,
                           "up to single precision"}}),
          .cost = sigma_xi < 0.1 ? 5 : 2.5,
          .compute = joint_curves};
}

}  // namespace

std::vector<figure> entropy_against_precision() {
  return {of_one(), of_two("fig:fp_joint_exact_approx_p_E_snr_2", 0.5),
          of_two("fig:fp_joint_exact_approx_p_E_snr_100", 0.01)};
}

}  // namespace ktln2::paper
