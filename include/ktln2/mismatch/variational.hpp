#pragma once

#include <functional>
#include <vector>

#include "ktln2/cost/computations.hpp"
#include "ktln2/mismatch/nats.hpp"

namespace ktln2::mismatch {

/// ΔS_env(σ_x, σ_ξ): the entropy that a computation gives to its environment, in units of k_B. It
/// depends on the machine, and has to be assumed.
using entropy_flow = std::function<double(double sigma_x, double sigma_xi)>;

/// C + α(σ_x² + σ_ξ²), the example of [app:mmc]. Throws std::domain_error unless both are finite.
entropy_flow quadratic_flow(double constant, double alpha);

/// What a computation on data with these deviations erases.
using erased_entropy = std::function<bounded<bits>(double sigma_x, double sigma_xi)>;

/// A computation whose data can have any deviations, and what it gives to the environment.
struct entropy_production {
  erased_entropy erased;  ///< H(X_I) - H(X_O)
  entropy_flow flow;      ///< ΔS_env
  double noise = 1e-12;   ///< how well `erased` is known, in nats

  /// ΔS_tot = -k_B ln 2 (H(X_I) - H(X_O)) + ΔS_env        [eq:mmc_var_opt]
  /// Throws std::domain_error where the flow is not finite.
  [[nodiscard]] bounded<nats> operator()(double sigma_x, double sigma_xi) const;
};

/// Of exact regression on n points around the slope w. Whoever looks at it gets `stopped` after a
/// stop; so with the next two.
entropy_production regression_production(const register_formats& formats, double w, double n,
                                         entropy_flow flow, entropy_kind kind = entropy_kind::exact,
                                         const stop_token& stop = {});

/// Of all steps of SGD towards w, in which the models in between cancel.
entropy_production sgd_production(const register_formats& formats, double w, const descent& how,
                                  double steps, sgd_model which, entropy_flow flow,
                                  entropy_kind kind = entropy_kind::exact,
                                  const stop_token& stop = {});

/// Of each step, at the model's own deviations, with ΔS_env/τ for each; they add up to
/// sgd_production. (The paper's formula for one step has the whole ΔS_env; its sum needs the τ-th
/// part.)        [app:mmc]
std::vector<bounded<nats>> sgd_step_productions(const register_formats& formats,
                                                const linear_model& model, const descent& how,
                                                double steps, sgd_model which,
                                                const entropy_flow& flow,
                                                entropy_kind kind = entropy_kind::exact,
                                                const stop_token& stop = {});

/// The deviations among which the optimum is sought.
struct variational_bounds {
  double sigma_x_low = 0.75;
  double sigma_x_high = 5;
  double sigma_xi_low = 0.5;
  double sigma_xi_high = 5;
};
/// Throws std::domain_error unless all are finite and > 0 and low ≤ high.
void require_valid(const variational_bounds& bounds);

struct variational_optimum {
  double sigma_x = 0;
  double sigma_xi = 0;
  bounded<nats> production;
  bool sigma_x_at_bound = false;
  bool sigma_xi_at_bound = false;
};

struct variational_search {
  int grid = 25;       ///< first looks a side, evenly in log σ
  double step = 0.02;  ///< of the differences that stand for derivatives, in ln σ
  std::vector<variational_optimum> starts{};
};

/// All local minima of ΔS_tot, those on the edges too; the lowest first. Each evaluation with exact
/// entropies takes about as long as one joint entropy: a coarse grid helps.        [eq:mmc_var_opt]
std::vector<variational_optimum> variational_optima(const entropy_production& production,
                                                    const variational_bounds& bounds,
                                                    const variational_search& how = {});

/// The optima of a production that takes long, next to those of a quick one from which it differs
/// by little, and gently: with the gap and its slopes by differences, a handful of looks at the
/// slow one. The error says, too, how far the gap is from what its slopes tell.
std::vector<variational_optimum> slow_optima(const entropy_production& slow,
                                             const entropy_production& quick,
                                             const variational_bounds& bounds,
                                             const std::vector<variational_optimum>& of_quick);

/// Those with the least ΔS_tot, as far as their error bars can tell: more than one where the
/// optimum is not unique.
std::vector<variational_optimum> lowest(const std::vector<variational_optimum>& optima);

/// MMC_v(σ_x, σ_ξ) = ΔS_tot(σ_x, σ_ξ) - ΔS_tot(σ_x*, σ_ξ*)        [eq:mmc_var_opt]
/// Not negative inside the bounds; a lower bound on the excess over the best start of all, not on
/// the mismatch cost (see mismatch/islands.hpp).
bounded<nats> variational_mismatch(const entropy_production& production, double sigma_x,
                                   double sigma_xi, const variational_optimum& optimum);

/// ΔS_tot on a lattice of `count` × `count` points, evenly in σ, σ_ξ running fastest.
struct landscape_point {
  double sigma_x = 0;
  double sigma_xi = 0;
  nats production;
};
std::vector<landscape_point> production_landscape(const entropy_production& production,
                                                  const variational_bounds& bounds, int count);

}  // namespace ktln2::mismatch
