#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/law_gap.hpp"
#include "ask/lazy.hpp"
#include "ask/problem.hpp"
#include "ask/report.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/scaling/choices.hpp"

namespace ktln2::ask {

/// What is sought beside the size.
enum class optimized { nothing, precision, learning_rate, batch, learning_rate_and_batch };

/// The dataset size worth paying for.
struct scaling_question {
  std::string kind;
  market prices;
  std::string demand;  ///< as it was described
  register_formats formats;
  training what;
  entropy_kind entropies = entropy_kind::exact;
  optimized optimize = optimized::nothing;
  std::vector<double> at = {};

  [[nodiscard]] const storage& format() const { return formats.data.x; }
  [[nodiscard]] bool is_by_exact_law() const;
};

/// The entropies and the law at the best size, or at the first if there is none.
struct size_judgment {
  bool applies = true;
  joules energy_error{0};           ///< how far the exact entropies may move the energy
  std::optional<law_gap> gap = {};  ///< of SGD by another law than the exact one
};

struct scaling_answer {
  scaling_question asked;
  profit_curve curve;  ///< with what was found best
  best_size size;
  std::optional<sgd_choice> best_sgd = {};     ///< if a learning rate or a batch was sought
  std::vector<precision_choice> choices = {};  ///< if a precision was sought
  std::vector<profit_point> at = {};
  lazy<size_judgment> judgment = {};

  [[nodiscard]] const size_judgment& judged() const;
  [[nodiscard]] const precision_choice* best_precision() const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

scaling_question read_scaling(const words& asked);
scaling_answer solve(const scaling_question& asked, const stop_token& stop = {});

/// The profit from the first size to far beyond the best one, with equal ratios. By SGD's exact
/// law, which is known at whole steps only, that with its exact moments.
std::vector<profit_point> curve_around(const scaling_answer& made, const stop_token& stop = {});

/// "interior", "corner", "beyond" or "infinity"
const char* name_of(best_place place);

}  // namespace ktln2::ask
