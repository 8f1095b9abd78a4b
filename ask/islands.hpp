#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/mismatch.hpp"
#include "ktln2/mismatch/logical_states.hpp"
#include "ktln2/mismatch/sgd_steps.hpp"

namespace ktln2::ask {

/// The true mismatch cost of an algorithm on a small format.
struct islands_question {
  register_formats formats;
  linear_model model;
  std::string algorithm = "exact";  ///< or "sgd"
  int n = 1;                        ///< of exact regression
  descent how = {.eta = 0.5, .batch = 1, .w0 = 1};
  double steps = 1;       ///< of SGD
  bool per_step = false;  ///< each of them for itself, too
  double alpha = 1;
  double constant = 0;
  mismatch::variational_bounds bounds = {};
};

struct islands_answer {
  islands_question asked;
  std::size_t states = 0;
  std::size_t islands = 0;
  double least_constant = 0;
  mismatch::member_bounds found;
  mismatch::variational_optimum star;
  /// Where the best start is sought among all logical states; none where they are too many.
  std::optional<mismatch::logical_account> logical;
  /// SGD as a process for each step.
  struct stepwise {
    std::size_t states = 0;
    std::size_t islands = 0;
    double least_constant = 0;
    std::vector<mismatch::step_account> steps;
    mismatch::step_account sum;
  };
  std::optional<stepwise> each;

  [[nodiscard]] bool paper_bound_holds() const { return found.paper <= found.account.mismatch; }
  /// The parts of the account: a key of the JSON object, a name and an amount.
  struct entry {
    const char* key = "";
    const char* name = "";
    mismatch::nats value;
  };
  [[nodiscard]] std::vector<entry> entries() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

islands_question read_islands(const words& asked);
islands_answer solve(const islands_question& asked, const stop_token& stop = {});

}  // namespace ktln2::ask
