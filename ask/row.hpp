#pragma once

#include <string>
#include <vector>

#include "ask/lazy.hpp"
#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/distribution/catalogue.hpp"
#include "ktln2/entropy/coefficient_entropy.hpp"

namespace ktln2::ask {

/// How much the registers of a row hold.
struct row_question {
  std::vector<storage> formats;  ///< one for each register, y's last
  std::string distribution;
  normal_row row;
  std::vector<std::size_t> order;  ///< in which the registers are taken
  bits tolerance = default_joint_tolerance;
  kelvin temperature{300};
};

/// "x1" … "xd", "y"
std::string register_name(const normal_row& row, std::size_t j);

class row_answer {
 public:
  explicit row_answer(row_question asked, const stop_token& stop = {});

  [[nodiscard]] const row_question& asked() const { return asked_; }
  [[nodiscard]] const row_entropies& entropies() const { return entropies_; }
  /// For smooth widths; nothing but for the paper's formats.
  [[nodiscard]] std::optional<bits> smooth() const;
  [[nodiscard]] int width() const;  ///< bits of all registers
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;

 private:
  row_question asked_;
  row_entropies entropies_;
};

/// How much the registers of the coefficients hold.
struct estimate_question {
  storage format;
  std::string distribution;
  coefficients estimate;
  bits tolerance = default_joint_tolerance;
  kelvin temperature{300};
};

class estimate_answer {
 public:
  explicit estimate_answer(estimate_question asked, const stop_token& stop = {});

  [[nodiscard]] const estimate_question& asked() const { return asked_; }
  [[nodiscard]] const coefficient_entropies& entropies() const { return entropies_; }
  [[nodiscard]] std::optional<bits> smooth() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;

 private:
  estimate_question asked_;
  coefficient_entropies entropies_;
};

/// Is the question about a row, or about all coefficients together?
bool asks_for_row(const reader& given);
bool asks_for_estimate(const reader& given);
/// Throws std::domain_error for an option that only they have.
void refuse_options_of_many(const reader& given);

row_model read_described_row(const reader& given);
least_squares read_least_squares(const reader& given);
/// One variable: any law, or one coefficient of an estimate.
law read_one_law(const reader& given);

row_question read_row(const reader& given);
estimate_question read_estimate(const reader& given);

/// Each coefficient with its law.
json coefficients_json(const coefficients& estimate);

inline row_answer solve(row_question asked, const stop_token& stop = {}) {
  return row_answer{std::move(asked), stop};
}
inline estimate_answer solve(estimate_question asked, const stop_token& stop = {}) {
  return estimate_answer{std::move(asked), stop};
}

}  // namespace ktln2::ask
