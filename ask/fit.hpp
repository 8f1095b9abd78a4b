#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ask/law_gap.hpp"
#include "ask/lazy.hpp"
#include "ask/line_fit.hpp"
#include "ask/problem.hpp"
#include "ask/report.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/data/table.hpp"
#include "ktln2/measure/stored_column.hpp"
#include "ktln2/scaling/optimum.hpp"

namespace ktln2::ask {

/// A line through two columns of a user's table, and what training on them must cost.
struct fit_question {
  std::string file;
  std::string x;
  std::string y;
  data::table_options how_to_read = {};
  bool has_intercept = false;
  register_formats formats;
  entropy_kind entropies = entropy_kind::exact;
  kelvin temperature{300};
  double batch = 10;
  double epochs = 1;               ///< passes of SGD
  std::optional<double> eta = {};  ///< 0.1/σ_x² where not given
  double w0 = 0;
  sgd_model law = sgd_model::moments;
  std::optional<market> prices = {};
  std::string demand = {};  ///< as it was described
};

/// A number of bits, and what the errors of the estimates make of it.
struct fit_bill {
  computation priced;
  bits spread;

  [[nodiscard]] bounded<bits> erased() const { return priced.device.erased(); }
};

/// What the columns hold as stored, in bits a row.
struct fit_stored {
  std::vector<measure::counted_field> x = {};  ///< measured, and modelled by normal laws
  std::vector<measure::counted_field> y = {};
  std::optional<double> x_unit = {};  ///< a power of ten that all numbers are multiples of
  std::optional<double> y_unit = {};
  std::optional<bounded<bits>> most = {};  ///< of a row, for any law with its covariance
};

struct fit_advice {
  best_size size;
  std::optional<double> spread = {};  ///< of the best size, by the errors of the estimates
};

struct fit_answer {
  fit_question asked;
  std::string x_name = {};  ///< as the table has it, where a number was given
  std::string y_name = {};
  std::uint64_t missing = 0;  ///< rows that lack x or y, and were left out
  line_fit line = {};
  fit_stored stored = {};
  descent how = {};  ///< one pass over the rows
  double steps = 1;
  fit_bill exact;
  fit_bill sgd;
  std::optional<fit_advice> advice = {};
  double unused = 0;  ///< rows that do not fill a batch of SGD
  /// How far the law of SGD is from the exact one.
  lazy<std::optional<law_gap>> kept_gap = {};

  [[nodiscard]] sgd_task descent_task() const { return {line.model, how, steps, asked.law}; }
  [[nodiscard]] const std::optional<law_gap>& gap() const;
  /// The estimate's law, as a user would describe it [lem:compute_f_z].
  [[nodiscard]] std::string law() const;
  /// What the model says that a row holds.
  [[nodiscard]] bounded<bits> row() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

fit_question read_fit(const words& asked);
/// Throws std::domain_error also for a file that is not as it should be.
fit_answer solve(const fit_question& asked, const stop_token& stop = {});

}  // namespace ktln2::ask
