#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/problem.hpp"
#include "ask/protocol.hpp"
#include "ask/report.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/mismatch/driven.hpp"

namespace ktln2::ask {

/// What erasing a bit, resetting a register, or what a file says, costs in finite time.
struct markov_question {
  std::string protocol;  ///< "erase", "reset" or a file
  double duration = 100;
  double bias = 20;
  double rate = 1;
  float_format held = float_format{2, 2};  ///< of a reset, and the next two
  double sigma = 1.5;
  double loaded = 1.5;
  std::optional<rate_protocol> given = {};  ///< of a file; nothing above counts but the duration
  kelvin temperature{300};

  [[nodiscard]] bool is_erase() const { return protocol == "erase"; }
};

struct markov_answer {
  markov_question asked;
  std::size_t states = 0;
  struct row {
    double duration = 0;
    mismatch::markov_path path;
    mismatch::nats landauer;  ///< what left the states' own entropy
  };
  std::vector<row> rows;  ///< a tenth of the duration, the duration, ten times it
  double slope = 0;       ///< log10 of what the last step does to the production
  /// Nothing where some state does not lead to some other: then no one start is the best.
  struct parts {
    mismatch::nats mismatch;
    mismatch::nats residual;
  };
  std::optional<parts> production;

  [[nodiscard]] const row& main() const { return rows[1]; }
  [[nodiscard]] double joules_of(mismatch::nats value) const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

markov_question read_markov(const words& asked);
markov_answer solve(const markov_question& asked, const stop_token& stop = {});

}  // namespace ktln2::ask
