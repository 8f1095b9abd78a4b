#include <fmt/format.h>

#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

/// The exact entropy of N(μ, σ²), a curve for each σ, against Approximation 3.
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
      curves.add({sigma, mu, exact.value, exact.error, value, value - exact.value.value()});
    }
  }
  return curves;
}

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
    result.add({mu, exact.value, exact.error, smooth, narrow, smooth - exact.value.value(),
                narrow - exact.value.value()});
  }
  return result;
}

std::vector<table> far_and_near(const parameters& given, const effort& work) {
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

std::vector<table> several_deviations(const parameters& given, const effort& work) {
  const float_format format{given.integer("p"), given.integer("E")};
  return {entropy_against_mean(
      format, given.list("sigma"),
      log_grid(given.number("mu_min"), given.number("mu_max"), work.points(given.count("points"))),
      work)};
}

std::vector<table> one_format_of_many(const parameters& given, const effort& work) {
  return {entropy_against_mean({given.integer("p"), given.integer("E")}, {given.number("sigma")},
                               linear_grid(given.number("mu_min"), given.number("mu_max"),
                                           work.points(given.count("points"))),
                               work)};
}

figure of_format(int p, int E) {
  return {.label = fmt::format("fig:{}{}_E{}", "app_mu_p", p, E),
          .settings = parameters({{"p", {static_cast<double>(p)}},
                                  {"E", {static_cast<double>(E)}},
                                  {"sigma", {1}},
                                  {"mu_min", {-100}},
                                  {"mu_max", {100}},
                                  {"points", {500}}}),
          .cost = 0.01,
          .compute = one_format_of_many};
}

}  // namespace

figure fp_exact_approx_mu() {
  return {.label = "fig:fp_exact_approx_mu",
          .settings = parameters({{"p", {7}},
                                  {"E", {7}},
                                  {"sigma", {1}},
                                  {"mu_min", {-100}},
                                  {"mu_max", {100}},
                                  {"points", {1001}, origin::chosen, "a step of 0.2, and zero"},
                                  {"mu_near", {3}, origin::chosen, "three deviations"},
                                  {"near_points", {241}, origin::chosen, "a step of 0.025"}}),
          .cost = 0.05,
          .compute = far_and_near};
}

figure fp_off_zero() {
  return {
      .label = "fig:fp_off_zero",
      .settings = parameters({{"p", {24}, origin::chosen, "single precision"},
                              {"E", {8}, origin::chosen, "single precision"},
                              {"sigma", {0.01, 0.1, 1, 10}, origin::chosen, "four decades"},
                              {"mu_min", {1e-3}, origin::chosen, "below the smallest deviation"},
                              {"mu_max", {1e3}, origin::chosen, "beyond the largest deviation"},
                              {"points", {241}, origin::chosen, "forty a decade"}}),
      .cost = 0.08,
      .compute = several_deviations};
}

std::vector<figure> app_mu() {
  std::vector<figure> all;
  for (int p = 1; p <= 7; ++p) {
    for (int E = 0; E <= 7; ++E) all.push_back(of_format(p, E));
  }
  return all;
}

}  // namespace ktln2::paper
