#include <cmath>

#include "ktln2/distribution/slope.hpp"
#include "ktln2/entropy/approximations.hpp"
#include "ktln2/entropy/exact.hpp"
#include "ktln2/entropy/joint.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

float_format format_of(const parameters& given) { return {given.integer("p"), given.integer("E")}; }

/// The model that has a given signal-to-noise ratio.
linear_model model_of(const parameters& given, double snr) {
  const double sigma_x = given.number("sigma_x");
  const double sigma_xi = given.number("sigma_xi");
  return {.w = std::sqrt(snr) * sigma_xi / sigma_x, .sigma_x = sigma_x, .sigma_xi = sigma_xi};
}

std::vector<double> sizes(const parameters& given, const effort& work) {
  return whole_log_grid(given.number("n_min"), given.number("n_max"),
                        work.points(given.count("points")));
}

/// Entropy of the stored slope.
struct slope_entropy {
  bounded<bits> exact;
  bits smooth;
};

/// The approximation does not exist for a slope of 0.
constexpr bits none{nothing};

slope_entropy entropy_of_slope(const float_format& format, const linear_model& model, double n) {
  const law slope = slope_law(model, n);
  return {exact_entropy(format, slope), smooth_entropy_offset(format.p(), slope).value_or(none)};
}

parameters settings(int p, int E) {
  return parameters(
      {{"p", {static_cast<double>(p)}},
       {"E", {static_cast<double>(E)}},
       {"snr", {0.0625, 0.25, 1, 4, 25}, origin::stated, "the paper prints 0.062 for 0.0625"},
       {"sigma_x", {1}, origin::chosen, "with unit deviations w = 1/4, 1/2, 1, 2, 5"},
       {"sigma_xi", {1}, origin::chosen, "with unit deviations w = 1/4, 1/2, 1, 2, 5"},
       {"n_min", {1}, origin::chosen, "the approximation is meant for n > 2"},
       {"n_max", {1000}, origin::chosen, "three decades"},
       {"points", {60}, origin::chosen, "enough for smooth curves"}});
}

/// The entropy of the stored slope against the number of points, exactly and approximately.
std::vector<table> slope_entropies(const parameters& given, const effort& work) {
  const float_format format = format_of(given);
  table curves({{"snr", "", "signal-to-noise ratio"},
                {"w", "", "true slope"},
                {"n", "", "data points"},
                {"entropy", "bits", "exact entropy of the stored slope"},
                error_bar(),
                {"smooth", "bits", "approximate entropy [eq:three_approxes]"},
                {"difference", "bits", "approximate minus exact"}});
  for (const double snr : given.list("snr")) {
    const linear_model model = model_of(given, snr);
    for (const double n : sizes(given, work)) {
      work.pause();
      const slope_entropy h = entropy_of_slope(format, model, n);
      curves.add({snr, model.w, n, h.exact.value, h.exact.error, h.smooth,
                  (h.smooth - h.exact.value).value()});
    }
  }
  return {curves};
}

/// The entropy that regression forgets for each of its points, and what it would be for infinitely
/// many of them (table "joint").
std::vector<table> regression_rates(const parameters& given, const effort& work) {
  const float_format format = format_of(given);
  table curves({{"snr", "", "signal-to-noise ratio"},
                {"w", "", "true slope"},
                {"n", "", "data points"},
                {"rate", "bits per point", "exact cost (n H(X,Y) - H(slope))/n"},
                error_bar("bits per point"),
                {"smooth", "bits per point", "the same with approximate entropies"},
                {"difference", "bits per point", "approximate minus exact"},
                {"precision", "bits per point", "share of the precision, (2n - 1)p/n"}});
  table limits("joint", {{"snr", "", "signal-to-noise ratio"},
                         {"joint", "bits", "exact H(X,Y) of one point"},
                         {"smooth", "bits", "approximate H(X,Y) [eq:approx_joint_ent_SNR]"}});
  for (const double snr : given.list("snr")) {
    const linear_model model = model_of(given, snr);
    const regression_pair pair{model};
    const bounded<bits> joint =
        joint_entropy(format_pair{format, format}, pair, default_joint_tolerance, work.stop).joint;
    const bits smooth_joint = smooth_joint_entropy(format.p(), format.p(), pair);
    limits.add({snr, joint.value.value(), smooth_joint.value()});
    for (const double n : sizes(given, work)) {
      work.pause();
      const slope_entropy h = entropy_of_slope(format, model, n);
      const bits rate = joint.value - h.exact.value / n;
      const bits smooth = smooth_joint - h.smooth / n;
      curves.add({snr, model.w, n, rate.value(), (joint.error + h.exact.error / n).value(), smooth,
                  (smooth - rate).value(), (2 * n - 1) * format.p() / n});
    }
  }
  return {curves, limits};
}

}  // namespace

std::vector<figure> regression_costs() {
  return {
      {.label = "fig:H_fp_wh",
       .settings = settings(24, 8),
       .cost = 0.1,
       .compute = slope_entropies},
      {.label = "fig:Ex_dH", .settings = settings(24, 8), .cost = 0.2, .compute = regression_rates},
      {.label = "fig:H_fp_wh_exact",
       .settings = settings(4, 4),
       .cost = 0.1,
       .compute = slope_entropies},
      {.label = "fig:Ex_dH_exact",
       .settings = settings(4, 4),
       .cost = 0.1,
       .compute = regression_rates}};
}

}  // namespace ktln2::paper
