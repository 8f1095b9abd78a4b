#pragma once

#include <vector>

#include "ktln2/distribution/sgd.hpp"
#include "ktln2/distribution/tabulated.hpp"

namespace ktln2 {

/// How good the table of an exact law is. The last two are NaN where the tails are too heavy for
/// them; two tables are compared there.
struct sgd_accuracy {
  double mass_defect;     ///< what a step lost or gained, before it was made good, at most
  double variance_error;  ///< relative, against the closed form
  double step_error;      ///< of the last step's characteristic function, against its closed form
};

/// ŵ after some steps of SGD, exactly. Given S = Σx²/B over a batch, one step takes φ = ŵ - w to
///     φ' ~ N((1 - ηS)φ, η²σ_ξ² S/B)
/// and over S it is a variance-gamma law: the density obeys a linear recursion, which is solved on
/// panels of Gauss nodes, from a point or from a normal start. `kernel().table_error()` says how
/// far to trust the result. Throws std::domain_error for a bad problem, for more than 1e6 points a
/// batch, and where the learning rate is so large that E|φ| grows without end.
class sgd_exact : public location_scale<standard_tabulated> {
 public:
  sgd_exact(const linear_model& model, const descent& how, double steps);

  [[nodiscard]] const sgd_accuracy& accuracy() const { return accuracy_; }
  /// κ with E|1 - ηS|^κ = 1: the limit law falls off like |φ|^-(κ+1) (Kesten), and moments from κ
  /// on diverge. 60 stands for anything larger.
  [[nodiscard]] double tail_index() const { return tail_index_; }

 private:
  struct parts;
  struct tables;
  friend std::vector<sgd_exact> sgd_exact_laws(const linear_model& model, const descent& how,
                                               const std::vector<double>& steps);
  explicit sgd_exact(const parts& made);

  sgd_accuracy accuracy_;
  double tail_index_;
};

/// The laws after each of these numbers of steps, in the order in which they are given, from one
/// evolution to the largest of them: a whole curve costs about as much as its last point. Each has
/// an error of its own, and is made again on finer panels if that is not small enough. On the way
/// to a later step the panels differ from those of a law that is made alone, and so do the last
/// digits, within the errors of both.
/// Throws std::domain_error as `sgd_exact` does for any one of them.
std::vector<sgd_exact> sgd_exact_laws(const linear_model& model, const descent& how,
                                      const std::vector<double>& steps);

/// How far the Ornstein–Uhlenbeck law [sec:nonstationarysgd] is from the truth.
struct sgd_ou_gap {
  double deviation_ratio = 1;       ///< exact deviation / that of the process
  double mean_gap = 0;              ///< exact mean - that of the process, in exact deviations
  double total_variation = 0;       ///< ½ ∫ |f - f_ou|, between 0 and 1
  differential_bits entropy_gap;    ///< h(exact) - h(process)
  differential_bits normality_gap;  ///< h(normal law with the exact moments) - h(exact), ≥ 0
};
sgd_ou_gap compare_with_ou(const linear_model& model, const descent& how, double steps);
/// The same, where the exact law is already there.
sgd_ou_gap compare_with_ou(const sgd_exact& exact, const linear_model& model, const descent& how,
                           double steps);

/// ½ ∫ |f - g|
double total_variation(const sgd_exact& exact, const normal& other);

}  // namespace ktln2
