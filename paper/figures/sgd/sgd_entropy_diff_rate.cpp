#include "ktln2/entropy/joint.hpp"
#include "ktln2/entropy/joint_approximations.hpp"
#include "paper/figures/figures.hpp"
#include "paper/figures/sgd/sgd_figures.hpp"

namespace ktln2::paper {
namespace {

/// The entropy of one data point.
struct point_entropy {
  bounded<bits> exact;
  bits smooth;
};

point_entropy entropy_of_point(const float_format& format, const regression_pair& pair) {
  return {joint_entropy(format_pair{format, format}, pair).joint,
          smooth_joint_entropy(format.p(), format.p(), pair)};
}

void add_curve(table& rows, const parameters& given, const effort& work, const sgd_problem& problem,
               const point_entropy& point) {
  const float_format format = sgd_format(given);
  for (const double k : curve_steps(given, given.number("k_max"), work)) {
    work.pause();
    const double points = k * problem.how.batch;
    const sgd_entropy h = entropy_of_sgd(format, problem, k);
    const bits smooth = point.smooth - h.smooth / points;
    const bits rate = point.exact.value - h.moments.value / points;
    rows.add({problem.model.w, k, smooth.value(), rate.value(), (smooth - rate).value(),
              (2 * points - 1) * format.p() / points});
  }
}

void add_exact(table& rows, const parameters& given, const effort& work, const sgd_problem& problem,
               const point_entropy& point) {
  const float_format format = sgd_format(given);
  for (const double k : some_of(given.list("exact_k"), work)) {
    work.pause();
    const double points = k * problem.how.batch;
    const bounded<bits> h = exact_entropy_of_sgd(format, problem, k);
    const bits smooth = point.smooth - entropy_of_sgd(format, problem, k).smooth / points;
    const bits rate = point.exact.value - h.value / points;
    rows.add({problem.model.w, k, rate.value(), (point.exact.error + h.error / points).value(),
              (smooth - rate).value()});
  }
}

std::vector<table> costs_by_step(const parameters& given, const effort& work) {
  table curves({{"w", "", "true slope"},
                {"k", "", "steps"},
                {"smooth", "bits per point", "approximate cost (kB H(X,Y) - H(slope))/(kB)"},
                {"rate", "bits per point", "exact, but for a normal law with the exact moments"},
                {"difference", "bits per point", "approximate minus that"},
                {"precision", "bits per point", "share of the precision, (2kB - 1)p/(kB)"}});
  table exact("exact", {{"w", "", "true slope"},
                        {"k", "", "steps"},
                        {"rate", "bits per point", "cost with the exact law"},
                        error_bar("bits per point"),
                        {"difference", "bits per point", "approximate minus exact"}});
  table limits("joint", {{"w", "", "true slope"},
                         {"joint", "bits", "exact H(X,Y) of one point"},
                         {"smooth", "bits", "approximate H(X,Y) [eq:approx_joint_ent_SNR]"}});
  for (const double w : given.list("w")) {
    const sgd_problem problem = sgd_problem_of(given, w);
    const point_entropy point = entropy_of_point(sgd_format(given), problem.model);
    limits.add({w, point.exact.value.value(), point.smooth.value()});
    add_curve(curves, given, work, problem, point);
    add_exact(exact, given, work, problem, point);
  }
  return {curves, exact, limits};
}

}  // namespace

figure sgd_entropy_diff_rate() {
  return {.label = "fig:sgd_entropy_diff_rate",
          .settings = sgd_cost_settings(
              {{"exact_k", {1, 2, 4}, origin::chosen, "steps at which the exact law is drawn"}}),
          .cost = 0.8,
          .compute = costs_by_step};
}

}  // namespace ktln2::paper
