#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "ktln2/mismatch/variational.hpp"
#include "paper/figures/figures.hpp"

namespace ktln2::paper {
namespace {

using namespace mismatch;

/// ΔS_tot for a given ΔS_env, by the paper's formulas (smooth) or exactly.
using production_of = std::function<entropy_production(const entropy_flow&, entropy_kind)>;

variational_bounds bounds_of(const parameters& given) {
  const variational_bounds result{.sigma_x_low = given.number("sigma_x_min"),
                                  .sigma_x_high = given.number("sigma_x_max"),
                                  .sigma_xi_low = given.number("sigma_xi_min"),
                                  .sigma_xi_high = given.number("sigma_xi_max")};
  if (!(result.sigma_x_low < result.sigma_x_high && result.sigma_xi_low < result.sigma_xi_high)) {
    throw std::domain_error("paper: the bounds of a map must leave room between them");
  }
  return result;
}

/// The best deviations for one α, by the closed forms and exactly.
struct best_pair {
  entropy_production smooth;
  entropy_production exact;
  variational_optimum smooth_best;
  variational_optimum exact_best;
};

/// Exact entropies take their time, and move the optimum by little: they are asked nearby only, in
/// a quick run for the same deviation of x.
variational_bounds nearby(const variational_optimum& found, const variational_bounds& bounds,
                          const effort& work) {
  const double ratio = 1.1;
  const double ratio_x = work.quick ? 1 : ratio;
  return {.sigma_x_low = std::max(bounds.sigma_x_low, found.sigma_x / ratio_x),
          .sigma_x_high = std::min(bounds.sigma_x_high, found.sigma_x * ratio_x),
          .sigma_xi_low = std::max(bounds.sigma_xi_low, found.sigma_xi / ratio),
          .sigma_xi_high = std::min(bounds.sigma_xi_high, found.sigma_xi * ratio)};
}

best_pair best_of(const production_of& production, const parameters& given, const effort& work) {
  const variational_bounds bounds = bounds_of(given);
  const entropy_flow flow = quadratic_flow(given.number("C"), given.number("alpha"));
  const entropy_production smooth = production(flow, entropy_kind::smooth);
  const entropy_production exact = production(flow, entropy_kind::exact);
  const variational_optimum start = variational_optima(smooth, bounds).front();
  const variational_optimum best =
      variational_optima(exact, nearby(start, bounds, work), {.grid = 2, .starts = {start}})
          .front();
  return {smooth, exact, start, best};
}

/// Points along a side of a map.
int side(const parameters& given, const char* name, const effort& work, int least) {
  const int points = given.count(name);
  if (points < 2 || points > 1000) {
    throw std::domain_error(fmt::format("paper: {} must be from 2 to 1000, got {}", name, points));
  }
  return work.points(points, least);
}

table landscape(const best_pair& best, const parameters& given, const effort& work) {
  const variational_bounds bounds = bounds_of(given);
  table result({{"sigma_x", "", "deviation of x"},
                {"sigma_xi", "", "deviation of the noise"},
                {"mmc", "k_B", "variational mismatch cost by the paper's formulas"}});
  const int points = side(given, "points", work, 5);
  for (const double sigma_x : linear_grid(bounds.sigma_x_low, bounds.sigma_x_high, points)) {
    work.pause();
    for (const double sigma_xi : linear_grid(bounds.sigma_xi_low, bounds.sigma_xi_high, points)) {
      result.add(
          {sigma_x, sigma_xi,
           variational_mismatch(best.smooth, sigma_x, sigma_xi, best.smooth_best).value.value()});
    }
  }
  return result;
}

/// On a coarser lattice.
table errors(const best_pair& best, const parameters& given, const effort& work) {
  const variational_bounds bounds = bounds_of(given);
  table result("errors", {{"sigma_x", "", "deviation of x"},
                          {"sigma_xi", "", "deviation of the noise"},
                          {"exact", "k_B", "variational mismatch cost with exact entropies"},
                          {"difference", "k_B", "paper's formulas minus exact"}});
  const int points = side(given, "exact_points", work, 2);
  for (const double sigma_x : linear_grid(bounds.sigma_x_low, bounds.sigma_x_high, points)) {
    for (const double sigma_xi : linear_grid(bounds.sigma_xi_low, bounds.sigma_xi_high, points)) {
      work.pause();
      const bounded<nats> exact =
          variational_mismatch(best.exact, sigma_x, sigma_xi, best.exact_best);
      const bounded<nats> smooth =
          variational_mismatch(best.smooth, sigma_x, sigma_xi, best.smooth_best);
      result.add({sigma_x, sigma_xi, exact.value.value(), (smooth.value - exact.value).value()});
    }
  }
  return result;
}

table optima(const production_of& production, const best_pair& best, const parameters& given,
             const effort& work) {
  table result("optima", {{"alpha", "", "weight of the deviations in the entropy flow"},
                          {"entropies", "", "by the paper's formulas (smooth) or exact"},
                          {"sigma_x", "", "best deviation of x"},
                          {"sigma_xi", "", "best deviation of the noise"},
                          {"at_bound", "", "1 if that of x is at its bound"},
                          {"least_C", "k_B", "constant below which the second law is broken"}});
  const auto add = [&](double alpha, const char* entropies, const variational_optimum& found,
                       double constant) {
    result.add({alpha, std::string(entropies), found.sigma_x, found.sigma_xi,
                found.sigma_x_at_bound ? 1.0 : 0.0, constant - found.production.value.value()});
  };
  add(given.number("alpha"), "smooth", best.smooth_best, given.number("C"));
  add(given.number("alpha"), "exact", best.exact_best, given.number("C"));
  for (const double alpha : given.list("alphas")) {
    work.pause();
    const entropy_production smooth = production(quadratic_flow(0, alpha), entropy_kind::smooth);
    add(alpha, "smooth", variational_optima(smooth, bounds_of(given)).front(), 0);
  }
  return result;
}

/// The parameters that both have, after those that are the figure's own.
parameters mismatch_settings(std::vector<parameter> own) {
  const std::vector<parameter> shared = {
      {"w", {1}},
      {"sigma_x_min", {0.75}},
      {"sigma_x_max", {5}},
      {"sigma_xi_min", {0.5}},
      {"sigma_xi_max", {5}},
      {"alpha", {1}, origin::chosen, "in units of k_B"},
      {"alphas", {0.5, 2.5}, origin::chosen, "of the other optima"},
      {"p", {24}, origin::chosen, "single precision"},
      {"E", {8}, origin::chosen, "single precision; the approximations do not know it"},
      {"points", {60}, origin::chosen, "a side of the map"},
      {"exact_points", {22}, origin::chosen, "a side of the map of errors"}};
  own.insert(own.end(), shared.begin(), shared.end());
  return {own};
}

/// MMC_v over the box, and the optima for several α.
std::vector<table> tables_of(const production_of& production, const parameters& given,
                             const effort& work) {
  const best_pair best = best_of(production, given, work);
  return {landscape(best, given, work), errors(best, given, work),
          optima(production, best, given, work)};
}

std::vector<table> of_regression(const parameters& given, const effort& work) {
  const register_formats formats = one_format({given.integer("p"), given.integer("E")});
  return tables_of(
      [&](const entropy_flow& flow, entropy_kind kind) {
        return regression_production(formats, given.number("w"), given.number("n"), flow, kind,
                                     work.stop);
      },
      given, work);
}

std::vector<table> of_sgd(const parameters& given, const effort& work) {
  const descent how{given.number("eta"), given.number("B"), given.number("w0")};
  const register_formats formats = one_format({given.integer("p"), given.integer("E")});
  return tables_of(
      [&](const entropy_flow& flow, entropy_kind kind) {
        const sgd_model model = kind == entropy_kind::smooth ? sgd_model::ou : sgd_model::moments;
        return sgd_production(formats, given.number("w"), how, given.number("tau"), model, flow,
                              kind, work.stop);
      },
      given, work);
}

}  // namespace

figure MMC_Ex() {
  return {.label = "fig:MMC_Ex",
          .settings = mismatch_settings(
              {{"n", {10}},
               {"C", {400}, origin::chosen, "the second law asks for at least 346.1 here"}}),
          .cost = 1.6,
          .compute = of_regression};
}

figure MMC_SGD() {
  return {.label = "fig:MMC_SGD",
          .settings = mismatch_settings(
              {{"B", {1}},
               {"tau", {50}},
               {"eta", {0.01}, origin::chosen, "as in the other figures of SGD"},
               {"w0", {1}, origin::chosen, "as in the other figures of SGD"},
               {"C", {2000}, origin::chosen, "the second law asks for at least 1811.3 here"}}),
          .cost = 1.2,
          .compute = of_sgd};
}

}  // namespace ktln2::paper
