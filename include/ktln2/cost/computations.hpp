#pragma once

#include <optional>

#include "ktln2/core/stop.hpp"
#include "ktln2/cost/device.hpp"
#include "ktln2/cost/pricing.hpp"
#include "ktln2/distribution/linear_model.hpp"
#include "ktln2/distribution/sgd.hpp"
#include "ktln2/distribution/sum_law.hpp"

namespace ktln2 {

/// Where data and model are stored.
struct register_formats {
  storage_pair data;
  storage model;
};
/// The same for all.
register_formats one_format(const storage& format);
inline register_formats one_format(const float_format& format) {
  return one_format(storage{format});
}

/// A computation as a cyclic device, and whether the entropies that it was priced with may be
/// trusted: always for exact ones.
struct computation {
  cyclic_device device;
  bool applies = true;
};

/// Exact regression: n data points in, the slope ŵ out.
///     ΔE = k_B T ln 2 (n H(X, Y) - H(ŵ))        [eq:exact_landauer] [eq:landauer_exact_lr]
computation regression_cost(const register_formats& formats, const linear_model& model, double n,
                            entropy_kind kind = entropy_kind::exact, const stop_token& stop = {});
/// The same, where the slope has another law: that of n - 1 points where an intercept was found,
/// too.
computation regression_cost(const register_formats& formats, const linear_model& model, double n,
                            const law& slope, entropy_kind kind = entropy_kind::exact,
                            const stop_token& stop = {});

/// H(ŵ_0) in the format of the model: 0 for a start that is a point.
judged_entropy start_entropy(const register_formats& formats, const descent& how,
                             entropy_kind kind = entropy_kind::exact);

/// k steps of SGD, each of which forgets its batch and the model before it; the models in between
/// cancel:
///     ΔE = k_B T ln 2 (H(ŵ_0) + kB H(X, Y) - H(ŵ_k))        [eq:sgd_landauer_noneq]
/// A start that is a point is known and holds nothing; otherwise its register is the second input.
computation sgd_cost(const register_formats& formats, const linear_model& model, const descent& how,
                     double steps, sgd_model which, entropy_kind kind = entropy_kind::exact);
/// The same, where the law of ŵ_k is already there.
computation sgd_cost(const register_formats& formats, const linear_model& model, const descent& how,
                     double steps, const law& last, entropy_kind kind = entropy_kind::exact,
                     const stop_token& stop = {});

/// The last of these steps alone: the model and a batch in, the next model out. A first model
/// that is a point is known and holds nothing.
///     ΔE_k = k_B T ln 2 (H(ŵ_k) + B H(X, Y) - H(ŵ_{k+1}))        [eq:one_step_L]
computation sgd_step_cost(const register_formats& formats, const linear_model& model,
                          const descent& how, double steps, sgd_model which,
                          entropy_kind kind = entropy_kind::exact);
/// The same, where the laws before the step, if it is not the first, and after it are there.
computation sgd_step_cost(const register_formats& formats, const linear_model& model,
                          const descent& how, const std::optional<law>& before, const law& after,
                          entropy_kind kind = entropy_kind::exact);

/// What is averaged: independent normal numbers N(mu, sigma²).
struct averaging {
  double mu = 0;
  double sigma = 1;
  bool sum = false;  ///< the sum of the numbers instead of their mean
};
/// The law of the mean, or the sum, of n of them. Throws std::domain_error unless n is a whole
/// number from 1 to 1e15, mu finite, sigma finite and > 0, and so for the result.
normal average_law(const averaging& what, double n);
///     ΔE = k_B T ln 2 (n H(X) - H(mean))        [eq:landauer_avg]
/// Throws as average_law does.
computation average_cost(const storage& data, const storage& result, const averaging& what,
                         double n, entropy_kind kind = entropy_kind::exact);
/// The same for n numbers of any law `one`, of which `total`, by total_law, is the mean or the sum.
computation average_cost(const storage& data, const storage& result, const law& one,
                         const law& total, double n, total_of what,
                         entropy_kind kind = entropy_kind::exact);

/// The normal law that the central limit theorem puts in the place of a mean or a sum
/// [sec:avg_sum]: that with the same mean and deviation. Nothing where these are not finite.
std::optional<normal> central_limit(const law& total);

}  // namespace ktln2
