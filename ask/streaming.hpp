#pragma once

#include <string>
#include <vector>

#include "ask/problem.hpp"
#include "ask/report.hpp"
#include "ktln2/cost/streaming.hpp"

namespace ktln2::ask {

/// What regression costs whose sums run along with the data.
struct streaming_question {
  float_format format;
  linear_model model;
  double n = 0;
  kelvin temperature{300};
};

struct streaming_answer {
  streaming_question asked;
  streaming_cost found;
  bool is_enumerated = false;  ///< every state of the sums was looked at
  bounded<bits> ideal_slope;   ///< H(ŵ) of a slope that was computed without rounding

  /// What the parts did not use of what they share: a key of the JSON object, words and bits.
  struct entry {
    const char* key = "";
    const char* name = "";
    bounded<bits> amount;
  };
  [[nodiscard]] std::vector<entry> entries() const;
  [[nodiscard]] bounded<joules> joules_of(const bounded<bits>& erased) const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] ask::report report() const;
};

streaming_question read_streaming(const words& asked);
streaming_answer solve(const streaming_question& asked, const stop_token& stop = {});

}  // namespace ktln2::ask
