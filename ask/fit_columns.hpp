#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ask/fit.hpp"
#include "ask/plane_fit.hpp"
#include "ktln2/cost/many.hpp"
#include "ktln2/scaling/many_profit.hpp"

namespace ktln2::ask {

/// A plane through several columns of a user's table, and what training on them must cost.
struct fit_columns_question {
  fit_question given;          ///< as for one column
  std::vector<std::string> x;  ///< by name or number
};

/// What a column holds as stored.
struct stored_fields {
  std::string name;
  std::vector<measure::counted_field> fields;  ///< measured, and modelled by normal laws
  std::optional<double> unit;                  ///< a power of ten that all are multiples of
};

struct fit_columns_bill {
  many_computation priced;
  std::optional<bits> spread;  ///< what the errors of the estimates make of the rows' bits

  [[nodiscard]] bounded<bits> erased() const { return priced.priced.device.erased(); }
};

struct fit_columns_advice {
  many_best size;
  std::optional<double> spread;  ///< of the best size
};

struct fit_columns_answer {
  fit_columns_question asked;
  std::vector<stored_fields> columns;  ///< the features, and last y
  std::uint64_t missing = 0;           ///< rows that lack a number, and were left out
  plane_fit plane = {};
  std::optional<bounded<bits>> most = {};  ///< that a row holds, for any law with its covariance
  vector_descent how = {};
  double steps = 1;
  double unused = 0;  ///< rows that do not fill a batch of SGD
  std::optional<fit_columns_bill> exact = {};
  std::optional<fit_columns_bill> sgd = {};
  std::string no_sgd = {};  ///< why there is no bill of SGD
  std::optional<fit_columns_advice> advice = {};

  [[nodiscard]] std::size_t features() const { return plane.model.w.size(); }
  /// "w of height", or "intercept"
  [[nodiscard]] std::string name(std::size_t coefficient) const;
  [[nodiscard]] double estimate(std::size_t coefficient) const;
  /// ν of the multivariate t that the estimates follow.
  [[nodiscard]] double dof() const;
  /// What the model says that a row holds.
  [[nodiscard]] const joint_bits& row() const { return exact->priced.row; }
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

/// Are several columns asked for?
bool asks_for_columns(const words& asked);
fit_columns_question read_fit_columns(const words& asked);
/// Throws std::domain_error also for a file that is not as it should be.
fit_columns_answer solve(const fit_columns_question& asked, const stop_token& stop = {});

}  // namespace ktln2::ask
