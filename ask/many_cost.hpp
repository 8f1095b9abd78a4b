#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/many_problem.hpp"
#include "ask/report.hpp"
#include "ktln2/core/stop.hpp"

namespace ktln2::ask {

/// What a computation with many features must cost.
struct many_cost_question {
  std::string kind;  ///< exact, sgd or inference
  register_formats formats;
  row_model model;
  double n = 10;  ///< rows, of SGD the steps
  bool intercept = false;
  double ridge = 0;
  vector_descent how = {};
  entropy_kind entropies = entropy_kind::exact;
  kelvin temperature{300};
};

/// What SGD has come to.
struct many_sgd_state {
  vector_moments reached;
  vector_moments by_process;  ///< the Ornstein–Uhlenbeck process at the same step
  double excess_risk = 0;
  double eta_max = 0;
};

struct many_cost_answer {
  many_cost_question asked;
  std::optional<many_computation> bill = {};       ///< of exact and sgd
  std::optional<many_prediction> prediction = {};  ///< of inference
  std::optional<many_sgd_state> sgd = {};

  [[nodiscard]] bounded<bits> erased() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

/// Is a question about a cost one about many features?
bool asks_for_many_cost(const words& asked);
many_cost_question read_many_cost(const words& asked);
many_cost_answer solve(const many_cost_question& asked, const stop_token& stop = {});

}  // namespace ktln2::ask
