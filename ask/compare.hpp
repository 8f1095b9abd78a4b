#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/entropy/number_entropy.hpp"

namespace ktln2::ask {

/// What one variable is worth in several registers.
struct compare_question {
  std::string distribution;
  law x;
  std::vector<std::string> formats;
};

struct compare_row {
  std::string format;
  int width = 0;
  field_entropies entropies;
  std::optional<stored_masses> masses;  ///< nothing for the paper's formats, which have no zero

  [[nodiscard]] double wasted() const { return width - entropies.total.value.value(); }
  /// What a lossless code needs, of what the register takes.
  [[nodiscard]] double floor_share() const { return entropies.total.value.value() / width; }
};

struct compare_answer {
  compare_question asked;
  std::vector<compare_row> rows;  ///< those that hold most first, of those the smallest

  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

compare_question read_compare(const words& asked);
compare_answer solve(compare_question asked, const stop_token& stop = {});

}  // namespace ktln2::ask
