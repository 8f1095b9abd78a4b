#pragma once

#include <string>
#include <vector>

#include "ask/report.hpp"
#include "ask/words.hpp"
#include "ktln2/core/stop.hpp"
#include "ktln2/entropy/fields.hpp"

namespace ktln2::ask {

/// A standard normal variable in the common formats.
struct tour_question {};

struct tour_stop {
  float_format format;
  std::string size_of;
  field_entropies entropies;
};

struct tour_answer {
  std::vector<tour_stop> stops;

  [[nodiscard]] std::vector<std::string> warnings() const { return {}; }
  [[nodiscard]] ask::report report() const;
};

tour_question read_tour(const words& asked);
tour_answer solve(const tour_question& asked, const stop_token& stop = {});

}  // namespace ktln2::ask
