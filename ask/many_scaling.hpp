#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/problem.hpp"
#include "ask/report.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/scaling/many_choices.hpp"

namespace ktln2::ask {

/// What is sought beside the number of rows.
enum class many_optimized { nothing, precision, features, learning_rate, batch };

/// The number of rows worth paying for, with many features.
struct many_scaling_question {
  std::string kind;
  market prices;
  std::string demand;  ///< as it was described
  register_formats formats;
  many_problem what;
  many_terms terms = {};
  entropy_kind entropies = entropy_kind::exact;
  many_optimized optimize = many_optimized::nothing;
  double decay = 1;  ///< of the features' strength
  std::vector<double> at = {};
};

struct many_scaling_answer {
  many_scaling_question asked;
  many_profit curve;  ///< with what was found best
  many_best size;
  std::vector<many_precision> precisions = {};  ///< if a precision was sought
  std::vector<many_features> features = {};     ///< if a number of features was sought
  std::optional<many_sgd_choice> sgd = {};      ///< if a learning rate or a batch was sought
  std::vector<profit_point> at = {};

  /// H(model)/(n H(row)) at the best size
  [[nodiscard]] double output_share() const;
  /// Is what the coefficients hold left out, as no law of theirs is known?
  [[nodiscard]] bool is_uncounted() const;
  /// How much of the input that may be; else 0.
  [[nodiscard]] double uncounted_share() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

/// Is a question about scaling one about many features?
bool asks_for_many_scaling(const words& asked);
many_scaling_question read_many_scaling(const words& asked);
many_scaling_answer solve(const many_scaling_question& asked, const stop_token& stop = {});

/// The profit of all small sizes and some large ones, to far beyond the best: as the answer has it
/// where it looked, and elsewhere with the closed form of what the model holds.
std::vector<profit_point> curve_around(const many_scaling_answer& made);

}  // namespace ktln2::ask
