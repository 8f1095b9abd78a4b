#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ask/internal.hpp"
#include "ask/law_gap.hpp"
#include "ask/lazy.hpp"
#include "ask/problem.hpp"
#include "ask/report.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/cost/inference.hpp"
#include "ktln2/distribution/law.hpp"

namespace ktln2::ask {

/// What is computed.
struct regression_task {
  linear_model model;
  double n;
};
struct averaging_task {
  averaging numbers;
  double n;
  std::string of = {};          ///< their law, as it was described
  std::optional<law> one = {};  ///< where they are not simply normal

  [[nodiscard]] law number() const { return one ? *one : law{normal{numbers.mu, numbers.sigma}}; }
  [[nodiscard]] total_of what() const { return numbers.sum ? total_of::sum : total_of::mean; }
};
struct prediction_task {
  double slope;
  double sigma_x;
};
using any_task = std::variant<regression_task, sgd_task, averaging_task, prediction_task>;

/// What a computation must cost.
struct cost_question {
  std::string kind;
  register_formats formats;
  any_task what;
  entropy_kind entropies = entropy_kind::exact;
  kelvin temperature{300};
  std::optional<internal_states> internal = {};  ///< where states differ in it
  std::optional<joules> per_operation = {};      ///< on the user's chip
  std::string caution = {};                      ///< what the question leaves out

  [[nodiscard]] const storage& format() const { return formats.data.x; }
};

/// Where the bits of the inputs are.
struct input_fields {
  bits sign;
  bits exponent;
  bits mantissa;
  bits shared;  ///< by x and y, and so counted twice above
};

/// What one bit of precision adds to a bill, beside what it adds to the registers.
struct precision_step {
  bits erased;
  bits registers;

  /// Is it what the registers have?
  [[nodiscard]] bool is_full() const;
};

/// What the central limit theorem makes of an average.
struct limit_gap {
  bounded<bits> output;  ///< what the register would hold
  bounded<bits> gap;     ///< that less the truth
};

/// A bill. The laws behind it are made once; what is shown beside the bill when it is looked at.
class cost_answer {
 public:
  explicit cost_answer(const cost_question& asked, const stop_token& stop = {});

  [[nodiscard]] const cost_question& asked() const { return asked_; }
  [[nodiscard]] const cyclic_device& device() const { return priced_.device; }
  [[nodiscard]] bool applies() const { return priced_.applies; }
  [[nodiscard]] bool is_exact() const { return asked_.entropies == entropy_kind::exact; }
  [[nodiscard]] bounded<bits> erased() const { return device().erased(); }
  /// That, and what internal entropies add.
  [[nodiscard]] bounded<bits> lost() const { return device().lost(); }
  [[nodiscard]] const std::optional<internal_bill>& internal() const { return internal_; }
  [[nodiscard]] bounded<joules> cost() const { return device().cost(asked_.temperature); }
  /// What the bill can be, by its error bars and because no register holds less than 0 bits or more
  /// than its width: closed forms that do not apply know neither.
  struct range {
    bits least;
    bits most;

    [[nodiscard]] bool has(bits value) const { return least <= value && value <= most; }
  };
  [[nodiscard]] range possible() const;
  /// How many of them there are, and what one is called: data points, numbers, predictions.
  [[nodiscard]] double inputs() const;
  [[nodiscard]] const input_fields& fields() const;
  /// Of the last bit of precision, or of one more where a register cannot have less. Nothing where
  /// there are no such registers.
  [[nodiscard]] const std::optional<precision_step>& one_bit() const;

  // What only some kinds have.
  [[nodiscard]] bounded<bits> start() const;                      ///< of SGD
  [[nodiscard]] const bounded<bits>& last_step() const;           ///< of SGD
  [[nodiscard]] double limit_deviation() const;                   ///< of SGD
  [[nodiscard]] const std::optional<law_gap>& gap() const;        ///< of SGD by another law
  [[nodiscard]] const std::optional<sgd_ou_gap>& ou_gap() const;  ///< of SGD by the OU process
  [[nodiscard]] const inference_cost& prediction() const { return *prediction_; }
  [[nodiscard]] bool slope_is_representable() const;  ///< of a prediction
  /// Of an average; nothing where there is no such normal law.
  [[nodiscard]] const std::optional<limit_gap>& central_limit() const;

  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;

 private:
  struct priced_task;
  cost_answer(cost_question asked, priced_task made);
  static priced_task price(const cost_question& asked, const stop_token& stop);
  void add_details(ask::report& made) const;
  [[nodiscard]] const sgd_task* descends() const { return std::get_if<sgd_task>(&asked_.what); }
  [[nodiscard]] internal_bill price_internal(const stop_token& stop) const;
  [[nodiscard]] json shown_internal() const;
  void warn_of_registers(std::vector<std::string>& list) const;
  [[nodiscard]] cyclic_device device_in(const register_formats& formats) const;

  cost_question asked_;
  computation priced_;
  std::optional<law> before_;  ///< the law of SGD's slope one step earlier; none before the first
  std::optional<law> after_;   ///< of SGD's slope, or of an average
  std::optional<inference_cost> prediction_;
  std::optional<internal_tables> tables_;
  std::optional<internal_bill> internal_;
  stop_token stop_;
  lazy<input_fields> fields_;
  lazy<std::optional<precision_step>> one_bit_;
  lazy<bounded<bits>> last_step_;
  lazy<std::optional<law_gap>> gap_;
  lazy<std::optional<sgd_ou_gap>> ou_gap_;
  lazy<std::optional<limit_gap>> central_limit_;
};

cost_question read_cost(const words& asked);

inline cost_answer solve(const cost_question& asked, const stop_token& stop = {}) {
  return cost_answer{asked, stop};
}

}  // namespace ktln2::ask
