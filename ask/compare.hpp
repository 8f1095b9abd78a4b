#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/entropy/number_entropy.hpp"
#include "ktln2/entropy/rounding_error.hpp"

namespace ktln2::ask {

/// What one variable is worth in several registers.
struct compare_question {
  std::string distribution;
  law x;
  std::vector<std::string> formats;
};

struct compare_row {
  std::string format;
  double width = 0;  ///< bits of a register; of a block, an element's with its share of the scale
  bounded<bits> entropy = exactly(bits{0});  ///< of a block, per element
  // Those of blocks are not known.
  std::optional<field_entropies> fields = {};
  std::optional<stored_masses> masses = {};  ///< nor are those of the paper's formats: no zero
  std::optional<rounding_errors> errors = {};

  [[nodiscard]] double wasted() const { return width - entropy.value.value(); }
  /// What a lossless code needs, of what the register takes.
  [[nodiscard]] double floor_share() const { return entropy.value.value() / width; }
  [[nodiscard]] std::optional<bounded<double>> mean_square_error() const {
    return errors ? errors->mean_square : std::nullopt;
  }
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
