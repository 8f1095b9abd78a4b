#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ask/law_gap.hpp"
#include "ask/problem.hpp"
#include "ask/report.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/mismatch/variational.hpp"

namespace ktln2::ask {

/// What the best data among a family would have saved [eq:mmc_var_opt].
struct mismatch_question {
  std::string kind;
  register_formats formats;
  linear_model model;
  double n = 0;                     ///< of exact regression
  std::optional<descent> how = {};  ///< of SGD, and the next two
  double steps = 0;
  sgd_model which = sgd_model::moments;
  double alpha = 1;
  double constant = 0;
  std::optional<std::string> environment = {};  ///< an expression in place of the quadratic one
  mismatch::variational_bounds bounds = {};
  int landscape = 0;  ///< points a side
  entropy_kind entropies = entropy_kind::exact;
  kelvin temperature{300};
};

struct mismatch_answer {
  mismatch_question asked;
  bounded<mismatch::nats> here;
  std::vector<mismatch::variational_optimum> optima;  ///< the lowest first
  std::size_t best_count;                             ///< of them, equally low
  std::optional<mismatch::nats> sum_of_steps;         ///< of SGD, if it was affordable
  std::vector<mismatch::landscape_point> landscape;
  bool applies;                   ///< the entropies, at the asked deviations and at the best ones
  mismatch::nats smoothing;       ///< how far the exact ones may move the production at the former
  mismatch::nats star_smoothing;  ///< and at the latter
  std::optional<law_gap> gap;     ///< of SGD by another law than the exact one

  [[nodiscard]] const mismatch::variational_optimum& star() const { return optima.front(); }
  /// With smooth entropies, the exact ones give no less than the value less the error: their
  /// optimum is theirs.
  [[nodiscard]] bounded<mismatch::nats> mmc() const;
  [[nodiscard]] double joules_of(mismatch::nats value) const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

mismatch_question read_mismatch(const words& asked);
/// Throws `stopped` between two looks at the production if it is asked to.
mismatch_answer solve(const mismatch_question& asked, const stop_token& stop = {});
/// The production at `count` x `count` points inside the bounds.
std::vector<mismatch::landscape_point> landscape_around(const mismatch_question& asked, int count,
                                                        const stop_token& stop = {});

// For the other kinds of mismatch.

/// --bounds
mismatch::variational_bounds read_bounds(const reader& given);
json shown(const mismatch::variational_bounds& bounds);
bool is_inside(const mismatch::variational_bounds& bounds, double sigma_x, double sigma_xi);

}  // namespace ktln2::ask
