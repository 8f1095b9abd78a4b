#include "paper/figures/registers/register_curves.hpp"

#include <cmath>

#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint_approximations.hpp"

namespace ktln2::paper {
namespace {

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
      const bounded<bits> exact = joint_entropy({format, format}, pair, drawn_tolerance).joint;
      const bits smooth = smooth_joint_entropy(p, p, pair);
      curves.add({static_cast<double>(E), static_cast<double>(p), exact.value.value(),
                  exact.error.value(), smooth.value(), (smooth - exact.value).value()});
    }
  }
  return {curves};
}

}  // namespace

std::vector<int> thinned(const std::vector<int>& all, const effort& work) {
  if (!work.quick || all.size() <= 3) return all;
  return {all.front(), all[all.size() / 2], all.back()};
}

std::vector<table> entropy_against_deviation(int p, const std::vector<int>& exponent_bits,
                                             const std::vector<double>& sigmas,
                                             const effort& work) {
  const double smooth = smooth_entropy_zero_mean(p).value();
  table curves({{"E", "", "exponent bits"},
                {"sigma", "", "standard deviation"},
                {"entropy", "bits", "exact entropy H(X_fp)"},
                error_bar(),
                {"smooth", "bits", "approximate entropy [eq:single_mean_0]"},
                {"difference", "bits", "approximate minus exact"}});
  table ends("ends", {{"E", "", "exponent bits"},
                      {"lowest", "", "the deviation 2^e_min"},
                      {"highest", "", "the deviation 2^e_max"}});
  for (const int E : exponent_bits) {
    const float_format format{p, E};
    const double highest = std::exp2(format.emax());
    ends.add({static_cast<double>(E), std::exp2(format.emin()),
              std::isinf(highest) ? nothing : highest});
    for (const double sigma : sigmas) {
      work.pause();
      const bounded<bits> exact = exact_entropy(format, normal{0, sigma});
      curves.add({static_cast<double>(E), sigma, exact.value.value(), exact.error.value(), smooth,
                  smooth - exact.value.value()});
    }
  }
  return {curves, ends};
}

table entropy_against_mean(const float_format& format, const std::vector<double>& sigmas,
                           const std::vector<double>& means, const effort& work) {
  table curves({{"sigma", "", "standard deviation"},
                {"mu", "", "mean"},
                {"entropy", "bits", "exact entropy H(X_fp)"},
                error_bar(),
                {"offset", "bits", "Approximation 3 [eq:three_approxes]"},
                {"difference", "bits", "Approximation 3 minus exact"}});
  for (const double sigma : sigmas) {
    for (const double mu : means) {
      work.pause();
      const law x = normal{mu, sigma};
      const bounded<bits> exact = exact_entropy(format, x);
      const auto offset = smooth_entropy_offset(format.p(), x);
      const double value = offset ? offset->value() : nothing;
      curves.add({sigma, mu, exact.value.value(), exact.error.value(), value,
                  value - exact.value.value()});
    }
  }
  return curves;
}

figure joint_against_precision(const char* label, double sigma_xi, const char* title,
                               const char* caption, const char* adds) {
  return {
      .label = label,
      .parent = "fig:full_fp_exact_approx_p_E",
      .title = title,
      .caption = caption,
      .adds = adds,
      .settings = parameters({{"w", {1}},
                              {"sigma_x", {1}},
                              {"sigma_xi", {sigma_xi}},
                              {"E", {0, 2, 3, 4, 8}, origin::chosen, "5 to 7 lie between 4 and 8"},
                              {"p",
                               {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24},
                               origin::chosen,
                               "up to single precision"}}),
      .cost = sigma_xi < 0.1 ? 3.2 : 1.6,
      .compute = joint_curves};
}

}  // namespace ktln2::paper
