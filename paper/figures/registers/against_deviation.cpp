#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

/// The exact entropy of N(0, σ²), a curve for each number of exponent bits, against
/// [eq:single_mean_0]; and a table "ends" with the deviations 2^e_min and 2^e_max of each format.
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
    ends.add({E, std::exp2(format.emin()), std::isinf(highest) ? nothing : highest});
    for (const double sigma : sigmas) {
      work.pause();
      const bounded<bits> exact = exact_entropy(format, normal{0, sigma});
      curves.add({E, sigma, exact.value, exact.error, smooth, smooth - exact.value.value()});
    }
  }
  return {curves, ends};
}

/// The plateau from near: the error of the approximation, and the part that Approximation 1 has.
table ripple(const float_format& format, int points, const effort& work) {
  table result("ripple", {{"sigma", "", "standard deviation"},
                          {"difference", "bits", "approximate minus exact"},
                          {"first_step", "bits", "Approximation 1 minus exact [eq:diff_approx]"}});
  const bits smooth = smooth_entropy_zero_mean(format.p());
  for (const double sigma : log_grid(1, 4, points)) {
    work.pause();
    const law x = normal{0, sigma};
    const bits exact = exact_entropy(format, x).value;
    result.add({sigma, (smooth - exact).value(), (cell_width_entropy(format, x) - exact).value()});
  }
  return result;
}

std::vector<table> with_ripple(const parameters& given, const effort& work) {
  const int p = given.integer("p");
  const std::vector<int> E = given.integers("E");
  std::vector<table> tables =
      entropy_against_deviation(p, E,
                                log_grid(given.number("sigma_min"), given.number("sigma_max"),
                                         work.points(given.count("points"))),
                                work);
  tables.push_back(ripple({p, *std::max_element(E.begin(), E.end())},
                          work.points(given.count("ripple_points")), work));
  return tables;
}

std::vector<table> one_precision(const parameters& given, const effort& work) {
  return entropy_against_deviation(given.integer("p"), thinned(given.integers("E"), work),
                                   log_grid(given.number("sigma_min"), given.number("sigma_max"),
                                            work.points(given.count("points"), 2)),
                                   work);
}

figure of_precision(int p) {
  return {.label = fmt::format("fig:{}{}", "app_sigma_p", p),
          .settings =
              parameters({{"p", {static_cast<double>(p)}},
                          {"E", {0, 1, 2, 3, 4, 5, 6, 7}},
                          {"points", {500}},
                          {"sigma_min", {0x1p-70}, origin::chosen, "beyond the range of E = 7"},
                          {"sigma_max", {0x1p70}, origin::chosen, "beyond the range of E = 7"}}),
          .cost = 0.05,
          .compute = one_precision};
}

}  // namespace

figure fp_exact_approx_sigma() {
  return {
      .label = "fig:fp_exact_approx_sigma",
      .settings = parameters({{"p", {3}},
                              {"E", {2, 3, 4, 5, 6, 7}, origin::chosen, "the paper says 'various'"},
                              {"sigma_min", {0x1p-70}, origin::chosen, "beyond the range of E = 7"},
                              {"sigma_max", {0x1p70}, origin::chosen, "beyond the range of E = 7"},
                              {"points", {500}, origin::chosen, "as in the appendix"},
                              {"ripple_points", {129}, origin::chosen, "over two octaves"}}),
      .cost = 0.05,
      .compute = with_ripple};
}

std::vector<figure> app_sigma() {
  std::vector<figure> all;
  for (int p = 1; p <= 8; ++p) all.push_back(of_precision(p));
  return all;
}

}  // namespace ktln2::paper
