#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/json.hpp"
#include "ktln2/distribution/sgd.hpp"
#include "ktln2/format/storage.hpp"

namespace ktln2::ask {

/// SGD, and the law that is to stand for its slope.
struct sgd_task {
  linear_model model;
  descent how;
  double steps = 0;
  sgd_model which = sgd_model::moments;
};

/// What a description says of SGD; nothing if it describes another law.
std::optional<sgd_task> sgd_task_of(const std::string& distribution);

/// How far the law that was asked for is from the exact law of ŵ, in bits: a register's, or of
/// differential entropy. Where the exact law would take long, the normal law with the exact moments
/// stands for it, and the exact shape says how much doubt that leaves.
struct law_gap {
  sgd_model which;
  double asked;
  double reference;
  double doubt;  ///< infinite where nothing is known

  [[nodiscard]] double size() const;
  [[nodiscard]] double at_most() const { return size() + doubt; }
  /// May the law stand for the exact one?
  [[nodiscard]] bool applies() const { return at_most() <= limit; }

  static constexpr double limit = 0.05;  ///< bits
};

/// On a register. Nothing for the exact law itself.
std::optional<law_gap> gap_of(const sgd_task& task, const storage& format);
/// Of the law itself.
std::optional<law_gap> gap_of(const sgd_task& task);

/// {law, bits, reference_bits, gap, at_most, applies}, or null
json shown(const std::optional<law_gap>& gap);
/// Adds what there is to be warned of.
void warn_of(const std::optional<law_gap>& gap, std::vector<std::string>& warnings);
/// Of training, and of the gap of its law: also where the variance of the slope does not settle.
void warn_of(const sgd_task& task, const std::optional<law_gap>& gap,
             std::vector<std::string>& warnings);

}  // namespace ktln2::ask
